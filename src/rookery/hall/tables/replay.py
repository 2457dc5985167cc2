"""A table from its events: change by change, as they left it, or at a glance.

Every reader of a table from the log comes here: the hall after a restart and from the archive,
the API, the commands. The doctor, who trusts no event, goes its own way
(`doctor/objections.py`).
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
    Seeded,
    Started,
    Swapped,
    TableEvent,
    TakenOver,
)
from rookery.core.ids import Status, TableId
from rookery.games import is_added, origin_of
from rookery.hall.tables.ruling import TableChange
from rookery.hall.tables.table import Table, advance, evolve, open_table

LAID: Final = 2  # events of a table at which nobody sits yet: opened, and seeded
SEATING: Final = frozenset({Sat, Left, Owned, Swapped, TakenOver, Closed, Ended})


def next_change(
    table: TableId, before: Table | None, event: TableEvent, why: str = ""
) -> TableChange:
    """What this event did to the table; where there is no table yet, the event opens it.

    With a reason `why` the rules cannot be asked, the table is opened without them, its moves as
    mere text. Raises BadOption where this server does not have its rules.
    """
    if before is not None:
        after, effects = advance(before, event)
        return TableChange(event, effects, after)
    assert isinstance(event, Opened), "a table's first event opens it"
    return TableChange(event, (), open_table(table, event, why))


def replay(table: TableId, events: Iterable[TableEvent], why: str = "") -> Table:
    """The table that these events made; `why` and BadOption are as in `next_change`."""
    rest = iter(events)
    made = next_change(table, None, next(rest), why).table
    for event in rest:
        made = evolve(made, event)
    return made


def why_text(first: object, wrong: BaseException) -> str:
    """Why a table whose rules failed is read as mere text; empty if its record must be damaged.

    Rules of the house do not fail at what they wrote. Those of a plug-in may have changed.
    """
    name = first.variant.partition(" ")[0] if isinstance(first, Opened) else ""
    if not is_added(name):
        return ""
    whose = origin_of(name).label()
    return f"The rules of {name}, of {whose}, fail where it is read: {type(wrong).__name__}."


def before_start(events: Sequence[TableEvent]) -> Sequence[TableEvent]:
    """The events from before the game began; all of them where it has not."""
    begun = next((n for n, event in enumerate(events) if isinstance(event, Started)), None)
    return events[:begun]


def glance(
    table: TableId, events: Sequence[TableEvent], why: str = "", n: int | None = None
) -> Table:
    """The table without its moves: who sits there, and how it ended. Raises BadOption.

    Thousands may be asked for at once. A caller that knows of no later `SEATING` events may leave
    out the last ones, and says in `n` how many there are in all.
    """
    before = before_start(events)
    made = _seated(table, before, why) or replay(table, before, why)
    if len(before) < len(events):
        made = replace(made, status=Status.PLAYING)
        # Nearly all of them are moves; thousands of tables are looked at after a restart.
        for event in [event for event in events[len(before) :] if type(event) in SEATING]:
            made = evolve(made, event)
    return replace(made, n=len(events) if n is None else n)


def _seated(table: TableId, events: Sequence[TableEvent], why: str) -> Table | None:
    """The table after these events, if it was only opened and its seats were taken one by one.

    Nearly all tables begin so; evolving one event by event would be a third of a glance.
    """
    first, second, *rest = events if len(events) > LAID else (None, None)
    if not isinstance(first, Opened) or not isinstance(second, Seeded):
        return None
    sat = [event for event in rest if isinstance(event, Sat)]
    if [event.seat for event in sat] != list(range(len(rest))) or len(rest) != first.seats:
        return None
    seats = tuple(event.player for event in sat)
    return replace(
        open_table(table, first, why),
        n=len(events),
        seed=second.seed,
        lock=second.lock,
        seats=seats,
        names=tuple(event.name for event in sat),
        joined=seats,
    )
