"""What a restart needs is the same, however it is found."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from rookery.core.chance import Chance
from rookery.core.events import Closed, Played, Record
from rookery.core.ids import Seat
from rookery.store import StoreBroken
from rookery.store.log import Follower, Raw
from rookery.store.sqlite import CHAINS, SqliteStore, Sweep, open_for_reading, plan_for, rows_of
from tests.store.damage import change


def log_of(path: Path, streams: Sequence[str], ended: Collection[str] = ()) -> Path:
    """A log with a move in each of these streams, in turn; of some the last one ends them."""
    places: dict[str, Iterator[int]] = {}
    last = {stream: seq for seq, stream in enumerate(streams, 1)}
    records = []
    for seq, stream in enumerate(streams, 1):
        n, ends = next(places.setdefault(stream, count(1))), False
        if stream in ended and last[stream] == seq:
            ends = True
        event = Closed() if ends else Played(Seat(0), f"m{seq}", 0)
        records.append(Record(seq, stream, n, seq, event, ends))
    with closing(SqliteStore(path)) as store:
        store.append(records)
    return path


@contextmanager
def looking_into(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def tips_of(path: Path) -> dict[str, int]:
    with closing(open_for_reading(path)) as log:
        return {record.stream: record.seq for record in log.unfinished()}


def rows(path: Path, plan: Sweep) -> list[Raw]:
    with looking_into(path) as connection:
        return list(rows_of(connection, tips_of(path), plan))


def some_log(path: Path) -> Path:
    """Tables opened one after the other, the hall's own records among them, and some ended."""
    chance = Chance(7)
    streams = []
    for newest in range(1, 41):
        streams += [f"table/{newest}", "hall"]
        streams += [f"table/{1 + chance.below(newest)}" for _ in range(6)]
    return log_of(path, streams, ended=[f"table/{n}" for n in range(2, 41, 3)])


@pytest.mark.parametrize("after", [0, 5, 100, 200, 290])
def test_every_plan_finds_the_same_rows_in_order(after: int, tmp_path: Path) -> None:
    path = some_log(tmp_path / "log")
    expected = rows(path, CHAINS)
    with closing(open_for_reading(path)) as log:
        begins: dict[str, int] = {}
        for record in log.read():
            begins.setdefault(record.stream, record.seq)
    swept = frozenset(one for one in tips_of(path) if begins[one] > after)
    assert swept
    assert rows(path, Sweep(swept, after)) == expected


def test_a_table_that_began_before_the_sweep_is_found_from_its_beginning(tmp_path: Path) -> None:
    path = log_of(tmp_path / "log", ["table/9", "table/9", "table/1", "table/9", "table/1"])
    found = rows(path, Sweep(frozenset({"table/1", "table/9"}), after=2))
    assert [row[0] for row in found if row[1] == b"table/9"] == [1, 2, 4]
    assert [row[0] for row in found if row[1] == b"table/1"] == [3, 5]


def test_a_log_that_mostly_runs_is_swept(tmp_path: Path) -> None:
    streams = [f"table/{n}" for n in range(1, 101)] * 20
    path = log_of(tmp_path / "log", streams)
    with looking_into(path) as connection:
        plan = plan_for(connection, tips_of(path), last=2_000)
    assert len(plan.swept) == 100
    with closing(open_for_reading(path)) as log:
        assert list(log.unfinished()) == list(log.read())


def test_one_old_table_is_left_to_its_chain(tmp_path: Path) -> None:
    over = [f"table/{2 + n // 40}" for n in range(8_000)]
    running = [f"table/{n}" for n in range(300, 400)] * 12
    path = log_of(tmp_path / "log", ["table/1", *over, *running], ended=set(over))
    with looking_into(path) as connection:
        plan = plan_for(connection, tips_of(path), last=9_201)
    assert "table/1" not in plan.swept
    assert len(plan.swept) >= 90
    assert plan.after >= 8_000
    with closing(open_for_reading(path)) as log:
        assert [r.seq for r in log.unfinished()] == [1, *range(8_002, 9_202)]


def test_a_few_old_tables_are_read_along_their_chains(tmp_path: Path) -> None:
    over = [f"table/{2 + n // 40}" for n in range(2_000)]
    path = log_of(tmp_path / "log", ["table/1", *over], ended=set(over))
    with looking_into(path) as connection:
        assert plan_for(connection, tips_of(path), last=2_001) == CHAINS


def test_a_damaged_table_in_a_sweep_costs_no_other(tmp_path: Path) -> None:
    path = log_of(tmp_path / "log", [f"table/{n}" for n in range(1, 101)] * 12)
    change(path, "UPDATE records SET n = 'x' WHERE seq IN (105, 1110)")
    with closing(open_for_reading(path)) as log:
        found = list(log.unfinished())
        assert sorted(log.damaged()) == ["table/10", "table/5"]
    whole = {record.stream for record in found} - {"table/10", "table/5"}
    assert len(whole) == 98
    assert sum(record.stream in whole for record in found) == 98 * 12


def one_by_one(rows: Sequence[Raw], names: dict[bytes, str]) -> tuple[list[Record], dict[str, str]]:
    """What is whole of these streams, and what is damaged: each row looked at by itself."""
    follower, damaged, found = Follower(lambda _: None), dict[str, str](), list[Record]()
    for row in rows:
        if (name := names.get(row[1])) is not None and name not in damaged:
            try:
                found.append(follower.take(row))
            except StoreBroken as wrong:
                damaged[name] = str(wrong)
    return found, damaged


# What may stand in any column of a damaged row.
WRONG = (None, "x", b"x", b"hall", -1, 1 << 64, 3, 2.5, b'{"type":"played"}', b"\xff", b"[" * 9_000)


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_streams_are_followed_as_row_by_row_whatever_is_damaged(
    wrong: object, tmp_path: Path
) -> None:
    path = log_of(tmp_path / "log", ["hall", "table/1", "table/1", "hall", "table/2", "table/1"])
    sound = rows(path, CHAINS)
    names = {one.encode(): one for one in ("hall", "table/1")}
    for at in range(len(sound)):
        for column in range(8):
            row = (*sound[at][:column], wrong, *sound[at][column + 1 :])
            damaged_rows = [*sound[:at], cast("Raw", row), *sound[at + 1 :]]
            damaged: dict[str, str] = {}
            found = list(Follower(lambda _: None).follow(damaged_rows, dict(names), damaged))
            assert (found, damaged) == one_by_one(damaged_rows, names)
