"""`rookery replay`: a table's game once more, board by board, as a spectator was told it.

From a server's folder everything can be replayed. Over the network the deal of a game
is not told, so there only games that begin alike every time can be.
"""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final

import click

from rookery.cli.connection.address import Address, NoServer, parse_address
from rookery.cli.connection.server import ConnectionLost, ServerConnection
from rookery.cli.logs.reading import LogPlace, NoTable, place_option, records_of
from rookery.cli.options import Real, WholeNumber
from rookery.cli.table.picture import heard_by_all
from rookery.cli.table.watching import Spectator
from rookery.cli.terminal.output import Output
from rookery.clients.native.table import opened
from rookery.clients.native.words import Greeting, Hello, Told
from rookery.core.chance import Chance
from rookery.core.errors import BROKEN, BadOption
from rookery.core.events import Opened, PublicEvent, Seeded, TableEvent, table_events
from rookery.core.game import View
from rookery.core.ids import MICROS_A_SECOND, Micros, TableId
from rookery.core.intents import History
from rookery.core.messages import Past
from rookery.games import AnyGame
from rookery.games.absent_game import AbsentView
from rookery.hall.tables.news import left_of
from rookery.hall.tables.replay import next_change
from rookery.hall.tables.table import Table, judge_of
from rookery.verify.tables import Violation, begin, follow


def from_log(table: TableId, events: Iterable[tuple[int, Micros, TableEvent]]) -> Iterator[Told]:
    """The news that a spectator of this table was told, from its events, numbers and times."""
    now: Table | None = None
    for n, at, event in events:
        change = next_change(table, now, event)
        now = change.table
        if isinstance(event, PublicEvent):
            view = None if now.state is None else _view(now)
            effects, to_act = heard_by_all(change.effects), tuple(sorted(now.to_act))
            yield Told(table, n, at, event, effects, to_act, left_of(now, at), view)


def _view(table: Table) -> View:
    """The view that everybody has, or one that says that the rules failed to show it."""
    try:
        shown: View = table.game.view(table.state, None)
    except BROKEN as wrong:
        return AbsentView(f"The rules of {table.game.name} failed to show this: {wrong!r}.", ())
    return shown


Happening = tuple[int, Micros, TableEvent]  # an event with its number and its time

_DEALS: Final = range(3)  # seeds that a game which is not dealt starts alike from

_EXAMPLES: Final = """\b
Examples:
  rookery replay 3                      as fast as it was played
  rookery replay 3 --speed 10           ten times as fast
  rookery replay 3 --step               a key for every event
  rookery replay 3 --data /srv/rookery | less
  rookery replay 3 --at games.example.org:7350
"""


@click.command(short_help="Replay a table's game.", epilog=_EXAMPLES)
@click.argument("table", type=WholeNumber(1))
@place_option
@click.option("--at", metavar="HOST:PORT", help="Ask this server instead of reading its folder.")
@click.option(
    "--speed",
    type=Real(0),
    help="How much faster than it was played; 0 does not wait, as in a pipe.",
)
@click.option("--step", is_flag=True, help="Wait for Enter before every event.")
@click.option("--unicode", is_flag=True, help="Draw chess pieces as figures, not letters.")
def command(
    *, table: int, place: LogPlace, at: str | None, speed: float | None, step: bool, unicode: bool
) -> None:
    """Replay TABLE, finished or not: every event, and the board after every move."""
    number = TableId(table)
    if at is None:
        records = records_of(place, number)
        numbered = zip(records, table_events(records), strict=True)
        events = [(record.n, record.at, event) for record, event in numbered]
    else:
        events = _asked(parse_address(at), number)
    _check(number, events)
    output = Output()
    if speed is None:
        speed = 1.0 if output.terminal else 0.0
    tellings = from_log(number, events)
    if step:  # what is typed stands below, so nothing can stay there
        _show(output, _stepped(tellings), unicode=unicode)
        return
    with output.looking_on():
        _show(output, _paced(tellings, speed), unicode=unicode)


def _show(output: Output, tellings: Iterable[Told], *, unicode: bool) -> None:
    spectator: Spectator | None = None
    for told in tellings:
        if spectator is None:
            assert isinstance(told.event, Opened), "a table's first event opens it"
            spectator = Spectator(output, opened(told.table, told.event), unicode=unicode)
        spectator.take(told)


def _paced(tellings: Iterable[Told], speed: float) -> Iterator[Told]:
    """The same news, each held back until it is due at this speed; 0: at once."""
    before: Micros | None = None
    for told in tellings:
        if speed and before is not None:
            time.sleep(max(0, told.at - before) / MICROS_A_SECOND / speed)
        before = told.at
        yield told


def _stepped(tellings: Iterable[Told]) -> Iterator[Told]:
    """The same, each when somebody presses Enter; the end of the input lets go of all."""
    for told in tellings:
        yield told
        sys.stdin.readline()


def _asked(address: Address, table: TableId) -> list[Happening]:
    """A table's past from a server, with a seed where any will do. Raises Mistake."""
    client = ServerConnection(address)
    events: list[Happening] = []
    more = True
    try:
        client.ask(Hello(), Greeting)
        while more:
            page = client.ask(History(table, events[-1][0] if events else 0), Past)
            events += [(entry.n, entry.at, entry.event) for entry in page.events]
            more = page.more and bool(page.events)
    except ConnectionLost:
        raise NoServer(f"The server at {address} went away.") from None
    finally:
        client.close()
    number, at, first = events[0]
    if isinstance(first, Opened):
        if _dealt(judge_of(first.variant, first.rules, first.package, first.secret), first.seats):
            raise BadOption(
                f"Table {table} was dealt by chance, and a server does not tell how: replay it "
                "where its log is, with --data."
            )
        events.insert(1, (number + 1, at, Seeded(0)))
    return events


def _dealt(game: AnyGame, seats: int) -> bool:
    """Whether the seed decides how this game begins."""
    starts = [game.start(seats, Chance(seed)) for seed in _DEALS]
    return any(start != starts[0] for start in starts)


def _check(table: TableId, events: list[Happening]) -> None:
    """See that all of it can be replayed. Raises NoTable."""
    n = 0
    try:
        n, _, first = events[0]
        now = begin(table, first)
        for n, _, event in events[1:]:  # noqa: B007 - it says where it went wrong
            now = follow(now, event)
    except Violation as wrong:
        raise NoTable(f"Table {table} cannot be replayed from event {n} on: {wrong}") from None
