"""`rookery sim`: the whole server in made-up worlds, each from one seed, and a judge of them."""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Final

import click

from rookery.cli.options import WholeNumber
from rookery.cli.terminal.screen import screen

ALL: Final = "all"  # mistakes, one after the other
EVERY: Final = 500  # worlds between two words about them, where there is no bar
INTERRUPTED: Final = 130  # the exit code of who was ended by Ctrl-C
_EXAMPLES: Final = """\b
Examples:
  rookery sim --worlds 1000                 a thousand worlds, on all cores
  rookery sim --seed 7                      the world of seed 7, as a story
  rookery sim --seed 7 --wires              … with all that went over the wires
  rookery sim --seed 7 --shrink             … as small as it still goes wrong
  rookery sim --seed 7 --mutation tell-early    … with a mistake in the server, which must be found
  rookery sim --mutation all                every such mistake, and the first world that shows it
"""


@click.command(short_help="Run the server in made-up worlds.", epilog=_EXAMPLES)
@click.option("--seed", type=WholeNumber(0), help="The world to tell of, or the first of many.")
@click.option("--worlds", type=WholeNumber(1), help="How many.")
@click.option(
    "--jobs", type=WholeNumber(1, 64), default=None, help="Processes; by default one a core."
)
@click.option("--shrink", is_flag=True, help="Leave out what is not needed to go wrong.")
@click.option("--wires", is_flag=True, help="Tell all that went over the wires.")
@click.option("--mutation", default="", help="A mistake for the server to make, or `all`.")
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
    if mutation == ALL:
        code = 0 if _hunt(worlds, jobs) else 1
    elif mutation:
        code = _with_mistake(mutation, seed, worlds, jobs, shrink=shrink, wires=wires)
    elif worlds is None:
        code = 0 if _tell(seed or 0, shrink=shrink, wires=wires) else 1
    else:
        code = _many(range(seed or 0, (seed or 0) + worlds), jobs or 0)
    if code:
        raise click.exceptions.Exit(code)


def _with_mistake(
    name: str,
    seed: int | None,
    worlds: int | None,
    jobs: int | None,
    *,
    shrink: bool,
    wires: bool,
) -> int:
    """Run this command once more, from sources with this mistake in them; returns its exit code."""
    from rookery_tools.sim.mutants import MutantBroken, mutants_of_worlds, mutated

    known = mutants_of_worlds()
    if name not in known:
        raise click.UsageError(f"There is no {name!r}; there are {', '.join(known)}, and {ALL}.")
    numbers = {"--seed": seed, "--worlds": worlds, "--jobs": jobs}
    asked = [f"{option}={number}" for option, number in numbers.items() if number is not None]
    asked += [option for option, on in {"--shrink": shrink, "--wires": wires}.items() if on]
    try:
        with mutated(known[name]) as copy:
            return copy.run(("-m", "rookery", "sim", *asked), captured=False).returncode
    except MutantBroken as broken:
        raise click.ClickException(str(broken)) from broken


def _hunt(worlds: int | None, jobs: int | None) -> bool:
    """Hunt every mistake, and print a table; returns whether all were found."""
    from rookery_tools.sim.hunting import WORLDS_MAX, Sighting, hunt_all
    from rookery_tools.sim.mutants import mutants_of_worlds

    began, known, found = time.monotonic(), mutants_of_worlds(), 0
    most, cores = worlds or WORLDS_MAX, len(os.sched_getaffinity(0))
    for mutant, seen in hunt_all(known.values(), most, jobs or cores):
        found += isinstance(seen, Sighting)
        told = f"not found in {most} worlds" if seen is None else str(seen)
        if isinstance(seen, Sighting):
            told = f"found in world {seen.world}: {seen.judgement}"
        click.echo(f"{mutant.name} ({mutant.breaks}): {told}")
    took = time.monotonic() - began
    click.echo(f"{found} of {len(known)} mistakes found in {took:.0f} s")
    return found == len(known)


def _tell(seed: int, *, shrink: bool, wires: bool) -> bool:
    """Print the story of one world; returns whether all was well in it."""
    from rookery_tools.sim.many import run_script
    from rookery_tools.sim.script import draw_script
    from rookery_tools.sim.shrinking import shrink as smaller
    from rookery_tools.sim.story import tell

    script = draw_script(seed)
    day, failings = run_script(script)
    if shrink and failings:
        script = smaller(script, failings[0].judgement)
        day, failings = run_script(script)
    for line in tell(day, failings, wires=wires):
        click.echo(line)
    return not failings


def _many(seeds: range, jobs: int) -> int:
    """Run many worlds, with a bar, until done or interrupted; returns the exit code."""
    from rookery.cli.terminal.screen import progress_bar
    from rookery_tools.sim.many import run_worlds

    began, totals, waits, done, bad = time.monotonic(), Counter[str](), 0, 0, 0
    console = screen(stderr=True)
    with _enough() as enough, progress_bar("worlds") as progressed:
        for outcome in run_worlds(seeds, jobs, enough.is_set):
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
