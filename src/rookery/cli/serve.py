"""`rookery serve`: run the server.

Every setting is a flag, a variable in the environment (`ROOKERY_PORT`) and a line of the
TOML file; the flags are made from the one table in `server/config.py`.
"""

import logging
import os
import sys
from pathlib import Path

import click

from rookery.server.config import described, load


def _flags(command: click.Command) -> click.Command:
    """One flag for every setting."""
    for setting in described():
        default = setting.default or "none"
        command.params.append(
            click.Option(
                [f"--{setting.name.replace('_', '-')}"],
                help=f"{setting.description}  [default: {default}]",
            )
        )
    return command


@click.command(short_help="Start the server.")
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, named as the flags with _ for -.",
)
def serve(config: Path | None, **flags: str | None) -> None:
    """Run the server until Ctrl-C.

    It listens on one port, keeps its log in one folder, and after a crash goes on where the
    log ends. A flag beats the environment (ROOKERY_PORT and so on), which beats the file.
    """
    settings = load(flags, os.environ, config)
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(message)s"
    )
    # A plain import here: `rookery serve --help` should not load a server.
    from rookery.server.run import run

    sys.exit(run(settings, say=click.echo))


command = _flags(serve)
