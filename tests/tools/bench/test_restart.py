"""The log that a restart is measured on is one that a server could have written."""

from pathlib import Path

from rookery.core.events import HALL_STREAM, Played
from rookery.store.catalogue import Finding
from rookery.store.sqlite import open_for_reading
from rookery.verify.log import check_log
from rookery_tools.bench.server.restart import MOVES, write_finished, write_log


def test_the_prepared_log_is_sound_and_all_its_games_run(tmp_path: Path) -> None:
    file = tmp_path / "rookery.db"
    records = write_log(file, tables=3)
    log = open_for_reading(file)
    assert list(check_log(log.read())) == []
    assert len(list(log.unfinished())) == records
    assert sum(isinstance(record.event, Played) for record in log.read()) == 3 * MOVES
    log.close()


def test_neighbours_in_the_prepared_log_are_of_different_tables(tmp_path: Path) -> None:
    file = tmp_path / "rookery.db"
    write_log(file, tables=3)
    log = open_for_reading(file)
    streams = [record.stream for record in log.read()]
    log.close()
    assert streams[-3:] == ["table/1", "table/2", "table/3"]


def test_no_game_goes_on_in_the_log_of_games_that_are_over(tmp_path: Path) -> None:
    file = tmp_path / "rookery.db"
    write_finished(file, tables=5)
    log = open_for_reading(file)
    assert list(check_log(log.read())) == []
    assert {record.stream for record in log.unfinished()} == {HALL_STREAM}
    assert len(log.finished(Finding())) == 5
    log.close()
