"""The paths that the pages name are there, so that a stranger who follows one arrives.

A page may shorten a path to its end (`keeping/teller.py`). The map of the house says more: a file
stands in the folder of its row, and a function in the file beside it.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.sources import ROOT, name_of, parse, project_files
from tests.test_tidy import pages

MAP = ROOT / "docs" / "architecture.md"
HOUSE = "src/rookery"
# A file by its ending, or a folder with its stroke.
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)*(?:/|\.(?:css|html|json|md|py|toml|tsx?|txt|ya?ml)))`")
IN_A_FILE = re.compile(r"`([\w/]+\.py)` \(`(\w+)`")
READERS_OWN = re.compile(
    r"\byours\b|_yours\b|^mybot|^src/connect4/"
)  # what a how-to has them write


def rows(chapter: str) -> list[tuple[str, ...]]:
    """The rows of the table in this chapter of the map, cell by cell, without its head."""
    text = MAP.read_text().partition(f"\n## {chapter}\n")[2].partition("\n## ")[0]
    table = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in cells) for cells in table[2:]]


def test_every_path_that_a_page_names_is_there() -> None:
    assert [
        f"{name_of(page)}: {said}"
        for page in pages()
        for said in PATH.findall(page.read_text())
        if not READERS_OWN.search(said) and not _somewhere(said)
    ] == []


def test_a_file_on_the_map_stands_in_the_folder_of_its_row() -> None:
    astray = []
    for cells in rows("What is where"):
        folder, words = cells[0].strip("` "), cells[1]
        if not folder.startswith((f"{HOUSE}/", "tools/")):
            continue
        for said in PATH.findall(words):
            found = [ROOT / folder / said, ROOT / HOUSE / said]
            if not any(path.exists() for path in found):
                astray.append(f"{folder}: {said}")
    assert astray == []


def test_a_file_of_a_room_of_the_hall_is_there() -> None:
    rooms = rows("The hall, room by room")
    assert [
        f"{room}: {said}"
        for room, words in ((cells[0].strip("` "), cells[1]) for cells in rooms)
        for said in PATH.findall(words)
        if not any((ROOT / HOUSE / "hall" / part / said).exists() for part in (room, "."))
    ] == []


@pytest.mark.parametrize("cells", rows("Where do I find"), ids=lambda cells: cells[0])
def test_what_somebody_looks_for_is_where_the_map_says(cells: tuple[str, ...]) -> None:
    where = cells[1]
    paths = PATH.findall(where)
    assert paths or "look for" in where
    assert [said for said in paths if not (ROOT / HOUSE / said).exists()] == []
    assert [
        f"{file}: {name}"
        for file, name in IN_A_FILE.findall(where)
        if name not in _defined(ROOT / HOUSE / file)
    ] == []


@cache
def _named() -> frozenset[str]:
    """Every file and folder of the project, by every ending that its path has."""
    files = [path.relative_to(ROOT) for path in project_files()]
    paths = {one for file in files for one in (file, *file.parents)} - {Path()}
    return frozenset("/".join(path.parts[n:]) for path in paths for n in range(len(path.parts)))


def _somewhere(said: str) -> bool:
    return said.rstrip("/") in _named()


def _defined(path: Path) -> set[str]:
    defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name for node in ast.walk(parse(path)) if isinstance(node, defined)}
