"""`rookery watch`: look on at a table of a running server."""

import select
import time
from typing import Final

import click

from rookery.cli.client import ConnectionLost, at_option, parse_address
from rookery.cli.gallery import Gallery
from rookery.cli.numbers import Whole
from rookery.cli.room import Room
from rookery.cli.stage import Stage
from rookery.cli.ticking import TICK
from rookery.cli.visit import Visit
from rookery.cli.words import outcome_words
from rookery.core.events import Rematched
from rookery.core.ids import TableId
from rookery.core.status import Status

_EXAMPLES: Final = """\b
Examples:
  rookery watch 3
  rookery watch 3 --follow              their next game too, and the one after it
  rookery watch 3 --at games.example.org:7350 --unicode
"""


@click.command(short_help="Look on at a table.", epilog=_EXAMPLES)
@click.argument("table", type=Whole(1))
@at_option
@click.option("--follow", is_flag=True, help="Stay after the end, and go along to a rematch.")
@click.option("--unicode", is_flag=True, help="Draw chess pieces as figures, not letters.")
def command(*, table: int, at: str, follow: bool, unicode: bool) -> None:
    """Look on at TABLE: the board after every move, until the game is over.

    Its number is what the players were told; the server's page, http://HOST:PORT/, lists all
    tables. On a terminal the clocks run. When the connection drops, it comes back by itself
    and tells what happened meanwhile.
    """
    stage = Stage()
    visit = Visit(stage, parse_address(at))
    gallery = Gallery(stage, _looked(visit, TableId(table)), unicode=unicode)
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
        _wait(visit, gallery)
        return
    gallery.take(told)
    visit.room = gallery.room
    if isinstance(told.event, Rematched):
        _enter(visit, gallery, told.event.table)


def _wait(visit: Visit, gallery: Gallery) -> None:
    """Until the server says something; meanwhile clocks run."""
    while gallery.ticks:
        gallery.tick(time.monotonic())
        if select.select([visit.client], [], [], TICK)[0]:
            break
    else:
        select.select([visit.client], [], [])  # a game may be silent for long
    visit.client.read()


def _enter(visit: Visit, gallery: Gallery, table: TableId) -> None:
    gallery.room = _looked(visit, table)
    gallery.hang()


def _looked(visit: Visit, table: TableId) -> Room:
    """The table as it is, however often the connection goes meanwhile."""
    while True:
        try:
            return visit.look(table)
        except ConnectionLost:
            visit.come_back()


def _finished(room: Room) -> bool:
    return room.status in (Status.OVER, Status.CLOSED)
