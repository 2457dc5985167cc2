"""Who hears what of a table's events.

Most events are the same for everyone, and one message serves all. Where a game keeps
secrets, those who sit in the same place get a message of their own: a secret move without
its text, an aside only in the ears it is meant for. All who only look on see the same.
"""

from collections.abc import Container, Iterable, Iterator
from typing import cast

from msgspec.structs import replace

from rookery.core.clock import Budget, Unlimited
from rookery.core.errors import ask
from rookery.core.events import (
    HallEvent,
    LogEvent,
    Played,
    PublicEvent,
    Record,
    Said,
    Seeded,
    TourEvent,
)
from rookery.core.game import Aside, Effect
from rookery.core.ids import Micros, PlayerId, Seat, Status, Wall, put
from rookery.core.messages import Entry, Faults, Happened, News, Scene
from rookery.hall.tables.ruling import TableChange
from rookery.hall.tables.table import Effects, Table


class Herald:
    """One event, to be told to many: what is the same for all is made once."""

    __slots__ = ("_at", "_effects", "_event", "_for_all", "_made", "_now", "_scene", "_table")

    def __init__(
        self, change: TableChange, now: Micros, at: Wall, faults: Faults | None = None
    ) -> None:
        event, effects, table = change.event, change.effects, change.table
        match event:
            case Played():
                private = table.game.secret_moves
            case Said():
                private = event.team is not None
            case Seeded():
                raise AssertionError("a seed is never told")
            case _:
                private = False
        self._event: PublicEvent = event
        self._effects = effects
        self._table = table
        self._now, self._at = now, at
        self._scene = scene_of(table, faults)
        audible = _audible(effects, ())
        private = private or len(audible) < len(effects)
        self._for_all = None if private else self._make(event, audible)
        self._made: dict[tuple[Seat, ...], News | None] = {}  # where it is not the same for all

    def news(self, seats: tuple[Seat, ...]) -> News | None:
        """The news for a listener who sits here (or nowhere); None if it is not for them."""
        if self._for_all is not None:
            return self._for_all
        if seats not in self._made:
            self._made[seats] = self._private(seats)
        return self._made[seats]

    def _private(self, seats: tuple[Seat, ...]) -> News | None:
        if isinstance(self._event, Said) and not may_hear(self._table, self._event, seats):
            return None
        shown = shown_event(self._table, self._event, seats)
        return self._make(shown, _audible(self._effects, seats))

    def _make(self, event: PublicEvent, effects: tuple[Effect, ...]) -> News:
        return News(happening(self._table, event, effects, self._now, self._at), self._scene)


def scene_of(table: Table, faults: Faults | None) -> Scene:
    """What dialects may look at of the table, and where to note that its rules failed them."""
    seats, names, joined = table.seats, table.names, table.joined
    game, state = table.game, table.state
    return Scene(game, state, seats, table.outcome, names, joined, None, table.id, faults)


def happening(
    table: Table, event: PublicEvent, effects: tuple[Effect, ...], now: Micros, at: Wall
) -> Happened:
    """The message that tells of an event, after which the table is as given."""
    acts = table.to_act
    left = left_of(table, now, acts=acts)
    return Happened(table.id, table.n, at, event, effects, in_order(acts), left)


def in_order(seats: frozenset[Seat]) -> tuple[Seat, ...]:
    """These seats, the lowest first; nearly always it is just one."""
    return tuple(sorted(seats)) if len(seats) > 1 else tuple(seats)


def left_of(
    table: Table, now: Micros, *, acts: frozenset[Seat] | None = None
) -> tuple[Micros, ...] | None:
    """What each seat has on its clock now; None without clocks. `acts` spares asking the rules."""
    clock = table.clock
    control, left = clock.control, clock.left
    if isinstance(control, Unlimited):
        return None
    if clock.since.count(None) != len(clock.since):  # after most moves no clock runs
        for n, since in enumerate(clock.since):
            if since is not None:
                left = put(left, n, clock.remaining(Seat(n), now) or 0)
    if not isinstance(control, Budget):
        phase = table.phase
        for seat in table.to_act if acts is None else acts:
            if clock.since[seat] is None:  # its turn is on the way to it
                left = put(left, seat, clock.allowed(seat, phase) or 0)
    return left


def may_hear(table: Table, said: Said, seats: tuple[Seat, ...]) -> bool:
    """Whether what was said is meant for these seats: it is for all, or for their team."""
    return said.team is None or any(table.teams[seat] == said.team for seat in seats)


def is_unheard(event: LogEvent, unheard: Container[PlayerId]) -> bool:
    """Whether this event is a chat line of one of these players."""
    return isinstance(event, Said) and event.player in unheard


def shown_event(table: Table, event: PublicEvent, seats: tuple[Seat, ...]) -> PublicEvent:
    """The event as these seats may know it: secret moves have no text until the end."""
    if (
        isinstance(event, Played)
        and table.game.secret_moves
        and table.status is Status.PLAYING
        and event.seat not in seats
        and ask(table.id, table.game.outcome, table.state) is None
    ):
        return replace(event, move="")
    return event


def past(table: Table, records: Iterable[Record], seats: tuple[Seat, ...]) -> Iterator[Entry]:
    """A table's past as these seats may know it."""
    for record in records:
        event = record.event
        if isinstance(event, Seeded | HallEvent | TourEvent):
            continue
        if not isinstance(event, Said) or may_hear(table, event, seats):
            yield Entry(record.n, record.at, shown_event(table, event, seats))


def open_to_all(effects: Effects) -> tuple[Effect, ...] | None:
    """These effects, if they are a tuple without an aside among them, as in most games."""
    if type(effects) is not tuple or Aside in map(type, effects):
        return None
    return cast("tuple[Effect, ...]", effects)


def _audible(effects: Effects, seats: tuple[Seat, ...]) -> tuple[Effect, ...]:
    """The effects for all, and the asides to these seats, in order."""
    if (all_of_them := open_to_all(effects)) is not None:
        return all_of_them
    heard: list[Effect] = []
    for effect in effects:
        if not isinstance(effect, Aside):
            heard.append(effect)
        elif effect.seat in seats:
            heard.append(effect.effect)
    return tuple(heard)
