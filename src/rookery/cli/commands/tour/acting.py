"""Commands that change a tour: start, pause, end, cancel, void and withdraw."""

from pathlib import Path

import click

from rookery.cli.connection.tours import TourConnection, place_of, place_options
from rookery.cli.options import WholeNumber
from rookery.cli.tours.live import TourScreen, TourWatch
from rookery.core.errors import Mistake
from rookery.core.ids import TourId
from rookery.core.intents import (
    CancelTour,
    EndTour,
    PauseTour,
    StartTour,
    TourAct,
    VoidMatch,
    Withdraw,
)
from rookery.core.messages import Done

TOUR = WholeNumber(1)


class NoEntrant(Mistake):
    """No entrant of the tour has the name that was given, or several have."""


@click.command(short_help="Start a tour, or go on after a pause.")
@click.argument("tour", type=TOUR)
@click.option("--live", is_flag=True, help="Stay, and show how it goes until it is over.")
@place_options
def start(*, tour: int, live: bool, at: str, token: str | None, folder: Path | None) -> None:
    """Start TOUR, or let it go on after a pause.

    From now on every match begins the moment its players are free.
    """
    show = TourScreen()
    with TourConnection(show, place_of(at, token, folder), organiser=True) as server:
        # Before it starts, so that nothing is missed.
        watch = TourWatch(server, show, TourId(tour)) if live else None
        server.ask(StartTour(TourId(tour)), Done)
        if watch is None:
            show.say(f"Tour {tour} runs.")
        else:
            watch.follow()


@click.command(short_help="Begin no more matches for now.")
@click.argument("tour", type=TOUR)
@place_options
def pause(*, tour: int, at: str, token: str | None, folder: Path | None) -> None:
    """Let no match of TOUR begin until it is started again. Those that run are played out."""
    _do(PauseTour(TourId(tour)), at, token, folder)
    flags = place_of(at, token, folder).flags()
    click.echo(f"Tour {tour} is paused; go on with: rookery tour start {tour}{flags}")


@click.command(short_help="End a tour as it stands.")
@click.argument("tour", type=TOUR)
@place_options
def end(*, tour: int, at: str, token: str | None, folder: Path | None) -> None:
    """End TOUR as it stands. Matches that run are played out, and count."""
    _do(EndTour(TourId(tour)), at, token, folder)
    click.echo(f"Tour {tour} ends; no more matches begin.")


@click.command(short_help="Call a tour off.")
@click.argument("tour", type=TOUR)
@place_options
def cancel(*, tour: int, at: str, token: str | None, folder: Path | None) -> None:
    """Call TOUR off: matches that run stop, nobody wins, and nothing is rated."""
    _do(CancelTour(TourId(tour)), at, token, folder)
    click.echo(f"Tour {tour} is called off.")


@click.command(short_help="Have a match played again.")
@click.argument("tour", type=TOUR)
@click.argument("match", type=WholeNumber(1))
@place_options
def void(*, tour: int, match: int, at: str, token: str | None, folder: Path | None) -> None:
    """Let MATCH of TOUR count for nothing, and be played again.

    `rookery tour export TOUR --as csv --what matches` has the numbers of the matches. Where
    pairings depend on results, only a match of the last round can be voided.
    """
    _do(VoidMatch(TourId(tour), match), at, token, folder)
    click.echo(f"Match {match} of tour {tour} counts for nothing, and is played again.")


@click.command(short_help="Put somebody out of a tour.")
@click.argument("tour", type=TOUR)
@click.argument("entrant")
@place_options
def withdraw(*, tour: int, entrant: str, at: str, token: str | None, folder: Path | None) -> None:
    """Put ENTRANT, a name or a number, out of TOUR. Its unplayed matches are lost."""
    show = TourScreen()
    with TourConnection(show, place_of(at, token, folder), organiser=True) as server:
        number = entrant_number(server, TourId(tour), entrant)
        server.ask(Withdraw(TourId(tour), number), Done)
    show.say(f"{entrant} is out of tour {tour}.")


def _do(wish: TourAct, at: str, token: str | None, folder: Path | None) -> None:
    with TourConnection(TourScreen(), place_of(at, token, folder), organiser=True) as server:
        server.ask(wish, Done)


def entrant_number(server: TourConnection, tour: TourId, called: str) -> int:
    """The entrant of this name or number. Raises NoEntrant."""
    there = server.shown(tour).entrants
    named = [one.entrant for one in there if one.name == called and not one.out]
    if len(named) == 1:
        return named[0]
    if called.isascii() and called.isdigit() and len(called) < 9:
        return int(called)
    if named:
        numbers = " and ".join(map(str, named))
        raise NoEntrant(f"Several are called {called!r}: say its number, which is {numbers}.")
    raise NoEntrant(f"Nobody in tour {tour} is called {called!r}.")
