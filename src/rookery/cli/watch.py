"""`rookery watch`: look on at a table of a running server."""

from typing import Final

import click

from rookery.cli.client import HOST, PORT, ConnectionLost, parse_address
from rookery.cli.gallery import Gallery
from rookery.cli.room import Room
from rookery.cli.stage import Stage
from rookery.cli.visit import Visit
from rookery.cli.words import outcome_words
from rookery.core.events import Rematched
from rookery.core.ids import TableId
from rookery.hall.table import Status

_EXAMPLES: Final = """\b
Examples:
  rookery watch 3
  rookery watch 3 --follow              their next game too, and the one after it
  rookery watch 3 --at games.example.org:7350 --unicode
"""


@click.command(short_help="Look on at a table.", epilog=_EXAMPLES)
@click.argument("table", type=click.IntRange(1))
@click.option(
    "--at", default=f"{HOST}:{PORT}", show_default=True, metavar="HOST:PORT", help="The server."
)
@click.option("--follow", is_flag=True, help="Stay after the end, and go along to a rematch.")
@click.option("--unicode", is_flag=True, help="Draw chess pieces as figures, not letters.")
def command(*, table: int, at: str, follow: bool, unicode: bool) -> None:
    """Look on at TABLE: the board after every move, until the game is over.

    When the connection drops, it comes back by itself and tells what happened meanwhile.
    """
    stage = Stage()
    visit = Visit(stage, parse_address(at))
    gallery = Gallery(stage, visit.look(TableId(table)), unicode=unicode)
    gallery.hang()
    if gallery.room.outcome is not None:
        stage.say(outcome_words(gallery.room.outcome, gallery.room.cast), "bold")
    while follow or not _finished(gallery.room):
        try:
            _hear(visit, gallery)
        except ConnectionLost:
            visit.come_back()
            _enter(visit, gallery, gallery.room.table)


def _hear(visit: Visit, gallery: Gallery) -> None:
    """Take in the next news, and wait for them if need be."""
    told = visit.heard()
    if told is None:
        visit.client.read()
        return
    gallery.take(told)
    visit.room = gallery.room
    if isinstance(told.event, Rematched):
        _enter(visit, gallery, told.event.table)


def _enter(visit: Visit, gallery: Gallery, table: TableId) -> None:
    gallery.room = visit.look(table)
    gallery.hang()


def _finished(room: Room) -> bool:
    return room.status in (Status.OVER, Status.CLOSED)
