"""`rookery bench`: the measurements of `rookery.bench`, as tables and as JSON."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

import click
import msgspec
from msgspec import UNSET

from rookery.bench.hostile.fairness import fairness
from rookery.bench.hostile.hostile import Beset
from rookery.bench.hostile.hostile import hostile as measure_floods
from rookery.bench.load.processes import CannotMeasure
from rookery.bench.machine import this_machine
from rookery.bench.report import Report
from rookery.bench.rules import GAMES_EACH, Timing, suite, time_rules
from rookery.bench.server import FULL, QUICK, Scale, measure_server
from rookery.cli.options.numbers import Whole
from rookery.cli.reports.bench import (
    facts,
    fairness_table,
    hostile_table,
    rules_table,
    server_table,
)
from rookery.cli.terminal.screen import screen

STDOUT: Final = Path("-")
FAIR_GAMES: Final = 1_000  # in each situation
FAIR_QUICK: Final = 10


def _writable(_ctx: click.Context, _param: click.Parameter, file: Path | None) -> Path | None:
    """Find out before the measurement, not after it."""
    if file is not None and file != STDOUT and not os.access(file.parent, os.W_OK):
        raise click.BadParameter(f"The folder of {str(file)!r} cannot be written to.")
    return file


@click.command(short_help="Measure the rules and the server.")
@click.argument("what", type=click.Choice(["rules", "server", "all"]), default="all")
@click.option(
    "--games",
    type=Whole(1, 10_000),
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
@click.option("--quick", is_flag=True, help="A small server's worth: does it run at all?")
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
    quick: bool,
    folder: Path,
    file: Path | None,
) -> None:
    """Time the rules of every game, and a whole server over TCP; by default all.

    rules: random games are played first, then played again from their texts against the
    clock: reading a move, playing it, asking who is next. The bare loop makes as many
    calls to a function that does nothing.

    server: what a move costs in CPU, with many tables of reversi and nim and the log on,
    beside a server that only moves as many bytes; how long an answer takes; 10,000 idle
    sessions; a table that 1,000 look at; a restart with 10,000 running tables; a tournament;
    and how long answers take beside 100 tables of house bots. It takes about a minute, and
    wants the machine for itself.

    --fair: 1,000 games each of 0.2 s + 2 ms, left alone, with all processors busy, and
    beside a flood as well; it takes some minutes. It fails if a flag fell that would not
    have fallen by the player's own account.

    --hostile: how long the answers to a pair's moves take, alone and beside ten connections
    from the same host that ask one thing as fast as it is taken; a line for each such flood,
    with how many answers the flood had. It takes about five minutes.
    """
    if fair:
        _fair(FAIR_QUICK if quick else FAIR_GAMES, folder, file)
        return
    scale = QUICK if quick else FULL
    if hostile:
        report = Report(this_machine(), hostile=_beset(scale, folder))
    else:
        report = Report(
            this_machine(),
            UNSET if what == "server" else _time_rules(games),
            UNSET if what == "rules" else measure_server(scale, folder, _say),
        )
    numbers = msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    if file == STDOUT:
        click.echo(numbers)
        return
    _show(report)
    if file is not None:
        file.write_text(f"{numbers}\n", encoding="utf-8")


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


def _beset(scale: Scale, folder: Path) -> tuple[Beset, ...]:
    if sys.platform != "linux":
        raise CannotMeasure("Servers are measured on Linux only.")
    return measure_floods(*scale.flooded, folder, _say)


def _say(what: str) -> None:
    """A plain line: something that turns would take time from what is measured."""
    click.echo(what, err=True)


def _show(report: Report) -> None:
    console = screen()
    if report.rules is not UNSET:
        console.print(rules_table(report.rules))
    if report.server is not UNSET:
        console.print(server_table(report.server))
    if report.hostile is not UNSET:
        console.print(hostile_table(report.hostile))
    console.print(facts(report.machine))
