"""Whether tests see a mistake, and which tests are asked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from rookery_tools.mutants.reach import FILES_MAX, Reach, Selection
from rookery_tools.mutants.sample import ROOT, SOURCES, Mutant, mutants_of
from rookery_tools.mutants.trials import Outcome, Trials, interval
from tests.cli.running import run

SOURCE = "rookery/core/options.py"
A, B = "tests/test_a.py::test_a", "tests/test_b.py::test_b"
BOTH = {"tests/test_a.py": [A], "tests/test_b.py": [B]}
# In a process that has not imported Rookery, as the tool does it.
FORKED = """
import sys
from rookery_tools.mutants.trials import run
print(*run({sys.argv[1]: []}, 100.0))
"""


def unrefused() -> Mutant:
    """The mistake that takes any text for a whole number."""
    text = (SOURCES / SOURCE).read_text("utf-8")
    refusals = [m for m in mutants_of(SOURCES / SOURCE) if "BadNotation(" in text[m.start : m.end]]
    return next(one for one in refusals if one.new == "pass")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources that mistakes are made in; one file is enough."""
    file = tmp_path / SOURCE
    file.parent.mkdir(parents=True)
    file.write_text((SOURCES / SOURCE).read_text("utf-8"), "utf-8")
    return tmp_path


class Machine:
    """Runs no test: says how tests would fare, and keeps what was asked."""

    def __init__(self, copy: Path, sees: str = "", fails_anyway: str = "") -> None:
        self._file = copy / SOURCE
        self._sees = sees
        self._fails_anyway = fails_anyway
        self.asked: list[Selection] = []

    def run(self, selection: Selection, _: float) -> Outcome:
        self.asked.append(selection)
        wrong = self._file.read_text("utf-8") != (SOURCES / SOURCE).read_text("utf-8")
        for test in (test for tests in selection.values() for test in tests):
            if test == self._fails_anyway or (wrong and test == self._sees):
                return test, "fails"
        return "", "all"


def test_a_mistake_is_seen_by_the_test_that_fails_with_it_and_passes_without(copy: Path) -> None:
    machine = Machine(copy, sees=B)
    verdict = Trials(copy, machine.run).try_mutant(unrefused(), BOTH)
    assert (verdict.by, verdict.how) == (B, "fails")
    assert machine.asked == [BOTH, *2 * [{"tests/test_b.py": [B]}]]


def test_a_test_that_fails_without_the_mistake_sees_nothing(copy: Path) -> None:
    machine = Machine(copy, sees=B, fails_anyway=A)
    assert Trials(copy, machine.run).try_mutant(unrefused(), BOTH).by == B
    machine = Machine(copy, fails_anyway=A)
    assert Trials(copy, machine.run).try_mutant(unrefused(), BOTH).by == ""


def test_the_sources_are_afterwards_what_they_were(copy: Path) -> None:
    Trials(copy, Machine(copy).run).try_mutant(unrefused(), BOTH)
    assert (copy / SOURCE).read_text("utf-8") == (SOURCES / SOURCE).read_text("utf-8")


def forked(file: str) -> str:
    words = [sys.executable, "-c", FORKED, file]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_tests_run_in_a_fork_and_what_cannot_be_collected_fails() -> None:
    assert forked("tests/core/test_integers.py").endswith(" tests\n")
    assert forked("tests/core/test_nothing.py") == "collection fails\n"


def reach(folder: Path, lines: dict[str, dict[str, list[int]]]) -> Reach:
    """What was found when all tests ran: the lines of each source, for each test."""
    data = CoverageData(str(folder / "1.coverage"))
    for test, sources in lines.items():
        data.set_context(test)
        data.add_lines({str(SOURCES / name): found for name, found in sources.items()})
    data.write()
    (folder / "1.json").write_text(json.dumps(dict.fromkeys(lines, 0.1)))
    return Reach(folder)


def test_the_tests_that_reach_its_line_are_tried_the_most_specific_first(tmp_path: Path) -> None:
    mutant = unrefused()
    here, elsewhere = [mutant.line], [mutant.line + 1]
    found = reach(
        tmp_path,
        {
            A: {SOURCE: here, "rookery/core/names.py": [1, 2, 3]},
            B: {SOURCE: here},
            "tests/test_b.py::test_c": {SOURCE: elsewhere},
        },
    )
    assert list(found.selection(mutant).items()) == [*reversed(BOTH.items())]


def test_no_more_files_are_tried_than_some(tmp_path: Path) -> None:
    mutant = unrefused()
    tests = {f"tests/test_{n}.py::test_it": {SOURCE: [mutant.line]} for n in range(FILES_MAX + 1)}
    assert len(reach(tmp_path, tests).selection(mutant)) == FILES_MAX


def test_what_no_test_reaches_is_tried_with_the_tests_of_its_package(tmp_path: Path) -> None:
    files = reach(tmp_path, {}).selection(unrefused())
    assert {Path(file).parent.as_posix() for file in files} == {"tests/core"}


def test_the_interval_is_wilsons() -> None:
    low, high = interval(90, 100)
    assert (round(low, 3), round(high, 3)) == (0.826, 0.945)


@pytest.mark.parametrize("words", [(), ("nowhere",)])
def test_a_package_is_one_of_the_sources(words: tuple[str, ...]) -> None:
    result = run("mutants", *words)
    assert "Error: Say a package of src/rookery, or --coverage." in result.stderr
    assert result.exit_code == 2
