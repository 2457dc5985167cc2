"""How the ratings in a tour went, over HTTP: before its first match, and after each that counts.

They are the numbers that the tour's own standing shows as it goes on. Rating takes its time,
so it is done beside the game, a few hundred games at a turn.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct

from rookery.core.ids import TourId
from rookery.core.intents import ShowTour
from rookery.core.messages import TourShown
from rookery.hall.scoring.rating_history import RatingsAfter, walk
from rookery.server.web.api.calls import Asked, Call, Nothing
from rookery.server.web.api.tours.looking import TourAt

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


CALLS: Final = (
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
)
