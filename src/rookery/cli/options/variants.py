"""`-o NAME=VALUE`, for every command that makes a game."""

from typing import Final

import click

words_option: Final = click.option(
    "-o",
    "--option",
    "words",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option of the game, as `rookery games` lists them.",
)
