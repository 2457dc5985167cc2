"""`rookery bench` runs and writes what it says. No time is ever asserted."""

from pathlib import Path

import msgspec

from rookery_tools.bench.report import BenchReport
from rookery_tools.bench.rules import suite
from tests.cli.running import run

FIELDS = {
    "game", "variant", "seats", "games", "moves", "micros", "bare_micros", "ratio", "budget",
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


def test_rows_of_a_server_are_measured_by_name(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    words = ("bench", "--quick", "--only", "one, disk", "--folder", str(tmp_path))
    result = run(*words, "--repeat", "2", "--json", str(file))
    assert result.exit_code == 0
    assert "CPU a move, one table" in result.stdout
    assert "one: one table, 2 of 2" in result.stderr
    report = msgspec.json.decode(file.read_bytes(), type=BenchReport)
    assert report.figures
    assert {figure.row for figure in report.figures} == {"one", "disk"}
    assert {len(figure.values) for figure in report.figures} == {2}
    again = run(*words[:2], "--only", "disk", "--against", str(file), "--folder", str(tmp_path))
    assert "disk: the disk makes a page safe in" in again.stdout
    assert "cannot tell" in again.stdout


def test_a_checkout_is_measured_beside_and_judged(tmp_path: Path) -> None:
    file, checkout = tmp_path / "bench.json", str(Path(__file__).parents[3])
    words = ("bench", "--quick", "--only", "one", "--beside", checkout, "--repeat", "3")
    result = run(*words, "--folder", str(tmp_path), "--json", str(file))
    report = msgspec.json.decode(file.read_bytes(), type=BenchReport)
    assert report.verdicts
    assert "one: CPU a move, one table" in result.stdout
    assert report.verdicts[0].name == "CPU a move, one table"
    assert result.exit_code == any(one.costs_more for one in report.verdicts)


def test_a_row_that_is_not_there_is_refused() -> None:
    result = run("bench", "--only", "native,weather")
    assert result.exit_code == 2
    assert "There is no row 'weather'" in result.stderr


def test_a_file_of_something_else_is_no_measurement(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("[]")
    result = run("bench", "--only", "disk", "--against", str(tmp_path / "other.json"))
    assert "was not written by --json" in result.stderr
    assert result.exit_code == 1


def test_a_dash_prints_only_the_numbers(tmp_path: Path) -> None:
    result = run("bench", "--quick", "--only", "disk", "--folder", str(tmp_path), "--json", "-")
    assert msgspec.json.decode(result.stdout, type=BenchReport).figures


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


def test_floods_are_measured_one_by_one_where_they_are_named(tmp_path: Path) -> None:
    words = ("bench", "--hostile", "--quick", "--flood", "TLS handshakes", "--flood", "pings")
    result = run(*words, "--folder", str(tmp_path), "--json", "-")
    assert result.exit_code == 0
    rows = msgspec.json.decode(result.stdout)["hostile"]
    assert [row["flood"] for row in rows] == ["TLS handshakes", "pings"]
    assert all(row["slices"] == 1 and row["moves"] and row["newcomer"] for row in rows)
