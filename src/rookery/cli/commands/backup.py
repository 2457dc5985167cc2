"""`rookery backup`: a copy of a server's log, which may be running, as it was at one moment."""

from contextlib import closing
from pathlib import Path
from typing import Final

import click

from rookery.cli.logs.copying import BadCopy, copy_records, keep_token, new_folder
from rookery.cli.logs.reading import LogPlace, examine_log, open_for_copying, place_option
from rookery.cli.terminal.screen import progress_bar
from rookery.server.datadir import LOG_FILE
from rookery.store.examine import Flaw
from rookery.store.sqlite_file import Copied, copy_log

_EXAMPLES: Final = """\b
Examples:
  rookery backup /srv/backup/monday         of the server in the folder data
  rookery backup monday --data /srv/rookery
  rookery verify --data monday              the games in it, replayed
  rookery serve --data monday               a server that goes on from there
"""


@click.command(short_help="Copy the log of a running server.", epilog=_EXAMPLES)
@click.argument("target", type=click.Path(path_type=Path), metavar="FOLDER")
@place_option
def command(*, target: Path, place: LogPlace) -> None:
    """Copy the log into a new FOLDER, which is then like a server's own.

    The server may be running and goes on undisturbed: the copy is the log as it was at one
    moment, with everything that anyone had been told by then. The organiser's token is
    copied too. Nothing is written over, only you can read the copy, and every checksum in it
    is checked before it gets its name. Of a log in a database, too, the copy is a folder.

    Exit codes: 0 there is a sound copy, 1 a disk failed, 2 there is no log to copy, or the
    copy is not sound: then `rookery verify` says what is wrong.
    """
    with progress_bar("Copying") as copied:
        if isinstance(place, Path):
            count = _copy_file(place, target, copied)
        else:
            count = copy_records(place, target, copied)
    click.echo(f"{target} has a copy of {place}, with {count} records.")


def _copy_file(folder: Path, target: Path, copied: Copied) -> int:
    """Copy the log of this folder, page by page; returns its number of records. Raises Mistake."""
    with open_for_copying(folder) as source, new_folder(target) as fresh:
        copy_log(source, fresh / LOG_FILE, copied)
        count = _check(fresh)
        keep_token(folder, fresh)
    return count


def _check(folder: Path) -> int:
    """See that the copy is sound; how many records it has. Raises BadCopy."""
    count, flaw = 0, ""
    with closing(examine_log(folder)) as examination:
        flaw = next(examination.file(), "")
        for found in examination.records():
            count += 1
            if isinstance(found, Flaw):
                flaw = flaw or found.sentence
        flaw = flaw or next(examination.beside(), "")
    for left in ("-wal", "-shm"):  # of looking into it
        (folder / f"{LOG_FILE}{left}").unlink(missing_ok=True)
    if flaw:
        raise BadCopy(f"The log is damaged, and no copy was kept: {flaw}")
    return count
