"""Tours over HTTP, to look at: how they stand, who met whom, and as files.

What a tour is told as here is what the native dialect tells; the tables for people are
made from it by `notation`, as those of the command line are.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from rookery.core.errors import BadOption
from rookery.core.ids import TourId
from rookery.core.intents import ListMatches, ListRatings, ListTours, ShowTour
from rookery.core.messages import Matches, MatchLine, Ratings, Refused, Tours, TourShown
from rookery.core.tour_values import TourLine
from rookery.games import find_game
from rookery.notation.results import Standing, cross_table, standing_rows
from rookery.notation.tours import csv_matches, csv_standing, json_export, markdown_export
from rookery.notation.trf import BadTrf, trf_export
from rookery.server.web.api.calls import JSON, After, Asked, Call, Id, Limit, Nothing, Text
from rookery.server.web.api.problems import PLAIN, missing, refusal
from rookery.server.web.limits import NUMBER_MAX, PAGE

CSV: Final = "text/csv"
MARKDOWN: Final = "text/markdown"


class TourAt(Struct, frozen=True):
    """A tour's number in a path."""

    tour: Id


class GameAt(Struct, frozen=True):
    """A game's name in a path."""

    game: Annotated[str, Meta(min_length=1, max_length=40, description="the game's name")]


class ToursWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which tours to list."""

    after: After = 0
    limit: Limit = PAGE


class MatchesWanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches to list."""

    after: Annotated[int, Meta(ge=0, le=NUMBER_MAX, description="only those after this one")] = 0


class FileWanted(Struct, frozen=True, forbid_unknown_fields=True, rename={"form": "as"}):
    """A tour as which file."""

    form: Annotated[Literal["csv", "json", "md", "trf"], Meta(description="the kind of file")] = (
        "json"
    )
    what: Annotated[
        Literal["standing", "matches"], Meta(description="what a CSV file has; the others have all")
    ] = "standing"


class TourPage(Struct, frozen=True):
    """Some tours, those that are over too; `next` asks for more, where there are."""

    tours: tuple[TourLine, ...]
    next: TourId | None = None


class Standings(Struct, frozen=True):
    """How a tour stands, the best first."""

    tour: TourId
    standing: tuple[Standing, ...]


class CrossTable(Struct, frozen=True):
    """What each got from each, rows and columns in the order of the standing."""

    tour: TourId
    entrants: tuple[int, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


async def list_tours(asked: Asked) -> TourPage:
    """Every tour there was."""
    wanted = asked.query(ToursWanted)
    reply = await asked.sources.desk.ask(ListTours(TourId(wanted.after)))
    assert isinstance(reply, Tours), "tours are told as such"
    lines = reply.tours[: wanted.limit]
    more = reply.more or len(lines) < len(reply.tours)
    return TourPage(lines, lines[-1].tour if more else None)


async def show_tour(asked: Asked) -> TourShown:
    """A tour as it stands."""
    asked.query(Nothing)
    return await _shown(asked)


async def tour_matches(asked: Asked) -> Matches:
    """The matches of a tour, in the order they were paired."""
    return await _matches(asked, asked.query(MatchesWanted).after)


async def tour_standing(asked: Asked) -> Standings:
    """The standing, with names."""
    asked.query(Nothing)
    shown = await _shown(asked)
    return Standings(shown.line.tour, standing_rows(shown))


async def tour_cross_table(asked: Asked) -> CrossTable:
    """Who got what from whom."""
    asked.query(Nothing)
    shown, matches = await _all(asked)
    rows = await asked.read(lambda: cross_table(shown, matches))
    entrants = tuple(row.entrant for row in shown.standing)
    return CrossTable(shown.line.tour, entrants, tuple(row.name for row in shown.standing), rows)


async def export_tour(asked: Asked) -> Text:
    """A tour as a file."""
    wanted = asked.query(FileWanted)
    shown, matches = await _all(asked)
    name = f"tour-{shown.line.tour}"
    read = asked.read
    match wanted.form:
        case "json":
            return Text(await read(lambda: json_export(shown, matches)), JSON, f"{name}.json")
        case "md":
            return Text(await read(lambda: markdown_export(shown, matches)), MARKDOWN, f"{name}.md")
        case "trf":
            try:
                return Text(await read(lambda: trf_export(shown, matches)), PLAIN, f"{name}.trf")
            except BadTrf as wrong:
                raise refusal(Refused("bad_option", str(wrong))) from None
        case "csv" if wanted.what == "matches":
            text = await read(lambda: csv_matches(shown, matches))
            return Text(text, CSV, f"{name}-matches.csv")
        case "csv":
            return Text(await read(lambda: csv_standing(shown)), CSV, f"{name}-standing.csv")


async def list_ratings(asked: Asked) -> Ratings:
    """How strong players of a game are."""
    asked.query(Nothing)
    game = asked.path(GameAt).game
    try:
        find_game(game)
    except BadOption as wrong:
        raise missing(str(wrong)) from None
    reply = await asked.sources.desk.ask(ListRatings(game))
    assert isinstance(reply, Ratings), "ratings are told as such"
    return reply


async def _shown(asked: Asked) -> TourShown:
    number = TourId(asked.path(TourAt).tour)
    reply = await asked.sources.desk.ask(ShowTour(number))
    assert isinstance(reply, TourShown), "a tour that is there is shown"
    return reply


async def _matches(asked: Asked, after: int) -> Matches:
    number = TourId(asked.path(TourAt).tour)
    reply = await asked.sources.desk.ask(ListMatches(number, after))
    assert isinstance(reply, Matches), "matches are told as such"
    return reply


async def _all(asked: Asked) -> tuple[TourShown, tuple[MatchLine, ...]]:
    """A tour, and every match of it."""
    shown = await _shown(asked)
    found: list[MatchLine] = []
    while True:
        page = await _matches(asked, len(found))
        found += page.matches
        if not page.more:
            return shown, tuple(found)


CALLS: Final = (
    Call(
        "GET",
        "/api/tours",
        "Tours, those that are over too",
        "tours",
        list_tours,
        TourPage,
        query=ToursWanted,
    ),
    Call(
        "GET",
        "/api/tours/{tour}",
        "A tour as it stands: its plan, its entrants and its standing",
        "tours",
        show_tour,
        TourShown,
        at=TourAt,
        query=Nothing,
    ),
    Call(
        "GET",
        "/api/tours/{tour}/matches",
        "The matches of a tour, played and to be played; `more` asks for the rest",
        "tours",
        tour_matches,
        Matches,
        at=TourAt,
        query=MatchesWanted,
    ),
    Call(
        "GET",
        "/api/tours/{tour}/standing",
        "The standing of a tour, with names",
        "tours",
        tour_standing,
        Standings,
        at=TourAt,
        query=Nothing,
    ),
    Call(
        "GET",
        "/api/tours/{tour}/crosstable",
        "Who got what from whom",
        "tours",
        tour_cross_table,
        CrossTable,
        at=TourAt,
        query=Nothing,
    ),
    Call(
        "GET",
        "/api/tours/{tour}/export",
        "A tour as a file",
        "tours",
        export_tour,
        at=TourAt,
        query=FileWanted,
        kinds=(CSV, JSON, MARKDOWN, PLAIN),
    ),
    Call(
        "GET",
        "/api/ratings/{game}",
        "How strong players of a game have shown themselves in tours, the best first",
        "ratings",
        list_ratings,
        Ratings,
        at=GameAt,
        query=Nothing,
    ),
)
