"""A table as somebody who listens knows it: what was shown, and what was heard since.

Whether it comes from a server or from a log, everything that happens is a `Told`, and
`heard` is the one way a room becomes another. The rules are not needed for it: boards
come ready with the news.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.text import Text

from rookery.cli.cast import Cast, seated
from rookery.cli.drawing import AnyView, Look, draw, known
from rookery.cli.drawing.look import SEAT_STYLES
from rookery.cli.effects import AnyEffect, effect_words, heard_by_all
from rookery.cli.words import clock_words, event_words
from rookery.core.events import (
    Closed,
    Ended,
    Opened,
    Out,
    Played,
    PublicEvent,
    Started,
    TableEvent,
)
from rookery.core.game import Outcome
from rookery.core.ids import Micros, Seat, TableId
from rookery.core.messages import TableLine
from rookery.core.policy import Policy
from rookery.core.status import Status
from rookery.games import parse_variant
from rookery.hall.tables.news import left_of
from rookery.hall.tables.replay import next_turn
from rookery.hall.tables.table import Table

_BOARD_EVENTS: Final = (Started, Played, Out)  # those after which there is something to look at


class Told(Struct, frozen=True, tag="news"):
    """Event n of a table and what is known after it: `Happened`, with a board that can be read."""

    table: TableId
    n: int
    at: Micros
    event: PublicEvent
    effects: tuple[AnyEffect, ...] = ()
    to_act: tuple[Seat, ...] = ()
    left: tuple[Micros, ...] | None = None
    view: AnyView | None = None


class Board(Struct, frozen=True, tag="shown"):
    """A table as it stands: `Shown`, with a board that can be read."""

    line: TableLine
    policy: Policy
    seat: Seat | None
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    view: AnyView | None


class Room(Struct, frozen=True):
    """What is known of a table."""

    table: TableId
    variant: str
    time: str
    cast: Cast
    n: int = 0  # events so far
    status: str = Status.OPEN
    mine: Seat | None = None  # the seat of whoever listens
    to_act: tuple[Seat, ...] = ()
    thinking: tuple[Seat, ...] = ()  # those of them whose turn it was before the last event too
    left: tuple[Micros, ...] | None = None
    view: AnyView | None = None
    outcome: Outcome | None = None
    last: tuple[tuple[Seat, str], ...] = ()  # each seat's last move, the newest at the end

    @property
    def my_turn(self) -> bool:
        """Whether everyone waits for whoever listens."""
        return self.mine is not None and self.mine in self.to_act


def room_of(board: Board, before: Room | None = None) -> Room:
    """The room that a server shows; `before` knows moves that it does not. Raises BadOption."""
    line = board.line
    names = tuple(seat.player_name for seat in line.seats)
    offers = frozenset() if before is None else before.cast.offers
    return Room(
        table=line.table,
        variant=line.variant,
        time=line.time,
        cast=Cast(parse_variant(line.variant), names, offers),
        n=line.n,
        status=line.status,
        mine=board.seat,
        to_act=board.to_act,
        left=board.left,
        view=board.view,
        outcome=line.outcome,
        last=() if before is None else before.last,
    )


def heard(room: Room, told: Told) -> Room:
    """The room after this."""
    mover = told.event.seat if isinstance(told.event, Played) else None
    after = replace(
        room,
        cast=seated(room.cast, told.event),
        n=told.n,
        status=_status(room.status, told.event),
        to_act=told.to_act,
        thinking=tuple(seat for seat in told.to_act if seat in room.to_act and seat != mover),
        left=told.left,
        view=told.view if told.view is not None else room.view,
    )
    match told.event:
        case Played():
            return moved(after, told.event)
        case Ended(outcome):
            return replace(after, outcome=outcome)
        case _:
            return after


def moved(room: Room, played: Played) -> Room:
    """The room with this as the newest move."""
    others = tuple((seat, move) for seat, move in room.last if seat != played.seat)
    return replace(room, last=(*others, (played.seat, played.move)))


def from_log(table: TableId, events: Iterable[tuple[int, Micros, TableEvent]]) -> Iterator[Told]:
    """What a spectator of this table was told, from its events with their numbers and times."""
    now: Table | None = None
    for n, at, event in events:
        turn = next_turn(table, now, event)
        now = turn.table
        if isinstance(event, PublicEvent):
            view = None if now.state is None else known(now.game.view(now.state, None))
            effects, to_act = heard_by_all(turn.effects), tuple(sorted(now.to_act))
            yield Told(table, n, at, event, effects, to_act, left_of(now, at), view)


def opened(table: TableId, event: Opened) -> Room:
    """The room right after the first event. Raises BadOption."""
    cast = Cast(parse_variant(event.variant), ("",) * event.seats)
    return Room(table, event.variant, event.time, cast)


def sentence(room: Room, told: Told) -> str:
    """What happened, in words; `room` is the one before it."""
    return event_words(told.event, room.cast, effect_words(told.effects, room.cast))


def worth_a_look(told: Told) -> bool:
    """Whether there is a new board to draw after this."""
    return isinstance(told.event, _BOARD_EVENTS)


def picture(room: Room, moves: tuple[str, ...] = (), *, unicode: bool = False) -> Text:
    """The table from above: its title, who sits where with what on the clock, and the board."""
    clock = "" if room.time == "none" else f", {room.time}"
    drawn = Text.assemble((f"Table {room.table}: {room.variant}{clock}", "bold"))
    names = [name or "(free)" for name in room.cast.names]
    seats = [room.cast.seat(Seat(n)) for n in range(len(names))]
    width, wide = max(map(cell_len, seats)), max(map(cell_len, names))
    for n, (seat, name) in enumerate(zip(seats, names, strict=True)):
        drawn.append("\n> " if n in room.to_act else "\n  ")
        drawn.append(seat + " " * (width - cell_len(seat)), SEAT_STYLES[n])
        drawn.append(f"  {name}{' ' * (wide - cell_len(name))}")
        if room.left is not None:
            drawn.append(f"  {clock_words(room.left[n]):>7}")
        if n == room.mine:
            drawn.append("  (you)", "dim")
    if room.view is not None:
        look = Look(room.mine, moves, tuple(move for _, move in room.last), unicode)
        drawn.append("\n\n").append_text(draw(room.view, look))
    return drawn


def _status(status: str, event: PublicEvent) -> str:
    match event:
        case Started():
            return Status.PLAYING
        case Ended():
            return Status.OVER
        case Closed():
            return Status.CLOSED
        case _:
            return status
