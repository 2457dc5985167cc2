"""Commands for what an organiser arranges for rounds to come: pairings, byes, who stays apart."""

from pathlib import Path

import click

from rookery.cli.commands.tour.acting import TOUR, entrant_number
from rookery.cli.connection.tours import TourConnection, place_of, place_options
from rookery.cli.options.numbers import WholeNumber
from rookery.cli.table.words import listed
from rookery.cli.tours.known import known
from rookery.cli.tours.live import TourScreen
from rookery.cli.tours.words import arrangement_words
from rookery.core.ids import TourId
from rookery.core.messages import Done
from rookery.core.tours.arrangements import AnyArrangement, Apart, Meet, Rest, Worth
from rookery.core.tours.tour_intents import Arrange, SeedTour

OFF = click.option("--off", is_flag=True, help="Take it back.")
ROUND = click.option(
    "--round", "number", type=WholeNumber(1), required=True, help="In which round."
)


@click.command(short_help="Have two meet in a round to come.")
@click.argument("tour", type=TOUR)
@click.argument("first")
@click.argument("second")
@ROUND
@OFF
@place_options
def pair(
    *,
    tour: int,
    first: str,
    second: str,
    number: int,
    off: bool,
    at: str,
    token: str | None,
    folder: Path | None,
) -> None:
    """Have FIRST and SECOND, names or numbers, meet in a round of TOUR that is yet to be paired.

    FIRST has the first move. The format pairs all others. Only in a swiss; nobody meets twice.
    """
    with TourConnection(TourScreen(), place_of(at, token, folder), organiser=True) as server:
        _arrange(server, tour, Meet(number, _two(server, tour, first, second)), off=off)


@click.command(short_help="Keep two from meeting.")
@click.argument("tour", type=TOUR)
@click.argument("one")
@click.argument("other")
@OFF
@place_options
def apart(
    *, tour: int, one: str, other: str, off: bool, at: str, token: str | None, folder: Path | None
) -> None:
    """Keep ONE and OTHER, names or numbers, from being paired with each other in TOUR.

    Only in a swiss. If a round cannot be paired so, the tour is paused and says so.
    """
    with TourConnection(TourScreen(), place_of(at, token, folder), organiser=True) as server:
        _arrange(server, tour, Apart(_two(server, tour, one, other)), off=off)


@click.command(short_help="Let somebody sit out a round to come.")
@click.argument("tour", type=TOUR)
@click.argument("entrant")
@ROUND
@click.option(
    "--points",
    type=click.Choice([worth.value for worth in Worth]),
    default=Worth.HALF.value,
    show_default=True,
    help="What it gets: a win's points, a draw's, or nothing.",
)
@OFF
@place_options
def bye(
    *,
    tour: int,
    entrant: str,
    number: int,
    points: str,
    off: bool,
    at: str,
    token: str | None,
    folder: Path | None,
) -> None:
    """Let ENTRANT, a name or a number, sit out a round of TOUR that is yet to be paired.

    Only in a swiss.
    """
    with TourConnection(TourScreen(), place_of(at, token, folder), organiser=True) as server:
        one = entrant_number(server, TourId(tour), entrant)
        _arrange(server, tour, Rest(number, one, Worth(points)), off=off)


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


def _two(server: TourConnection, tour: int, one: str, other: str) -> tuple[int, int]:
    first = entrant_number(server, TourId(tour), one)
    return first, entrant_number(server, TourId(tour), other)


def _arrange(server: TourConnection, tour: int, what: AnyArrangement, *, off: bool) -> None:
    server.ask(Arrange(TourId(tour), what, off), Done)
    words = arrangement_words(what, known(server.shown(TourId(tour)), ()))
    TourScreen().say(f"{words}{', no more' if off else ''}.")
