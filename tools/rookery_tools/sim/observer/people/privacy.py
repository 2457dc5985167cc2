"""Judges private tables: only players who sit there or were told the code may know of one.

The code of a table may be on the wires of the player who opened it and of those it challenged,
and on no other. No reader over HTTP, and no peeper, knows a code.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from rookery.clients.native.words import TableShown
from rookery.core.ids import TableId
from rookery.core.intents import Open
from rookery.core.messages import Done
from rookery_tools.sim.clients.person import WorldPerson
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.transcript import Transcript
from rookery_tools.sim.observer.verdict import Failing

PRIVATE: Final = "private tables are private"
CHALLENGED: Final = b"challenges you to"


class _Row(msgspec.Struct):
    table: TableId


class _Rows(msgspec.Struct):
    tables: tuple[_Row, ...]


def judge_private(
    ledger: WorldLedger, transcripts: Sequence[Transcript], people: Sequence[WorldPerson]
) -> Iterator[Failing]:
    """Judge every table that was opened with a code."""
    private = {table for table, opened in ledger.opened.items() if opened.private}
    for read in transcripts:
        for table in sorted(_known_to(read) & private):
            mine = read.player in ledger.seats[table].values()
            if not mine and read.player != ledger.opened[table].by and table not in _sat(read):
                yield Failing(PRIVATE, f"{read.name} was told of table {table}")
    yield from _judge_codes(transcripts, people)


def judge_rows(
    ledger: WorldLedger, name: str, path: str, status: str, body: bytes
) -> Iterator[Failing]:
    """Judge an answer over HTTP to a person who knows no code."""
    private = {table for table, opened in ledger.opened.items() if opened.private}
    parts = path.partition("?")[0].split("/")
    if status != "200" or parts[1:3] != ["api", "tables"]:
        return
    if len(parts) > 3:
        told = {TableId(int(parts[3]))}
    else:
        told = {row.table for row in msgspec.json.decode(body, type=_Rows).tables}
    for table in sorted(told & private):
        yield Failing(PRIVATE, f"{name} asked for {path} and was told of table {table}")


def _known_to(read: Transcript) -> set[TableId]:
    shown = {one.answer.line.table for one in read.exchanges if isinstance(one.answer, TableShown)}
    return shown | {told.table for _, told in read.news()}


def _sat(read: Transcript) -> set[TableId]:
    """The tables that let this player in."""
    done = (one.answer for one in read.exchanges if isinstance(one.answer, Done))
    return {answer.table for answer in done if answer.table is not None}


def _judge_codes(
    transcripts: Sequence[Transcript], people: Sequence[WorldPerson]
) -> Iterator[Failing]:
    opened = {
        one.request.code.encode(): read.name
        for read in transcripts
        for one in read.exchanges
        if isinstance(one.request, Open) and one.request.code
    }
    for person in people:
        said = [line for one in person.lines for _, line in one.down]
        heard = b"".join(said)
        for code, owner in opened.items():
            if code in heard and not _was_challenged(heard, code):
                yield Failing(PRIVATE, f"{person.name} was told a code of {owner}")


def _was_challenged(heard: bytes, code: bytes) -> bool:
    """Whether this code was only ever told in a challenge to the table."""
    *before, _ = heard.split(code)
    return all(CHALLENGED in part[-200:] for part in before)
