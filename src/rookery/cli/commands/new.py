"""`rookery new`: a package of one's own to begin with, made from files in `rookery/templates`.

What is written works at once, passes its laws, and is changed from there. Nothing that is
there already is ever written over.
"""

import keyword
import re
from importlib import resources
from pathlib import Path
from typing import Final

import click

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


_EXAMPLES: Final = """\b
Examples:
  rookery new game connect4 && cd connect4 && pip install -e .
  rookery new bot minimax4 --game connect4
  rookery new dialect telegraph
"""


@click.command(short_help="Begin a game, bot or dialect of your own.", epilog=_EXAMPLES)
@click.argument("kind", type=click.Choice(["game", "bot", "dialect"]))
@click.argument("name")
@click.option("--game", metavar="GAME", help="The game that the bot plays.")
def command(*, kind: str, name: str, game: str | None) -> None:
    """Write a package for a new game, bot or dialect into the folder ./NAME.

    It is small and complete, and works at once: rules of a tiny game, tests by the laws, a
    README that says what to change. Nothing that is there is written over.
    """
    check_name(kind, name, _taken(kind))
    played = _played(kind, game)
    for path in write_package(kind, name, Path(), played):
        click.echo(f"  {path}")
    laws = f"rookery laws {played} --only bot" if kind == "bot" else f"rookery laws {name}"
    click.echo(f"Now: cd {name} && pip install -e . && {laws} && rookery serve")


def _taken(kind: str) -> set[str]:
    from rookery.dialects import DIALECTS
    from rookery.games import GAMES

    return set(DIALECTS if kind == "dialect" else GAMES if kind == "game" else ())


def _played(kind: str, game: str | None) -> str:
    """The game that a bot is for. Raises BadOption."""
    from rookery.bots import LEVELS
    from rookery.games import find_game

    if kind != "bot":
        if game is not None:
            raise BadOption("Only a bot is for a game: --game does not go with the others.")
        return ""
    if game is None:
        raise BadOption("Which game does it play? Say --game GAME.")
    find_game(game)
    if game in LEVELS:
        raise BadOption(
            f"The game {game} has bots of its own; another player of it is a program, "
            "which plays in any language: rookery bot --help."
        )
    return game
