"""`rookery serve`: run the server.

Every setting is a flag, a variable in the environment (`ROOKERY_PORT`) and a line of the
TOML file; the flags are made from the one table in `server/config.py`.
"""

import logging
import os
import socket
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import click

from rookery.server.config import Settings, described, load

Given = Mapping[str, str | tuple[str, ...] | None]
EDGE: Final = "edge"  # the part of a cluster that has settings of its own in the file
LISTS: Final = frozenset({"listen", "public_host"})  # may be given several times


def with_flags(command: click.Command, leave_out: Collection[str] = ()) -> click.Command:
    """Add a flag to the command for every setting, but for those left out."""
    for setting in described():
        if setting.name in leave_out:
            continue
        flag = f"--{setting.name.replace('_', '-')}"
        about = f"{setting.description[:1].upper()}{setting.description[1:]}."
        shown = f"{about}  [default: {setting.default or 'none'}]"
        if setting.default == "false":
            option = click.Option([flag], help=shown, is_flag=True, flag_value="true", default=None)
        else:
            option = click.Option([flag], help=shown, multiple=setting.name in LISTS)
        command.params.append(option)
    return command


def joined(given: Given) -> dict[str, str | None]:
    """The flags as texts; values given several times become one, with commas between."""
    return {
        name: ",".join(value) or None if isinstance(value, tuple) else value
        for name, value in given.items()
    }


def read_settings(
    flags: Mapping[str, str | None], config: Path | None, *, part: str = ""
) -> Settings:
    """Read the settings in force, and set up logging to stderr by them. Raises Mistake.

    A part of a cluster names itself in its lines, for those of many parts are read together.
    """
    settings = load(flags, os.environ, config, edge=part == EDGE)
    name = settings.node or f"{socket.gethostname()}/{part}"
    node = f"{name} " if part else ""
    logging.basicConfig(
        level=settings.log_level.upper(),
        format=f"%(asctime)s {node.replace('%', '%%')}%(levelname)s %(message)s",
    )
    return settings


@click.command(short_help="Start the server.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, named as the flags with _ for -.",
)
@click.option("--no-house", is_flag=True, help="No house bots: the same as --house off.")
def serve(config: Path | None, no_house: bool, **given: str | tuple[str, ...] | None) -> None:
    """Run the server until Ctrl-C.

    It listens on one port, keeps its log in one folder, and after a crash goes on where the
    log ends. A flag beats the environment (ROOKERY_PORT and so on), which beats the file.

    Exit codes: 0 stopped when it was told to, 2 a setting is wrong or the port or the log is
    in use, 70 a mistake of ours, 74 stopped while the log could not be written, 75 another
    server has taken over the log in the database.
    """
    flags = joined(given)
    if no_house:
        flags["house"] = f"{flags['house'] or ''},off"
    settings = read_settings(flags, config)
    # A plain import here: `rookery serve --help` should not load a server.
    from rookery.server.app import run

    sys.exit(run(settings, say=click.echo))


command = with_flags(serve, {"nats", "node", "hall", "leeway", "deaf"})
