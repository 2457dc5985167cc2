"""`rookery salvage`: what can be saved of a damaged log, in a new one that is sound."""

import os
from contextlib import closing
from pathlib import Path
from typing import Final

import click
import msgspec

from rookery.cli.logs.copying import keep_token, new_folder
from rookery.cli.logs.reading import folder_option
from rookery.cli.terminal.output import Output
from rookery.core.errors import Mistake
from rookery.server.datadir import LOG_FILE
from rookery.store.examine import Gathered, gather
from rookery.store.sqlite import SqliteStore
from rookery.store.sqlite_file import create, lock_store, lost_beside
from rookery.verify.log import Saved, salvage

LEFT_OUT: Final = "left-out.jsonl"
_BATCH: Final = 10_000  # records written at once


class NothingSaved(Mistake):
    """There is no log to salvage, or nothing in it."""


_EXAMPLES: Final = """\b
Examples:
  rookery salvage saved                     of the log in the folder data
  rookery salvage saved --data /srv/rookery
  rookery verify --data saved               it is sound
  rookery serve --data saved                the server goes on with it
"""


@click.command(short_help="Save what a damaged log still has.", epilog=_EXAMPLES)
@click.argument("target", type=click.Path(path_type=Path), metavar="FOLDER")
@folder_option
def command(*, target: Path, folder: Path) -> None:
    """Save what can be saved of a damaged log into a new FOLDER, and list what cannot.

    The damaged log is only read. Every record is taken that SQLite can read and whose
    checksum is right. A table or tour with a record missing is left out whole, and so is
    whatever depends on it; what can be read of them is in left-out.jsonl, a record a line.
    The new log opens, and `rookery verify` finds it sound. Stop the server first.

    Exit codes: 0 everything was saved, 1 something had to be left out, 2 nothing could be
    saved.
    """
    file = folder / LOG_FILE
    if not file.is_file():
        raise NothingSaved(f"There is no log at {file}: say with --data which folder it is in.")
    with lock_store(file):
        lost = lost_beside(file)
        gathered = gather(file)
    if not gathered.records:
        raise NothingSaved(f"There is no record in {file} that could be saved.")
    saved = salvage(gathered.records, gathered.broken)
    with new_folder(target) as fresh:
        _write(fresh, saved)
        keep_token(folder, fresh)
    if lost is not None:
        Output().say(lost, "red")
    if _report(target, gathered, saved) or lost is not None:
        raise SystemExit(1)


def _write(folder: Path, saved: Saved) -> None:
    with closing(SqliteStore(folder / LOG_FILE)) as store:
        for first in range(0, len(saved.records), _BATCH):
            store.append(saved.records[first : first + _BATCH])
    (folder / f"{LOG_FILE}.lock").unlink(missing_ok=True)
    if saved.apart:
        number = create(folder / LEFT_OUT)
        with os.fdopen(number, "wb") as file:
            file.write(msgspec.json.Encoder().encode_lines(saved.apart))


def _report(target: Path, gathered: Gathered, saved: Saved) -> bool:
    """Print what was saved and what was not; returns whether anything is missing."""
    output = Output()
    for stream, why in sorted(saved.lost.items()):
        output.say(f"{stream.replace('/', ' ', 1)} is left out: {why}", "red")
    for sentence in saved.dropped:
        output.say(f"Left out of the hall's own: {sentence}", "red")
    if gathered.missing:
        spans = [f"{s[0]}" if s[0] == s[-1] else f"{s[0]}-{s[-1]}" for s in gathered.missing]
        output.say(f"Records that are missing or damaged: {', '.join(spans)}.", "red")
    kept, apart = len(saved.records), len(saved.apart)
    there = kept + apart + sum(span.stop - span.start for span in gathered.missing)
    output.say(f"{target} has {kept} of {there} records.", "bold")
    if apart:
        output.say(f"What can be read of the others is in {target / LEFT_OUT}.")
    return bool(saved.lost or saved.dropped or gathered.missing)
