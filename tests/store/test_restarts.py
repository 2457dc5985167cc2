"""What a restart reads: all that runs, in order, whatever is damaged of the rest."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from rookery.core.events import Closed, Played, Record
from rookery.core.ids import Seat
from rookery.store import StoreBroken
from rookery.store.log import Follower, Raw
from rookery.store.sqlite import SqliteStore, open_for_reading, open_source
from tests.store.damage import PAGE, change


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


def rows(path: Path) -> list[Raw]:
    """The rows that a restart reads."""
    with closing(open_source(path)) as source:
        return list(source.running(0, {})[1])


def test_tables_that_all_run_are_read_as_the_whole_log_is(tmp_path: Path) -> None:
    path = log_of(tmp_path / "log", [f"table/{n}" for n in range(1, 101)] * 20)
    with closing(open_for_reading(path)) as log:
        assert list(log.unfinished()) == list(log.read())


def test_an_old_table_is_found_behind_many_that_have_ended(tmp_path: Path) -> None:
    over = [f"table/{2 + n // 40}" for n in range(8_000)]
    running = [f"table/{n}" for n in range(300, 400)] * 12
    path = log_of(tmp_path / "log", ["table/1", *over, *running], ended=set(over))
    with closing(open_for_reading(path)) as log:
        assert [r.seq for r in log.unfinished()] == [1, *range(8_002, 9_202)]


def test_a_page_that_cannot_be_read_costs_the_tables_on_it(tmp_path: Path) -> None:
    path = log_of(tmp_path / "log", [f"table/{1 + n // 60}" for n in range(60 * 60)])
    content = bytearray(path.read_bytes())
    page = len(content) // PAGE // 2 * PAGE
    content[page : page + PAGE] = bytes(PAGE)
    path.write_bytes(content)
    with closing(open_for_reading(path)) as log:
        found = list(log.unfinished())
        damaged = set(log.damaged())
    assert 0 < len(damaged) < 10
    whole = [record for record in found if record.stream not in damaged]
    assert [record.seq for record in whole] == sorted(record.seq for record in whole)
    assert len(whole) == 60 * (60 - len(damaged))


def test_a_damaged_table_costs_no_other(tmp_path: Path) -> None:
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
    sound = rows(path)
    names = {one.encode(): one for one in ("hall", "table/1")}
    for at in range(len(sound)):
        for column in range(8):
            row = (*sound[at][:column], wrong, *sound[at][column + 1 :])
            damaged_rows = [*sound[:at], cast("Raw", row), *sound[at + 1 :]]
            damaged: dict[str, str] = {}
            found = list(Follower(lambda _: None).follow(damaged_rows, dict(names), damaged))
            assert (found, damaged) == one_by_one(damaged_rows, names)
