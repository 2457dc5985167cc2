"""Tables over HTTP: those that are open or played, those that are over, and what happened there.

Running tables are the hall's to tell, in the order of their numbers. Finished ones are
found in the log by its catalogue, the one that ended last first; those of a player in the
order of their numbers, the highest first. `next` is where the page after begins.
"""

from functools import partial
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId, TourId
from rookery.core.intents import CloseTable, ListTables, Open, Show
from rookery.core.manners import BOT
from rookery.core.messages import Done, Past, Shown, TableLine, Tables
from rookery.core.policy import Begin, Policy
from rookery.hall.limits import LIST_PAGE, PAST_PAGE, REASON_MAX
from rookery.hall.tables.audience import count_onlookers
from rookery.hall.tables.news import left_of, scene_of
from rookery.hall.tables.table import Table
from rookery.server.web.history import NUMBER_MAX, Glance, Moments, logged_line, plain
from rookery.server.web.problems import HttpProblem, missing
from rookery.server.web.routes import (
    PAGE,
    After,
    ApiRequest,
    Code,
    CodeGiven,
    Id,
    Limit,
    Text,
    get,
    post,
    unfit,
)
from rookery.store.catalogue import Finding

PAGES_MAX: Final = 25  # pages of the hall that are looked through for one of ours
LOOK_MAX: Final = 400  # tables of a player that are looked at for one page
FINISHED: Final = (Status.OVER, Status.CLOSED)

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
    player: Annotated[
        int, Meta(ge=0, le=NUMBER_MAX, description="only where this player sits; 0 is anyone")
    ] = 0
    tour: Annotated[
        int, Meta(ge=0, le=NUMBER_MAX, description="only matches of this tour; 0 is any, and none")
    ] = 0
    after: After = 0
    limit: Limit = PAGE

    def suits(self, line: TableLine) -> bool:
        """Whether a table of the right status is one of these."""
        return (
            self.game in ("", line.variant.partition(" ")[0])
            and self.tour in (0, line.tour)
            and (not self.player or any(seat.player == self.player for seat in line.seats))
        )


class SeeksWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which open seats to list."""

    game: GameName = ""
    after: After = 0
    limit: Limit = PAGE


class ListedTable(TableLine, frozen=True):
    """A table at a glance, and when it ended, if it has."""

    ended_at: Micros | None = None  # when it was over or closed


class TablePage(Struct, frozen=True):
    """Some tables; `next` asks for more, where there may be."""

    tables: tuple[ListedTable, ...]
    next: int | None = None


class OnlookersShown(Struct, frozen=True):
    """How many look on at a table."""

    count: int


class TableShown(Struct, frozen=True):
    """A table as somebody who only watches may know it, after event `n`."""

    line: TableLine
    policy: Policy
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None  # on each clock, where there is one
    view: dict[str, Any] | None  # Any: the board, in the game's own words; none before the start
    at: Micros | None = None  # when event n happened, of a state from the log
    onlookers: OnlookersShown | None = None  # of a table that is not over


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open, at which nobody sits yet."""

    variant: str
    seats: int | None = None
    time: str = "none"
    policy: Policy = Policy()
    house: int | None = None  # the level of the bots that sit down with who comes; 0: none may


class Closing(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a table is closed; all who are there are told."""

    reason: Annotated[str, Meta(max_length=REASON_MAX, description="why, in a sentence")] = ""


@get(
    "/api/tables",
    "tables",
    "Tables: open and running ones in order, finished ones the newest first",
)
async def list_tables(request: ApiRequest, query: TablesWanted) -> TablePage:
    """Tables, by status, game, player and tour."""
    if query.status not in FINISHED:
        statuses = (query.status,) if query.status else ("open", "playing")
        return await _living(request, statuses, query)
    find = _finished_of if query.player else _finished
    glances, after = await find(request, query)
    return TablePage(tuple(_listed(request, one.line, one.ended_at) for one in glances), after)


@post(
    "/api/tables",
    "tables",
    "Open a table at which nobody sits yet",
    example=NewTable("reversi size=8", time="5m"),
)
async def open_table(request: ApiRequest, body: NewTable) -> Done:
    """Open a table, for whoever wants to sit there."""
    if body.policy.begin is Begin.OWNER:
        raise unfit("Nobody sits there who could start the game: let it begin when it is full.")
    wish = Open(body.variant, body.seats, body.time, body.policy, sit=False, house=body.house)
    return await request.open_table(wish)


@post(
    "/api/tables/{table}/close",
    "tables",
    "Close a table: a game that runs is over and nobody wins it; all who are there are told",
    example=Closing("It stood still for a week"),
)
async def close_table(request: ApiRequest, at: TableAt, body: Closing) -> Done:
    """Close a table as the organiser, whatever happens at it."""
    number = TableId(at.table)
    return await request.organise(CloseTable(number, body.reason), Done)


async def _as_it_stands(request: ApiRequest, number: TableId, code: str) -> Shown | None:
    """What the hall shows; one that is not to be known of is as if it were not there."""
    try:
        return await request.ask(Show(number, code=code), Shown)
    except HttpProblem as no:
        if no.problem.code == "no_table":
            return None
        raise


@get("/api/tables/{table}", "tables", "A table as it stands")
async def show_table(request: ApiRequest, at: TableAt, query: CodeGiven) -> TableShown:
    """A table as it stands."""
    number, code = TableId(at.table), query.code
    log_reader = request.state.log_reader
    if not request.state.hall.tables.is_unfinished(number):  # else the hall has it as it stands
        found = await request.read_of(number, code, lambda: log_reader.table(number))
        if found is None:
            raise missing(f"There is no table {number}.")
        table, when = found
        if table.status in FINISHED:
            return shown(request, table, when)
    reply = await request.by_code(code, partial(_as_it_stands, request, number, code))
    if reply is None:
        raise missing(f"There is no table {number}.")
    view = None if reply.view is None else plain(reply.view)
    # Who looks on is not in the log, so it is as safe as it is.
    living = request.state.hall.tables.get_unfinished(number)
    looking = None
    if living is not None:
        looking = OnlookersShown(count_onlookers(request.state.hall.presence, living))
    return TableShown(reply.line, reply.policy, reply.to_act, reply.left, view, onlookers=looking)


@get("/api/seeks", "tables", "Tables that wait for players")
async def list_seeks(request: ApiRequest, query: SeeksWanted) -> TablePage:
    """Tables that wait for players."""
    same = TablesWanted("open", query.game, after=query.after, limit=query.limit)
    return await _living(request, ("open",), same)


def shown(request: ApiRequest, table: Table, at: Micros) -> TableShown:
    """A table from the log, as it was then."""
    state = table.state
    view = None if state is None else plain(scene_of(table, []).view(None))
    policy, to_act = table.opened.policy, tuple(sorted(table.to_act))
    left = left_of(table, at)
    return TableShown(dressed(request, logged_line(table)), policy, to_act, left, view, at)


def dressed(request: ApiRequest, line: TableLine) -> TableLine:
    """A line from the log that says which seats are programs, as the hall's lines do."""
    seats = tuple(
        msgspec.structs.replace(seat, bot=is_bot(request, seat.player)) for seat in line.seats
    )
    return msgspec.structs.replace(line, seats=seats)


def is_bot(request: ApiRequest, player: PlayerId | None) -> bool:
    """Whether this is a program of the house."""
    known = None if player is None else request.state.hall.player(player)
    return known is not None and known.dialect == BOT


async def _living(
    request: ApiRequest, statuses: tuple[str, ...], wanted: TablesWanted
) -> TablePage:
    """Tables of the hall, in the order of their numbers."""
    one = statuses[0] if len(statuses) == 1 else ""
    after = wanted.after
    found: list[ListedTable] = []
    for _ in range(PAGES_MAX):
        page = await request.ask(ListTables(one, TableId(after)), Tables)
        for line in page.tables:
            if len(found) == wanted.limit:
                return TablePage(tuple(found), found[-1].table)
            if line.status in statuses and wanted.suits(line):
                found.append(_of_line(line, None))
            after = line.table
        if not page.more:
            return TablePage(tuple(found))
    assert after >= LIST_PAGE, "so many tables have as many numbers"
    return TablePage(tuple(found), after)


async def _finished(request: ApiRequest, wanted: TablesWanted) -> tuple[list[Glance], int | None]:
    """Tables of the log, the one that ended last first."""
    log_reader, tour = request.state.log_reader, TourId(wanted.tour) if wanted.tour else None
    finding = Finding(wanted.status, wanted.game, tour, wanted.after, wanted.limit + 1)
    found = await request.read(lambda: log_reader.finished(finding))
    page = found[: wanted.limit]
    seen = log_reader.glances([one.table for one in page], request.read)
    # Those of rules we do not know any more are left out.
    glances = [one async for _, one in seen if one is not None]
    return glances, page[-1].seq if len(found) > len(page) else None


async def _finished_of(
    request: ApiRequest, wanted: TablesWanted
) -> tuple[list[Glance], int | None]:
    """Tables of a player, the highest number first."""
    log_reader, player = request.state.log_reader, PlayerId(wanted.player)
    tables = await request.read(lambda: log_reader.tables_of(player, wanted.after, LOOK_MAX + 1))
    found: list[Glance] = []
    last = 0
    async for table, one in log_reader.glances(tables[:LOOK_MAX], request.read):
        if len(found) == wanted.limit:
            return found, last
        last = table
        if one is not None and one.line.status == wanted.status and wanted.suits(one.line):
            found.append(one)
    return found, last if len(tables) > LOOK_MAX else None


def _listed(request: ApiRequest, line: TableLine, ended_at: Micros | None) -> ListedTable:
    return _of_line(dressed(request, line), ended_at)


def _of_line(line: TableLine, ended_at: Micros | None) -> ListedTable:
    return ListedTable(
        line.table,
        line.variant,
        line.time,
        line.status,
        line.seats,
        line.n,
        line.outcome,
        line.tour,
        ended_at,
    )


# -- A table's past over HTTP: its events, how it stood after each, and all of it as a file.
#
# Everything is told as to somebody who only watches: no seed, nothing that was said to a
# team alone, and no secret move while the game goes on.

MOMENTS: Final = 200  # of a page, where nobody says how many: a whole game of most kinds
LINES: Final = "application/x-ndjson"

Number = Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="only events after this one")]


class LogWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """From where on."""

    since: Number = 0
    code: Code = ""


class MomentsWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """From where on, and how many."""

    since: Number = 0
    limit: Annotated[int, Meta(ge=1, le=PAST_PAGE, description="moments of the page, at most")] = (
        MOMENTS
    )
    code: Code = ""


class StateWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """At which event."""

    n: Annotated[
        int, Meta(ge=0, le=NUMBER_MAX, description="after this event; 0 is after the last")
    ] = 0
    code: Code = ""


@get(
    "/api/tables/{table}/log",
    "tables",
    "What happened at a table, in order; `more` asks for the rest",
)
async def table_log(request: ApiRequest, at: TableAt, query: LogWanted) -> Past:
    """What happened at a table, in order."""
    number = TableId(at.table)
    log_reader, since = request.state.log_reader, query.since
    found = await request.read_of(
        number, query.code, lambda: log_reader.past(number, since, PAST_PAGE)
    )
    if found is None:
        raise _no_table(number)
    return found


@get(
    "/api/tables/{table}/moments",
    "tables",
    "A table after each of its events, as a viewer saw it; `more` asks for the rest",
)
async def table_moments(request: ApiRequest, at: TableAt, query: MomentsWanted) -> Moments:
    """A table after each of its events."""
    number = TableId(at.table)
    log_reader = request.state.log_reader
    since, limit = query.since, query.limit
    found = await request.read_of(
        number, query.code, lambda: log_reader.moments(number, since, limit)
    )
    if found is None:
        raise _no_table(number)
    return found


@get("/api/tables/{table}/state", "tables", "A table as it stood after any of its events")
async def table_state(request: ApiRequest, at: TableAt, query: StateWanted) -> TableShown:
    """A table as it stood after any of its events."""
    number = TableId(at.table)
    log_reader, n = request.state.log_reader, query.n
    last = n or NUMBER_MAX
    found = await request.read_of(number, query.code, lambda: log_reader.stood(number, last))
    if found is None:
        raise _no_table(number)
    table, when = found
    if n > table.n:
        raise missing(f"Table {number} has had {table.n} events so far.")
    return shown(request, table, when)


@get(
    "/api/tables/{table}/file",
    "tables",
    "What happened at a table, as a file: one event a line",
    kinds=(LINES,),
)
async def table_file(request: ApiRequest, at: TableAt, query: CodeGiven) -> Text:
    """What happened at a table, as a file to keep."""
    number, code = TableId(at.table), query.code
    log_reader = request.state.log_reader

    def write() -> str | None:
        found = log_reader.past(number, 0, None)
        return None if found is None else msgspec.json.Encoder().encode_lines(found.events).decode()

    text = await request.read_of(number, code, write)
    if text is None:
        raise _no_table(number)
    return Text(text, LINES, f"table-{number}.jsonl")


def _no_table(number: TableId) -> HttpProblem:
    return missing(f"There is no table {number}.")
