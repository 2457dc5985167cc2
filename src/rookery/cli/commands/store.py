"""`rookery store`: a log as a whole, copied between a folder and a database, and checked there."""

from typing import Final

import click

from rookery.cli.logs.copying import copy_records
from rookery.cli.logs.reading import LogPlace, LogPlaceType
from rookery.cli.terminal.screen import progress_bar

_EXAMPLES: Final = """\b
Examples:
  rookery store copy data postgresql://rookery@db.example.org/rookery
  rookery store copy postgresql://db.example.org/rookery copy-of-main
  rookery store copy "postgresql:///rookery?hall=cs4500" cs4500
"""


@click.command("copy", short_help="Copy a log into another place.", epilog=_EXAMPLES)
@click.argument("source", type=LogPlaceType(), metavar="FROM")
@click.argument("target", type=LogPlaceType(), metavar="TO")
def copy(*, source: LogPlace, target: LogPlace) -> None:
    """Copy the log FROM one place TO another: each is a folder or a postgresql:// address.

    The organiser's token goes with it. The target must have no log yet, and has one when all
    of it was copied, or none: before that every record is read again and held against the
    original, and so is its checksum. A server on FROM may be running; what it adds meanwhile
    is not copied, so stop it first if the log is to move.

    Passwords are better off in PGPASSWORD or ~/.pgpass than in an address.

    Exit codes: 0 there is a sound copy, 1 a disk failed, 2 there is nothing to copy, or a log
    at the target already, or the copy is not sound.
    """
    with progress_bar("Copying") as copied:
        count = copy_records(source, target, copied)
    click.echo(f"{target} has a copy of {source}, with {count} records.")


_HELP: Final = """Move a log into a PostgreSQL database, or out of it.

A server keeps its log in a folder, or in a database (`rookery serve --data postgresql://…`).
"""

command: Final = click.Group(
    "store",
    help=_HELP,
    short_help="Move a log into a database, or out.",
    commands=[copy],
)
