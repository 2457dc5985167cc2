"""The quick way of a move: what the referee, the news and the floor do of it, in one go.

Nearly all intents are moves, and nearly every move is legal, in time, and ends
nothing. Such a move gets the batch that the plain way would give it, without the values that
go between its parts, and without asking the rules again what they have said before: a third of
what deciding it costs. Any other move is left to the plain way, before anything
has changed. The laws play both ways side by side.
"""

from typing import Any, Final

from msgspec import Struct

from rookery.core.clock import Budget
from rookery.core.errors import BROKEN, RulesFailed, TookTooLong
from rookery.core.events import Played, Record
from rookery.core.ids import Micros, Seat, SessionId, Status, Wall
from rookery.core.intents import Play
from rookery.core.messages import Done, Happened, News
from rookery.games import AnyGame
from rookery.hall.batch import Batch, Delivery
from rookery.hall.limits import MOVE_MAX
from rookery.hall.people.presence import Presence
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.news import in_order, left_of, open_to_all, scene_of
from rookery.hall.tables.table import Table, played

TEXTS_KEPT: Final = 4_096  # all that there are on some boards; then all are forgotten
ACTS_KEPT: Final = 256  # games mostly have one a seat, but they may make a new one each time


# Rules are pure: a text always means the same move, and a set of seats that was valid once stays
# valid. Asking again costs a twentieth of deciding a move, in a game with a long notation more.
# The keys of both caches are identities, so only the very same game, or the very same set, is
# answered from here, and both are bounded.
class Reading(Struct, frozen=True, gc=False):
    """A move that a game reads from a text, and writes as the same text."""

    game: AnyGame  # which is kept, so that nothing else can have its identity
    move: Any  # Any: only the game can read it


class MoveCache:
    """Moves that were read before; `known` is keyed by the game's identity and the text."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, str], Reading] = {}

    def read(self, game: AnyGame, text: str) -> Reading | None:
        """Read the move of this text and remember it; None where the game writes it otherwise.

        The referee then checks whether the game can read its own writing. Raises as the rules do.
        """
        move = game.parse_move(text)
        if game.format_move(move) != text:
            return None
        reading = Reading(game, move)
        try:
            hash(move)
        except TypeError:
            return reading  # a move that can be changed is not kept
        if len(self.known) >= TEXTS_KEPT:
            self.known.clear()
        self.known[id(game), text] = reading
        return reading


class Acting(Struct, frozen=True, gc=False):
    """The seats whose turn it is, as a game said it: at least one, and all of them can be seats."""

    acts: frozenset[Seat]  # which is kept, as the game is above
    listed: tuple[Seat, ...]  # the lowest first
    seats: int  # that a table must have for it


class ToActCache:
    """Sets of seats that were checked before; `known` is keyed by their identity."""

    def __init__(self) -> None:
        self.known: dict[int, Acting] = {}

    def look_at(self, acts: frozenset[Seat]) -> Acting | None:
        """Check the seats a game says are to act; None if they are none, or cannot be seats."""
        if type(acts) is not frozenset or not acts:
            return None
        if not all(type(seat) is int and seat >= 0 for seat in acts):
            return None
        if len(self.known) >= ACTS_KEPT:
            self.known.clear()
        acting = self.known[id(acts)] = Acting(acts, in_order(acts), max(acts) + 1)
        return acting


_PLAYING: Final = Status.PLAYING


class QuickMoves:
    """Plays ordinary moves at the tables of a floor; while not `on`, the referee plays them all."""

    def __init__(self, presence: Presence, floor: Floor) -> None:
        self.on = True
        self._presence = presence
        self._floor = floor
        self._texts, self._acts = MoveCache(), ToActCache()

    def play(
        self, session: SessionId, intent: Play, now: Micros, at: Wall, seq: int
    ) -> Batch | None:
        """The batch of this move, with record `seq`; None if the move must go to the referee."""
        floor, table_id, text = self._floor, intent.table, intent.move
        found = self._find(session, intent)
        if found is None:
            return None
        table, seat, since = found
        game, heard = table.game, floor.audiences.find(table)
        if not heard.named or game.secret_moves:
            return None
        try:
            spent = _spent(table, seat, since, now)
            if spent is None or (since is None and seat not in game.to_act(table.state)):
                return None
            read = self._texts.known.get((id(game), text)) or self._texts.read(game, text)
            if read is None:
                return None
            step = game.play(table.state, seat, read.move)
            effects, acts = open_to_all(step.effects), game.to_act(step.state)
            acting = self._acts.known.get(id(acts)) or self._acts.look_at(acts)
            if effects is None or acting is None or acting.seats > len(table.seats):
                return None
            if game.outcome(step.state) is not None:
                return None
            after, event = played(table, seat, spent, step), Played(seat, text, spent)
            left = left_of(after, now, acts=acts)
        except TookTooLong as wrong:  # nobody waits for that twice
            raise RulesFailed(table_id) from wrong
        except BROKEN:  # not legal, or the rules fail: the plain way finds out
            return None
        record = Record(seq, floor.tables.stream(table_id), after.n, at, event)
        turns = floor.moved(record, after, seat, acts, now)
        # `happening`, without asking the rules again whose turn it is.
        happened = Happened(table_id, after.n, at, event, effects, acting.listed, left)
        news = News(happened, scene_of(after, floor.broken.faults))
        told = [Delivery(session, Done(table_id, seat))]
        for one, sits in heard.audience.items():
            told.append(Delivery(one, news, not sits))
        return Batch((record,), tuple(told), tuple(turns), (), heard.onlookers)

    def _find(self, session: SessionId, intent: Play) -> tuple[Table, Seat, Micros | None] | None:
        """The table of a move that may be ordinary, the seat that moves, and since when it thinks.

        Such a seat was given its turn then, and nothing has happened since, so the rules need
        not be asked whose turn it is. None instead of a moment where the table's clock knows it.
        """
        tables, table_id = self._floor.tables, intent.table
        table, begun = tables.peek(table_id)
        if table is None or table.status is not _PLAYING or len(intent.move) > MOVE_MAX:
            return None
        player, seats = self._presence.acts_for(session, intent.player), table.seats
        if player is None or player not in seats or not self.on:
            return None
        seat = Seat(seats.index(player))
        if begun and (len(begun) > 1 or seat not in begun):
            return tables.get(table_id) or table, seat, None  # others think too
        return table, seat, begun.get(seat)


def _spent(table: Table, seat: Seat, since: Micros | None, now: Micros) -> Micros | None:
    """How long the seat has thought, since then or by its clock; None if any flag has fallen."""
    clock = table.clock
    if clock.since.count(None) != len(clock.since) and clock.fallen(now) is not None:
        return None
    if since is None:
        return clock.spent(seat, now)
    control = clock.control
    if type(control) is Budget:  # as most are: `flag_from` without a call
        flag: Micros | None = since + clock.left[seat] + control.delay
    else:
        flag = clock.flag_from(since, seat, table.phase)
    if flag is not None and flag <= now:
        return None
    return now - since if now > since else 0
