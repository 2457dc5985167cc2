"""`rookery new`: a package of one's own to begin with: a game, a bot or a dialect."""

from pathlib import Path
from typing import Final

import click

from rookery.cli import scaffold
from rookery.core.errors import BadOption

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
    scaffold.check_name(kind, name, _taken(kind))
    played = _played(kind, game)
    for path in scaffold.write_package(kind, name, Path(), played):
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
