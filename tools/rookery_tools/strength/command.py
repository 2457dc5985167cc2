"""`rookery strength`: the levels of every game against each other, as a table with error bars."""

import secrets
import tempfile
import time
from pathlib import Path

import click

from rookery.bots import BEST
from rookery.cli.options import Real, WholeNumber
from rookery.games import find_game

_HEAD = """# How strong the levels are

Each level against the one below it, for the higher one. Starts are paired: both play each
from every seat. Intervals are 95 %; [statistics](statistics.md) says how they are computed.
"Stronger" is the likelihood that the higher level is the better one. Where all pairs came
out alike, the intervals are what so few games allow one to say.

`make strength` plays all of it anew in a checkout of the repository, from fresh starts, and
writes this page.
"""


@click.command(short_help="Measure the levels of the bots.")
@click.argument("games", nargs=-1, metavar="[GAMES]...")
@click.option(
    "--minutes",
    type=Real(0.1),
    default=10.0,
    show_default=True,
    help="For all of it; the last games are played out.",
)
@click.option("--most", type=WholeNumber(2), default=400, show_default=True, help="Games each.")
@click.option("--jobs", type=WholeNumber(1, 50), help="Games at once.")
@click.option(
    "--rules-only",
    is_flag=True,
    help="Measure the bots that play any game, against level 1; GAMES may have options.",
)
@click.option("--write", "page", type=click.Path(path_type=Path), help="Write the table here too.")
def command(
    *,
    games: tuple[str, ...],
    minutes: float,
    most: int,
    jobs: int | None,
    rules_only: bool,
    page: Path | None,
) -> None:
    """Play each level of GAMES against the one below, for so many minutes; by default all."""
    from rookery.cli import INTERRUPTED
    from rookery.cli.commands.match import check_writable, default_jobs
    from rookery.cli.match_report import run
    from rookery_tools.strength.levels import MeasuredStep, markdown, setup_of, share, steps

    if rules_only:
        _by_rules_alone(games, minutes * 60, most // 2, page)
        return
    for name in games:
        find_game(name)
    check_writable(None if page is None else str(page))
    began, measured = time.monotonic(), list[MeasuredStep]()
    todo = steps(games)
    jobs = jobs or default_jobs()
    for n, step in enumerate(todo):
        seconds = share(minutes * 60 - (time.monotonic() - began), len(todo) - n)
        with tempfile.TemporaryDirectory(prefix="rookery-") as folder:
            setup = setup_of(step, most - most % 2, jobs)
            found = run(setup, Path(folder), seconds, name=f"{step.game}: ")
        assert found.strength is not None, "two levels are two sides"
        measured.append(MeasuredStep(step, found.strength.pairs))
        points = f"{found.sides[0].points:g} of {found.played}"
        against = f"level {step.level} against {step.level - 1}"
        click.echo(f"{step.game}, {against}: {points}", err=True)
        if found.status == "stopped":
            raise click.exceptions.Exit(INTERRUPTED)
    table = markdown(measured)
    click.echo(table)
    if page is not None:
        took = f"Measured in {(time.monotonic() - began) / 60:.1f} minutes, {jobs} games at once."
        page.write_text(f"{_HEAD}\n{table}\n\n{took}\n{_below(page)}", encoding="utf-8")


def _below(page: Path) -> str:
    """The part of the page from its first own heading on, which stays as it is."""
    _, heading, rest = (page.read_text("utf-8") if page.exists() else "").partition("\n## ")
    return heading + rest


def _by_rules_alone(games: tuple[str, ...], seconds: float, pairs: int, page: Path | None) -> None:
    """Levels 2 to 5 of those that play any game, against level 1."""
    from rookery.core.game import Imagining
    from rookery.games import GAMES, parse_variant
    from rookery_tools.strength.any_game import LevelStrength, markdown, measure

    looked_into = [
        name
        for name, game in GAMES.items()
        if isinstance(game(), Imagining) and 2 in game.seat_counts
    ]
    variants = [parse_variant(game) for game in games or looked_into]
    each = seconds / len(variants) / (BEST - 1)
    measured = list[LevelStrength]()
    for variant in variants:
        for one in measure(variant, pairs, each, secrets.randbits(32)):
            measured.append(one)
            click.echo(f"{one.variant}, level {one.level}: done", err=True)
    table = markdown(measured)
    click.echo(table)
    if page is not None:
        page.write_text(f"{table}\n", encoding="utf-8")
