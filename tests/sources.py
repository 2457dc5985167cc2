"""The files of this project, and what is in them: for the tests that look over all of them.

Files are those that git knows or would add; without git, all but the hidden and the built ones.
Each is read and parsed once.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
BUILT: Final = ("dist", "build", "htmlcov", "__pycache__", "node_modules")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


@cache
def project_files() -> list[Path]:
    """Every file of the project that is there now."""
    git = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(git, capture_output=True, text=True, check=True).stdout
        found = [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not _hidden_or_built(path)]
    return sorted({path for path in found if path.is_file()})


def python_files(*folders: str) -> list[Path]:
    """The Python files under these folders of the root."""
    return [
        path
        for path in project_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in folders
    ]


def page_sources() -> list[Path]:
    """What the page is written in, by people: the words of the server are made by a program."""
    return [
        path
        for path in project_files()
        if path.suffix in (".ts", ".tsx")
        and path.relative_to(ROOT).parts[0] == "web"
        and path.name != "wire.ts"
    ]


def definitions() -> Iterator[tuple[Path, Definition]]:
    """Every class and function of the sources."""
    for path in python_files("src", "tools"):
        for node in nodes(parse(path)):
            if isinstance(node, Definition):
                yield path, node


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All there is in it, looked for once for all who ask."""
    return tuple(ast.walk(tree))


def parse(path: Path) -> ast.Module:
    """A file as Python reads it."""
    return parse_text(text_of(path))


@cache
def parse_text(text: str) -> ast.Module:
    """A text as Python reads it."""
    return ast.parse(text)


@cache
def text_of(path: Path) -> str:
    """What stands in the file; nothing if it is gone, or is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def hits(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    """The lines of these files that fit."""
    return [
        f"{name_of(path)}:{number}: {line.strip()[:80]}"
        for path in files
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if pattern.search(line)
    ]


def name_of(path: Path) -> str:
    """A file's path from the root of the project."""
    return path.relative_to(ROOT).as_posix()


def _hidden_or_built(path: Path) -> bool:
    parts = path.relative_to(ROOT).parts
    return any(part.startswith(".") or part in BUILT for part in parts)
