"""Tours over HTTP: their formats, how they stand, how ratings in them went, and running them."""

from collections.abc import Iterator
from inspect import getdoc
from itertools import islice
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from rookery.core import intents
from rookery.core.errors import BadOption
from rookery.core.ids import TourId
from rookery.core.intents import ListMatches, ListRatings, ListTours, ShowTour
from rookery.core.messages import (
    Done,
    Matches,
    MatchLine,
    Ratings,
    Refused,
    TourMade,
    Tours,
    TourShown,
)
from rookery.core.options import Option, options_of
from rookery.core.presentation import first_sentence
from rookery.core.tour_values import Plan, TourLine
from rookery.games import find_game
from rookery.hall.scoring.rating_history import RatingsAfter, walk
from rookery.hall.tours.formats import FORMATS
from rookery.hall.tours.formats.base import Format
from rookery.notation.results import Standing, cross_table, standing_rows
from rookery.notation.tours import csv_matches, csv_standing, json_export, markdown_export
from rookery.notation.trf import BadTrf, trf_export
from rookery.server.web.history import NUMBER_MAX
from rookery.server.web.problems import PLAIN, missing, refusal
from rookery.server.web.routes import JSON, PAGE, After, ApiRequest, Id, Limit, Text, get, post


class ListedFormat(Struct, frozen=True):
    """A format: what can be set, and who may join it when."""

    name: str
    about: str  # the first sentence that it says of itself
    options: tuple[Option, ...]
    late: bool  # whether one may join after the start
    solo: bool  # whether it makes the teams itself: entrants are single players
    seeded: bool  # whether seeds may be drawn otherwise than by who came first
    most: int  # entrants it can have


class FormatList(Struct, frozen=True, tag="formats"):
    """The formats there are."""

    formats: tuple[ListedFormat, ...]


@get("/api/formats", "tours", "The formats of tours there are, and what can be set")
async def list_formats(_: ApiRequest) -> FormatList:
    """The formats there are, those of plug-ins last."""
    return FormatList(tuple(map(_listed, FORMATS.values())))


def _listed(one: type[Format]) -> ListedFormat:
    return ListedFormat(
        name=one.name,
        about=first_sentence(getdoc(one) or ""),
        options=options_of(one),
        late=one.late,
        solo=one.solo,
        seeded=one.seeded,
        most=one.most,
    )


# -- to look at: how they stand, who met whom, and as files
#
# What a tour is told as here is what the native dialect tells; the tables for people are
# made from it by `notation`, as those of the command line are.

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


@get("/api/tours", "tours", "Tours, those that are over too")
async def list_tours(request: ApiRequest, query: ToursWanted) -> TourPage:
    """Every tour there was."""
    reply = await request.ask(ListTours(TourId(query.after)), Tours)
    lines = reply.tours[: query.limit]
    more = reply.more or len(lines) < len(reply.tours)
    return TourPage(lines, lines[-1].tour if more else None)


@get("/api/tours/{tour}", "tours", "A tour as it stands: its plan, its entrants and its standing")
async def show_tour(request: ApiRequest, at: TourAt) -> TourShown:
    """A tour as it stands."""
    return await request.ask(ShowTour(TourId(at.tour)), TourShown)


@get(
    "/api/tours/{tour}/matches",
    "tours",
    "The matches of a tour, played and to be played; `more` asks for the rest",
)
async def tour_matches(request: ApiRequest, at: TourAt, query: MatchesWanted) -> Matches:
    """The matches of a tour, in the order they were paired."""
    return await request.ask(ListMatches(TourId(at.tour), query.after), Matches)


@get("/api/tours/{tour}/standing", "tours", "The standing of a tour, with names")
async def tour_standing(request: ApiRequest, at: TourAt) -> Standings:
    """The standing, with names."""
    shown = await request.ask(ShowTour(TourId(at.tour)), TourShown)
    return Standings(shown.line.tour, standing_rows(shown))


@get("/api/tours/{tour}/crosstable", "tours", "Who got what from whom")
async def tour_cross_table(request: ApiRequest, at: TourAt) -> CrossTable:
    """Who got what from whom."""
    shown, matches = await _all(request, at)
    rows = await request.read(lambda: cross_table(shown, matches))
    entrants = tuple(row.entrant for row in shown.standing)
    return CrossTable(shown.line.tour, entrants, tuple(row.name for row in shown.standing), rows)


@get("/api/tours/{tour}/export", "tours", "A tour as a file", kinds=(CSV, JSON, MARKDOWN, PLAIN))
async def export_tour(request: ApiRequest, at: TourAt, query: FileWanted) -> Text:
    """A tour as a file."""
    shown, matches = await _all(request, at)
    name = f"tour-{shown.line.tour}"
    read = request.read
    match query.form:
        case "json":
            return Text(await read(lambda: json_export(shown, matches)), JSON, f"{name}.json")
        case "md":
            return Text(await read(lambda: markdown_export(shown, matches)), MARKDOWN, f"{name}.md")
        case "trf":
            try:
                return Text(await read(lambda: trf_export(shown, matches)), PLAIN, f"{name}.trf")
            except BadTrf as wrong:
                raise refusal(Refused("bad_option", str(wrong))) from None
        case "csv" if query.what == "matches":
            text = await read(lambda: csv_matches(shown, matches))
            return Text(text, CSV, f"{name}-matches.csv")
        case "csv":
            return Text(await read(lambda: csv_standing(shown)), CSV, f"{name}-standing.csv")


@get(
    "/api/ratings/{game}",
    "ratings",
    "How strong players of a game have shown themselves in tours, the best first",
)
async def list_ratings(request: ApiRequest, at: GameAt) -> Ratings:
    """How strong players of a game are."""
    try:
        find_game(at.game)
    except BadOption as wrong:
        raise missing(str(wrong)) from None
    return await request.ask(ListRatings(at.game), Ratings)


async def _all(request: ApiRequest, at: TourAt) -> tuple[TourShown, tuple[MatchLine, ...]]:
    """A tour, and every match of it."""
    shown = await request.ask(ShowTour(TourId(at.tour)), TourShown)
    found: list[MatchLine] = []
    while True:
        page = await request.ask(ListMatches(TourId(at.tour), len(found)), Matches)
        found += page.matches
        if not page.more:
            return shown, tuple(found)


# -- how the ratings in a tour went: before its first match, and after each that counts
#
# They are the numbers that the tour's own standing shows as it goes on. Rating takes its time,
# so it is done beside the game, a few hundred games at a turn.

GAMES_MAX: Final = 10_000  # that are rated for one answer; they take half a second
STEPS_MAX: Final = 200  # of an answer; a chart has no room for more
AT_ONCE: Final = 500  # games rated in one go; then whoever waits for the thread has a turn


class RatedEntrant(Struct, frozen=True):
    """An entrant's rating; a team's is the mean of its players'."""

    entrant: int
    rating: float
    uncertainty: float


class RatingStep(Struct, frozen=True):
    """After a match, the ratings of those whom it changed since the step before."""

    match: int  # 0 is before the first, where everybody is told
    games: int  # rated by then
    ratings: tuple[RatedEntrant, ...]


class TourRatings(Struct, frozen=True):
    """How the ratings in a tour went, in the order its matches ended.

    Of a long tour only some matches have a step; the last has one, unless there are `more`
    games than are rated for an answer. A tour that is not rated has no steps.
    """

    tour: TourId
    steps: tuple[RatingStep, ...]
    more: bool = False


@get("/api/tours/{tour}/ratings", "tours", "How the ratings in a tour went, match by match")
async def tour_ratings(request: ApiRequest, at: TourAt) -> TourRatings:
    """How the ratings in a tour went."""
    number = TourId(at.tour)
    history = request.state.hall.rating_history_of(number)
    # What the hall knows may not be safe yet; its answer comes when it is.
    await request.ask(ShowTour(number), TourShown)
    assert history is not None, "a tour that is shown is there"
    if not history.players:
        return TourRatings(number, ())
    walked = islice(walk(history), 1 + GAMES_MAX)
    found: list[RatingsAfter] = []
    while some := await request.read(lambda: list(islice(walked, AT_ONCE))):
        found += some
    return TourRatings(number, tuple(_steps(found)), len(history.games) > GAMES_MAX)


def _steps(walked: list[RatingsAfter]) -> Iterator[RatingStep]:
    """At most so many of these, the first and the last among them."""
    every = -(-len(walked) // STEPS_MAX)
    changed: dict[int, tuple[float, float]] = {}
    for games, after in enumerate(walked):
        changed |= after.ratings
        if games % every == 0 or games == len(walked) - 1:
            ratings = tuple(RatedEntrant(one, *changed[one]) for one in sorted(changed))
            yield RatingStep(after.match, games, ratings)
            changed = {}


# -- to run
#
# Each is an intent of the organiser's, answered when it is safe in the log.


class MatchAt(Struct, frozen=True):
    """A match of a tour in a path."""

    tour: Id
    match: Id


class EntrantAt(Struct, frozen=True):
    """An entrant of a tour in a path."""

    tour: Id
    entrant: Id


class NewTour(Struct, frozen=True, forbid_unknown_fields=True):
    """A tour to open: its plan, and what one joins with."""

    plan: Plan
    code: str | None = None  # None: one is drawn, empty: none is needed


class HandResult(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match came out, as somebody says who runs the tour."""

    places: Annotated[
        tuple[int, ...],
        Meta(description="by side: 1 is first, equal places are shared; all 2: nobody won"),
    ]
    played: Annotated[
        bool, Meta(description="whether there was a game; if not, who is not first did not come")
    ] = True
    reason: Annotated[str, Meta(description="a sentence for people")] = ""


class Seeds(Struct, frozen=True, forbid_unknown_fields=True):
    """In which order entrants are seeded."""

    order: Annotated[
        tuple[int, ...], Meta(description="entrants, the first seed first; others come after")
    ]


@post(
    "/api/tours",
    "tours",
    "Open a tour; the answer has the code one joins it with",
    example=NewTour(Plan("reversi size=8", "swiss rounds=5", "Club evening", time="5m+3s"), "CLUB"),
)
async def open_tour(request: ApiRequest, body: NewTour) -> TourMade:
    """Open a tour that is the organiser's."""
    return await request.organise(intents.OpenTour(body.plan, body.code), TourMade)


@post("/api/tours/{tour}/start", "tours", "Start a tour, or go on after a pause")
async def start_tour(request: ApiRequest, at: TourAt) -> Done:
    """Start a tour, or go on after a pause."""
    return await request.organise(intents.StartTour(TourId(at.tour)), Done)


@post("/api/tours/{tour}/pause", "tours", "Begin no more matches for now; those that run go on")
async def pause_tour(request: ApiRequest, at: TourAt) -> Done:
    """Begin no more matches for now."""
    return await request.organise(intents.PauseTour(TourId(at.tour)), Done)


@post(
    "/api/tours/{tour}/end",
    "tours",
    "End a tour as it stands; matches that run are played out, and count",
)
async def end_tour(request: ApiRequest, at: TourAt) -> Done:
    """End a tour as it stands."""
    return await request.organise(intents.EndTour(TourId(at.tour)), Done)


@post(
    "/api/tours/{tour}/cancel",
    "tours",
    "Call a tour off: matches that run stop, and nothing is rated",
)
async def cancel_tour(request: ApiRequest, at: TourAt) -> Done:
    """Call a tour off."""
    return await request.organise(intents.CancelTour(TourId(at.tour)), Done)


@post(
    "/api/tours/{tour}/seeds",
    "tours",
    "Say in which order entrants are seeded, where the plan's seeding is by hand",
    example=Seeds((2, 1, 3)),
)
async def seed_tour(request: ApiRequest, at: TourAt, body: Seeds) -> Done:
    """Say in which order entrants are seeded."""
    return await request.organise(intents.SeedTour(TourId(at.tour), body.order), Done)


@post(
    "/api/tours/{tour}/matches/{match}/void",
    "tours",
    "Let a match count for nothing, and be played again",
)
async def void_match(request: ApiRequest, at: MatchAt) -> Done:
    """Let a match count for nothing."""
    return await request.organise(intents.VoidMatch(TourId(at.tour), at.match), Done)


@post(
    "/api/tours/{tour}/matches/{match}/result",
    "tours",
    "Enter the result of a match by hand, or correct it; a running game is called off",
    example=HandResult((1, 2), reason="Played at the board."),
)
async def enter_result(request: ApiRequest, at: MatchAt, body: HandResult) -> Done:
    """Say how a match came out, or correct it."""
    wish = intents.EnterResult(TourId(at.tour), at.match, body.places, body.played, body.reason)
    return await request.organise(wish, Done)


@post("/api/tours/{tour}/entrants/{entrant}/withdraw", "tours", "Put an entrant out of a tour")
async def withdraw_entrant(request: ApiRequest, at: EntrantAt) -> Done:
    """Put an entrant out of a tour."""
    return await request.organise(intents.Withdraw(TourId(at.tour), at.entrant), Done)
