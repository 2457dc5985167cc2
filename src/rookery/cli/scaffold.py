"""Packages to begin with: files from `rookery/templates`, with names put in.

What is written works at once, passes its laws, and is changed from there. Nothing that is
there already is ever written over.
"""

import keyword
import re
from importlib import resources
from pathlib import Path
from typing import Final

from rookery.core.errors import BadOption

NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")  # as the registries have it

# Where each template goes; those of `any` are for every kind.
_ANY: Final = {
    "any/pyproject": "pyproject.toml",
    "any/gitignore": ".gitignore",
    "any/ci": ".github/workflows/tests.yml",
    "any/licence": "LICENCE.md",
}
_OWN: Final = {
    "game": {"game/rules": "src/@name@/__init__.py"},
    "bot": {"bot/levels": "src/@name@/__init__.py"},
    "dialect": {"dialect/speaking": "src/@name@/__init__.py"},
}
_ENTRIES: Final = {
    "game": '@name@ = "@name@:@Class@"',
    "bot": '@game@ = "@name@:LEVELS"',
    "dialect": '@name@ = "@name@:KIND"',
}


def check_name(kind: str, name: str, taken: set[str]) -> None:
    """Raise BadOption unless a package of this kind can be called so."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise BadOption(
            f"A {kind} is called by small letters, digits and _, a letter first, "
            f"and {name[:60]!r} is not."
        )
    if name in taken:
        raise BadOption(f"There is a {kind} {name} already; take another name.")
    if name in ("rookery", "test", "tests"):
        raise BadOption(f"Python has something else called {name}; take another name.")


def write_package(kind: str, name: str, parent: Path, game: str = "") -> list[Path]:
    """Write the package into a new folder of its name; returns the files. Raises BadOption."""
    folder = parent / name
    if folder.exists():
        raise BadOption(f"There is a {folder.name} here already; nothing was written.")
    words = {"kind": kind, "name": name, "game": game}
    words |= {"Name": name.replace("_", " ").capitalize(), "Class": _class(name)}
    words["entry"] = _filled(_ENTRIES[kind], words)
    files = _ANY | _OWN[kind] | {f"{kind}/test": "tests/test_@name@.py"}
    files |= {f"{kind}/readme": "README.md"}
    written = []
    for template, target in files.items():
        path = folder / _filled(target, words)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled(_template(template), words), encoding="utf-8")
        written.append(path)
    return written


def _template(name: str) -> str:
    return resources.files("rookery").joinpath(f"templates/{name}.txt").read_text("utf-8")


def _filled(text: str, words: dict[str, str]) -> str:
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text


def _class(name: str) -> str:
    """`connect_four` as a class is called: `ConnectFour`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_") if part)
