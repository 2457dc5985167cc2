"""Every row is measured at a small scale: all its numbers are there. No time is asserted."""

import resource
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from rookery.server.limits import HOME_SHARE
from rookery.server.net.listener import sessions_among
from rookery_tools.bench.bench_setup import BenchSetup, Build, build_at, compiled
from rookery_tools.bench.figures import Figure
from rookery_tools.bench.languages import LANGUAGES
from rookery_tools.bench.languages.measuring import BUDGET_FOR as PLAYED
from rookery_tools.bench.load.processes import CannotMeasure, allow_files
from rookery_tools.bench.measuring import measure
from rookery_tools.bench.rows import ROWS
from rookery_tools.bench.scale import FULL, QUICK
from rookery_tools.bench.server.idle import BUDGET_FOR as SESSIONS
from rookery_tools.bench.server.restart import BUDGET_FOR as TABLES
from rookery_tools.bench.server.spectators import BUDGET_FOR as WATCHERS
from rookery_tools.bench.server.tour import BUDGET_FOR as CLIENTS

MAY_BE_NONE = {"  CPU while nothing happens"}
BUDGETED = {"one", "reads", "finished"}  # whatever the size


@pytest.mark.parametrize("name", ROWS)
def test_a_row_is_measured_and_every_number_of_it_is_there_once(name: str, tmp_path: Path) -> None:
    measured = measure((name,), BenchSetup(tmp_path, QUICK), repeat=1)
    assert measured.notes == {}
    assert {figure.row for figure in measured.figures} == {name}
    names = [figure.name for figure in measured.figures]
    assert len(names) == len(set(names))
    assert {figure.name for figure in measured.figures if figure.value <= 0} <= MAY_BE_NONE
    # A budget is only for the size it speaks of.
    assert name in BUDGETED or not any(figure.budget for figure in measured.figures)
    if name in LANGUAGES:
        _is_beside_a_bare_server(measured.figures[0], name)


def _is_beside_a_bare_server(first: Figure, language: str) -> None:
    assert first.name == f"CPU a move, {language}, 2 tables"
    assert len(first.bares) == len(first.values) == 1


def test_rows_are_measured_in_the_order_they_are_asked_for(tmp_path: Path) -> None:
    measured = measure(("idle", "disk"), BenchSetup(tmp_path, QUICK), repeat=1)
    assert list(dict.fromkeys(figure.row for figure in measured.figures)) == ["idle", "disk"]


def test_the_full_size_is_the_one_that_budgets_speak_of() -> None:
    assert (FULL.sessions, FULL.running) == (SESSIONS, TABLES)
    assert (FULL.watchers, FULL.tables, FULL.clients) == (WATCHERS, PLAYED, CLIENTS)


def test_what_cannot_be_measured_is_noted(tmp_path: Path) -> None:
    said: list[str] = []
    nothing = measure(("disk", "idle"), BenchSetup(tmp_path / "nowhere", QUICK, say=said.append), 1)
    assert nothing.figures == ()
    assert all("No such file" in why for why in nothing.notes.values())
    assert list(nothing.notes) == ["disk", "idle"]
    assert len(said) == 2


def test_two_servers_are_measured_in_turns(tmp_path: Path) -> None:
    said: list[str] = []
    other = build_at(Path(__file__).parents[3])
    found = measure(("one",), BenchSetup(tmp_path, QUICK, say=said.append), 2, other)
    assert [len(figure.values) for figure in found.figures[:1] + found.beside[:1]] == [2, 2]
    # Who goes first goes second the next time.
    assert ["the other" in words for words in said] == [False, True, True, False]


def test_another_server_is_a_python_or_a_checkout(tmp_path: Path) -> None:
    (tmp_path / "src" / "rookery").mkdir(parents=True)
    assert build_at(tmp_path).more == {"PYTHONPATH": str(tmp_path / "src")}
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.touch()
    assert build_at(tmp_path).python == str(own)
    with pytest.raises(CannotMeasure, match="neither a Python nor a checkout"):
        build_at(tmp_path / "src")


def test_a_server_that_is_measured_was_compiled_before(tmp_path: Path) -> None:
    kept = compiled(Build(sys.executable, {"PYTHONDONTWRITEBYTECODE": "1"}), tmp_path)
    assert list(tmp_path.rglob("rookery/server/app.*.pyc"))
    assert kept.environment["PYTHONPYCACHEPREFIX"] == str(tmp_path)
    assert not kept.environment["PYTHONDONTWRITEBYTECODE"]


def test_bytecode_stays_where_it_is_kept_anyway(tmp_path: Path) -> None:
    build = Build(sys.executable, {"PYTHONDONTWRITEBYTECODE": ""})
    assert compiled(build, tmp_path) == build
    assert not list(tmp_path.iterdir())


def test_what_was_measured_before_an_interruption_is_kept(tmp_path: Path) -> None:
    def say(words: str) -> None:
        if words.startswith("one"):
            raise KeyboardInterrupt

    found = measure(("disk", "one", "bots"), BenchSetup(tmp_path, QUICK, Build("nobody"), say), 1)
    assert [figure.row for figure in found.figures] == ["disk"]
    assert found.notes == {"stopped": "in the middle of one"}


def test_what_a_row_had_measured_before_it_failed_is_kept(tmp_path: Path) -> None:
    def say(words: str) -> None:
        if "4 tables" in words:
            raise CannotMeasure("Four are too many.")

    found = measure(("growing",), BenchSetup(tmp_path, replace(QUICK, growing=(2, 4)), say=say), 1)
    assert [figure.name for figure in found.figures] == ["CPU a move, 2 tables"]
    assert found.notes == {"growing": "Four are too many."}


def test_a_server_is_not_called_by_more_than_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (20_000, 20_000))
    assert allow_files(10) == 10
    share, whole = HOME_SHARE
    assert 14_000 < allow_files(19_900) <= sessions_among(20_000) * share // whole


def test_a_python_that_is_not_there_is_noted(tmp_path: Path) -> None:
    found = measure(("bots",), BenchSetup(tmp_path, QUICK, Build("nobody")), 1)
    assert "nobody" in found.notes["bots"]
