"""Whether an event can have happened at a table: the referee's work, repeated from the log.

Nothing here trusts the log. What the rules decide is computed again from the seed and the
moves; a decision of the table, such as an agreed draw, must meet its conditions.
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
from rookery.hall.tables.referee import plies_back
from rookery.hall.tables.ruling import sound
from rookery.hall.tables.table import Table, advance, open_table

ABORT_BEFORE: Final = 2  # moves: a game is called off before its second


class Violation(Exception):
    """The event cannot have happened; the sentence says why."""


def begin(table: TableId, event: events.TableEvent) -> Table:
    """The table that its first event made. Raises Violation."""
    if not isinstance(event, events.Opened):
        raise Violation("A table's first event opens it, and this one does not.")
    try:
        made = open_table(table, event)
        # A plug-in has the rules it has today: who reads the log can mend neither.
        if made.rests and made.game.name in GAMES and not event.package:
            raise Violation(made.rests.replace("It was", f"Table {table} was", 1))
        if event.seats not in made.game.seat_counts:
            raise Violation(f"{event.variant} is not a game for {event.seats}.")
    except Mistake as wrong:
        raise Violation(str(wrong)) from None
    except RulesFailed as failed:
        raise Violation(f"The rules of {event.variant} fail here.") from failed
    return made


def follow(table: Table, event: events.TableEvent) -> Table:
    """The table after this event. Raises Violation."""
    _in_time(table, event)
    seat = _seat(event)
    if seat is not None and not 0 <= seat < len(table.seats):
        raise Violation(f"There is no seat {seat} at this table.")
    try:
        if table.rests:  # whose rules are not here, so nobody can judge it
            return advance(table, event)[0]
        if isinstance(event, events.Played):
            return _play(table, event)
        _allow(table, event)
        return advance(table, event)[0]
    except Mistake as wrong:
        raise Violation(str(wrong)) from None
    except Violation:
        raise
    except BROKEN as wrong:
        name = table.game.name
        raise Violation(f"The rules of {name} fail here: {type(wrong).__name__}.") from wrong


def _in_time(table: Table, event: events.TableEvent) -> None:
    """Object to an event that comes at the wrong time of a table's life."""
    match event:
        case events.Opened():
            raise Violation("A table is opened once.")
        case events.BeforeGame():
            wanted = Status.OPEN
        case events.InGame():
            wanted = Status.PLAYING
        case events.AfterGame():
            wanted = Status.OVER
        case events.Said():
            return
    if table.status is not wanted:
        raise Violation(f"This happens while a table is {wanted}, and this one is {table.status}.")
    plays = wanted is Status.PLAYING and not isinstance(event, events.Ended)
    if plays and _by_rules(table) is not None:
        raise Violation("The rules had ended the game before this.")


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
    """The table after a move, if turn, notation, rules and clock allow it. Raises Violation."""
    if event.seat not in table.to_act:
        raise Violation(f"Seat {event.seat} plays {event.move}, and it is not its turn.")
    try:
        move = table.game.parse_move(event.move)
        step = table.game.play(table.state, event.seat, move)
    except Mistake as no:
        raise Violation(f"The move {event.move} is not legal: {no}") from None
    written = table.game.format_move(move)
    if written != event.move:
        raise Violation(f"The move {written} is not written {event.move}.")
    flag = _flag(table, event.seat)
    if event.spent < 0 or (flag is not None and event.spent >= flag):
        raise Violation(f"The move {event.move} took {event.spent} µs of the {flag} there were.")
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
            require(may, "No seat of this table is taken over.")
            require(player not in table.seats, f"Player {player} sits there already.")
            require(seat not in table.out, f"Seat {seat} is out, and is taken over.")
        case events.Erred():
            require(table.opened.policy.errors.limit > 0, "This table does not count errors.")
        case events.DrawOffered(seat=seat):
            require(table.game.can_draw, "This game has no draw by agreement.")
            require(table.teams[seat] not in table.offers, "The draw was offered before.")
        case events.DrawDeclined():
            require(bool(table.offers), "A draw is declined that nobody offered.")
        case events.TakebackAsked() | events.TakebackDeclined() | events.TakenBack():
            _take_back(table, event)
        case events.Out():
            _leave(table, event)
        case events.Ended(outcome):
            _end(table, outcome)
        case events.RematchWished(seat=seat):
            require(table.opened.tour is None, "The players of a tour play no game again.")
            require(seat not in table.wishes, f"Seat {seat} wished for another game before.")
        case events.Rematched():
            require(len(table.wishes) == len(table.seats), "Not all wished for another game.")
        case events.Opened() | events.Played() | events.Said():
            pass


def _allow_before(table: Table, event: events.AnyBeforeGame) -> None:
    """Object to an event that cannot happen before a game."""
    match event:
        case events.Seeded():
            require(table.seed is None, "A table is seeded once.")
        case events.Sat(seat=seat, player=player):
            require(table.seats[seat] is None, f"Seat {seat} is taken.")
            require(player not in table.seats, f"Player {player} sits here already.")
        case events.Left(seat, player):
            require(table.seats[seat] is not None, f"Nobody sits on seat {seat}.")
            own = player == table.seats[seat]
            require(own, f"Seat {seat} is not player {player}'s to leave.")
        case events.Owned(player):
            require(player in table.seats, f"Player {player} owns a table and does not sit at it.")
        case events.Swapped(one, other):
            seats = range(len(table.seats))
            require(one in seats and other in seats, f"There are no two seats {one} and {other}.")
            require(table.teams[one] == table.teams[other], "Only team-mates change places.")
        case events.Started():
            require(table.seed is not None, "A game starts without its seed.")
            require(None not in table.seats, "A game starts with a seat empty.")
        case events.Closed(reason):
            failed = reason.startswith(f"The rules of {table.game.name} ")
            require(failed or not any(table.seats), "A table closes with somebody at it.")


def _take_back(table: Table, event: events.AnyTakeback) -> None:
    """Object to a takeback, or a request for one, that cannot be."""
    require(table.opened.takebacks, "No move is taken back at this table.")
    match event:
        case events.TakebackAsked(seat):
            require(table.takeback is None, "A move is asked for while another is.")
            require(plies_back(table, seat) > 0, f"Seat {seat} has no move to take back.")
        case events.TakebackDeclined():
            require(table.takeback is not None, "A takeback is declined that nobody asked for.")
        case events.TakenBack(seat, plies, thought):
            require(seat == table.takeback, f"Seat {seat} had not asked for its move.")
            so_many = plies_back(table, seat)
            require(plies == so_many, f"{plies} moves are taken back, and not {so_many}.")
            all_said = len(thought) == len(table.seats) and min(thought) >= 0
            require(all_said, "A takeback says what each seat had thought.")


def _leave(table: Table, event: events.Out) -> None:
    """Object where the reason why a seat is out does not hold."""
    require(event.seat not in table.out, f"Seat {event.seat} is out already.")
    # Its clients sit in tours alone, and are late or wrong by what the dialect asks of them.
    if table.opened.tour is not None and any(
        one.matched is Matched.CALLED and one.speaks(table.game) for one in LANGUAGES
    ):
        return
    match event.why:
        case Forfeit.LATE:
            flag = _flag(table, event.seat)
            late = flag is not None and event.spent >= flag
            require(late, f"Seat {event.seat} had {flag} µs, and took {event.spent}.")
        case Forfeit.CHEATED:
            enough = 0 < table.opened.policy.errors.limit <= table.errors[event.seat]
            require(enough, f"Seat {event.seat} has too few errors to be out for them.")
        case Forfeit.RESIGNED | Forfeit.GONE:
            pass


def _end(table: Table, outcome: Outcome) -> None:
    """Object to an outcome that is neither the rules' own nor one of the six a table knows."""
    if outcome.how == FAILED:  # whether they would fail again is not asked
        require(outcome.places == (2,) * len(table.seats), f"Not so: {_brief(outcome)}.")
        return
    ruled = _by_rules(table)
    if ruled is not None:
        same = outcome == ruled
        require(same, f"The outcome is {_brief(outcome)}, and by the rules {_brief(ruled)}.")
        return
    match outcome.how:
        case "agreed":
            require(table.offers == set(table.teams), "Not everyone agreed on a draw.")
            place = 1
        case "aborted":
            require(table.plies < ABORT_BEFORE, f"Called off after {table.plies} moves.")
            require(table.opened.tour is None, "The players of a tour call no game off.")
            place = 2
        case how if how == VOIDED:
            require(table.opened.tour is not None, "Only a tour's organiser voids a game.")
            same = len(outcome.places) == len(table.seats)
            require(same, f"Not so: {_brief(outcome)}.")
            return  # who comes first is for the tour to say: a result may have been entered
        case "abandoned" | "closed":  # everyone left, or the organiser closed the table
            place = 2
        case _:
            raise Violation(f"The outcome is {_brief(outcome)}, and by the rules it goes on.")
    require(outcome.places == (place,) * len(table.seats), f"Not so: {_brief(outcome)}.")


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


def require(so: bool, sentence: str) -> None:
    """Raise Violation with this sentence, unless the condition holds."""
    if not so:
        raise Violation(sentence)
