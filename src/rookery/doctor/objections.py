"""Whether an event can have happened at a table: the referee's work, done again from the log.

Nothing here trusts the log. What the rules decide is worked out anew, from the seed and
the moves; for a decision of the table, such as an agreed draw, its conditions must be met.
"""

from typing import Final

from rookery.core import events
from rookery.core.errors import BROKEN, FAILED, Mistake, RulesFailed
from rookery.core.game import VOIDED, Forfeit, Outcome
from rookery.core.ids import Micros, Seat, Status, TableId
from rookery.core.manners import Matched
from rookery.core.policy import Gone
from rookery.dialects import LANGUAGES
from rookery.games import GAMES
from rookery.hall.tables.rulings.ruling import sound
from rookery.hall.tables.rulings.takebacks import plies_back
from rookery.hall.tables.table import Table, advance, open_table

ABORT_BEFORE: Final = 2  # moves: a game is called off before its second


class Objection(Exception):
    """The event cannot have happened; the sentence says why."""


def begin(table: TableId, event: events.TableEvent) -> Table:
    """The table that its first event made. Raises Objection."""
    if not isinstance(event, events.Opened):
        raise Objection("A table's first event opens it, and this one does not.")
    try:
        made = open_table(table, event)
        # A plug-in has the rules it has today: who reads the log can mend neither.
        if made.rests and made.game.name in GAMES and not event.package:
            raise Objection(made.rests.replace("It was", f"Table {table} was", 1))
        if event.seats not in made.game.seat_counts:
            raise Objection(f"{event.variant} is not a game for {event.seats}.")
    except Mistake as wrong:
        raise Objection(str(wrong)) from None
    except RulesFailed as failed:
        raise Objection(f"The rules of {event.variant} fail here.") from failed
    return made


def follow(table: Table, event: events.TableEvent) -> Table:
    """The table after this event. Raises Objection."""
    _in_time(table, event)
    seat = _seat(event)
    if seat is not None and not 0 <= seat < len(table.seats):
        raise Objection(f"There is no seat {seat} at this table.")
    try:
        if table.rests:  # whose rules are not here, so nobody can judge it
            return advance(table, event)[0]
        if isinstance(event, events.Played):
            return _play(table, event)
        _allow(table, event)
        return advance(table, event)[0]
    except Mistake as wrong:
        raise Objection(str(wrong)) from None
    except Objection:
        raise
    except BROKEN as wrong:
        name = table.game.name
        raise Objection(f"The rules of {name} fail here: {type(wrong).__name__}.") from wrong


def _in_time(table: Table, event: events.TableEvent) -> None:
    """Object to an event that comes at the wrong time of a table's life."""
    match event:
        case events.Opened():
            raise Objection("A table is opened once.")
        case events.BeforeGame():
            wanted = Status.OPEN
        case events.InGame():
            wanted = Status.PLAYING
        case events.AfterGame():
            wanted = Status.OVER
        case events.Said():
            return
    if table.status is not wanted:
        raise Objection(f"This happens while a table is {wanted}, and this one is {table.status}.")
    plays = wanted is Status.PLAYING and not isinstance(event, events.Ended)
    if plays and _by_rules(table) is not None:
        raise Objection("The rules had ended the game before this.")


def _seat(event: events.TableEvent) -> Seat | None:
    """The seat that an event is about, if it is about one."""
    match event:
        case (
            events.Sat(seat=seat)
            | events.Left(seat=seat)
            | events.TakenOver(seat=seat)
            | events.Played(seat=seat)
            | events.Erred(seat=seat)
            | events.DrawOffered(seat=seat)
            | events.DrawDeclined(seat=seat)
            | events.TakebackAsked(seat=seat)
            | events.TakebackDeclined(seat=seat)
            | events.TakenBack(seat=seat)
            | events.Out(seat=seat)
            | events.RematchWished(seat=seat)
        ):
            return seat
        case (
            events.Opened()
            | events.Seeded()
            | events.Owned()
            | events.Swapped()
            | events.Started()
            | events.Ended()
            | events.Closed()
        ):
            return None
        case events.Said() | events.Rematched():
            return None


def _play(table: Table, event: events.Played) -> Table:
    """The table after a move, if turn, notation, rules and clock allow it. Raises Objection."""
    if event.seat not in table.to_act:
        raise Objection(f"Seat {event.seat} plays {event.move}, and it is not its turn.")
    try:
        move = table.game.parse_move(event.move)
        step = table.game.play(table.state, event.seat, move)
    except Mistake as no:
        raise Objection(f"The move {event.move} is not legal: {no}") from None
    written = table.game.format_move(move)
    if written != event.move:
        raise Objection(f"The move {written} is not written {event.move}.")
    flag = _flag(table, event.seat)
    if event.spent < 0 or (flag is not None and event.spent >= flag):
        raise Objection(f"The move {event.move} took {event.spent} µs of the {flag} there were.")
    return advance(table, event, step)[0]


def _allow(table: Table, event: events.TableEvent) -> None:
    """Object to an event, other than a move, for which the table had no reason."""
    match event:
        case events.BeforeGame():
            _allow_before(table, event)
        case events.TakenOver(seat=seat, player=player):
            policy = table.opened.policy
            # In a match of a tour it may be an entrant who is back as another player.
            may = policy.gone is Gone.TAKEOVER or table.opened.tour is not None
            need(may, "No seat of this table is taken over.")
            need(player not in table.seats, f"Player {player} sits there already.")
            need(seat not in table.out, f"Seat {seat} is out, and is taken over.")
        case events.Erred():
            need(table.opened.policy.errors.limit > 0, "This table does not count errors.")
        case events.DrawOffered(seat=seat):
            need(table.game.can_draw, "This game has no draw by agreement.")
            need(table.teams[seat] not in table.offers, "The draw was offered before.")
        case events.DrawDeclined():
            need(bool(table.offers), "A draw is declined that nobody offered.")
        case events.TakebackAsked() | events.TakebackDeclined() | events.TakenBack():
            _take_back(table, event)
        case events.Out():
            _leave(table, event)
        case events.Ended(outcome):
            _end(table, outcome)
        case events.RematchWished(seat=seat):
            need(table.opened.tour is None, "The players of a tour play no game again.")
            need(seat not in table.wishes, f"Seat {seat} wished for another game before.")
        case events.Rematched():
            need(len(table.wishes) == len(table.seats), "Not all wished for another game.")
        case events.Opened() | events.Played() | events.Said():
            pass


def _allow_before(table: Table, event: events.AnyBeforeGame) -> None:
    """Object to an event that cannot happen before a game."""
    match event:
        case events.Seeded():
            need(table.seed is None, "A table is seeded once.")
        case events.Sat(seat=seat, player=player):
            need(table.seats[seat] is None, f"Seat {seat} is taken.")
            need(player not in table.seats, f"Player {player} sits here already.")
        case events.Left(seat, player):
            need(table.seats[seat] is not None, f"Nobody sits on seat {seat}.")
            own = player == table.seats[seat]
            need(own, f"Seat {seat} is not player {player}'s to leave.")
        case events.Owned(player):
            need(player in table.seats, f"Player {player} owns a table and does not sit at it.")
        case events.Swapped(one, other):
            seats = range(len(table.seats))
            need(one in seats and other in seats, f"There are no two seats {one} and {other}.")
            need(table.teams[one] == table.teams[other], "Only team-mates change places.")
        case events.Started():
            need(table.seed is not None, "A game starts without its seed.")
            need(None not in table.seats, "A game starts with a seat empty.")
        case events.Closed(reason):
            failed = reason.startswith(f"The rules of {table.game.name} ")
            need(failed or not any(table.seats), "A table closes with somebody at it.")


def _take_back(table: Table, event: events.AnyTakeback) -> None:
    """Object to a takeback, or a request for one, that cannot be."""
    need(table.opened.takebacks, "No move is taken back at this table.")
    match event:
        case events.TakebackAsked(seat):
            need(table.takeback is None, "A move is asked for while another is.")
            need(plies_back(table, seat) > 0, f"Seat {seat} has no move to take back.")
        case events.TakebackDeclined():
            need(table.takeback is not None, "A takeback is declined that nobody asked for.")
        case events.TakenBack(seat, plies, thought):
            need(seat == table.takeback, f"Seat {seat} had not asked for its move.")
            so_many = plies_back(table, seat)
            need(plies == so_many, f"{plies} moves are taken back, and not {so_many}.")
            all_said = len(thought) == len(table.seats) and min(thought) >= 0
            need(all_said, "A takeback says what each seat had thought.")


def _leave(table: Table, event: events.Out) -> None:
    """Object where the reason why a seat is out does not hold."""
    need(event.seat not in table.out, f"Seat {event.seat} is out already.")
    # Its clients sit in tours alone, and are late or wrong by what the dialect asks of them.
    if table.opened.tour is not None and any(
        one.matched is Matched.CALLED and one.speaks(table.game) for one in LANGUAGES
    ):
        return
    match event.why:
        case Forfeit.LATE:
            flag = _flag(table, event.seat)
            late = flag is not None and event.spent >= flag
            need(late, f"Seat {event.seat} had {flag} µs, and took {event.spent}.")
        case Forfeit.CHEATED:
            enough = 0 < table.opened.policy.errors.limit <= table.errors[event.seat]
            need(enough, f"Seat {event.seat} has too few errors to be out for them.")
        case Forfeit.RESIGNED | Forfeit.GONE:
            pass


def _end(table: Table, outcome: Outcome) -> None:
    """Object to an outcome that is neither the rules' own nor one of the six a table knows."""
    if outcome.how == FAILED:  # whether they would fail again is not asked
        need(outcome.places == (2,) * len(table.seats), f"Not so: {_brief(outcome)}.")
        return
    ruled = _by_rules(table)
    if ruled is not None:
        same = outcome == ruled
        need(same, f"The outcome is {_brief(outcome)}, and by the rules {_brief(ruled)}.")
        return
    match outcome.how:
        case "agreed":
            need(table.offers == set(table.teams), "Not everyone agreed on a draw.")
            place = 1
        case "aborted":
            need(table.plies < ABORT_BEFORE, f"Called off after {table.plies} moves.")
            need(table.opened.tour is None, "The players of a tour call no game off.")
            place = 2
        case how if how == VOIDED:
            need(table.opened.tour is not None, "Only a tour's organiser voids a game.")
            same = len(outcome.places) == len(table.seats)
            need(same, f"Not so: {_brief(outcome)}.")
            return  # who comes first is for the tour to say: a result may have been entered
        case "abandoned" | "closed":  # everyone left, or the organiser closed the table
            place = 2
        case _:
            raise Objection(f"The outcome is {_brief(outcome)}, and by the rules it goes on.")
    need(outcome.places == (place,) * len(table.seats), f"Not so: {_brief(outcome)}.")


def _by_rules(table: Table) -> Outcome | None:
    outcome = None if table.state is None else table.game.outcome(table.state)
    return None if outcome is None else sound(outcome, len(table.seats))


def _flag(table: Table, seat: Seat) -> Micros | None:
    """How long, in microseconds, until the seat's flag falls in this move; None without a clock."""
    return table.clock.run(seat, 0, table.game.phase(table.state)).flag(seat)


def _brief(outcome: Outcome) -> str:
    """An outcome in a line: places, the word, the reason, and scores where there are any."""
    scores = "" if outcome.scores is None else f" with {_dashed(outcome.scores)}"
    return f"{_dashed(outcome.places)} ({outcome.how}: {outcome.reason}){scores}"


def _dashed(numbers: tuple[int, ...]) -> str:
    return "-".join(map(str, numbers))


def need(so: bool, sentence: str) -> None:
    """Raise Objection with this sentence, unless the condition holds."""
    if not so:
        raise Objection(sentence)
