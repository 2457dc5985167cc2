"""The quick way of a move: what the referee, the herald and the floor do of it, in one go.

Nearly all that is asked is a move, and nearly every move is legal, in time, and ends
nothing. Such a one gets the batch that the plain way would give it, without the values that
go between its parts: a quarter of what deciding it costs. Whatever is of another kind is
left to the plain way, before anything has changed. The laws play both ways side by side.
"""

from typing import Final

from rookery.core.clocks.timecontrol import Budget
from rookery.core.errors import BROKEN, RulesFailed, TookTooLong
from rookery.core.events import Played, Record
from rookery.core.ids import Micros, Seat, SessionId, Wall
from rookery.core.intents import Play
from rookery.core.messages import Done, News
from rookery.core.status import Status
from rookery.hall.batch import Batch, Delivery
from rookery.hall.limits import MOVE_MAX
from rookery.hall.people.presence import Presence
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.registry import NONE_BEGUN
from rookery.hall.tables.table import Table, are_seats, played
from rookery.hall.tables.telling.news import happening, open_to_all, scene_of

_PLAYING: Final = Status.PLAYING


class QuickMoves:
    """Plays moves at the tables of a floor; all are left to the plain way where it is not `on`."""

    def __init__(self, presence: Presence, floor: Floor) -> None:
        self.on = True
        self._presence = presence
        self._floor = floor

    def play(
        self, session: SessionId, intent: Play, now: Micros, at: Wall, seq: int
    ) -> Batch | None:
        """What follows from this move, with record `seq`; None if the plain way must say."""
        floor, table_id, text = self._floor, intent.table, intent.move
        table, begun = floor.tables.peek(table_id)
        if table is None or table.status is not _PLAYING or len(text) > MOVE_MAX or not self.on:
            return None
        player = self._presence.acts_for(session, intent.player)
        if player is None or player not in table.seats:
            return None
        seat = Seat(table.seats.index(player))
        if begun and (len(begun) > 1 or seat not in begun):
            table, begun = floor.tables.get(table_id) or table, NONE_BEGUN  # others think too
        game, state, heard = table.game, table.state, floor.audiences.find(table)
        if not heard.named or game.secret_moves:
            return None
        try:
            spent = _spent(table, seat, begun.get(seat), now)
            if spent is None or seat not in game.to_act(state):
                return None
            move = game.parse_move(text)
            step = game.play(state, seat, move)
            effects = open_to_all(step.effects)
            acts = game.to_act(step.state)  # asked once: the plain way asks for each who wants it
            # One that is not said as it was written is left to where it is seen if it can be read.
            same = game.format_move(move) == text and game.outcome(step.state) is None
            if not same or effects is None or not _can_act(acts, table):
                return None
            after, event = played(table, seat, spent, step), Played(seat, text, spent)
            happened = happening(after, event, effects, now, at, acts=acts)
        except TookTooLong as wrong:  # nobody waits for that twice
            raise RulesFailed(table_id) from wrong
        except BROKEN:  # not legal, or the rules fail: the plain way finds out
            return None
        record = Record(seq, floor.tables.stream(table_id), after.n, at, event)
        turns = floor.moved(record, after, seat, acts, now)
        news = News(happened, scene_of(after, floor.broken.faults))
        told = [Delivery(session, Done(table_id, seat))]
        told += [Delivery(one, news, not seats) for one, seats in heard.audience.items()]
        return Batch((record,), tuple(told), tuple(turns), (), heard.onlookers)


def _can_act(acts: frozenset[Seat], table: Table) -> bool:
    """Whether a game says so of somebody, and all of them are seats: else it is broken."""
    if not are_seats(acts, table):
        return False
    for seat in acts:
        if type(seat) is not int:
            return False
    return bool(acts)


def _spent(table: Table, seat: Seat, since: Micros | None, now: Micros) -> Micros | None:
    """How long the seat has thought, since then or by its clock; None where a flag has fallen."""
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
