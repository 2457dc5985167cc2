"""`rookery log`: what happened at a table or in a tour, a line an event, straight from the disk."""

from collections.abc import Iterator
from datetime import UTC, datetime

import click
import msgspec

from rookery.cli.logs.reading import LogPlace, NoTable, open_log, place_option, records_of
from rookery.cli.options import WholeNumber
from rookery.cli.table.words import event_words, spent_words
from rookery.cli.terminal.output import Output
from rookery.cli.tours.words import LoggedNames, names_after, tour_words
from rookery.clients.native.players import Players, seated
from rookery.core.errors import Mistake
from rookery.core.events import Opened, Out, Played, Record, TourWord, table_events, tour_stream
from rookery.core.ids import MICROS_A_SECOND, Micros, TableId, TourId
from rookery.hall.tables.table import judge_of


class NoTour(Mistake):
    """The log has no such tour."""


@click.command(short_help="List what happened at a table.")
@click.argument("table", type=WholeNumber(1), required=False)
@place_option
@click.option("--tour", type=WholeNumber(1), help="List what happened in this tour instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a record a line.")
def command(*, table: int | None, place: LogPlace, tour: int | None, as_json: bool) -> None:
    """List every event of TABLE: its number, when it was, how long a move took, and what.

    With --tour, every event of that tour: its matches name the tables they are played at.

    It reads the log in the server's folder, where the server may be running. That log has
    everything: a hidden number's seed, a tour's join code, and what was said to one team
    alone.
    """
    if (table is None) == (tour is None):
        raise click.UsageError("Say which TABLE, or which --tour.")
    if table is not None:
        records = records_of(place, TableId(table))
        sentences = _at_table(records)
    else:
        records = _tour_records(place, TourId(tour or 0))
        sentences = _in_tour(records)
    if as_json:
        for record in records:
            click.echo(msgspec.json.encode(record))
        return
    _print(records, sentences)


def _print(records: list[Record], sentences: Iterator[str]) -> None:
    output = Output()
    day = ""
    for record, line in zip(records, sentences, strict=True):
        moment = _moment(record.at)
        if (today := f"{moment:%A, %d %B %Y (%Z)}") != day:
            day = today
            output.say(day, "dim")
        output.say(f"{record.n:>4}  {moment:%H:%M:%S}  {_spent(record):>8}  {line}")


def _at_table(records: list[Record]) -> Iterator[str]:
    """The events as sentences, each with the names as they were then."""
    events = table_events(records)
    first = events[0]
    if not isinstance(first, Opened):
        raise NoTable("The beginning of this table is missing: `rookery verify` says more.")
    players = Players(
        judge_of(first.variant, first.rules, first.package, first.secret), ("",) * first.seats
    )
    for event in events:
        yield event_words(event, players)
        players = seated(players, event)


def _in_tour(records: list[Record]) -> Iterator[str]:
    known = LoggedNames()
    for record in records:
        if not isinstance(record.event, TourWord):
            raise NoTour("There is something else in this tour: `rookery verify` says more.")
        yield tour_words(record.event, known)
        known = names_after(known, record.event)


def _tour_records(place: LogPlace, tour: TourId) -> list[Record]:
    with open_log(place) as log:
        records = list(log.read_stream(tour_stream(tour)))
    if not records:
        raise NoTour(f"There is no tour {tour} in {place}.")
    return records


def _spent(record: Record) -> str:
    match record.event:
        case Played(spent=spent):
            return spent_words(spent)
        case Out(spent=spent) if spent:  # who resigns out of turn has spent nothing
            return spent_words(spent)
        case _:
            return ""


def _moment(at: Micros) -> datetime:
    """The time of day where the reader is."""
    return datetime.fromtimestamp(at / MICROS_A_SECOND, UTC).astimezone()
