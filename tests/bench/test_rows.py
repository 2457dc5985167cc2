"""Every row is measured at a small scale: all its numbers are there. No time is asserted."""

from pathlib import Path

import pytest

from rookery.bench.bed import Bed, Build, build_at
from rookery.bench.load.processes import CannotMeasure
from rookery.bench.measuring import Measured, measure
from rookery.bench.rows import ROWS
from rookery.bench.scale import FULL, QUICK
from rookery.bench.server.idle import BUDGET_FOR as SESSIONS
from rookery.bench.server.restart import BUDGET_FOR as TABLES
from rookery.bench.server.spectators import BUDGET_FOR as WATCHERS
from rookery.bench.server.tour import BUDGET_FOR as CLIENTS
from rookery.bench.tongues import TONGUES
from rookery.bench.tongues.measuring import BUDGET_FOR as PLAYED


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return measure(tuple(ROWS), Bed(tmp_path_factory.mktemp("logs"), QUICK), repeat=1)


def test_everything_is_measured(measured: Measured) -> None:
    assert measured.notes == {}
    assert list(dict.fromkeys(figure.row for figure in measured.figures)) == list(ROWS)


def test_no_number_is_missing(measured: Measured) -> None:
    may_be_none = {"  CPU while nothing happens", "  moves of the bots"}
    none = {figure.name for figure in measured.figures if figure.value <= 0}
    assert none <= may_be_none


def test_no_number_of_a_row_is_there_twice(measured: Measured) -> None:
    names = [(figure.row, figure.name) for figure in measured.figures]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", TONGUES)
def test_a_language_is_measured_beside_a_bare_server(measured: Measured, name: str) -> None:
    first = next(figure for figure in measured.figures if figure.row == name)
    assert first.name == f"CPU a move, {name}, 2 tables"
    assert len(first.bares) == len(first.values) == 1


def test_a_budget_is_only_for_the_size_it_speaks_of(measured: Measured) -> None:
    always = {"one", "reads", "finished"}
    assert {figure.row for figure in measured.figures if figure.budget} <= always
    assert (FULL.sessions, FULL.running) == (SESSIONS, TABLES)
    assert (FULL.watchers, FULL.tables, FULL.clients) == (WATCHERS, PLAYED, CLIENTS)


def test_what_cannot_be_measured_is_noted(tmp_path: Path) -> None:
    said: list[str] = []
    nothing = measure(("disk", "idle"), Bed(tmp_path / "nowhere", QUICK, say=said.append), 1)
    assert nothing.figures == ()
    assert all("No such file" in why for why in nothing.notes.values())
    assert list(nothing.notes) == ["disk", "idle"]
    assert len(said) == 2


def test_two_servers_are_measured_in_turns(tmp_path: Path) -> None:
    said: list[str] = []
    other = build_at(Path(__file__).parents[2])
    found = measure(("one",), Bed(tmp_path, QUICK, say=said.append), 2, other)
    assert [len(figure.values) for figure in found.figures[:1] + found.beside[:1]] == [2, 2]
    # Who goes first goes second the next time.
    assert ["the other" in words for words in said] == [False, True, True, False]


def test_another_server_is_a_python_or_a_checkout(tmp_path: Path) -> None:
    (tmp_path / "src" / "rookery").mkdir(parents=True)
    assert build_at(tmp_path).more == {"PYTHONPATH": str(tmp_path / "src")}
    with pytest.raises(CannotMeasure, match="neither a Python nor a checkout"):
        build_at(tmp_path / "src")


def test_what_was_measured_before_an_interruption_is_kept(tmp_path: Path) -> None:
    def say(words: str) -> None:
        if words.startswith("one"):
            raise KeyboardInterrupt

    found = measure(("disk", "one", "bots"), Bed(tmp_path, QUICK, Build("nobody"), say), 1)
    assert [figure.row for figure in found.figures] == ["disk"]
    assert found.notes == {"stopped": "in the middle of one"}


def test_a_python_that_is_not_there_is_noted(tmp_path: Path) -> None:
    found = measure(("bots",), Bed(tmp_path, QUICK, Build("nobody")), 1)
    assert "nobody" in found.notes["bots"]
