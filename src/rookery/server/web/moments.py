"""A table moment by moment, as somebody was told who only watched it.

It is what the native dialect's news say, with views, for events of any age: the hall's
own herald tells it, so what it keeps from watchers is kept here. Only a secret move shows
its text once the game is over, as in the table's past.

Since when a seat was thinking is not in the log, but what its move was charged is: so a
clock that ran while somebody else moved, as in bughouse, shows what was left on it then.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.events import Opened, Out, Played, PublicEvent, Record, Seeded, table_events
from rookery.core.ids import Micros, Seat, TableId
from rookery.hall.news import Herald, shown_event
from rookery.hall.referee import Turn
from rookery.hall.table import Effects, Table, advance, open_table
from rookery.server.web.limits import NUMBER_MAX


class Moment(Struct, frozen=True):
    """Event n of a table, what it did, and how things stood right after it."""

    n: int
    at: Micros
    event: PublicEvent
    effects: tuple[dict[str, Any], ...]  # Any: in the game's own words
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None  # on each clock, where there is one
    view: dict[str, Any] | None  # Any: the board, in the game's own words; none before the start


class Moments(Struct, frozen=True):
    """A table's moments in order; `more` when the rest must be asked for."""

    table: TableId
    moments: tuple[Moment, ...]
    more: bool


def moments_of(table: TableId, records: Sequence[Record], since: int, most: int) -> Moments | None:
    """What happened after event `since`; None without a table, or of rules we do not know."""
    try:
        turns = _turns(table, records)
    except BadOption:
        return None
    if not turns:
        return None
    last = turns[-1][1].table
    told = (
        moment for at, turn in turns if turn.table.n > since for moment in _told(turn, at, last)
    )
    found = tuple(islice(told, most + 1))
    return Moments(table, found[:most], more=len(found) > most)


def stood(table: TableId, records: Sequence[Record], n: int) -> tuple[Table, Micros] | None:
    """The table after event `n`, or the last, its clocks as they ran, and when that was."""
    try:
        turns = _turns(table, records, n)
    except BadOption:
        return None
    return (turns[-1][1].table, turns[-1][0]) if turns else None


def plain(words: Struct) -> dict[str, Any]:
    """A view or an effect as JSON would have it."""
    found: dict[str, Any] = msgspec.to_builtins(words, str_keys=True)
    return found


def _told(turn: Turn, at: Micros, last: Table) -> Iterator[Moment]:
    """The moment for who only watches, if it is for them; `last` is how the table is now."""
    if isinstance(turn.event, Seeded):
        return
    news = Herald(turn, at).news(())
    if news is None:
        return
    happened, state = news.happened, turn.table.state
    yield Moment(
        happened.n,
        at,
        shown_event(last, turn.event, ()),
        tuple(plain(effect) for effect in happened.effects),
        happened.to_act,
        happened.left,
        None if state is None else plain(news.scene.view(None)),
    )


def _turns(
    table: TableId, records: Sequence[Record], until: int = NUMBER_MAX
) -> list[tuple[Micros, Turn]]:
    """Every event with the table after it, its clocks as they ran. Raises BadOption."""
    turns: list[tuple[Micros, Turn]] = []
    thoughts = _Thoughts(records)
    made: Table | None = None
    for record, event in zip(records, table_events(records), strict=True):
        if record.n > until:
            break
        effects: Effects = ()
        if made is None:
            assert isinstance(event, Opened), "a table's first event opens it"
            made = open_table(table, event)
        else:
            made, effects = advance(made, event)
        turns.append((record.at, Turn(event, effects, made)))
        made = thoughts.begin(made, record)
    return turns


class _Thoughts:
    """When each seat began to think, as its moves were charged. It mutates."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._begun: defaultdict[Seat, deque[tuple[int, Micros]]] = defaultdict(deque)
        for record in records:
            match record.event:
                case Played(seat, _, spent) | Out(seat, _, spent):
                    self._begun[seat].append((record.n, record.at - spent))
                case _:
                    pass

    def begin(self, table: Table, record: Record) -> Table:
        """The table with the clocks running that this event set going."""
        clock = table.clock
        for seat in table.to_act:
            if clock.since[seat] is None:
                clock = clock.run(seat, self._since(seat, record), table.phase)
        return table if clock is table.clock else replace(table, clock=clock)

    def _since(self, seat: Seat, record: Record) -> Micros:
        """When this seat began, whose turn came with this event."""
        ahead = self._begun[seat]
        while ahead and ahead[0][0] <= record.n:
            ahead.popleft()
        return max(record.at, ahead[0][1]) if ahead else record.at
