"""Mistakes that are drawn from the sources."""

from rookery_tools.mutants.sample import SOURCES, draw, mutants_of

FILE = SOURCES / "rookery" / "core" / "options.py"


def test_every_mistake_is_python_and_changes_its_file() -> None:
    text = FILE.read_text("utf-8")
    found = list(mutants_of(FILE))
    assert {one.kind for one in found} >= {"a comparison", "a number", "a condition", "not"}
    for one in found:
        wrong = one.apply(text)
        assert wrong != text
        compile(wrong, one.file, "exec")


def test_the_same_seed_draws_the_same_mistakes() -> None:
    drawn, possible = draw("core", 10, 1)
    assert (drawn, possible) == draw("core", 10, 1)
    assert drawn != draw("core", 10, 2)[0]
    assert len(drawn) == 10 < possible
