"""Tours over HTTP, to run: open, start, pause, end, call off, void and put out.

Each is an intent of the organiser's, answered when it is safe in the log.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core import intents
from rookery.core.ids import TourId
from rookery.core.messages import Done, TourMade
from rookery.core.tour_values import Plan
from rookery.server.web.api.calls import Asked, Call, Id
from rookery.server.web.api.tours.looking import TourAt


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
