"""A table's past, from a log: what a spectator was told there, event after event."""

from collections.abc import Iterable, Iterator

from rookery.cli.table.effects import heard_by_all
from rookery.clients.native.words import Told
from rookery.core.errors import BROKEN
from rookery.core.events import PublicEvent, TableEvent
from rookery.core.game import View
from rookery.core.ids import Micros, TableId
from rookery.games.absent_game import AbsentView
from rookery.hall.tables.replay import next_change
from rookery.hall.tables.table import Table
from rookery.hall.tables.telling.news import left_of


def from_log(table: TableId, events: Iterable[tuple[int, Micros, TableEvent]]) -> Iterator[Told]:
    """The news that a spectator of this table was told, from its events, numbers and times."""
    now: Table | None = None
    for n, at, event in events:
        change = next_change(table, now, event)
        now = change.table
        if isinstance(event, PublicEvent):
            view = None if now.state is None else _view(now)
            effects, to_act = heard_by_all(change.effects), tuple(sorted(now.to_act))
            yield Told(table, n, at, event, effects, to_act, left_of(now, at), view)


def _view(table: Table) -> View:
    """The view that everybody has, or one that says that the rules failed to show it."""
    try:
        shown: View = table.game.view(table.state, None)
    except BROKEN as wrong:
        return AbsentView(f"The rules of {table.game.name} failed to show this: {wrong!r}.", ())
    return shown
