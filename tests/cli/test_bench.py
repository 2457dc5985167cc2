"""`rookery bench` runs and writes what it says. No time is ever asserted."""

from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from msgspec import Struct

from rookery.bench.report import Report
from rookery.bench.rules import suite
from tests.cli.running import run

FIELDS = {
    "game", "variant", "seats", "games", "moves", "micros", "bare_micros", "ratio", "budget",
    "within",
}  # fmt: skip
LOAD_FIELDS = {
    "load", "tables", "moves", "rounds", "moves_a_second", "micros", "bare_micros", "ratio",
    "load_micros", "p50", "p99", "bare_p50", "bare_p99", "bytes_in", "bytes_out", "budget",
    "goal", "within",
}  # fmt: skip
IDLE_FIELDS = {
    "sessions", "seconds", "memory", "memory_before", "bytes_a_session", "cpu_percent",
    "budget", "within", "note",
}  # fmt: skip
RESTART_FIELDS = {
    "tables", "moves", "records", "seconds", "empty_seconds", "show_millis", "memory", "budget",
    "within",
}  # fmt: skip


def test_the_table_has_a_line_for_every_case_and_the_file_every_field(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    result = run("bench", "rules", "--games", "1", "--json", str(file))
    assert result.exit_code == 0
    for case in suite():
        assert case.variant in result.stdout
    written = msgspec.json.decode(file.read_bytes())
    assert set(written) == {"machine", "rules"}
    assert set(written["machine"]) == {"rookery", "python", "platform", "cpus"}
    assert [set(line) for line in written["rules"]] == [FIELDS] * len(suite())


class Measured(Struct, frozen=True):
    """Everything, measured once: what was said of it, and the file."""

    result: Result
    report: bytes


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    folder = tmp_path_factory.mktemp("measured")
    file = folder / "bench.json"
    words = ("--games", "1", "--quick", "--folder", str(folder), "--json", str(file))
    return Measured(run("bench", *words), file.read_bytes())


def test_a_server_is_measured_with_every_field(measured: Measured) -> None:
    assert measured.result.exit_code == 0
    for line in (
        "CPU a move, 2 tables",
        "20 idle sessions",
        "restart with 10 running tables",
        "12 matches",
    ):
        assert line in measured.result.stdout
    server = msgspec.json.decode(measured.report)["server"]
    assert set(server) == {
        "disk_micros",
        "light",
        "full",
        "idle",
        "restart",
        "tour",
        "spectators",
        "house",
        "notes",
    }
    assert [set(server[load]) for load in ("light", "full")] == [LOAD_FIELDS] * 2
    assert set(server["idle"]) == IDLE_FIELDS
    assert set(server["restart"]) == RESTART_FIELDS


def test_without_a_word_all_is_measured(measured: Measured) -> None:
    report = msgspec.json.decode(measured.report, type=Report)
    assert isinstance(report.rules, tuple)
    assert len(report.rules) == len(suite())
    assert report.server
    assert set(msgspec.json.decode(measured.report)) == {"machine", "rules", "server"}


def test_what_comes_next_is_said_beside_the_tables(measured: Measured) -> None:
    assert "A restart with 10 running tables" in measured.result.stderr


def test_a_dash_prints_only_the_numbers() -> None:
    printed = run("bench", "rules", "--games", "1", "--json", "-")
    assert set(msgspec.json.decode(printed.stdout)) == {"machine", "rules"}


def test_a_folder_that_is_not_there_is_noticed_before_measuring(tmp_path: Path) -> None:
    result = run("bench", "--json", str(tmp_path / "nowhere" / "bench.json"))
    assert "cannot be written to" in result.stderr
    assert result.exit_code == 2


def test_there_is_nothing_else_to_measure() -> None:
    assert run("bench", "weather").exit_code == 2


def test_a_number_of_games_is_at_least_one() -> None:
    assert run("bench", "--games", "0").exit_code == 2


def test_short_clocks_are_not_robbed(tmp_path: Path) -> None:
    file = tmp_path / "fair.json"
    result = run("bench", "--fair", "--quick", "--folder", str(tmp_path), "--json", str(file))
    assert result.exit_code == 0
    rows = msgspec.json.decode(file.read_bytes())
    assert [row["games"] for row in rows] == [10, 10, 10]
    assert [row["robbed"] for row in rows] == [0, 0, 0]
