"""What tours are made of: plans, entrants, fixtures, results, standings and ratings.

Standings and ratings are worked out from results and never decided, so a row may be told to
anybody, and what a rating was worth is found again from the matches that made it.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, TableId, TourId
from rookery.core.policy import Policy


class Rating(Struct, frozen=True):
    """How strong a player seems to be: a mean, and how sure that is."""

    mu: float
    sigma: float


class Row(Struct, frozen=True, omit_defaults=True):
    """One entrant of a tour, and how it did in the matches that have come out."""

    place: int  # from 1; equals share it
    entrant: int
    name: str
    points: float
    played: int  # wins, draws and losses, those without a game among them; byes are not
    wins: int  # first, and somebody was not
    draws: int  # first, and so was everybody
    losses: int  # anything else, though it may have brought points where more than two played
    byes: int
    forfeits: int  # matches it lost without being beaten
    ties: tuple[float, ...]  # what each of the plan's tie-breaks says, in the plan's order
    out: str = ""  # why it is in the tour no more
    rating: float | None = None  # as it is shown to people
    uncertainty: float | None = None  # of the rating, in the same unit
    paused: bool = False  # whether it has been away for longer than the plan allows


# -- Cards: everybody's sums so far, in a tour that pairs every entrant who is free.
#
# Such a tour pairs after every match, so it cannot count up all its matches each time: the sums
# are carried along. They come to the same in whatever order matches come out.


NEVER: Final = -1  # the last match of an entrant who has had none

Sides = tuple[int, ...]


class Card(Struct, frozen=True, gc=False):
    """The sums of one entrant's matches that have come out."""

    points: int = 0  # twice what they are, to stay whole
    played: int = 0
    last: int = NEVER  # the place among all of its last match
    earliness: int = 0  # with two sides: how often first, less how often second
    was_early: int = 0  # the same of the last match alone

    def plus(self, at: int, index: int, places: tuple[int, ...]) -> "Card":
        """The card with one more match, in which the entrant was the side of this index."""
        early = len(places) - 1 - 2 * index
        later = at > self.last
        return Card(
            self.points + _points(places, index),
            self.played + 1,
            at if later else self.last,
            self.earliness + early,
            early if later else self.was_early,
        )


class Cards(Struct, frozen=True):
    """Everybody's card, and the entrants in matches that have not come out."""

    of: Mapping[int, Card] = {}  # by entrant; who has no match yet may be missing
    engaged: Mapping[int, int] = {}  # by entrant: in how many such matches

    def paired(self, matches: Iterable[Sides]) -> "Cards":
        """The cards once these matches are paired."""
        engaged = dict(self.engaged)
        for sides in matches:
            for side in sides:
                engaged[side] = engaged.get(side, 0) + 1
        return Cards(self.of, engaged)

    def came_out(self, at: int, sides: Sides, places: tuple[int, ...]) -> "Cards":
        """The cards once the match in this place, from 0, has come out with these places."""
        of, engaged = dict(self.of), dict(self.engaged)
        for index, side in enumerate(sides):
            of[side] = of.get(side, BLANK).plus(at, index, places)
            left = engaged.pop(side) - 1
            if left:
                engaged[side] = left
        return Cards(of, engaged)


def _points(places: tuple[int, ...], index: int) -> int:
    if 1 not in places:
        return 0
    own = places[index]
    beaten = sum(place > own for place in places)
    return 2 * beaten + places.count(own) - 1


BLANK: Final = Card()


# -- A tour in values: its plan, its entrants, its fixtures, and their results.
#
# An entrant is a player, or a team of them that plays together; within a tour it is known by a
# number, from 1 in the order of joining. A match is played between sides, each an entrant: one a
# seat, or where entrants are teams one a team. Formats and standings are functions of these
# numbers alone.


# A player gone for this long is paused: the tourney page's five minutes.
DEFAULT_ABSENT: Final[Micros] = 300 * MICROS_A_SECOND
DEFAULT_TIES: Final = ("head_to_head", "sonneborn_berger", "buchholz", "wins", "fewest_forfeits")

BYE: Final = "bye"  # how a match with one side ended
ABSENT: Final = "absent"  # how a match ended for which somebody did not come
WITHDRAWN: Final = "withdrawn"  # how a match ended of somebody who is out of the tour
UNPLAYABLE: Final = "unplayable"  # how a match ended that the game has no room for: drawn
BY_HAND: Final = "by_hand"  # how a match came out whose result somebody entered
UNPLAYED: Final = frozenset({BYE, ABSENT, WITHDRAWN, UNPLAYABLE})  # how one ends without a game


class Seeding(StrEnum):
    """What the order of the seeds is made from."""

    JOINED = "joined"  # who came first
    RATING = "rating"  # who is strongest when the tour starts
    HAND = "hand"  # what somebody says who runs it


class Plan(Struct, frozen=True, omit_defaults=True):
    """What a tour is: which game, in which format, on which terms."""

    variant: str  # as text, `nim misere=true`
    format: str = "round_robin"  # as text, `swiss rounds=5`
    name: str = ""
    seats: int | None = None  # at a table; None: as few as the game can be played with
    time: str = "5m"
    policy: Policy = Policy()
    points: str = "1-0.5-0"  # for a win, a draw and a loss
    ties: tuple[str, ...] = DEFAULT_TIES  # what parts equals, in this order
    parallel: int = 0  # games at once; 0: any number
    at_once: int = 1  # games at once for one player, where its dialect can have several
    fair: bool = False  # whether both legs of a pair begin alike
    late: bool = True  # whether one may join after the start, where the format can do it
    absent: Micros = DEFAULT_ABSENT  # how long an entrant may be away before it is paused
    strict: bool = False  # whether who is out of a game is out of the tour
    farewell: bool = False  # whether entrants must say goodbye at the end, or are out
    stays: bool = False  # whether it waits for its owner to end it when all is played
    rated: bool = True  # whether its games count for ratings
    seeding: Seeding = Seeding.JOINED  # who is the first seed, and so on
    starts: Micros | None = None  # when it starts by itself, by the time of day


class Entrant(Struct, frozen=True, omit_defaults=True):
    """An entrant of a tour: a player, or a team of them."""

    number: int
    name: str
    players: tuple[PlayerId, ...]
    out: str = ""  # why it is in it no more; empty while it is
    rating: int | None = None  # it came with, at the start or joining later; None: it had none
    paused: bool = False  # whether it has been away for longer than the plan allows


class Worth(StrEnum):
    """What a bye is worth that is not the odd one's."""

    HALF = "half"  # a draw's points
    ZERO = "zero"


class Fixture(Struct, frozen=True, omit_defaults=True):
    """Who meets whom: the sides of one match, in the order of the seats or teams.

    A fixture of one side is a bye.
    """

    round: int  # from 1
    sides: tuple[int, ...]  # entrants
    start: int = 0  # fixtures with the same number here may begin alike; 0: it is by itself
    teams: tuple[int, ...] = ()  # which sides are partners; empty: each for itself
    rest: Worth | None = None  # of a bye that was given, what it is worth; None: the odd one's


class Result(Struct, frozen=True, omit_defaults=True):
    """How a match came out, by side: 1 is first, equal places are shared."""

    places: tuple[int, ...]
    how: str
    reason: str = ""  # a sentence for people
    forfeits: tuple[int, ...] = ()  # which sides lost without being beaten, by their index
    scores: tuple[int, ...] | None = None
    by_hand: bool = False  # whether somebody entered it, and no table brought it


class Match(Struct, frozen=True, omit_defaults=True):
    """One match of a tour; it is known by its place among them, from 1."""

    fixture: Fixture
    table: TableId | None = None  # where it is played, or was
    result: Result | None = None
    voided: int = 0  # how often it was played for nothing
    ended: int = 0  # the tour's event that brought the result; 0 without one

    @property
    def waiting(self) -> bool:
        """Whether the match has neither begun nor come out."""
        return self.table is None and self.result is None

    @property
    def running(self) -> bool:
        """Whether the match is being played."""
        return self.table is not None and self.result is None


class MatchRow(Protocol):
    """Matches in a row, however they are kept."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Match]: ...

    def __getitem__(self, at: int, /) -> Match: ...


class Puzzle(Struct, frozen=True):
    """A round whose pairing takes long: all it depends on, so that it has one solution."""

    entrants: tuple[int, ...]
    matches: tuple[Match, ...]  # all of them have come out
    last: bool  # whether it is the last round
    seeds: tuple[int, ...] = ()  # all who are and were in, the first seed first; empty: as numbered
    paused: tuple[int, ...] = ()  # paired only if the entrants cannot be paired without them


Pairs = tuple[tuple[int, ...], ...]  # the sides of a round's matches


class Solution(Struct, frozen=True):
    """A round that has been paired; `pairs` is None where there can be none."""

    puzzle: Puzzle
    pairs: Pairs | None


class Field(Struct, frozen=True):
    """A tour as its format sees it: numbers, and the results so far."""

    entrants: tuple[int, ...]  # who is in it, in the order of the seeds
    matches: MatchRow  # in the order they were paired
    sides: int  # of a match
    seed: int
    free: frozenset[int] = frozenset()  # entrants who could play right now
    elapsed: Micros = 0  # how long the tour has run
    cards: Cards | None = None  # what those matches add up to, where that is known
    solution: Solution | None = None  # how a round is paired, where that was worked out before
    seeds: tuple[int, ...] = ()  # also of entrants who are out; empty: the order of joining
    paused: frozenset[int] = frozenset()  # of the entrants: who is away for too long

    @property
    def decided(self) -> bool:
        """Whether every match has come out."""
        return all(match.result is not None for match in self.matches)

    @property
    def last_round(self) -> int:
        """The highest round so far; 0 before the first."""
        return max((match.fixture.round for match in self.matches), default=0)


class TourLine(Struct, frozen=True, omit_defaults=True):
    """A tour at a glance."""

    tour: TourId
    name: str
    variant: str
    format: str
    status: str  # open, running, paused, closing, ended, cancelled
    owner: PlayerId | None
    coded: bool  # whether one needs a code to join
    entrants: int
    matches: int  # paired so far
    played: int  # come out so far
    running: int
    winners: tuple[str, ...] = ()  # their names, once it is over
    starts: Micros | None = None  # when it starts by itself, by the time of day


class Rated(Struct, frozen=True):
    """A rating after a tour: whose (`key` for us, `name` for people), and how sure it is."""

    key: str
    name: str
    mu: float
    sigma: float
    games: int  # rated so far
