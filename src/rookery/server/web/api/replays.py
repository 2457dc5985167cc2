"""A table's past over HTTP: its events, how it stood after each, and all of it as a file.

Everything is told as to somebody who only watches: no seed, nothing that was said to a
team alone, and no secret move while the game goes on.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from rookery.core.ids import TableId
from rookery.core.messages import Past
from rookery.hall.limits import PAST_PAGE
from rookery.server.web.answer_cache import Lasts
from rookery.server.web.api.calls import Asked, Call, Code, CodeGiven, Text
from rookery.server.web.api.problems import Trouble, missing
from rookery.server.web.api.tables import TableAt, TableShown, shown
from rookery.server.web.limits import NUMBER_MAX
from rookery.server.web.past.moments import Moments

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


async def table_log(asked: Asked) -> Past:
    """What happened at a table, in order."""
    number, wanted = TableId(asked.path(TableAt).table), asked.query(LogWanted)
    log_reader, since = asked.sources.log_reader, wanted.since
    found = await asked.read_of(
        number, wanted.code, lambda: log_reader.past(number, since, PAST_PAGE)
    )
    if found is None:
        raise _no_table(number)
    return found


async def table_state(asked: Asked) -> TableShown:
    """A table as it stood after any of its events."""
    number, wanted = TableId(asked.path(TableAt).table), asked.query(StateWanted)
    log_reader, n = asked.sources.log_reader, wanted.n
    last = n or NUMBER_MAX
    found = await asked.read_of(number, wanted.code, lambda: log_reader.stood(number, last))
    if found is None:
        raise _no_table(number)
    table, at = found
    if n > table.n:
        raise missing(f"Table {number} has had {table.n} events so far.")
    return shown(asked, table, at)


async def table_moments(asked: Asked) -> Moments:
    """A table after each of its events."""
    number, wanted = TableId(asked.path(TableAt).table), asked.query(MomentsWanted)
    log_reader = asked.sources.log_reader
    since, limit = wanted.since, wanted.limit
    found = await asked.read_of(
        number, wanted.code, lambda: log_reader.moments(number, since, limit)
    )
    if found is None:
        raise _no_table(number)
    return found


async def table_file(asked: Asked) -> Text:
    """What happened at a table, as a file to keep."""
    number, code = TableId(asked.path(TableAt).table), asked.query(CodeGiven).code
    log_reader = asked.sources.log_reader

    def write() -> str | None:
        found = log_reader.past(number, 0, None)
        return None if found is None else msgspec.json.Encoder().encode_lines(found.events).decode()

    text = await asked.read_of(number, code, write)
    if text is None:
        raise _no_table(number)
    return Text(text, LINES, f"table-{number}.jsonl")


def _no_table(number: TableId) -> Trouble:
    return missing(f"There is no table {number}.")


CALLS: Final = (
    Call(
        "GET",
        "/api/tables/{table}/log",
        "What happened at a table, in order; `more` asks for the rest",
        "tables",
        table_log,
        Past,
        at=TableAt,
        query=LogWanted,
        lasts=Lasts.TABLE,
    ),
    Call(
        "GET",
        "/api/tables/{table}/moments",
        "A table after each of its events, as a viewer saw it; `more` asks for the rest",
        "tables",
        table_moments,
        Moments,
        at=TableAt,
        query=MomentsWanted,
        lasts=Lasts.TABLE,
    ),
    Call(
        "GET",
        "/api/tables/{table}/state",
        "A table as it stood after any of its events",
        "tables",
        table_state,
        TableShown,
        at=TableAt,
        query=StateWanted,
        lasts=Lasts.TABLE,
    ),
    Call(
        "GET",
        "/api/tables/{table}/file",
        "What happened at a table, as a file: one event a line",
        "tables",
        table_file,
        at=TableAt,
        query=CodeGiven,
        kinds=(LINES,),
    ),
)
