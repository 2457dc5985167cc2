"""`rookery close`: the organiser ends a table, whatever happens at it."""

from pathlib import Path

import click

from rookery.cli.connection.tours import TourConnection, place_of, place_options
from rookery.cli.options import WholeNumber
from rookery.cli.tours.live import TourScreen
from rookery.core.ids import TableId
from rookery.core.intents import CloseTable
from rookery.core.messages import Done


@click.command(short_help="Close a table, as the organiser.")
@click.argument("table", type=WholeNumber(1))
@click.option(
    "--reason", default="", metavar="TEXT", help="Why; told to all who are there, and logged."
)
@place_options
def command(*, table: int, reason: str, at: str, token: str | None, folder: Path | None) -> None:
    r"""Close TABLE on a server, whoever sits there and whatever is played.

    A game that runs is over, and nobody wins it. A match of a tour comes out so; to have it
    played again, void it: rookery tour void. A table that waits for players goes.

    \b
    Examples:
      rookery close 17
      rookery close 17 --reason "Both programs hang"
    """
    show = TourScreen()
    with TourConnection(show, place_of(at, token, folder), organiser=True) as server:
        server.ask(CloseTable(TableId(table), reason), Done)
    show.say(f"Table {table} is closed.")
