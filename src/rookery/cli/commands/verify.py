"""`rookery verify`: read the whole log, replay tables and tours, and say what does not fit."""

import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import click

from rookery.cli.logs.reading import (
    LogPlace,
    examine_log,
    lost_of,
    open_log,
    place_option,
)
from rookery.cli.terminal.output import Output
from rookery.cli.terminal.screen import progress_bar
from rookery.core.options import counted
from rookery.hall.hall_memory import VERSION
from rookery.plugins.watchdog import watched
from rookery.store import StoreBroken
from rookery.store.examine import Examination, Flaw
from rookery.verify.log import Audit, Census, LogProblem, SnapshotAudit

_BROKEN: Final = "not to be followed to the end"


@click.command(short_help="Replay the whole log and compare.")
@place_option
def command(*, place: LogPlace) -> None:
    """Read the whole log, replay every table, and compare every move and every outcome.

    Tours are replayed too: every pairing, result, winner and rating must be what the hall
    decides there. A Swiss round is paired again, which takes as long as it took then.

    Every record has a checksum, which follows from the one before it: a flipped bit, a
    missing record and one in another's place all show. So does damage to the file around
    them, and to the file beside it; and a snapshot must say what the records do.
    What can be saved of a damaged log, `rookery salvage` saves.

    Every problem is a line with its table or tour and the event there. A server may be
    running meanwhile: what it adds is not looked at.

    Exit codes: 0 the log is sound, 1 there are problems, 2 there is no log to read.
    """
    output = Output()
    audit = Audit()
    problems = 0
    if (lost := lost_of(place)) is not None:
        problems += 1
        output.say(lost, "red")
    with open_log(place) as log:
        count = log.last_seq()
        try:
            remembered = SnapshotAudit(log.snapshot(VERSION))
        except StoreBroken as wrong:
            remembered = SnapshotAudit(None)
            output.say(f"{wrong} The next start reads the whole log instead.", "yellow")
    with (
        closing(examine_log(place)) as examination,
        progress_bar("Verifying") as verified,
        watched(),
    ):
        for found in _problems(examination, audit, remembered):
            if isinstance(found, int):
                verified(count, found)
            else:
                problems += 1
                output.say(found, "red")
    output.say(_summary(audit.tally()))
    output.say(f"{counted(problems, 'problem')}." if problems else "All is well.", "bold")
    if problems:
        sys.exit(1)


def _problems(
    examination: Examination, audit: Audit, remembered: SnapshotAudit
) -> Iterator[str | int]:
    """Yields what is wrong with a log, as sentences; and now and then the number of a record."""
    yield from examination.file()
    for found in examination.records():
        if isinstance(found, Flaw):
            yield found.sentence
            audit.skip(found.seq, found.stream)
            remembered.skip(found.stream)
            continue
        yield from map(_line, audit.take(found))
        yield from remembered.take(found)
        if found.seq % 1000 == 0:
            yield found.seq
    yield from map(_line, audit.close())
    yield from examination.beside()


def _line(problem: LogProblem) -> str:
    where = problem.stream.replace("/", " ", 1)  # `table 3`, `tour 1`, `hall`
    return f"{where}, event {problem.n} (record {problem.seq}): {problem.sentence}"


def _summary(tally: Census) -> str:
    tables = (
        (tally.finished, "finished"),
        (tally.running, "running"),
        (tally.open, "open"),
        (tally.closed, "closed before the game"),
        (tally.broken, _BROKEN),
    )
    tours = (
        (tally.tours_running, "not over"),
        (tally.tours_over, "over"),
        (tally.tours_broken, _BROKEN),
    )
    those = f"{counted(tally.records, 'record')}, {counted(tally.players, 'player')}"
    toured = f"; {_kinds('tour', tours)}" if any(number for number, _ in tours) else ""
    unjudged = [f" Not judged, {many}: {why}" for why, many in tally.absent.items()]
    return f"{those}, {_kinds('table', tables)}{toured}.{''.join(unjudged)}"


def _kinds(thing: str, kinds: tuple[tuple[int, str], ...]) -> str:
    """How many there are, and of each kind of which there are any."""
    all_ = sum(number for number, _ in kinds)
    which = ", ".join(f"{number} {kind}" for number, kind in kinds if number)
    return f"{counted(all_, thing)}{f': {which}' if which else ''}"
