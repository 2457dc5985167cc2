"""A match on the screen: a bar with the running score, and what came of it at the end."""

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rookery.arena.arena_game import Notice
from rookery.arena.match import ArenaMatch, Watching, side_names
from rookery.arena.setup import Setup
from rookery.arena.summary import Summary, summary_of
from rookery.arena.tally import Tally
from rookery.cli.reports.match import result_table, result_words, score_words
from rookery.cli.terminal.screen import screen
from rookery.plugins.watchdog import watched

PARTS: Final = 10  # lines in a pipe, where there is no bar


def play(setup: Setup, folder: Path, file: str | None) -> bool:
    """Play the match and print its result; returns whether it came to its end. Raises Mistake."""
    quiet = file == "-"
    if not quiet:
        click.echo(f"The games are in {folder}.", err=True)
    summary = run(setup, folder)
    if not quiet:
        console = screen()
        console.print(result_table(summary))
        for line in result_words(summary):
            console.print(line, soft_wrap=True)
    if file is not None:
        text = msgspec.json.format(msgspec.json.encode(summary), indent=2).decode()
        if quiet:
            click.echo(text)
        else:
            Path(file).write_text(f"{text}\n", encoding="utf-8")
    return summary.status != "stopped"


def run(setup: Setup, folder: Path, seconds: float | None = None, *, name: str = "") -> Summary:
    """Play the match, with a bar on a terminal, until it is over or Ctrl-C. Raises Mistake."""
    names = side_names(setup)
    console = screen(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    # The bar goes when it is done: the table that follows has the score, and only one stays.
    shown = console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not shown) as progress:
        bar = progress.add_task(name, total=setup.games)

        told = 0

        def watch(tally: Tally) -> None:
            nonlocal told
            done = len(tally.results)
            if console.is_terminal:
                words = score_words(setup, tally, names)
                progress.update(bar, completed=done, description=f"{name}{words}")
            elif not name and done * PARTS // setup.games > told:
                told = done * PARTS // setup.games
                words = score_words(setup, tally, names)
                click.echo(f"{done} of {setup.games}: {words}", err=True)

        def notice(sentence: str) -> None:
            progress.console.print(sentence, soft_wrap=True, markup=False, highlight=False)

        tally = asyncio.run(_play(setup, folder, watch, notice, seconds))
    return summary_of(setup, tally, names, folder)


async def _play(
    setup: Setup, folder: Path, watch: Watching, notice: Notice, seconds: float | None
) -> Tally:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not on every system, and not beside the main thread: there Ctrl-C is just harder.
        with contextlib.suppress(RuntimeError, ValueError):
            loop.add_signal_handler(number, stop.set)
    match = ArenaMatch(setup, folder, notice)
    with watched():
        await match.run(stop, watch, seconds)
    return match.tally
