"""`rookery store`: a log as a whole, moved between a folder and a database."""

from typing import Final

import click

from rookery.cli.commands.logs.store.copy import copy

_HELP: Final = """Move a log into a PostgreSQL database, or out of it.

A server keeps its log in a folder, or in a database (`rookery serve --data postgresql://…`).
"""

command: Final = click.Group(
    "store",
    help=_HELP,
    short_help="Move a log into a database, or out.",
    commands=[copy],
)
