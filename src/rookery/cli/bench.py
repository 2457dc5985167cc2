"""`rookery bench`: the measurements of `rookery.bench`, as a table and as JSON."""

import os
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.table import Table

from rookery.bench.machine import this_machine
from rookery.bench.rules import GAMES_EACH, Report, Timing, suite, time_rules
from rookery.cli.screen import screen

_HEADINGS: Final = ("game", "seats", "moves", "µs a move", "bare loop µs", "ratio", "budget µs")

STDOUT: Final = Path("-")


def _writable(_ctx: click.Context, _param: click.Parameter, file: Path | None) -> Path | None:
    """Find out before the measurement, not after it."""
    if file is not None and file != STDOUT and not os.access(file.parent, os.W_OK):
        raise click.BadParameter(f"The folder of {str(file)!r} cannot be written to.")
    return file


@click.command(short_help="Time the rules, move by move.")
@click.argument("what", type=click.Choice(["rules"]), default="rules")
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=GAMES_EACH,
    show_default=True,
    help="Random games that each variant is timed on.",
)
@click.option(
    "--json",
    "file",
    type=click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path),
    callback=_writable,
    help="Write the numbers to this file too; - is standard output, instead of the table.",
)
def command(what: str, games: int, file: Path | None) -> None:
    """Time the rules of every game: reading a move, playing it, asking who is next.

    Random games are played first, then played again from their texts against the clock;
    the best of several runs counts. The bare loop makes as many calls to a function
    that does nothing: the ratio is what the rules cost on top of Python itself.
    """
    assert what == "rules", "rules are what there is to measure so far"
    timings = []
    with screen(stderr=True).status("Timing…") as status:
        for case in suite():
            status.update(f"Timing {case.variant}, {case.seats} seats…")
            timings.append(time_rules(case, games))
    report = Report(this_machine(), tuple(timings))
    numbers = msgspec.json.format(msgspec.json.encode(report), indent=2).decode()
    if file == STDOUT:
        click.echo(numbers)
        return
    screen().print(_table(report))
    if file is not None:
        file.write_text(f"{numbers}\n", encoding="utf-8")


def _table(report: Report) -> Table:
    machine = report.machine
    facts = f"Python {machine.python}, {machine.platform}, {machine.cpus} CPUs"
    table = Table(title="The rules alone", caption=facts)
    for heading in _HEADINGS:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    table.add_column("within?")
    for timing in report.rules:
        table.add_row(*_cells(timing), style="red" if timing.within is False else None)
    return table


def _cells(timing: Timing) -> tuple[str, ...]:
    return (
        timing.variant,
        str(timing.seats),
        str(timing.moves),
        f"{timing.micros:.2f}",
        f"{timing.bare_micros:.2f}",
        f"{timing.ratio:.1f}",
        "–" if timing.budget is None else str(timing.budget),
        {None: "–", True: "yes", False: "no"}[timing.within],
    )
