"""`rookery crashtest`: a real server killed again and again, under an observer at its sockets."""

import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rookery.cli.options import WholeNumber
from rookery.cli.terminal.screen import screen
from rookery_tools.crashtest.reporting import kind_of, report_lines
from rookery_tools.crashtest.run import CrashtestReport, run

EVERY: Final = 50  # kills between two lines, where there is no bar
COMPLAINTS: Final = "rookery-crashtest.txt"

_EXAMPLES: Final = """\b
Examples:
  rookery crashtest                            fifty kills, about a minute
  rookery crashtest --kills 1000 --cuts 1000   twenty minutes
  rookery crashtest --cluster --kills 1000     two hours, with PostgreSQL and NATS
"""


@click.command(short_help="Kill a real server again and again.", epilog=_EXAMPLES)
@click.option(
    "--kills", type=WholeNumber(1), default=50, show_default=True, help="How many servers die."
)
@click.option(
    "--cuts", type=WholeNumber(0), default=100, show_default=True, help="How many power cuts."
)
@click.option("--cluster", is_flag=True, help="Halls and edges, instead of one server.")
@click.option(
    "--seed", type=WholeNumber(0), default=1, show_default=True, help="What is drawn from it."
)
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, writable=True, path_type=Path),
    default=tempfile.gettempdir,
    help="Where the logs are meanwhile.",
)
@click.option(
    "--complaints",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help=f"Where complaints are written in full.  [default: {COMPLAINTS} in the folder]",
)
def command(
    *, kills: int, cuts: int, cluster: bool, seed: int, folder: Path, complaints: Path | None
) -> None:
    """Let people of all languages play on a real server, and kill it under them.

    Tours are played and the API is read meanwhile. Between kills the server is stopped for a
    while, its disk fails or is full, its folder is moved away. After each kill all that anybody
    heard must be in the log, once and in order, and nothing else may have been heard; no clock
    may have run; at the end everything must come to its end. Then the power is cut at recorded
    writes.

    With --cluster there are two halls, one of which leads, and two edges, with a PostgreSQL and a
    NATS that are found on this machine and started for it. Who leads is killed, stopped, or put to
    sleep past its lease; before that an edge, the database or the broker dies, or a line between
    two of them is cut or silent. Who asked nothing must stay connected.

    Exit code 1: something was wrong, or it was stopped before its end.
    """
    if sys.platform != "linux":
        raise click.ClickException("Servers are tried on Linux only.")
    began, watched = time.monotonic(), _Watched(kills, complaints or folder / COMPLAINTS)
    with watched.bar:
        try:
            if cluster:
                _run_cluster(kills, seed, folder, watched)
            else:
                run(kills, cuts, seed, folder, watched.tell)
        except KeyboardInterrupt:
            click.echo("stopped before its end")
    for line in report_lines(watched.report, time.monotonic() - began):
        click.echo(line)
    if watched.told:
        click.echo(f"each in full: {watched.complaints}")
    for kept in watched.report.kept:
        click.echo(f"what was logged and said: {kept}")
    if watched.told or sum(day.kills for day in watched.report.days) < kills:
        raise click.exceptions.Exit(1)


def _run_cluster(kills: int, seed: int, folder: Path, watched: "_Watched") -> None:
    from rookery_tools.crashtest.cluster.engines import our_engines
    from rookery_tools.crashtest.cluster.run import run_cluster

    with our_engines(folder) as another:
        run_cluster(kills, seed, folder, another, watched.tell)


class _Watched:
    """Shows a crash test while it goes on: a bar or lines, and a file of complaints."""

    def __init__(self, kills: int, complaints: Path) -> None:
        self.complaints = complaints
        self.report = CrashtestReport()
        self.told = 0  # complaints that are in the file
        self._console = screen(stderr=True)
        columns = (TextColumn("kills"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=self._console, disable=not self._console.is_terminal)
        self._task = self.bar.add_task("kills", total=kills)
        self._killed = 0
        complaints.write_text("", "utf-8")

    def tell(self, report: CrashtestReport) -> None:
        """Show how far the crash test has come, and write down new complaints."""
        self.report = report
        killed = sum(day.kills for day in report.days)
        self.bar.update(self._task, completed=killed)
        fresh = report.all_failings[self.told :]
        with self.complaints.open("a", encoding="utf-8") as file:
            for failing in fresh:
                file.write(f"{killed} kills: {failing.judgement}: {failing.sentence}\n")
                self._console.print(f"WRONG  {kind_of(failing)}", soft_wrap=True)
        self.told += len(fresh)
        if not self._console.is_terminal and killed % EVERY == 0 and killed != self._killed:
            self._console.print(f"{killed} kills, {self.told} things wrong")
        self._killed = killed
