"""`rookery watch`: look on at a table of a running server."""

import time
from typing import Final

import click

from rookery.cli.connection.address import at_option, parse_address
from rookery.cli.connection.server import ConnectionLost, ready
from rookery.cli.options import WholeNumber
from rookery.cli.table.connection import TableConnection
from rookery.cli.table.picture import TICK
from rookery.cli.table.watching import Spectator
from rookery.cli.table.words import outcome_words
from rookery.cli.terminal.output import Output
from rookery.clients.native.table import KnownTable
from rookery.core.events import Rematched
from rookery.core.ids import Status, TableId

_EXAMPLES: Final = """\b
Examples:
  rookery watch 3
  rookery watch 3 --follow              their next game too, and the one after it
  rookery watch 3 --at games.example.org:7350 --unicode
"""


@click.command(short_help="Look on at a table.", epilog=_EXAMPLES)
@click.argument("table", type=WholeNumber(1))
@at_option
@click.option("--follow", is_flag=True, help="Stay after the end, and go along to a rematch.")
@click.option("--unicode", is_flag=True, help="Draw chess pieces as figures, not letters.")
def command(*, table: int, at: str, follow: bool, unicode: bool) -> None:
    """Look on at TABLE: the board after every move, until the game is over.

    Its number is what the players were told; the server's page, http://HOST:PORT/, lists all
    tables. On a terminal the clocks run. When the connection drops, it comes back by itself
    and tells what happened meanwhile.
    """
    output = Output()
    server = TableConnection(output, parse_address(at))
    spectator = Spectator(output, _looked(server, TableId(table)), unicode=unicode)
    with output.looking_on():
        spectator.hang()
        if spectator.known.outcome is not None:
            output.say(outcome_words(spectator.known.outcome, spectator.known.players), "bold")
        while follow or not _finished(spectator.known):
            try:
                _hear(server, spectator)
            except ConnectionLost:
                server.come_back()
                _enter(server, spectator, spectator.known.table)


def _hear(server: TableConnection, spectator: Spectator) -> None:
    """Take in the next news, and wait for them if need be."""
    told = server.heard()
    if told is None:
        _wait(server, spectator)
        return
    spectator.take(told)
    server.known = spectator.known
    if isinstance(told.event, Rematched):
        _enter(server, spectator, told.event.table)


def _wait(server: TableConnection, spectator: Spectator) -> None:
    """Wait until the server sends something; meanwhile draw the clocks as they run."""
    while spectator.ticks:
        spectator.tick(time.monotonic())
        if ready([server.client.fileno()], TICK):
            break
    else:
        ready([server.client.fileno()])  # a game may be silent for long
    server.client.read()


def _enter(server: TableConnection, spectator: Spectator, table: TableId) -> None:
    spectator.known = _looked(server, table)
    spectator.hang()


def _looked(server: TableConnection, table: TableId) -> KnownTable:
    """The table as it is, however often the connection goes meanwhile."""
    while True:
        try:
            return server.look(table)
        except ConnectionLost:
            server.come_back()


def _finished(known: KnownTable) -> bool:
    return known.status in (Status.OVER, Status.CLOSED)
