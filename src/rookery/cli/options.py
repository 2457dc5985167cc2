"""Options that several commands have: numbers, clocks, variants, dialects, and `--with FILE`.

By `--with` plug-ins come in, in every command; those of installed packages are loaded whether it
is given or not. Each that cannot be loaded is named on standard error in a sentence, and the
command goes on. This file is imported before any command, so it imports nothing heavy itself.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rookery.core.errors import BadOption

if TYPE_CHECKING:
    from rookery.games import AnyGame


def say_clock(text: str) -> None:
    """Print on stderr how a typed clock was read, where it was not typed as we write it."""
    from rookery.core.clock import taken_for

    sentence = taken_for(text)
    if sentence is not None:
        click.echo(sentence, err=True)


def check_words(dialect: str, game: "AnyGame") -> None:
    """Raise BadOption where this dialect cannot play the game, and say which can."""
    from rookery.dialects import LANGUAGES
    from rookery.games import format_variant

    if not LANGUAGES[dialect].speaks(game):
        others = ", ".join(sorted(LANGUAGES.speaking(game)))
        raise BadOption(f"{dialect} has no words for {format_variant(game)}; these do: {others}.")


class WholeNumber(click.IntRange):
    """A whole number."""

    name = "number"


class Real(click.FloatRange):
    """Any number."""

    name = "number"


words_option: Final = click.option(
    "-o",
    "--option",
    "words",
    multiple=True,
    metavar="NAME=VALUE",
    help="Set an option of the game, as `rookery games` lists them.",
)


def with_plugins(command: click.Command) -> click.Command:
    """Give a command the option `--with`; of a group, every command in it."""
    if isinstance(command, click.Group):
        for each in command.commands.values():
            with_plugins(each)
    elif not any(one.name == _NAME for one in command.params):
        command.params.append(_option())
    return command


_NAME = "with"


def _option() -> click.Option:
    return click.Option(
        ["--with", _NAME],
        multiple=True,
        metavar="FILE",
        type=click.Path(path_type=Path),
        is_eager=True,  # the other options may be about what is loaded
        expose_value=False,
        callback=_load,
        help="Load this plug-in too: a game, bot, dialect or format in a file of Python.",
    )


def _load(ctx: click.Context, _: click.Parameter, files: tuple[Path, ...]) -> None:
    if ctx.resilient_parsing:
        return
    from rookery.plugins import load

    for plugin in load(files):
        if plugin.problem:
            click.echo(plugin.sentence(), err=True)
