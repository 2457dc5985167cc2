"""A table moment by moment, as somebody was told who only watched it.

It is what the native dialect's news say, with views, for events of any age: the hall's
own herald tells it, so what it keeps from watchers is kept here. Only a secret move shows
its text once the game is over, as in the table's past. A clock that ran while somebody else
moved, as in bughouse, shows what was left on it then.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from rookery.core.errors import BROKEN
from rookery.core.events import Played, PublicEvent, Seeded
from rookery.core.game import Noting
from rookery.core.ids import Micros, Seat, TableId, Wall
from rookery.core.messages import strange
from rookery.hall.tables.news import Herald, shown_event
from rookery.hall.tables.ruling import TableChange
from rookery.hall.tables.table import Table
from rookery.server.web.past.table_replay import TableReplay

UNWRITABLE: Final = {"type": "broken_view", "why": "The rules gave what nobody can write."}

_writer: Final = msgspec.json.Encoder(enc_hook=strange)


class Moment(Struct, frozen=True, omit_defaults=True):
    """Event n of a table, what it did, and how things stood right after it."""

    n: int
    at: Micros
    event: PublicEvent
    effects: tuple[dict[str, Any], ...]  # Any: in the game's own words
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None  # on each clock, where there is one
    view: dict[str, Any] | None  # Any: the board, in the game's own words; none before the start
    said: str = ""  # a move as its game's players write it, where that says more than its text


class Moments(Struct, frozen=True):
    """A table's moments in order; `more` when the rest must be asked for."""

    table: TableId
    moments: tuple[Moment, ...]
    more: bool


def moments_of(replay: TableReplay, since: int, most: int) -> Moments:
    """What happened after event `since`, at most so many moments."""
    found = tuple(islice(_since(replay, since), most + 1))
    return Moments(replay.table, found[:most], more=len(found) > most)


def plain(words: Struct) -> dict[str, Any]:
    """A view or an effect as JSON has it; `UNWRITABLE` if nobody can write it."""
    try:
        found = msgspec.json.decode(_writer.encode(words))
    except BROKEN:
        found = None
    return found if isinstance(found, dict) else dict(UNWRITABLE)


def _since(replay: TableReplay, since: int) -> Iterator[Moment]:
    """Yield the moments after this event; a move is written down by the table before it."""
    before: Table | None = None
    for n, (at, change) in enumerate(replay.changes(max(0, since - 1)), max(1, since)):
        if n > since:
            yield from _told(change, before, at, replay.last)
        before = change.table


def _said(before: Table | None, shown: PublicEvent) -> str:
    """The move as its game's players write it; empty if they have no way of their own."""
    if before is None or not isinstance(shown, Played) or not shown.move:
        return ""
    if not isinstance(before.game, Noting):
        return ""
    try:
        return before.game.noted(before.state, before.game.parse_move(shown.move))
    except BROKEN:
        return ""


def _told(change: TableChange, before: Table | None, at: Micros, last: Table) -> Iterator[Moment]:
    """Yield the moment as an onlooker sees it, if it is for them; `last` is the table now."""
    if isinstance(change.event, Seeded):
        return
    news = Herald(change, at, Wall(at), []).news(())
    if news is None:
        return
    happened, state = news.happened, change.table.state
    shown = shown_event(last, change.event, ())
    yield Moment(
        happened.n,
        at,
        shown,
        tuple(plain(effect) for effect in happened.effects),
        happened.to_act,
        happened.left,
        None if state is None else plain(news.scene.view(None)),
        _said(before, shown),
    )
