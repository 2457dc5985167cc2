"""`rookery sim`: the whole server in made-up worlds, each from one seed, and a judge of them."""

import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Final

import click

from rookery.cli.options.numbers import WholeNumber
from rookery.cli.terminal.screen import screen

EVERY: Final = 500  # worlds between two words about them, where there is no bar
INTERRUPTED: Final = 130  # the exit code of who was ended by Ctrl-C
_EXAMPLES: Final = """\b
Examples:
  rookery sim --worlds 1000                 a thousand worlds, on all cores
  rookery sim --seed 7                      the world of seed 7, as a story
  rookery sim --seed 7 --wires              … with all that went over the wires
  rookery sim --seed 7 --shrink             … as small as it still goes wrong
  rookery sim --worlds 200 --mutation tell-early    with a mistake that must be found
"""


@click.command(short_help="Run the server in made-up worlds.", epilog=_EXAMPLES)
@click.option("--seed", type=WholeNumber(0), help="The world to tell of, or the first of many.")
@click.option("--worlds", type=WholeNumber(1), help="How many.")
@click.option(
    "--jobs", type=WholeNumber(1, 64), default=None, help="Processes; by default one a core."
)
@click.option("--shrink", is_flag=True, help="Leave out what is not needed to go wrong.")
@click.option("--wires", is_flag=True, help="Tell all that went over the wires.")
@click.option("--mutation", default="", help="A mistake for the server to make.")
def command(
    *,
    seed: int | None,
    worlds: int | None,
    jobs: int | None,
    shrink: bool,
    wires: bool,
    mutation: str,
) -> None:
    """Run the whole server in worlds of bad networks, bad disks, deaths and bad people.

    The same seed gives the same world, to the byte. An observer that knows only what went over
    the wires, and the log that is left, judges each. Exit code 1: something was wrong. Ctrl-C ends
    many worlds early: those that were played are told of, and the exit code is 130.
    """
    from rookery.sim.mutations import MUTATIONS

    if mutation and mutation not in MUTATIONS:
        raise click.UsageError(f"There is no {mutation!r}; there are {', '.join(MUTATIONS)}.")
    if worlds is None:
        code = 0 if _tell(seed or 0, mutation, shrink=shrink, wires=wires) else 1
    else:
        code = _many(range(seed or 0, (seed or 0) + worlds), mutation, jobs or 0)
    if code:
        raise click.exceptions.Exit(code)


def _tell(seed: int, mutation: str, *, shrink: bool, wires: bool) -> bool:
    """Print the story of one world; returns whether all was well in it."""
    from rookery.sim.many import run_script
    from rookery.sim.script import draw_script
    from rookery.sim.shrinking import shrink as smaller
    from rookery.sim.story import tell

    script = draw_script(seed)
    day, failings = run_script(script, mutation)
    if shrink and failings:
        script = smaller(script, failings[0].judgement, mutation)
        day, failings = run_script(script, mutation)
    for line in tell(day, failings, wires=wires):
        click.echo(line)
    return not failings


def _many(seeds: range, mutation: str, jobs: int) -> int:
    """Run many worlds, with a bar, until done or interrupted; returns the exit code."""
    from rookery.cli.terminal.progress import progress_bar
    from rookery.sim.many import run_worlds

    began, totals, waits, done, bad = time.monotonic(), Counter[str](), 0, 0, 0
    console = screen(stderr=True)
    with _enough() as enough, progress_bar("worlds") as progressed:
        for outcome in run_worlds(seeds, mutation, jobs, enough.is_set):
            totals.update(outcome.counts)
            totals["seconds of their own time"] += outcome.lasted // 1_000_000_000
            waits = max(waits, outcome.longest_wait)
            if outcome.failings:
                bad += 1
                first = outcome.failings[0]
                click.echo(f"seed {outcome.seed}: {first.judgement}: {first.sentence}")
            done += 1
            progressed(len(seeds), done)
            if not done % EVERY and not console.is_terminal:
                click.echo(f"{done} worlds, {bad} of them with something wrong", err=True)
    took = time.monotonic() - began
    many = f"{done} of {len(seeds)}" if done < len(seeds) else f"{done}"
    click.echo(f"{many} worlds in {took:.0f} s, {bad} of them with something wrong")
    for name, count in sorted(totals.items()):
        click.echo(f"  {name}: {count}")
    click.echo(f"  longest wait for an answer: {waits / 1e6:.0f} ms")
    if bad:
        return 1
    return 0 if done == len(seeds) else INTERRUPTED


@contextmanager
def _enough() -> Iterator[Event]:
    """Set by Ctrl-C, which ends no world in its middle; at the second all is dropped."""
    enough = Event()

    def interrupted(*_: object) -> None:
        if enough.is_set():
            raise KeyboardInterrupt
        enough.set()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield enough
    finally:
        signal.signal(signal.SIGINT, before)
