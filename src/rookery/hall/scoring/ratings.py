"""Ratings with uncertainty, from openskill: one model for pairs, teams and free-for-all.

The model is Plackett-Luce. For two teams it is the same as Bradley-Terry; where four play
it takes the order as one thing that happened and not as six games, so it does not become
sure of itself too soon.

A rating is rounded after every match: rating on from what was stored gives the same
numbers as rating everything at once.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import exp, sqrt
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from rookery.core.tour_values import UNPLAYED, Match, Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

DIGITS: Final = 6  # of a stored number; the log stays short, and alike on every machine

# The model's own numbers, written out: stored ratings must outlive another default.
START: Final = Rating(25.0, round(25 / 3, DIGITS))
_BETA, _KAPPA, _TAU = 25 / 6, 0.0001, 25 / 300
_SOLO: Final = 1  # players in a team of one
_WON: Final = ((1, 2), (2, 1))  # the places of two of whom one has won

# People know Elo's scale: a newcomer has 1500, and 400 more is odds of about ten to one.
# Between settled players the model's odds are e to the difference over β√2, which makes
# one of its points 29.5 of Elo's. With 30 a newcomer is 1500 ± 250.
SHOWN_START: Final = 1500
SHOWN_SCALE: Final = 30


class RatedGame(Struct, frozen=True):
    """A game that counts: who played together, by name, and each team's place."""

    teams: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]


def rate(ratings: Mapping[str, Rating], games: Iterable[RatedGame]) -> dict[str, Rating]:
    """Everyone's rating after these games, given in the order they ended.

    A newcomer begins at `START`. A game that nobody won changes nothing, nor does one in
    which a name occurs twice: playing against oneself shows no strength.
    """
    after = dict(ratings)
    for game in games:
        names = [name for team in game.teams for name in team]
        if 1 in game.places and len(game.teams) > 1 and len(set(names)) == len(names):
            after.update(_rated(after, game))
    return after


def played(match: Match, names: Mapping[int, tuple[str, ...]]) -> RatedGame | None:
    """This match as a game to rate, given the players of each entrant; None if none was played."""
    result, fixture = match.result, match.fixture
    if result is None or result.by_hand or result.how in UNPLAYED or 1 not in result.places:
        return None
    teams: dict[int, tuple[str, ...]] = {}
    places: dict[int, int] = {}
    for side, entrant in enumerate(fixture.sides):
        team = fixture.teams[side] if fixture.teams else side
        teams[team] = teams.get(team, ()) + names[entrant]
        places[team] = result.places[side]
    return RatedGame(tuple(teams.values()), tuple(places.values()))


def shown(rating: Rating) -> float:
    """The rating as people read it: 1500 for a newcomer, on a scale like Elo's."""
    return round(SHOWN_START + SHOWN_SCALE * (rating.mu - START.mu), 1)


def shown_spread(rating: Rating) -> float:
    """The ± of `shown`: one standard deviation, in the same unit."""
    return round(SHOWN_SCALE * rating.sigma, 1)


def _rated(ratings: Mapping[str, Rating], game: RatedGame) -> dict[str, Rating]:
    """The players of this game, each with their rating after it."""
    if game.places in _WON and all(len(team) == _SOLO for team in game.teams):
        (first,), (second,) = game.teams
        one, other = ratings.get(first, START), ratings.get(second, START)
        if game.places == _WON[0]:
            one, other = beaten(one, other)
        else:
            other, one = beaten(other, one)
        return {first: one, second: other}
    return by_the_model(ratings, game)


def beaten(winner: Rating, loser: Rating) -> tuple[Rating, Rating]:
    """The ratings of winner and loser after a game: the model's formula for two, written out.

    Most games are such, and openskill makes eight objects for one, each with a random number
    of its own: a tenth of what settling a match takes. The laws play both ways.
    """
    won, lost = (sqrt(one.sigma * one.sigma + _TAU * _TAU) for one in (winner, loser))
    c = sqrt((won**2 + _BETA**2) + (lost**2 + _BETA**2))
    odds = exp(winner.mu / c), exp(loser.mu / c)
    win, loss = (part / (odds[0] + odds[1]) for part in odds)  # how likely each was to be first
    return _moved(winner.mu, won, c, win, 1 - win), _moved(loser.mu, lost, c, loss, -loss)


def _moved(mu: float, sigma: float, c: float, part: float, gain: float) -> Rating:
    """A rating after a game; `part` is how likely a win was, `gain` how much better it came out."""
    square = sigma**2
    shrunk = part * (1 - part) * (square / c**2) * (sqrt(square) / c)
    mu += gain * (square / c)
    sigma *= sqrt(max(1 - shrunk, _KAPPA))
    return Rating(round(mu, DIGITS), round(sigma, DIGITS))


def by_the_model(ratings: Mapping[str, Rating], game: RatedGame) -> dict[str, Rating]:
    """The ratings after a game by openskill, for any number of teams and any result."""
    before = [[ratings.get(name, START) for name in team] for team in game.teams]
    # openskill gives each of its ratings a random id; nothing here or there looks at it.
    teams = [[_model().rating(one.mu, one.sigma) for one in team] for team in before]
    after = _model().rate(teams, ranks=[float(place) for place in game.places])
    return {
        name: Rating(round(one.mu, DIGITS), round(one.sigma, DIGITS))
        for team, ones in zip(game.teams, after, strict=True)
        for name, one in zip(team, ones, strict=True)
    }


@cache
def _model() -> "PlackettLuce":
    """The model. It is imported for the first game that needs it, which takes that game 5 ms."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 # 1.6 MB of a server otherwise

    return PlackettLuce(mu=25.0, sigma=25 / 3, beta=_BETA, kappa=_KAPPA, tau=_TAU)
