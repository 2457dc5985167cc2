"""A table from the log at a glance: who sat there, how it ended, and when.

No move is replayed for it, so that a page of a hundred tables costs what reading them
does. Who is connected is not in the log, nor who is a program.
"""

from collections.abc import Sequence

from msgspec import Struct

from rookery.core.errors import BROKEN, BadOption
from rookery.core.events import Closed, Ended, Record, TableEvent, table_events
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.messages import SeatLine, TableLine
from rookery.hall.tables.answers import line_of
from rookery.hall.tables.replay import before_start, glance, replay, why_text
from rookery.hall.tables.ruling import is_short
from rookery.hall.tables.table import Table

Sitters = tuple[PlayerId | None, ...]


class Glance(Struct, frozen=True):
    """What can be known of a table without replaying its moves."""

    line: TableLine
    teams: tuple[int, ...]  # by seat
    began_with: Sitters  # who sat there when the game began
    opened_at: Micros
    ended_at: Micros | None  # when it was over or closed

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat where this player sits, or sat until another took the seat over."""
        for players in (tuple(seat.player for seat in self.line.seats), self.began_with):
            if player in players:
                return Seat(players.index(player))
        return None


def glance_at(table: TableId, records: Sequence[Record]) -> Glance | None:
    """Glance at the table of these records; None if there are none, or we lack its rules."""
    if not records:
        return None
    events = table_events(records)
    try:
        made, began_with = _looked(table, events, "")
    except BadOption:
        return None
    except BROKEN as wrong:
        made, began_with = _looked(table, events, why_text(events[0], wrong))
    ended = (record.at for record in records if isinstance(record.event, Ended | Closed))
    return Glance(logged_line(made), made.teams, began_with, records[0].at, next(ended, None))


def _looked(table: TableId, events: Sequence[TableEvent], why: str) -> tuple[Table, Sitters]:
    return glance(table, events, why), replay(table, before_start(events), why).seats


def logged_line(table: Table) -> TableLine:
    """A table from the log as a line: nobody counts as connected."""
    seats = tuple(
        SeatLine(Seat(n), _seat_name(table, n), player, table.names[n], connected=False)
        for n, player in enumerate(table.seats)
    )
    return line_of(table, seats)


def _seat_name(table: Table, seat: int) -> str:
    """What the rules call this seat; its number if they cannot say."""
    try:
        name = table.game.seat_name(Seat(seat))
    except BROKEN:
        name = ""
    return name if name and is_short(name) else f"seat {seat + 1}"
