"""The referee: decides what an intent at a table leads to. It changes nothing itself.

`decide` takes a table, who asks, what they ask and when it was read; it gives back the
events that follow, each with the table after it, or a refusal, or both (an illegal move
that counts is refused and an event). Illegal moves are judged in this order: the clock,
the turn, the notation, the rules. An ordinary move mostly goes by `quick_move`, which leaves
to the referee whatever is not ordinary.
"""

from msgspec import Struct

from rookery.core.errors import BROKEN, NOT_YOUR_TURN, BadNotation, IllegalMove
from rookery.core.events import (
    Closed,
    DrawDeclined,
    DrawOffered,
    Erred,
    Left,
    Owned,
    Played,
    RematchWished,
    Said,
    Sat,
    Started,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
)
from rookery.core.game import Forfeit, Outcome, draw
from rookery.core.ids import Micros, PlayerId, Seat, Status
from rookery.core.intents import (
    Abort,
    DeclineDraw,
    DeclineTakeBack,
    Leave,
    OfferDraw,
    Play,
    Rematch,
    Resign,
    Say,
    Sit,
    Start,
    TableIntent,
    TakeBack,
)
from rookery.core.messages import Refused
from rookery.core.names import shows
from rookery.core.policy import Begin
from rookery.games.absent_game import ABSENT
from rookery.hall.limits import ASIDES_A_TABLE, CHAT_MAX, CHATS_A_TABLE, MOVE_MAX, TAKEBACKS_A_TABLE
from rookery.hall.tables.flags import fallen
from rookery.hall.tables.opening import first_free, heir, swaps
from rookery.hall.tables.ruling import (
    SHORT,
    Ruling,
    RulingDraft,
    break_off,
    clean,
    is_short,
    nobody,
)
from rookery.hall.tables.table import Table

SeatedIntent = (
    Leave | Resign | OfferDraw | DeclineDraw | TakeBack | DeclineTakeBack | Abort | Rematch
)

UNREADABLE = "unreadable"  # the code of a move that is no move of this game


class Asker(Struct, frozen=True, gc=False):
    """The player who asks, and the name they go by."""

    player: PlayerId
    name: str


def decide(table: Table, who: Asker, intent: TableIntent, now: Micros, heard: Micros = 0) -> Ruling:
    """Rule on an intent; flags fall up to `heard`, but the asker's own flag falls up to `now`.

    Never raises for anything a player can do.
    An error raised in here is taken for the rules' own failure, and ends the table.
    """
    try:
        if table.clock.fallen(now) is not None:
            # A move that was read after the flag fell is too late, even if nobody noticed the flag.
            late = fallen(table, heard or now, _late(table, who, now))
            if late.changes:
                then = _judge(late.changes[-1].table, who, intent, now)
                return Ruling((*late.changes, *then.changes), then.refused)
        return _judge(table, who, intent, now)
    except BROKEN as wrong:
        return break_off(table, wrong)


def _late(table: Table, who: Asker, now: Micros) -> Seat | None:
    """The asker's seat, if its own flag fell before the intent was read; else None."""
    seat = table.seat_of(who.player)
    flag = None if seat is None else table.clock.flag(seat)
    return seat if flag is not None and flag <= now else None


def _judge(table: Table, who: Asker, intent: TableIntent, now: Micros) -> Ruling:
    if isinstance(intent, Sit):
        return _sit(table, who, intent)
    if isinstance(intent, Start):
        return _start(table, who, intent.order)
    seat = table.seat_of(who.player)
    if isinstance(intent, Say):
        return _say(table, who, seat, intent)
    if seat is None:
        return _no(table, "not_seated", f"You do not sit at table {table.id}.")
    if isinstance(intent, Play):
        return _play(table, seat, intent.move, now)
    return _seated(table, seat, intent, now)


def _seated(table: Table, seat: Seat, intent: SeatedIntent, now: Micros) -> Ruling:
    """Rule on an intent, other than a move, of a player who sits here."""
    if table.status is Status.PLAYING and table.rests:
        return _no(table, ABSENT, table.rests)
    match intent:
        case Leave():
            return _leave(table, seat, now)
        case Resign():
            return _give_up(table, seat, Forfeit.RESIGNED, now)
        case OfferDraw():
            return _offer_draw(table, seat)
        case DeclineDraw():
            return _decline_draw(table, seat)
        case TakeBack() | DeclineTakeBack() if table.status is not Status.PLAYING:
            return _not_playing(table)
        case TakeBack():
            return take_back(table, seat, now)
        case DeclineTakeBack():
            return decline(table, seat)
        case Abort():
            return _abort(table, seat)
        case Rematch():
            return _rematch(table, seat)


def begin(table: Table) -> Ruling:
    """Start the game of a table whose seats are all taken."""
    draft = RulingDraft(table)
    try:
        _begin(draft)
    except BROKEN as wrong:
        return break_off(table, wrong)
    return draft.ruling()


def gone(table: Table, seat: Seat) -> Ruling:
    """Put out a seat whose grace period is over and whose player is not back."""
    return expelled(table, seat, Forfeit.GONE, 0)


def expelled(table: Table, seat: Seat, why: Forfeit, spent: Micros) -> Ruling:
    """Put a seat out for a reason that lies outside this table."""
    draft = RulingDraft(table)
    try:
        draft.out(seat, why, spent)
    except BROKEN as wrong:
        return break_off(table, wrong)
    return draft.ruling()


def called_off(table: Table, how: str, reason: str) -> Ruling:
    """End a running game without a winner: everyone left, or it was closed or voided."""
    return ended_by(table, nobody(table, how, reason))


def ended_by(table: Table, outcome: Outcome) -> Ruling:
    """End a running game with an outcome that was decided outside this table."""
    draft = RulingDraft(table)
    draft.end(outcome)
    return draft.ruling()


def vacate(table: Table, seats: frozenset[Seat], who: PlayerId | None = None) -> Ruling:
    """Clear these seats of a game not begun; a table that nobody sits at any more is closed.

    `who` goes, with or without a seat. Where the owner starts the game and goes, another player
    becomes the owner.
    """
    draft = RulingDraft(table)
    for seat in sorted(seats):
        if (player := table.seats[seat]) is not None:
            draft.add(Left(seat, player))
    after = draft.table
    if not after.joined:
        draft.add(Closed())
    elif table.owner is not None and table.opened.policy.begin is Begin.OWNER:
        seat_of_owner = table.seat_of(table.owner)
        if table.owner == who or seat_of_owner in seats:
            draft.add(Owned(heir(after, seat_of_owner)))
    return draft.ruling()


# -- before the game


def _sit(table: Table, who: Asker, intent: Sit) -> Ruling:
    if table.rests:
        return _no(table, ABSENT, table.rests)
    if table.status is not Status.OPEN:
        return _no(table, "not_open", f"Table {table.id} takes no more players.")
    if who.player in table.seats:
        return _no(table, "already_seated", f"You sit at table {table.id} already.")
    seat = intent.seat if intent.seat is not None else first_free(table, intent.prefer)
    if seat is None:
        return _no(table, "full", f"Table {table.id} is full.")
    if not 0 <= seat < len(table.seats):
        return _no(
            table, "no_such_seat", f"Table {table.id} has seats 0 to {len(table.seats) - 1}."
        )
    if table.seats[seat] is not None:
        return _no(table, "seat_taken", f"Seat {seat} of table {table.id} is taken.")
    draft = RulingDraft(table)
    draft.add(Sat(seat, who.player, who.name))
    if None not in draft.table.seats and table.opened.policy.begin is Begin.FULL:
        _begin(draft)
    return draft.ruling()


def _start(table: Table, who: Asker, order: tuple[Seat, ...]) -> Ruling:
    if who.player != table.owner:
        return _no(table, "not_owner", f"Table {table.id} is started by its owner.")
    if table.status is not Status.OPEN or None in table.seats:
        return _no(
            table, "not_ready", f"Table {table.id} cannot start: it is not full, or has begun."
        )
    draft = RulingDraft(table)
    if order:
        if sorted(order) != list(range(len(table.seats))):
            return _no(table, "no_such_seat", "An order names every seat of the table once.")
        for swapped in swaps(table, order):
            draft.add(swapped)
    _begin(draft)
    return draft.ruling()


def _begin(draft: RulingDraft) -> None:
    draft.add(Started())
    draft.settle()  # a fish game can be over before anyone moved


def _leave(table: Table, seat: Seat, now: Micros) -> Ruling:
    match table.status:
        case Status.OPEN:
            return vacate(table, frozenset({seat}), table.seats[seat])
        case Status.PLAYING:
            return _give_up(table, seat, Forfeit.GONE, now)
        case Status.OVER | Status.CLOSED:
            return _over(table)


# -- in the game


def _play(table: Table, seat: Seat, text: str, now: Micros) -> Ruling:
    if table.status is not Status.PLAYING:
        return _not_playing(table)
    if seat not in table.to_act:
        if table.rests:
            return _no(table, ABSENT, table.rests)
        return _error(table, seat, NOT_YOUR_TURN, "It is not your turn.")
    try:
        # What no game could mean is not read, and not kept.
        move = table.game.parse_move(text if len(text) <= MOVE_MAX else text[:MOVE_MAX] + "…")
        step = table.game.play(table.state, seat, move)
    except BadNotation as no:
        return _error(table, seat, UNREADABLE, str(no))
    except IllegalMove as no:
        return _error(table, seat, str(no.code), str(no))
    draft = RulingDraft(table)
    written = table.game.format_move(move)
    if written != text:
        # Or the log could not be read again.
        if not is_short(written):
            raise TypeError(SHORT)
        table.game.parse_move(written)
    draft.add(Played(seat, written, table.clock.spent(seat, now)), step)
    draft.settle()
    return draft.ruling()


def _error(table: Table, seat: Seat, code: str, sentence: str) -> Ruling:
    """Refuse an illegal move, and count it where the table counts."""
    refused = Refused(clean(code)[:MOVE_MAX], clean(sentence), table.id)
    policy = table.opened.policy.errors
    if not policy.limit or (code == NOT_YOUR_TURN and not policy.out_of_turn) or seat in table.out:
        return Ruling(refused=refused)
    draft = RulingDraft(table)
    draft.add(Erred(seat, refused.code))
    if draft.table.errors[seat] >= policy.limit:
        draft.out(seat, Forfeit.CHEATED, 0)
    return draft.ruling(refused)


def _give_up(table: Table, seat: Seat, why: Forfeit, now: Micros) -> Ruling:
    """A seat resigns, or leaves a running game."""
    if table.status is not Status.PLAYING:
        return _not_playing(table)
    if seat in table.out:
        return _no(table, "out", "You are out of this game already.")
    draft = RulingDraft(table)
    draft.out(seat, why, table.clock.spent(seat, now))
    return draft.ruling()


def _offer_draw(table: Table, seat: Seat) -> Ruling:
    if table.status is not Status.PLAYING:
        return _not_playing(table)
    if not table.game.can_draw:
        return _no(table, "no_draws", f"A game of {table.game.name} has no draw by agreement.")
    team = table.teams[seat]
    # Once between two moves, or a log could be filled with offers; a yes is always heard.
    if team in table.offers or (team in table.asked and not table.offers):
        return _no(table, "offered_before", "Your side has offered a draw already.")
    draft = RulingDraft(table)
    draft.add(DrawOffered(seat))
    if draft.table.offers == set(table.teams):
        draft.end(draw(len(table.seats), "agreed", "The players agreed on a draw."))
    return draft.ruling()


def _decline_draw(table: Table, seat: Seat) -> Ruling:
    if table.status is not Status.PLAYING:
        return _not_playing(table)
    if not table.offers:
        return _no(table, "no_offer", "Nobody has offered a draw.")
    draft = RulingDraft(table)
    draft.add(DrawDeclined(seat))
    return draft.ruling()


def _abort(table: Table, seat: Seat) -> Ruling:
    if table.status is not Status.PLAYING:
        return _not_playing(table)
    if seat in table.out:
        return _no(table, "out", "You are out of this game already.")
    if table.plies >= 2:
        return _no(table, "too_late", "A game can be called off only before its second move.")
    draft = RulingDraft(table)
    name = table.game.seat_name(seat)
    draft.end(nobody(table, "aborted", f"{name[:1].upper()}{name[1:]} called the game off."))
    return draft.ruling()


# -- beside and after the game


def _say(table: Table, who: Asker, seat: Seat | None, intent: Say) -> Ruling:
    if table.status is Status.CLOSED:
        return _over(table)
    text = "".join(c for c in intent.text if c.isprintable()).strip()
    if not shows(text):
        return _no(table, "empty", "There is nothing to say.")
    if len(text) > CHAT_MAX:
        return _no(table, "too_long", f"One can say at most {CHAT_MAX} characters at once.")
    if table.chats >= CHATS_A_TABLE or (seat is None and table.asides >= ASIDES_A_TABLE):
        return _no(table, "too_many", "Enough has been said at this table.")
    if intent.team and seat is None:
        return _no(table, "not_seated", "Only those who sit at the table have a team.")
    draft = RulingDraft(table)
    team = table.teams[seat] if intent.team and seat is not None else None
    draft.add(Said(who.player, who.name, text, team))
    return draft.ruling()


def _rematch(table: Table, seat: Seat) -> Ruling:
    if table.status is not Status.OVER:
        return _no(table, "not_over", f"The game at table {table.id} is not over.")
    if table.rematch is not None:
        return _no(table, "rematched", f"It goes on at table {table.rematch}.")
    if seat in table.wishes:
        return _no(table, "wished_before", "You have asked for another game already.")
    draft = RulingDraft(table)
    draft.add(RematchWished(seat))
    return draft.ruling()


# -- refusals


def _no(table: Table, code: str, sentence: str) -> Ruling:
    return Ruling(refused=Refused(code, sentence, table.id))


def _over(table: Table) -> Ruling:
    if table.status is Status.CLOSED:
        return _no(table, "over", f"Table {table.id} was closed before its game began.")
    return _no(table, "over", f"The game at table {table.id} is over.")


def _not_playing(table: Table) -> Ruling:
    if table.status is Status.OPEN:
        return _no(table, "not_started", f"The game at table {table.id} has not begun.")
    return _over(table)


# -- moves taken back


# The game goes back to before the last move of the seat that asked, so that this seat moves
# again: one move where the other has not answered, two where it has, more where the rules passed
# somebody over. Time is not given back, and no increment is given twice. The event says how long
# each seat had thought about its next move.
def take_back(table: Table, seat: Seat, now: Micros) -> Ruling:
    """Ask for the seat's last move back, or agree with the other seat that has asked."""
    if (refused := _why_kept(table, seat)) is not None:
        return Ruling(refused=refused)
    draft = RulingDraft(table)
    asks = table.takeback
    if asks is None or asks == seat:
        draft.add(TakebackAsked(seat))
    else:
        thought = tuple(table.clock.spent(Seat(n), now) for n in range(len(table.seats)))
        draft.add(TakenBack(asks, plies_back(table, asks), thought))
    return draft.ruling()


def decline(table: Table, seat: Seat) -> Ruling:
    """Refuse the other seat's request for a move back, or withdraw one's own."""
    if table.takeback is None:
        return Ruling(refused=Refused("no_request", "Nobody has asked for a move back.", table.id))
    draft = RulingDraft(table)
    draft.add(TakebackDeclined(seat))
    return draft.ruling()


def plies_back(table: Table, seat: Seat) -> int:
    """How many moves must be undone to undo this seat's last one; 0 where it has made none."""
    movers = [one.seat for one in reversed(table.earlier)]
    return movers.index(seat) + 1 if seat in movers else 0


def _why_kept(table: Table, seat: Seat) -> Refused | None:
    if not table.opened.takebacks:
        return Refused("no_takebacks", "No move is taken back at this table.", table.id)
    if table.out:
        return Refused("out", "No move is taken back once somebody is out.", table.id)
    if table.takeback not in (None, seat):
        return None  # a yes is always heard
    if not plies_back(table, seat):
        return Refused(
            "nothing_played", "You have made no move that could be taken back.", table.id
        )
    if table.takebacks >= TAKEBACKS_A_TABLE:
        return Refused("too_many", "Enough moves have been taken back in this game.", table.id)
    if seat in table.begged:  # or a log could be filled with asking
        return Refused(
            "asked_before",
            "You have asked already; you may ask again after the next move.",
            table.id,
        )
    return None
