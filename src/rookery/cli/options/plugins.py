"""`--with FILE`: the one option of every command, by which plug-ins come in.

Plug-ins of installed packages are loaded whether the option is given or not. Each plug-in that
cannot be loaded is named on standard error in a sentence, and the command goes on.
"""

from pathlib import Path

import click


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
