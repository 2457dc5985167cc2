"""`rookery ordeal`: a real server killed again and again, under an observer at its sockets."""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rookery.cli.options.numbers import Whole
from rookery.cli.ordeal.ordeal import OrdealReport, run
from rookery.cli.ordeal.reporting import report_lines
from rookery.cli.terminal.screen import screen

EVERY: Final = 50  # kills between two lines, where there is no bar
SHOWN: Final = 20  # failings that are printed

_EXAMPLES: Final = """\b
Examples:
  rookery ordeal                            fifty kills, about a minute
  rookery ordeal --kills 1000 --cuts 2000   a long night
"""


@click.command(short_help="Kill a real server again and again.", epilog=_EXAMPLES)
@click.option("--kills", type=Whole(1), default=50, show_default=True, help="How many servers die.")
@click.option("--cuts", type=Whole(0), default=100, show_default=True, help="How many power cuts.")
@click.option("--seed", type=Whole(0), default=1, show_default=True, help="What is drawn from it.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    default=tempfile.gettempdir,
    help="Where the logs are meanwhile.",
)
def command(*, kills: int, cuts: int, seed: int, folder: Path) -> None:
    """Let people of all languages play on a real server, and kill it under them.

    Tours are played and the API is read meanwhile. Between kills the server is stopped for a
    while, its disk fails or is full, its folder is deleted. After each kill all that anybody
    heard must be in the log, once and in order, and nothing else may have been heard; no clock
    may have run; at the end everything must come to its end. Then the power is cut at recorded
    writes. Exit code 1: something was wrong.
    """
    if sys.platform != "linux":
        raise click.ClickException("Servers are tried on Linux only.")
    console = screen(stderr=True)
    columns = (TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    began = time.monotonic()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("kills", total=kills)

        told = 0

        def tell(report: OrdealReport) -> None:
            nonlocal told
            progress.advance(bar)
            wrong = report.all_failings
            for failing in wrong[told:SHOWN]:
                console.print(f"WRONG  {failing.judgement}: {failing.sentence}", soft_wrap=True)
            told = len(wrong)
            killed = sum(day.kills for day in report.days)
            if not console.is_terminal and killed % EVERY == 0:
                console.print(f"{killed} kills, {told} things wrong")

        report = run(kills, cuts, seed, folder, tell)
    for line in report_lines(report, time.monotonic() - began):
        click.echo(line)
    if report.all_failings:
        for failing in report.all_failings[:SHOWN]:
            click.echo(f"WRONG  {failing.judgement}: {failing.sentence}")
        raise click.exceptions.Exit(1)
