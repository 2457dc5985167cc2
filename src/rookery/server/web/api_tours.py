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
from rookery.server.web.routes import JSON, PAGE, After, Asked, Call, Id, Limit, Nothing, Text


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


async def list_formats(asked: Asked) -> FormatList:
    """The formats there are, those of plug-ins last."""
    asked.query(Nothing)
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


# -- to look at
# Tours over HTTP, to look at: how they stand, who met whom, and as files.
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


# -- ratings in a tour
# How the ratings in a tour went, over HTTP: before its first match, and after each that counts.
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


async def tour_ratings(asked: Asked) -> TourRatings:
    """How the ratings in a tour went."""
    number, _ = TourId(asked.path(TourAt).tour), asked.query(Nothing)
    history = asked.sources.hall.rating_history_of(number)
    # What the hall knows may not be safe yet; its answer comes when it is.
    reply = await asked.sources.desk.ask(ShowTour(number))
    assert isinstance(reply, TourShown), "a tour that is there is shown"
    assert history is not None, "a tour that is shown is there"
    if not history.players:
        return TourRatings(number, ())
    walked = islice(walk(history), 1 + GAMES_MAX)
    found: list[RatingsAfter] = []
    while some := await asked.read(lambda: list(islice(walked, AT_ONCE))):
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
# Tours over HTTP, to run: open, start, pause, end, call off, void and put out.
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


async def open_tour(asked: Asked) -> TourMade:
    """Open a tour that is the organiser's."""
    new = await asked.body(NewTour)
    reply = await asked.sources.desk.organise(asked.token, intents.OpenTour(new.plan, new.code))
    assert isinstance(reply, TourMade), "a tour is opened or refused"
    return reply


async def start_tour(asked: Asked) -> Done:
    """Start a tour, or go on after a pause."""
    return await _act(asked, intents.StartTour(_tour(asked)))


async def pause_tour(asked: Asked) -> Done:
    """Begin no more matches for now."""
    return await _act(asked, intents.PauseTour(_tour(asked)))


async def end_tour(asked: Asked) -> Done:
    """End a tour as it stands."""
    return await _act(asked, intents.EndTour(_tour(asked)))


async def cancel_tour(asked: Asked) -> Done:
    """Call a tour off."""
    return await _act(asked, intents.CancelTour(_tour(asked)))


async def void_match(asked: Asked) -> Done:
    """Let a match count for nothing."""
    at = asked.path(MatchAt)
    return await _act(asked, intents.VoidMatch(TourId(at.tour), at.match))


async def enter_result(asked: Asked) -> Done:
    """Say how a match came out, or correct it."""
    at, said = asked.path(MatchAt), await asked.body(HandResult)
    wish = intents.EnterResult(TourId(at.tour), at.match, said.places, said.played, said.reason)
    return await _act(asked, wish)


async def seed_tour(asked: Asked) -> Done:
    """Say in which order entrants are seeded."""
    tour, new = _tour(asked), await asked.body(Seeds)
    return await _act(asked, intents.SeedTour(tour, new.order))


async def withdraw_entrant(asked: Asked) -> Done:
    """Put an entrant out of a tour."""
    at = asked.path(EntrantAt)
    return await _act(asked, intents.Withdraw(TourId(at.tour), at.entrant))


def _tour(asked: Asked) -> TourId:
    return TourId(asked.path(TourAt).tour)


async def _act(asked: Asked, act: intents.TourAct) -> Done:
    reply = await asked.sources.desk.organise(asked.token, act)
    assert isinstance(reply, Done), "it is done or refused"
    return reply


CALLS: Final = (
    Call(
        "GET",
        "/api/formats",
        "The formats of tours there are, and what can be set",
        "tours",
        list_formats,
        FormatList,
        query=Nothing,
    ),
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
    Call(
        "GET",
        "/api/tours/{tour}/ratings",
        "How the ratings in a tour went, match by match",
        "tours",
        tour_ratings,
        TourRatings,
        at=TourAt,
        query=Nothing,
    ),
    Call(
        "POST",
        "/api/tours",
        "Open a tour; the answer has the code one joins it with",
        "tours",
        open_tour,
        TourMade,
        body=NewTour,
        example=NewTour(
            Plan("reversi size=8", "swiss rounds=5", "Club evening", time="5m+3s"), "CLUB"
        ),
    ),
    Call(
        "POST",
        "/api/tours/{tour}/start",
        "Start a tour, or go on after a pause",
        "tours",
        start_tour,
        Done,
        at=TourAt,
    ),
    Call(
        "POST",
        "/api/tours/{tour}/pause",
        "Begin no more matches for now; those that run go on",
        "tours",
        pause_tour,
        Done,
        at=TourAt,
    ),
    Call(
        "POST",
        "/api/tours/{tour}/end",
        "End a tour as it stands; matches that run are played out, and count",
        "tours",
        end_tour,
        Done,
        at=TourAt,
    ),
    Call(
        "POST",
        "/api/tours/{tour}/cancel",
        "Call a tour off: matches that run stop, and nothing is rated",
        "tours",
        cancel_tour,
        Done,
        at=TourAt,
    ),
    Call(
        "POST",
        "/api/tours/{tour}/seeds",
        "Say in which order entrants are seeded, where the plan's seeding is by hand",
        "tours",
        seed_tour,
        Done,
        at=TourAt,
        body=Seeds,
        example=Seeds((2, 1, 3)),
    ),
    Call(
        "POST",
        "/api/tours/{tour}/matches/{match}/void",
        "Let a match count for nothing, and be played again",
        "tours",
        void_match,
        Done,
        at=MatchAt,
    ),
    Call(
        "POST",
        "/api/tours/{tour}/matches/{match}/result",
        "Enter the result of a match by hand, or correct it; a running game is called off",
        "tours",
        enter_result,
        Done,
        at=MatchAt,
        body=HandResult,
        example=HandResult((1, 2), reason="Played at the board."),
    ),
    Call(
        "POST",
        "/api/tours/{tour}/entrants/{entrant}/withdraw",
        "Put an entrant out of a tour",
        "tours",
        withdraw_entrant,
        Done,
        at=EntrantAt,
    ),
)
