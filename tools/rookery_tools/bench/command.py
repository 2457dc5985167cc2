"""`rookery bench`: the measurements of `rookery_tools.bench`, as tables and as JSON."""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from rookery.cli.options import WholeNumber
from rookery.cli.terminal.screen import screen
from rookery_tools.bench.bench_setup import BenchSetup, build_at, compiled
from rookery_tools.bench.figures import Figure
from rookery_tools.bench.hostile.fairness import fairness
from rookery_tools.bench.hostile.floods import NAMES
from rookery_tools.bench.hostile.hostile import Beset
from rookery_tools.bench.hostile.hostile import hostile as measure_floods
from rookery_tools.bench.load.processes import CannotMeasure
from rookery_tools.bench.machine import this_machine
from rookery_tools.bench.measuring import STOPPED, measure
from rookery_tools.bench.picture import picture as draw
from rookery_tools.bench.report import BenchReport
from rookery_tools.bench.report_tables import (
    facts,
    fairness_table,
    figures_table,
    hostile_table,
    rules_table,
    verdicts_table,
)
from rookery_tools.bench.rows import ROWS
from rookery_tools.bench.rules import GAMES_EACH, Timing, suite, time_rules
from rookery_tools.bench.scale import FULL, QUICK
from rookery_tools.bench.verdict import compare

STDOUT: Final = Path("-")
FAIR_GAMES: Final = 1_000  # in each situation
FAIR_QUICK: Final = 10
INTERRUPTED: Final = 130  # as a shell says it


def _writable(_ctx: click.Context, _param: click.Parameter, file: Path | None) -> Path | None:
    """Find out before the measurement, not after it."""
    if file is not None and file != STDOUT and not os.access(file.parent, os.W_OK):
        raise click.BadParameter(f"The folder of {str(file)!r} cannot be written to.")
    return file


def _rows(_ctx: click.Context, _param: click.Parameter, names: str | None) -> tuple[str, ...]:
    """The rows of this list, in the order of the table."""
    wanted = {name.strip() for name in names.split(",")} if names else set()
    for name in sorted(wanted - set(ROWS)):
        raise click.BadParameter(f"There is no row {name!r}; there are {', '.join(ROWS)}.")
    return tuple(name for name in ROWS if name in wanted)


@click.command(short_help="Measure the rules and the server.")
@click.argument("what", type=click.Choice(["rules", "server", "all"]), default="all")
@click.option(
    "--games",
    type=WholeNumber(1, 10_000),
    default=GAMES_EACH,
    show_default=True,
    help="Random games that the rules of each variant are timed on.",
)
@click.option(
    "--fair",
    is_flag=True,
    help="Only this: short clocks on a busy machine, and whether the server takes their time.",
)
@click.option(
    "--hostile", is_flag=True, help="Only this: what floods do to the answers of a bystander."
)
@click.option(
    "--flood",
    "floods",
    type=click.Choice(NAMES),
    multiple=True,
    help="Of the floods only this; may be given more than once.",
)
@click.option("--quick", is_flag=True, help="A small server's worth: does it run at all?")
@click.option(
    "--only",
    callback=_rows,
    metavar="ROW[,ROW]",
    help="Only these rows of the server, the long ones too: " + ", ".join(ROWS) + ".",
)
@click.option(
    "--repeat",
    type=WholeNumber(1, 1_000),
    default=None,
    help="Runs of every row, or slices of every flood; the median counts.  "
    "[default: 3, with --beside 5, with --hostile 9]",
)
@click.option(
    "--finished",
    type=WholeNumber(1, 10_000_000),
    default=None,
    help="Finished games in the larger log of the row finished; the smaller has a tenth.",
)
@click.option(
    "--beside",
    type=click.Path(exists=True, path_type=Path),
    default=None,
    help="Measure another server in turns with this one: a Python that has Rookery, or a "
    "checkout of it; and say which is faster.",
)
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="Say what became faster or slower since this file was written by --json.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    callback=_writable,
    help="Draw the answers of the row offered to this file, as SVG.",
)
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    default=tempfile.gettempdir,
    help="Where the servers keep their logs meanwhile: the disk that is measured.",
)
@click.option(
    "--json",
    "file",
    type=click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path),
    callback=_writable,
    help="Write the numbers to this file too; - is standard output, instead of the tables.",
)
def command(  # one for each option
    *,
    what: str,
    games: int,
    fair: bool,
    hostile: bool,
    floods: tuple[str, ...],
    quick: bool,
    only: tuple[str, ...],
    repeat: int | None,
    finished: int | None,
    beside: Path | None,
    against: Path | None,
    picture: Path | None,
    folder: Path,
    file: Path | None,
) -> None:
    """Time the rules of every game, and a whole server over TCP; by default all.

    rules: random games are played first, then played again from their texts against the
    clock: reading a move, playing it, asking who is next. The bare loop makes as many
    calls to a function that does nothing.

    server: what a durable move costs in CPU in every language, with 100 tables played at
    once, beside a server that only moves as many bytes; one table; a tournament; 1,000 who
    look on; reads over HTTP; 10,000 idle sessions; restarts; bots. It takes some minutes and
    wants the machine for itself. Every row is run three times, and the median counts.

    Long rows run only where --only names them: growing (1 to 10,000 tables), offered (how
    long answers take at a given load; --picture draws it), long-tour (16,256 matches).

    --against and --beside compare: a change is called faster or slower where it is larger
    than the runs of both differ among themselves, and than seven percent, and otherwise one
    cannot tell. Runs beside each other on the same day tell more than an old file. With
    --beside the exit code is 1 where anything takes more CPU than on the other server.

    --fair: 1,000 games each of 0.2 s + 2 ms, left alone, with all processors busy, and
    beside a flood as well; it takes some minutes. It fails if a flag fell that would not
    have fallen by the player's own account.

    --hostile: how long the answers to a pair's moves take, alone and beside ten connections
    from the same host that ask one thing as fast as it is taken, or 400 that wait for each
    answer; a line for each such flood, with how many answers the flood had. Both ways are
    measured in turns, slice by slice, and the median of the slices' ratios counts; beside it
    stands between what the middle half of them lies. It takes about five minutes.
    """
    if fair:
        _fair(FAIR_QUICK if quick else FAIR_GAMES, folder, file)
        return
    before = _read(against) if against else ()
    scale = QUICK if quick else FULL
    if finished:
        scale = replace(scale, finished=(max(1, finished // 10), finished))
    if hostile:
        setup = BenchSetup(folder, scale, say=_say)
        report = BenchReport(this_machine(), hostile=_beset(setup, repeat or scale.slices, floods))
    else:
        rules = UNSET if what == "server" or only else _time_rules(games)
        report = BenchReport(this_machine(), rules)
        if what != "rules" or only:
            times = repeat or (1 if quick else 5 if beside else 3)
            report = _measure(report, only, BenchSetup(folder, scale, say=_say), times, beside)
    _give(report, before, file, picture)


def _measure(
    report: BenchReport, only: tuple[str, ...], setup: BenchSetup, times: int, beside: Path | None
) -> BenchReport:
    """Measure what servers cost; returns the report with the figures in it."""
    other = build_at(beside) if beside else None
    rows = only or tuple(name for name, row in ROWS.items() if not row.long)
    with tempfile.TemporaryDirectory(prefix="bytecode-", dir=setup.folder) as kept:
        setup = replace(setup, build=compiled(setup.build, Path(kept)))
        found = measure(rows, setup, times, other and compiled(other, Path(kept)))
    return replace(
        report,
        figures=found.figures,
        beside=found.beside if other else UNSET,
        verdicts=tuple(compare(found.beside, found.figures)) if other else UNSET,
        notes=found.notes,
    )


def _give(
    report: BenchReport, before: Sequence[Figure], file: Path | None, drawn: Path | None
) -> None:
    """Print the report, and write its numbers and curves to the files asked for."""
    numbers = msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    if file == STDOUT:
        click.echo(numbers)
    else:
        _show(report, before)
    if file is not None and file != STDOUT:
        file.write_text(f"{numbers}\n", encoding="utf-8")
    if drawn is not None and report.figures is not UNSET and (curves := draw(report.figures)):
        drawn.write_text(curves, encoding="utf-8")
    if report.notes is not UNSET and STOPPED in report.notes:
        sys.exit(INTERRUPTED)
    if any(one.costs_more for one in report.verdicts or ()):
        sys.exit(1)


def _read(file: Path) -> tuple[Figure, ...]:
    """The figures in a file that `--json` wrote before."""
    try:
        report = msgspec.json.decode(file.read_bytes(), type=BenchReport)
    except msgspec.DecodeError as wrong:
        raise click.ClickException(f"{str(file)!r} was not written by --json: {wrong}") from None
    return report.figures or ()


def _fair(games: int, folder: Path, file: Path | None) -> None:
    if sys.platform != "linux":
        raise click.ClickException("Servers are measured on Linux only.")
    found = fairness(games, folder, _say)
    numbers = msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
    if file == STDOUT:
        click.echo(numbers)
    else:
        screen().print(fairness_table(found))
        if file is not None:
            file.write_text(f"{numbers}\n", encoding="utf-8")
    if not all(row.within for row in found):
        sys.exit(1)


def _time_rules(games: int) -> tuple[Timing, ...]:
    timings = []
    with screen(stderr=True).status("Timing…") as status:
        for case in suite():
            status.update(f"Timing {case.variant}, {case.seats} seats…")
            timings.append(time_rules(case, games))
    return tuple(timings)


def _beset(setup: BenchSetup, slices: int, floods: tuple[str, ...]) -> tuple[Beset, ...]:
    if sys.platform != "linux":
        raise CannotMeasure("Servers are measured on Linux only.")
    return measure_floods(setup, slices, floods or NAMES)


def _say(what: str) -> None:
    """Print a plain line on stderr: a spinner would take time from what is measured."""
    click.echo(what, err=True)


def _show(report: BenchReport, before: Sequence[Figure]) -> None:
    console = screen()
    if report.rules is not UNSET:
        console.print(rules_table(report.rules))
    if report.figures is not UNSET:
        console.print(figures_table(report.figures, report.notes or {}))
        if report.verdicts is not UNSET:
            console.print(verdicts_table(report.verdicts))
        if before:
            console.print(verdicts_table(compare(before, report.figures)))
    if report.hostile is not UNSET:
        console.print(hostile_table(report.hostile))
    console.print(facts(report.machine))
