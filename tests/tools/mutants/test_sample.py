"""Mistakes that are drawn from the sources, and whether tests see them."""

import shutil
from pathlib import Path

import pytest

from rookery_tools.mutants.sample import SOURCES, Mutant, interval, is_seen, mutants_of
from tests.cli.running import run

FILE = SOURCES / "rookery" / "core" / "options.py"
TESTS = ["tests/core/test_integers.py"]


def unrefused() -> Mutant:
    """The mistake that takes any text for a whole number."""
    text = FILE.read_text("utf-8")
    refusals = [one for one in mutants_of(FILE) if "BadNotation(" in text[one.start : one.end]]
    return next(one for one in refusals if one.new == "pass")


def test_every_mistake_is_python_and_changes_its_file() -> None:
    text = FILE.read_text("utf-8")
    found = list(mutants_of(FILE))
    assert {one.kind for one in found} >= {"a comparison", "a number", "a condition", "not"}
    for one in found:
        wrong = one.apply(text)
        assert wrong != text
        compile(wrong, one.file, "exec")


def test_a_mistake_is_seen_by_the_tests_that_reach_it(tmp_path: Path) -> None:
    copy = tmp_path / "src"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__", "page"))
    before = FILE.read_text("utf-8")
    assert is_seen(unrefused(), TESTS, copy) == TESTS[0]
    assert (copy / FILE.relative_to(SOURCES)).read_text("utf-8") == before
    harmless = Mutant("rookery/core/names.py", 1, 0, 0, "", "nothing")
    assert is_seen(harmless, TESTS, copy) == ""


def test_the_interval_is_wilsons() -> None:
    low, high = interval(90, 100)
    assert (round(low, 3), round(high, 3)) == (0.826, 0.945)


@pytest.mark.parametrize("words", [(), ("nowhere",)])
def test_a_package_is_one_of_the_sources(words: tuple[str, ...]) -> None:
    result = run("mutants", *words)
    assert "Error: Say a package of src/rookery, or --coverage." in result.stderr
    assert result.exit_code == 2
