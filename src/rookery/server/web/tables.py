"""Tables over HTTP: those that are open or played, those that are over, and their past.

Running tables are the hall's to tell. Finished ones are found in the log, the newest
first: it has no list of them, so a page looks at some hundred tables at most, and may be
short or empty while `next` says that there are more to look at.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rookery.core.game import Outcome
from rookery.core.ids import Micros, Seat, TableId, TourId
from rookery.core.intents import ListGames, ListTables, Open, Show
from rookery.core.messages import (
    Done,
    Games,
    Past,
    SeatLine,
    Shown,
    TableLine,
    Tables,
)
from rookery.core.policy import Begin, Policy
from rookery.hall.limits import LIST_PAGE, PAST_PAGE
from rookery.hall.table import Status, Table
from rookery.server.web.calls import PAGE, After, Asked, Call, Id, Limit, Nothing, unfit
from rookery.server.web.problems import missing

PAGES_MAX: Final = 5  # pages of the hall that are looked through for one of ours
OVER: Final = (Status.OVER, Status.CLOSED)

GameName = Annotated[str, Meta(max_length=40, description="only tables of this game")]


class TableAt(Struct, frozen=True):
    """A table's number in a path."""

    table: Id


class TablesWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which tables to list."""

    status: Annotated[
        Literal["", "open", "playing", "over", "closed"],
        Meta(description="where they are in their lives; empty is open and playing"),
    ] = ""
    game: GameName = ""
    after: After = 0
    limit: Limit = PAGE


class SeeksWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which open seats to list."""

    game: GameName = ""
    after: After = 0
    limit: Limit = PAGE


class Since(Struct, frozen=True, forbid_unknown_fields=True):
    """From where on."""

    since: Annotated[int, Meta(ge=0, le=2**53 - 1, description="only events after this one")] = 0


class Moment(Struct, frozen=True, forbid_unknown_fields=True):
    """At which event."""

    n: Annotated[
        int, Meta(ge=0, le=2**53 - 1, description="after this event; 0 is after the last")
    ] = 0


class TablePage(Struct, frozen=True):
    """Some tables; `next` asks for more, where there may be."""

    tables: tuple[TableLine, ...]
    next: TableId | None = None


class TableShown(Struct, frozen=True):
    """A table as somebody who only watches may know it, after event `n`."""

    line: TableLine
    policy: Policy
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None  # on each clock, where there is one
    view: dict[str, Any] | None  # Any: the board, in the game's own words; none before the start
    at: Micros | None = None  # when event n happened, of a state from the log


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open, at which nobody sits yet."""

    variant: str
    seats: int | None = None
    time: str = "none"
    policy: Policy = Policy()


async def list_games(asked: Asked) -> Games:
    """The games there are."""
    asked.query(Nothing)
    reply = await asked.house.desk.ask(ListGames())
    assert isinstance(reply, Games), "games are told as such"
    return reply


async def list_tables(asked: Asked) -> TablePage:
    """Tables, by status and game."""
    wanted = asked.query(TablesWanted)
    if wanted.status not in OVER:
        statuses = (wanted.status,) if wanted.status else ("open", "playing")
        return await _living(asked, statuses, wanted.game, wanted.after, wanted.limit)
    return await asked.house.shelf.read(lambda: _finished(asked, wanted))


async def list_seeks(asked: Asked) -> TablePage:
    """Tables that wait for players."""
    wanted = asked.query(SeeksWanted)
    return await _living(asked, ("open",), wanted.game, wanted.after, wanted.limit)


async def show_table(asked: Asked) -> TableShown:
    """A table as it stands."""
    number, _ = TableId(asked.path(TableAt).table), asked.query(Nothing)
    shelf = asked.house.shelf
    found = await shelf.read(lambda: shelf.table(number))
    if found is None:
        raise missing(f"There is no table {number}.")
    table, record = found
    if table.status in OVER:
        return _shown(table, record.at)
    reply = await asked.house.desk.ask(Show(number))
    assert isinstance(reply, Shown), "a table that is there is shown"
    view = None if reply.view is None else _plain(reply.view)
    line = msgspec.structs.replace(reply.line, tour=table.opened.tour)
    return TableShown(line, reply.policy, reply.to_act, reply.left, view)


async def table_log(asked: Asked) -> Past:
    """What happened at a table, in order."""
    number, since = TableId(asked.path(TableAt).table), asked.query(Since).since
    shelf = asked.house.shelf
    found = await shelf.read(lambda: shelf.past(number, since, PAST_PAGE))
    if found is None:
        raise missing(f"There is no table {number}.")
    return found


async def table_state(asked: Asked) -> TableShown:
    """A table as it stood after any of its events."""
    number, n = TableId(asked.path(TableAt).table), asked.query(Moment).n
    shelf = asked.house.shelf
    found = await shelf.read(lambda: shelf.table(number, n or None))
    if found is None:
        raise missing(f"There is no table {number}.")
    table, record = found
    if n > table.n:
        raise missing(f"Table {number} has had {table.n} events so far.")
    return _shown(table, record.at)


async def open_table(asked: Asked) -> Done:
    """Open a table, for whoever wants to sit there."""
    token = asked.token()
    new = await asked.body(NewTable)
    if new.policy.begin is Begin.OWNER:
        raise unfit("Nobody sits there who could start the game: let it begin when it is full.")
    wish = Open(new.variant, new.seats, new.time, new.policy, sit=False)
    reply = await asked.house.desk.open_table(token, wish)
    assert isinstance(reply, Done), "a table is opened or refused"
    return reply


async def _living(
    asked: Asked, statuses: tuple[str, ...], game: str, after: int, limit: int
) -> TablePage:
    """Tables of the hall, in the order of their numbers."""
    one = statuses[0] if len(statuses) == 1 else ""
    found: list[TableLine] = []
    for _ in range(PAGES_MAX):
        page = await asked.house.desk.ask(ListTables(one, TableId(after)))
        assert isinstance(page, Tables), "tables are told as such"
        for line in page.tables:
            if len(found) == limit:
                return TablePage(tuple(found), found[-1].table)
            if line.status in statuses and _is_of(line.variant, game):
                found.append(line)
            after = line.table
        if not page.more:
            return TablePage(tuple(found))
    assert after >= LIST_PAGE, "so many tables have as many numbers"
    return TablePage(tuple(found), TableId(after))


def _finished(asked: Asked, wanted: TablesWanted) -> TablePage:
    """Tables of the log, the newest first; in the thread."""
    found: list[TableLine] = []
    last = 1
    for number, table in asked.house.shelf.downwards(wanted.after):
        if len(found) == wanted.limit:
            return TablePage(tuple(found), found[-1].table)
        last = number
        if (
            table is not None
            and table.status == wanted.status
            and _is_of(table.opened.variant, wanted.game)
        ):
            found.append(_line(table))
    return TablePage(tuple(found), TableId(last) if last > 1 else None)


def _is_of(variant: str, game: str) -> bool:
    return game in ("", variant.partition(" ")[0])


def _shown(table: Table, at: Micros) -> TableShown:
    """A table from the log; its clocks as its events left them."""
    game, state = table.game, table.state
    view = None if state is None else _plain(game.view(state, None))
    policy, to_act = table.opened.policy, tuple(sorted(table.to_act))
    left = table.clock.left if table.opened.time != "none" else None
    return TableShown(_line(table), policy, to_act, left, view, at)


def _line(table: Table) -> TableLine:
    """A table from the log at a glance; who is connected is not in the log."""
    seats = tuple(
        SeatLine(Seat(n), table.game.seat_name(Seat(n)), player, table.names[n], connected=False)
        for n, player in enumerate(table.seats)
    )
    opened, tour = table.opened, table.opened.tour
    outcome: Outcome | None = table.outcome
    whose: TourId | None = tour
    return TableLine(
        table.id, opened.variant, opened.time, table.status, seats, table.n, outcome, whose
    )


def _plain(view: Struct) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(view, str_keys=True)
    return plain


CALLS: Final = (
    Call("GET", "/api/games", "The games there are", "tables", list_games, Games, query=Nothing),
    Call(
        "GET",
        "/api/tables",
        "Tables: open and running ones in order, finished ones the newest first",
        "tables",
        list_tables,
        TablePage,
        query=TablesWanted,
    ),
    Call(
        "POST",
        "/api/tables",
        "Open a table at which nobody sits yet",
        "tables",
        open_table,
        Done,
        body=NewTable,
    ),
    Call(
        "GET",
        "/api/tables/{table}",
        "A table as it stands",
        "tables",
        show_table,
        TableShown,
        at=TableAt,
        query=Nothing,
    ),
    Call(
        "GET",
        "/api/tables/{table}/log",
        "What happened at a table, in order; `more` asks for the rest",
        "tables",
        table_log,
        Past,
        at=TableAt,
        query=Since,
    ),
    Call(
        "GET",
        "/api/tables/{table}/state",
        "A table as it stood after any of its events",
        "tables",
        table_state,
        TableShown,
        at=TableAt,
        query=Moment,
    ),
    Call(
        "GET",
        "/api/seeks",
        "Tables that wait for players",
        "tables",
        list_seeks,
        TablePage,
        query=SeeksWanted,
    ),
)
