"""Vocabularies are read as modules: `events.Played` says where a word comes from, once.

A long list of names at the top of a file says nothing that its code does not. Where every move
passes, names are imported one by one, because a word of a module is looked up each time.
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent.parent / "src"

VOCABULARIES = {
    *("rookery.core.events", "rookery.core.intents", "rookery.core.messages"),
    *(f"rookery.core.tours.tour_{kind}" for kind in ("events", "intents", "messages")),
    *(f"rookery.core.people.community_{kind}" for kind in ("events", "intents", "messages")),
    "rookery.core.people.account_intents",
}
MOST = 11  # names of one vocabulary in a file

# Every move passes here.
ON_THE_WAY_OF_A_MOVE = {
    "rookery/hall/tables/table.py",  # each event makes the next table
    "rookery/hall/tables/referee.py",  # each move that is not an ordinary one is decided
    "rookery/server/links/frames.py",  # each message to an edge is put into a frame
}


def imported(source: str) -> Counter[str]:
    """How many names a file imports of each vocabulary."""
    counts: Counter[str] = Counter()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in VOCABULARIES:
            counts[node.module] += len(node.names)
    return counts


def long_lists() -> dict[str, dict[str, int]]:
    """The files that import more than they may, and how many names of which vocabulary."""
    found = {}
    for path in sorted(SOURCES.rglob("*.py")):
        counts = imported(path.read_text("utf-8"))
        if too_many := {module: n for module, n in counts.items() if n > MOST}:
            found[path.relative_to(SOURCES).as_posix()] = too_many
    return found


def test_every_vocabulary_is_there() -> None:
    assert [
        module
        for module in sorted(VOCABULARIES)
        if not (SOURCES / module.replace(".", "/")).with_suffix(".py").is_file()
    ] == []


def test_no_file_lists_the_words_of_a_vocabulary_but_on_the_way_of_a_move() -> None:
    found = long_lists()
    assert {name: n for name, n in found.items() if name not in ON_THE_WAY_OF_A_MOVE} == {}


def test_no_exception_is_left_that_nobody_needs() -> None:
    assert ON_THE_WAY_OF_A_MOVE - long_lists().keys() == set()


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("from rookery.core import events", 0),
        ("from rookery.core.events import Played, Sat", 2),
        ("from rookery.core.events import Played\nfrom rookery.core.events import Sat as S", 2),
        ("def later():\n    from rookery.core.events import Played", 1),
        ("from rookery.core.ids import Seat, TableId", 0),
    ],
)
def test_names_are_counted_wherever_they_are_imported(source: str, count: int) -> None:
    assert imported(source).total() == count
