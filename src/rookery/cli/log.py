"""`rookery log`: what happened at a table, a line an event, straight from the disk."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from rookery.cli.cast import Cast, seated
from rookery.cli.logs import NoTable, folder_option, records_of
from rookery.cli.stage import Stage
from rookery.cli.words import event_words, spent_words
from rookery.core.events import Opened, Out, Played, Record, table_events
from rookery.core.ids import MICROS_A_SECOND, Micros, TableId
from rookery.games import parse_variant


@click.command(short_help="List what happened at a table.")
@click.argument("table", type=click.IntRange(1))
@folder_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a record a line.")
def command(*, table: int, folder: Path, as_json: bool) -> None:
    """List every event of TABLE: its number, when it was, how long a move took, and what.

    It reads the log in the server's folder, where the server may be running. That log has
    everything: a hidden number's seed, and what was said to one team alone.
    """
    records = records_of(folder, TableId(table))
    if as_json:
        for record in records:
            click.echo(msgspec.json.encode(record))
        return
    stage = Stage()
    day = ""
    for record, line in zip(records, _in_words(records), strict=True):
        moment = _moment(record.at)
        if (today := f"{moment:%A, %d %B %Y (%Z)}") != day:
            day = today
            stage.say(day, "dim")
        stage.say(f"{record.n:>4}  {moment:%H:%M:%S}  {_spent(record):>8}  {line}")


def _in_words(records: list[Record]) -> Iterator[str]:
    """The events as sentences, each with the names as they were then."""
    events = table_events(records)
    first = events[0]
    if not isinstance(first, Opened):
        raise NoTable("The beginning of this table is missing: `rookery verify` says more.")
    cast = Cast(parse_variant(first.variant), ("",) * first.seats)
    for event in events:
        yield event_words(event, cast)
        cast = seated(cast, event)


def _spent(record: Record) -> str:
    match record.event:
        case Played(spent=spent) | Out(spent=spent) if spent:
            return spent_words(spent)
        case _:
            return ""


def _moment(at: Micros) -> datetime:
    """The time of day where the reader is."""
    return datetime.fromtimestamp(at / MICROS_A_SECOND, UTC).astimezone()
