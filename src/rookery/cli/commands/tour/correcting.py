"""Commands for what an organiser decides by hand: a result, and the order of the seeds."""

import re
from pathlib import Path
from typing import Final

import click

from rookery.cli.commands.tour.acting import TOUR, entrant_number
from rookery.cli.connection.tours import TourConnection, place_of, place_options
from rookery.cli.options import WholeNumber
from rookery.cli.table.words import listed
from rookery.cli.tours.known import known
from rookery.cli.tours.live import TourScreen
from rookery.cli.tours.words import result_words
from rookery.core.errors import Mistake
from rookery.core.ids import TourId
from rookery.core.intents import EnterResult, SeedTour
from rookery.core.messages import Done

# For two sides as people write them; a half is written in three ways.
SCORES: Final = {
    "1-0": (1, 2),
    "0-1": (2, 1),
    "draw": (1, 1),
    "1/2-1/2": (1, 1),
    "½-½": (1, 1),
    "0.5-0.5": (1, 1),
    "0-0": (2, 2),
}


class BadResult(Mistake):
    """The result that was typed is none that a match can have."""


@click.command(short_help="Enter the result of a match by hand, or correct it.")
@click.argument("tour", type=TOUR)
@click.argument("match", type=WholeNumber(1))
@click.argument("result")
@click.option("--unplayed", is_flag=True, help="There was no game: who has not won did not come.")
@click.option("--reason", default="", help="Why, in a sentence; it is in the log and the exports.")
@place_options
def result(
    *,
    tour: int,
    match: int,
    result: str,
    unplayed: bool,
    reason: str,
    at: str,
    token: str | None,
    folder: Path | None,
) -> None:
    """Say how MATCH of TOUR came out, or correct it.

    RESULT is 1-0, 0-1, draw, 0-0 (both lose), the winner's name, or everyone's place in the
    order of the sides: 1,2,2. A game of it that runs is called off. Exports say that the
    result was entered by hand; it counts in the standing, and not for ratings.

    In a knock-out or in groups that is possible until the next round was paired, and
    nowhere after the tour is over.
    """
    show = TourScreen()
    with TourConnection(show, place_of(at, token, folder), organiser=True) as server:
        number = TourId(tour)
        sides = _sides(server, number, match)
        places = _places(result, sides)
        wish = EnterResult(number, match, places, not unplayed, reason)
        server.ask(wish, Done)
        now = known(server.shown(number), server.matches(number))
    ended = now.matches[match - 1].result
    assert ended is not None, "a match that was ruled on has come out"
    show.say(result_words(match, ended, now))


@click.command(short_help="Say in which order entrants are seeded.")
@click.argument("tour", type=TOUR)
@click.argument("entrants", nargs=-1, required=True)
@place_options
def seed(
    *, tour: int, entrants: tuple[str, ...], at: str, token: str | None, folder: Path | None
) -> None:
    """Seed ENTRANTS, names or numbers, of TOUR in this order; the others come after them.

    For a tour opened with --seeding hand, before its start.
    """
    with TourConnection(TourScreen(), place_of(at, token, folder), organiser=True) as server:
        order = tuple(entrant_number(server, TourId(tour), one) for one in entrants)
        server.ask(SeedTour(TourId(tour), order), Done)
    TourScreen().say(f"The seeds of tour {tour} are {listed(entrants)}.")


def _sides(server: TourConnection, tour: TourId, match: int) -> tuple[str, ...]:
    names = {one.entrant: one.name for one in server.shown(tour).entrants}
    lines = server.matches(tour)
    return tuple(names[side] for side in lines[match - 1].sides) if match <= len(lines) else ()


def _places(said: str, sides: tuple[str, ...]) -> tuple[int, ...]:
    """The place of each side by a typed result; the server judges it again. Raises BadResult."""
    if said in SCORES and len(sides) in (0, 2):
        return SCORES[said]
    if said == "draw":
        return (1,) * len(sides)
    if sides.count(said) == 1:
        return tuple(1 if side == said else 2 for side in sides)
    parts = [part.strip() for part in said.split(",")]
    if len(parts) > 1 and all(re.fullmatch("[0-9]{1,3}", part) for part in parts):
        return tuple(map(int, parts))
    who = " or ".join(sides)
    raise BadResult(
        f"A result is 1-0, 0-1, draw, 0-0, the winner's name{f' ({who})' if who else ''}, or "
        f"places like 1,2,2; not {said[:40]!r}."
    )
