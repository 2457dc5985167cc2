"""The book of casual ratings: one for each person and game, as the last game left it.

The past of a rating is not kept in memory: each record that rates a person names the record that
rated them last, and a reader of the past walks back along these.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from rookery.core.events import GameRated, Record
from rookery.core.ids import Micros, TableId
from rookery.core.tour_values import Rated, Rating
from rookery.hall.limits import CASUAL_PAST
from rookery.hall.scoring.ratings import shown, shown_spread

LISTED_FROM: Final = 5  # games until one is on a leaderboard: a first win says little

Read = Callable[[int], Record | None]  # a record by its number


class CasualRating(Struct, frozen=True, array_like=True, gc=False):
    """A rating as it is now, and the record that made it so."""

    key: str  # whose it is
    name: str
    mu: float
    sigma: float
    games: int  # rated so far
    seq: int

    @property
    def rating(self) -> Rating:
        """The rating in the form that the next game is rated from."""
        return Rating(self.mu, self.sigma)


class CasualStep(Struct, frozen=True):
    """A rating as a game left it."""

    table: TableId
    at: Micros
    rating: float
    uncertainty: float
    games: int  # rated so far


class CasualTrail(Struct, frozen=True):
    """Where to find a rating's past: from record `seq` back."""

    key: str
    seq: int


class CasualBook:
    """The ratings of every game."""

    def __init__(self) -> None:
        self._rated: dict[str, dict[str, CasualRating]] = {}  # by game, and by whose it is

    def take(self, event: GameRated, seq: int) -> None:
        """Take in the ratings after a game, from its record; live and from the log alike."""
        ratings = self._rated.setdefault(event.game, {})
        for one in event.rated:
            ratings[one.key] = CasualRating(one.key, one.name, one.mu, one.sigma, one.games, seq)

    def of_game(self, game: str) -> dict[str, CasualRating]:
        """The ratings of a game, by person."""
        return self._rated.get(game, {})

    def of(self, key: str) -> dict[str, CasualRating]:
        """A person's ratings by game."""
        return {game: of[key] for game, of in self._rated.items() if key in of}

    # -- as a value

    def ratings(self) -> dict[str, list[CasualRating]]:
        """All ratings by game, in the order of their keys."""
        return {
            game: [ratings[key] for key in sorted(ratings)]
            for game, ratings in sorted(self._rated.items())
        }

    def recall(self, ratings: dict[str, list[CasualRating]]) -> None:
        """Restore what `ratings` gave, or some of it."""
        for game, some in ratings.items():
            self._rated.setdefault(game, {}).update({one.key: one for one in some})


def walk_back(trail: CasualTrail, read: Read) -> tuple[CasualStep, ...]:
    """The rating after each of its last games, at most CASUAL_PAST of them, the oldest first."""
    steps: list[CasualStep] = []
    seq = trail.seq
    while seq and len(steps) < CASUAL_PAST:
        record = read(seq)
        if record is None or not isinstance(record.event, GameRated):
            break  # nothing was lost with it but the way on from here
        event = record.event
        keys = [one.key for one in event.rated]
        if trail.key not in keys:
            break
        place = keys.index(trail.key)
        steps.append(_step(event, record.at, event.rated[place]))
        seq = event.before[place] if event.before[place] < seq else 0
    return tuple(reversed(steps))


def _step(event: GameRated, at: Micros, one: Rated) -> CasualStep:
    of = Rating(one.mu, one.sigma)
    return CasualStep(event.table, at, shown(of), shown_spread(of), one.games)
