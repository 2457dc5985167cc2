"""Records as one statement: the fence, the records, and all that is filed about them.

Nothing but the statement itself is ever in a transaction, so a process that stops in the
middle holds no lock that others would wait for. All its parts see the database as it was
before: so what is filed is first added up here, and each row is touched by one part only.

The columns go as texts that PostgreSQL takes apart, which costs a fifth of what a list of
values costs to adapt one by one.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, LiteralString

from msgspec import Struct

from rookery.core.events import Record, table_of
from rookery.store.catalogue import Filing, filing_of
from rookery.store.log import Link, link

# Between texts: JSON has no such sign in it, nor has the name of a stream.
_BETWEEN: Final = "\x1e"

# The names of streams and the texts of events are split, not quoted; those of games may be empty.
_FENCE: Final[LiteralString] = """
WITH fence AS (
    UPDATE rookery.halls
    SET seq = %(last)s::bigint, last_table = greatest(last_table, %(table)s::bigint)
    WHERE hall = %(hall)s AND epoch = %(epoch)s::bigint AND seq = %(first)s::bigint - 1
    RETURNING 1
)"""
_RECORDS: Final[LiteralString] = """
INSERT INTO rookery.records
SELECT %(hall)s, %(first)s::bigint - 1 + place, stream, n, at, ends, before, event, sum
FROM fence, unnest(
    string_to_array(%(streams)s, chr(30)), %(ns)s::bigint[], %(ats)s::bigint[],
    %(ends)s::boolean[], %(befores)s::bigint[], string_to_array(%(events)s, chr(30)),
    %(sums)s::bigint[]
) WITH ORDINALITY AS given (stream, n, at, ends, before, event, sum, place)
"""
_FILING: Final[LiteralString] = """
, begun AS (
    INSERT INTO rookery.running
    SELECT %(hall)s, stream FROM fence, unnest(string_to_array(%(begun)s, chr(30))) AS stream
    ON CONFLICT DO NOTHING
), over AS (
    DELETE FROM rookery.running USING fence
    WHERE hall = %(hall)s AND stream = ANY (string_to_array(%(over)s, chr(30)))
), ended AS (
    UPDATE rookery.catalogue AS c SET status = given.status, ended = given.ended
    FROM fence, unnest(%(ended_numbers)s::bigint[], %(ended_how)s::text[], %(ended_at)s::bigint[])
        AS given (number, status, ended)
    WHERE c.hall = %(hall)s AND c.number = given.number AND c.ended = 0
), opened AS (
    INSERT INTO rookery.catalogue
    SELECT %(hall)s, given.* FROM fence, unnest(
        %(numbers)s::bigint[], %(games)s::text[], %(tours)s::bigint[], %(statuses)s::text[],
        %(opened_ended)s::bigint[]
    ) AS given
    ON CONFLICT DO NOTHING
), gone AS (
    DELETE FROM rookery.sitters AS s
    USING fence, unnest(%(left_players)s::bigint[], %(left_numbers)s::bigint[])
        AS given (player, number)
    WHERE s.hall = %(hall)s AND s.player = given.player AND s.number = given.number
), sat AS (
    INSERT INTO rookery.sitters
    SELECT %(hall)s, given.*
    FROM fence, unnest(%(sat_players)s::bigint[], %(sat_numbers)s::bigint[]) AS given
    ON CONFLICT DO NOTHING
)"""
PLAIN: Final[LiteralString] = _FENCE + _RECORDS  # of moves, and whatever else files nothing
FILED: Final[LiteralString] = _FENCE + _FILING + _RECORDS


class Statement(Struct, frozen=True):
    """A batch of records, ready to be sent; and what to remember once they are safe."""

    records: Sequence[Record]
    sql: LiteralString
    values: dict[str, str]
    tips: dict[str, Link]


def make_statement(records: Sequence[Record], tip_of: Callable[[str], Link]) -> Statement:
    """Make the statement that writes these records; raises whatever `tip_of` raises.

    Each names the record before it in its stream; `tip_of` finds that if it is of an earlier batch.
    """
    rows, tips = link(records, tip_of)
    seqs, streams, ns, ats, ends, befores, events, sums = zip(*rows, strict=True)
    values = {
        "first": str(seqs[0]),
        "last": str(seqs[-1]),
        "table": str(max(table_of(stream) or 0 for stream in tips)),
        "streams": _BETWEEN.join(streams),
        "ns": _numbers(ns),
        "ats": _numbers(ats),
        "ends": _numbers("t" if end else "f" for end in ends),
        "befores": _numbers(befores),
        "events": _BETWEEN.join(events),
        "sums": _numbers(sums),
    }
    begun = [stream for stream, before in zip(streams, befores, strict=True) if not before]
    over = dict.fromkeys(stream for stream, end in zip(streams, ends, strict=True) if end)
    filing = filing_of(records)
    if not (filing or begun or over):
        return Statement(records, PLAIN, values, tips)
    values |= _filed(filing or Filing())
    values["begun"] = _BETWEEN.join([stream for stream in begun if stream not in over])
    values["over"] = _BETWEEN.join(over)
    return Statement(records, FILED, values, tips)


def _filed(filing: Filing) -> dict[str, str]:
    """What is filed, as the statement wants it."""
    tables, ends = filing.new_tables(), filing.ends()
    sat, left = filing.players(sitting=True), filing.players(sitting=False)
    return {
        "numbers": _numbers(number for number, *_ in tables),
        "games": _texts(game for _, game, *_ in tables),
        "tours": _numbers("NULL" if tour is None else tour for _, _, tour, _, _ in tables),
        "statuses": _texts(status for _, _, _, status, _ in tables),
        "opened_ended": _numbers(seq for *_, seq in tables),
        "ended_numbers": _numbers(number for number, _, _ in ends),
        "ended_how": _texts(status for _, status, _ in ends),
        "ended_at": _numbers(seq for _, _, seq in ends),
        "sat_players": _numbers(player for player, _ in sat),
        "sat_numbers": _numbers(number for _, number in sat),
        "left_players": _numbers(player for player, _ in left),
        "left_numbers": _numbers(number for _, number in left),
    }


def _numbers(values: Iterable[object]) -> str:
    """Write a PostgreSQL array of values that need no quotes."""
    return f"{{{','.join(map(str, values))}}}"


def _texts(values: Iterable[str]) -> str:
    """Write a PostgreSQL array of texts; it has no sign with the number 0, so that is replaced."""
    quoted = (
        value.replace("\0", "\ufffd").replace("\\", "\\\\").replace('"', '\\"') for value in values
    )
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"
