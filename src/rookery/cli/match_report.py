"""A match on the screen: a bar with the running score, then the sides and what it means."""

import asyncio
import contextlib
import signal
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rookery.arena.arena_game import Notice
from rookery.arena.match import ArenaMatch, Watching, side_names
from rookery.arena.setup import Setup
from rookery.arena.statistics import Pentanomial, elo_from_score, interval, llr, los, score_of
from rookery.arena.summary import SideLine, SprtLine, Strength, Summary, summary_of
from rookery.arena.tally import Tally
from rookery.cli.terminal.output import clean
from rookery.cli.terminal.screen import screen
from rookery.plugins.watchdog import watched

SHOWN = 5  # failures that are told; all are in the JSON, and in the log


def score_words(setup: Setup, tally: Tally, names: tuple[str, ...]) -> str:
    """The score of a match in the few words that fit beside a progress bar."""
    if len(names) != 2:
        scores = zip(names, tally.points, strict=True)
        return ", ".join(f"{clean(name)} {points:g}" for name, points in scores)
    one, other = (clean(name) for name in names)
    words = f"{one} {tally.points[0]:g} – {tally.points[1]:g} {other}"
    if sum(tally.pairs) >= 2:
        words += f"  {elo_words(tally.pairs)}"
    if setup.sprt is not None:
        low, high = setup.sprt.bounds
        ratio = llr(tally.pairs, setup.sprt.elo0, setup.sprt.elo1)
        words += f"  LLR {ratio:+.2f} ({low:.2f}, {high:.2f})"
    return words


def elo_words(pairs: Pentanomial) -> str:
    """The Elo difference and its interval: `Elo +35 [-20, +93]`."""
    low, high = interval(pairs)
    ends = f"[{_elo(elo_from_score(low))}, {_elo(elo_from_score(high))}]"
    return f"Elo {_elo(elo_from_score(score_of(pairs)))} {ends}"


def result_table(summary: Summary) -> Table:
    """The table of a match's result, a line for each side."""
    table = Table(box=None, pad_edge=False)
    table.add_column("player")
    for head in ("points", "score", "won", "drawn", "lost", "moves", "s/move", "longest"):
        table.add_column(head, justify="right")
    table.add_column("lost by")
    for side in summary.sides:
        table.add_row(*_row(summary, side))
    return table


def _row(summary: Summary, side: SideLine) -> tuple[str, ...]:
    lost = sum(side.losses.values())
    drawn = summary.played - side.wins - lost
    return (
        clean(side.name),
        f"{side.points:g}",
        f"{side.score:.1%}",
        str(side.wins),
        str(drawn),
        str(lost),
        str(side.moves),
        f"{side.mean_seconds:.3f}",
        f"{side.longest_seconds:.3f}",
        ", ".join(f"{how} {n}" for how, n in side.losses.items()) or "–",
    )


def result_words(summary: Summary) -> Iterator[str]:
    """Yields the sentences below the result: strength, test, failures, and how to go on."""
    clock = "no clock" if summary.time == "none" else summary.time
    yield f"{summary.played} of {summary.games} games of {summary.variant}, {clock}."
    if summary.strength is not None and any(summary.strength.pairs):
        yield from _strength_words(summary.sides[0].name, summary.strength)
    if summary.sprt is not None:
        yield _sprt_words(summary.sprt)
    for failure in summary.failures[-SHOWN:]:
        yield f"Table {failure.table}: {clean(failure.player)} lost: {clean(failure.reason)}"
    more = len(summary.failures) - SHOWN
    if more > 0:
        yield f"… and {more} more before."
    if summary.status == "stopped":
        yield f"Stopped. Go on with: rookery match --resume {summary.folder}"
    yield f"See a game again with: rookery replay TABLE --data {summary.folder}"


def _strength_words(name: str, strength: Strength) -> Iterator[str]:
    low, high = strength.score_interval
    pairs = strength.pairs
    yield (
        f"{clean(name)} by whole pairs: {elo_words(pairs)}, a score in [{low:.1%}, {high:.1%}], "
        f"likelihood of superiority {los(pairs):.1%}."
    )
    counts = ", ".join(
        f"{points}: {n}" for points, n in zip(("0", "½", "1", "1½", "2"), pairs, strict=True)
    )
    yield f"Pairs by its points: {counts}. Intervals are 95 %."


def _sprt_words(sprt: SprtLine) -> str:
    low, high = sprt.bounds
    ratio = f"LLR {sprt.llr:+.2f} ({low:.2f}, {high:.2f})"
    test = f"SPRT elo0={sprt.elo0:g} elo1={sprt.elo1:g}: {ratio}"
    match sprt.verdict:
        case "accepted":
            return f"{test}, accepted: more like {sprt.elo1:g} Elo than {sprt.elo0:g}."
        case "rejected":
            return f"{test}, rejected: more like {sprt.elo0:g} Elo than {sprt.elo1:g}."
        case _:
            return f"{test}, not decided."


def _elo(elo: float) -> str:
    if elo in (inf, -inf):
        return "+∞" if elo > 0 else "-∞"
    return f"{round(elo):+d}"


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
