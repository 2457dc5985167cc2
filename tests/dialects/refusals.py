"""Every code that the sources can refuse with, found by reading them.

A page that promises all codes is held to it: whoever adds one adds a line there.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[2] / "src" / "rookery"

# What makes a refusal or a notice, and which of its arguments is the code.
_MAKERS: Final = {
    "Refused": 0,
    "Notice": 0,
    "IllegalMove": 0,
    "_no": 1,
    "_refuse": 0,
    "_error": 2,
}


def codes(*places: str) -> dict[str, str]:
    """Each code in these packages or files, and the file it stands in."""
    found: dict[str, str] = {}
    for name in places:
        place = SOURCES / name
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            for code in _codes_in(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(code, path.relative_to(SOURCES).as_posix())
    return found


def _codes_in(tree: ast.Module) -> Iterator[str]:
    constants = dict(_constants(tree))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _name(node.func) not in _MAKERS:
            continue
        place = _MAKERS[_name(node.func)]
        code = node.args[place] if len(node.args) > place else None
        if isinstance(code, ast.Constant) and isinstance(code.value, str):
            yield code.value
        elif isinstance(code, ast.Name) and code.id in constants:
            yield constants[code.id]


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(str(value))):
                yield name, value
            case _:
                pass


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(name):
            return name
        case ast.Attribute(attr=name):
            return name
        case _:
            return ""
