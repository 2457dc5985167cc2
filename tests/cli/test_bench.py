"""`rookery bench` runs and writes what it says. No time is ever asserted."""

from pathlib import Path

import msgspec

from rookery.bench.rules import Report, suite
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


def test_a_dash_prints_the_numbers_and_nothing_else() -> None:
    report = msgspec.json.decode(run("bench", "--games", "1", "--json", "-").stdout, type=Report)
    assert len(report.rules) == len(suite())


def test_a_folder_that_is_not_there_is_noticed_before_measuring(tmp_path: Path) -> None:
    result = run("bench", "--json", str(tmp_path / "nowhere" / "bench.json"))
    assert "cannot be written to" in result.stderr
    assert result.exit_code == 2


def test_there_is_nothing_else_to_measure() -> None:
    assert run("bench", "weather").exit_code == 2


def test_a_number_of_games_is_at_least_one() -> None:
    assert run("bench", "--games", "0").exit_code == 2
