"""Reading when the disk does not give back what is there: an error that can be told, each time."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rookery.core.events import Record
from rookery.core.ids import PlayerId
from rookery.store import Log, StoreBroken
from rookery.store.catalogue import Finding
from rookery.store.examine import examine_file
from rookery.store.sqlite import SqliteSource, SqliteStore, open_for_reading
from tests.store.damage import SMALL, change, problems, small_log

READINGS: dict[str, Callable[[Log], object]] = {
    "all": lambda log: list(log.read()),
    "one stream": lambda log: log.read_stream("table/1"),
    "what a restart needs": lambda log: list(log.unfinished()),
    "the last number": lambda log: log.last_seq(),
    "the last table": lambda log: log.last_table(),
    "the last time": lambda log: log.last_at(),
    "finished tables": lambda log: log.finished(Finding()),
    "tables of a player": lambda log: log.tables_of(PlayerId(1), 0, 10),
}


@pytest.mark.parametrize("reading", READINGS)
def test_what_cannot_be_read_is_said_and_can_be_read_when_the_disk_is_well_again(
    reading: str, tmp_path: Path
) -> None:
    with closing(open_for_reading(small_log(tmp_path / "log"))) as log:
        assert isinstance(log.source, SqliteSource)
        connection = log.source.connection  # the disk behind it is what fails
        connection.set_progress_handler(lambda: 1, 1)  # SQLite gives up at the first step
        with pytest.raises(StoreBroken, match=r"log is damaged, or cannot be read: .*\.$|cannot"):
            READINGS[reading](log)
        connection.set_progress_handler(None, 1)
        assert READINGS[reading](log) is not None
        assert list(log.read()) == SMALL
        assert log.damaged() == {}


@pytest.mark.parametrize("loop", ["before = seq", "before = seq + 1", "before = 30"])
def test_a_chain_that_leads_round_is_damage_and_has_an_end(loop: str, tmp_path: Path) -> None:
    path = small_log(tmp_path / "log")
    with closing(open_for_reading(path)) as log:
        last = log.read_stream("table/4")[-1].seq
    change(path, f"UPDATE records SET {loop} WHERE seq = {last}")
    with closing(open_for_reading(path)) as log:
        with pytest.raises(StoreBroken):
            log.read_stream("table/4")
        assert [r for r in log.unfinished() if r.stream != "table/4"] == [
            r for r in SMALL if r.stream in ("hall", "table/2")
        ]
        assert list(log.damaged()) == ["table/4"]


@pytest.mark.parametrize("seq", [1, 7, len(SMALL) - 1])
def test_a_record_that_is_gone_is_missed_where_it_was(seq: int, tmp_path: Path) -> None:
    path = change(small_log(tmp_path / "log"), f"DELETE FROM records WHERE seq = {seq}")
    with closing(open_for_reading(path)) as log:
        records, found = log.read(), list[Record]()
        with pytest.raises(StoreBroken, match=rf"^Record {seq} of the log is missing\.$"):
            found.extend(records)
    assert found == SMALL[: seq - 1]


def test_what_is_added_while_a_log_is_examined_is_no_problem(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "log", bookmark_every=1)) as store:
        store.append(SMALL[:10])
        with closing(examine_file(tmp_path / "log")) as examination:
            for record in SMALL[10:]:
                store.append([record])
            assert list(examination.file()) == []
            assert list(examination.records()) == SMALL[:10]
            assert list(examination.beside()) == []
    assert problems(tmp_path / "log") == []
