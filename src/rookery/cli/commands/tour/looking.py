"""Commands that look at tours and change nothing: list, show, watch, ratings and export."""

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from rookery.cli.commands.tour.acting import TOUR
from rookery.cli.connection.tours import TourConnection, place_of, place_options
from rookery.cli.terminal.output import clean
from rookery.cli.terminal.screen import screen
from rookery.cli.tours.export import KINDS, exported, kind_of, write
from rookery.cli.tours.known import KnownTour, known
from rookery.cli.tours.live import TourScreen, TourWatch
from rookery.cli.tours.picture import tours_table
from rookery.cli.tours.words import invitation
from rookery.core.ids import TourId, TourStatus
from rookery.core.intents import ListRatings
from rookery.core.messages import Ratings


@click.command("list", short_help="List every tour.")
@place_options
def list_(*, at: str, token: str | None, folder: Path | None) -> None:
    """List every tour of the server, those that are over too."""
    with TourConnection(TourScreen(), place_of(at, token, folder)) as server:
        lines = server.tours()
    if lines:
        screen().print(tours_table(lines))
    else:
        click.echo("There are no tours yet; open one with: rookery tour create --game GAME")


@click.command(short_help="Show how a tour stands.")
@click.argument("tour", type=TOUR)
@click.option("--live", is_flag=True, help="Stay, and show how it goes until it is over.")
@place_options
def show(*, tour: int, live: bool, at: str, token: str | None, folder: Path | None) -> None:
    """Show how TOUR stands: its standing, who got what from whom, and what is being played.

    In the cross-table 1, ½ and 0 are games; + and - were decided without one, * is being
    played and . is still to be played. Before the start the organiser sees how players join.
    """
    page, place = TourScreen(), place_of(at, token, folder)
    with TourConnection(page, place) as server:
        if live:
            TourWatch(server, page, TourId(tour)).follow()
            return
        now = _asked(server, TourId(tour))
    shown = now.shown
    page.print(now, shown.left)
    if now.over:
        page.say(now.outcome(), "bold")
    elif shown.line.status == TourStatus.OPEN and (shown.code or not shown.line.coded):
        page.say("\n".join(["", *invitation(shown, place)]))


@click.command(short_help="Show a tour as it goes on.")
@click.argument("tour", type=TOUR)
@place_options
def watch(*, tour: int, at: str, token: str | None, folder: Path | None) -> None:
    """Show how TOUR goes until it is over, as `show --live` does.

    On a terminal there is a picture that changes, in a pipe a line for each result. When the
    server goes away it is waited for. Ctrl-C ends looking on, not the tour.
    """
    page = TourScreen()
    with TourConnection(page, place_of(at, token, folder)) as server:
        TourWatch(server, page, TourId(tour)).follow()


@click.command(short_help="List the ratings in a game.")
@click.argument("game")
@place_options
def ratings(*, game: str, at: str, token: str | None, folder: Path | None) -> None:
    """List how strong players of GAME have shown themselves in tours, the best first."""
    with TourConnection(TourScreen(), place_of(at, token, folder)) as server:
        found = server.ask(ListRatings(game), Ratings).ratings
    if not found:
        click.echo(f"Nobody has a rating in {game} yet; a tour that is over gives some.")
        return
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for title in ("", "name", "rating", "games"):
        table.add_column(title, no_wrap=True)
    for place, line in enumerate(found, 1):
        rating = f"{line.rating:.0f} ± {line.uncertainty:.0f}"
        table.add_row(f"{place}.", Text(clean(line.name)), rating, str(line.games))
    screen().print(table)


@click.command(short_help="Write a tour's results as CSV, JSON, Markdown or TRF.")
@click.argument("tour", type=TOUR)
@click.option(
    "--as",
    "--format",
    "kind",
    type=click.Choice(KINDS),
    help="What to write; if not said, as --out ends.",
)
@click.option(
    "--what",
    type=click.Choice(("standing", "matches")),
    default="standing",
    show_default=True,
    help="Which table, in CSV; the others have both.",
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where to."
)
@place_options
def export(
    *,
    tour: int,
    kind: str | None,
    what: str,
    out: Path | None,
    at: str,
    token: str | None,
    folder: Path | None,
) -> None:
    """Write the results of TOUR to standard output, or to a file.

    The CSV of the standing is a gradebook: a line an entrant, with points, wins, draws,
    losses, byes, forfeits, tie-breaks and rating. A text that a spreadsheet would take for a
    formula has a ' in front. TRF is what pairing programs for chess read; it has room for
    tours in which two meet, once a round, as in swiss and round_robin.
    """
    kind = kind or ("csv" if out is None else kind_of(out))
    with TourConnection(TourScreen(), place_of(at, token, folder)) as server:
        now = _asked(server, TourId(tour))
    text = exported(now, kind, matches=what == "matches")
    if out is None:
        click.echo(text, nl=False)
        return
    write(out, text)
    TourScreen().say(f"Tour {tour} is written to {out}.")


def _asked(server: TourConnection, tour: TourId) -> KnownTour:
    """The tour as it stands; matches that are paired in between are left out."""
    shown = server.shown(tour)
    return known(shown, server.matches(tour))
