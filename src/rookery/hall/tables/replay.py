"""A table from its events: turn by turn, as they left it, or at a glance.

Whoever reads a table back does it here: the hall after a restart and from the archive, the
API, the commands. The doctor, who trusts no event, goes its own way (`doctor/objections.py`).
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from rookery.core.events import (
    Closed,
    Ended,
    Left,
    Opened,
    Owned,
    Sat,
    Started,
    Swapped,
    TableEvent,
    TakenOver,
)
from rookery.core.ids import TableId
from rookery.core.status import Status
from rookery.hall.tables.rulings.course import Turn
from rookery.hall.tables.table import Table, advance, evolve, open_table

_SEATING: Final = (Sat, Left, Owned, Swapped, TakenOver, Closed, Ended)


def next_turn(table: TableId, before: Table | None, event: TableEvent) -> Turn:
    """What this event did to the table; it opens one that is not there yet.

    Raises BadOption where that is not of our rules.
    """
    if before is not None:
        after, effects = advance(before, event)
        return Turn(event, effects, after)
    assert isinstance(event, Opened), "a table's first event opens it"
    return Turn(event, (), open_table(table, event))


def replay(table: TableId, events: Iterable[TableEvent]) -> Table:
    """The table that these events made. Raises BadOption where they are not of our rules."""
    rest = iter(events)
    made = next_turn(table, None, next(rest)).table
    for event in rest:
        made = evolve(made, event)
    return made


def before_start(events: Sequence[TableEvent]) -> Sequence[TableEvent]:
    """What happened until the game began; all of it where it has not."""
    begun = next((n for n, event in enumerate(events) if isinstance(event, Started)), None)
    return events[:begun]


def glance(table: TableId, events: Sequence[TableEvent]) -> Table:
    """The table without its moves: who sits there, and how it ended. Raises BadOption.

    Thousands may be asked for at once.
    """
    before = before_start(events)
    made = replay(table, before)
    if len(before) < len(events):
        made = replace(made, status=Status.PLAYING)
        for event in events[len(before) :]:
            if isinstance(event, _SEATING):
                made = evolve(made, event)
    return replace(made, n=len(events))
