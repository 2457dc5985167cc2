"""What happened in a tour: the words of its stream in the log.

As at a table, decisions and not consequences: who joined, which pairings were drawn, at
which table a match is played and how it came out. The standing is worked out anew. Seed
and join code are in a word that `PublicTourEvent` does not have, so they cannot leave.
"""

from msgspec import Struct

from rookery.core.game import snake_tag
from rookery.core.ids import Micros, PlayerId, TableId, TourId
from rookery.core.tours.arrangements import AnyArrangement
from rookery.core.tours.values import Fixture, Plan, Result


class TourWord(Struct, frozen=True, tag=snake_tag, gc=False):
    """Something that happened in a tour."""


class TourOpened(TourWord, frozen=True, omit_defaults=True):
    """A tour stands, and takes entrants; it is this player's, or the organiser's."""

    plan: Plan
    by: PlayerId | None = None
    package: str = ""  # what brought the game or the format, where that is a plug-in


class TourKeyed(TourWord, frozen=True):
    """The tour's seed, and the code one joins with (empty: none is needed). In the log only."""

    seed: int
    code: str


class Joined(TourWord, frozen=True, omit_defaults=True):
    """A player, or the first of a team, is in."""

    entrant: int
    name: str
    player: PlayerId
    rating: int | None = None  # what it had, where it joins after the start and had one


class Partnered(TourWord, frozen=True):
    """One more player of a team."""

    entrant: int
    player: PlayerId


class Returned(TourWord, frozen=True):
    """A client that cannot say who it was is here again, as another player."""

    entrant: int
    player: PlayerId  # who it was
    now: PlayerId


class Replaced(TourWord, frozen=True):
    """Another player plays for an entrant from now on; its results stay."""

    entrant: int
    player: PlayerId  # who did before
    now: PlayerId


class Renamed(TourWord, frozen=True):
    """An entrant goes by another name from now on."""

    entrant: int
    name: str


class CheckedIn(TourWord, frozen=True):
    """An entrant has said that it is there, before the start."""

    entrant: int


class Withdrawn(TourWord, frozen=True):
    """An entrant is out of the tour, and why."""

    entrant: int
    why: str  # a word: withdrawn, removed, unchecked, or why a seat was lost


class TourStarted(TourWord, frozen=True, omit_defaults=True):
    """Matches begin from now on; for the first time, or after a pause."""

    until: Micros | None = None  # when the last may begin, where the format has a time
    ratings: tuple[tuple[int, int], ...] = ()  # entrants who had one by then, and which


class TourPaused(TourWord, frozen=True, omit_defaults=True):
    """No match begins until it is started again."""

    left: Micros | None = None  # of the format's time


class TourSeeded(TourWord, frozen=True):
    """Entrants are seeded in this order; who joins later comes after them."""

    order: tuple[int, ...]


class Arranged(TourWord, frozen=True, omit_defaults=True):
    """Somebody who runs the tour arranges something for rounds to come, or takes that back."""

    what: AnyArrangement
    off: bool = False  # whether it is taken back


class Paired(TourWord, frozen=True):
    """These are to be played."""

    fixtures: tuple[Fixture, ...]


class MatchBegun(TourWord, frozen=True):
    """A match is played at this table."""

    match: int
    table: TableId


class MatchEnded(TourWord, frozen=True):
    """A match has come out, at its table or without one."""

    match: int
    result: Result


class MatchVoided(TourWord, frozen=True):
    """A match counts for nothing, and is to be played again."""

    match: int


class MatchRuled(TourWord, frozen=True):
    """Somebody who runs the tour says how a match came out, whatever was or is played."""

    match: int
    result: Result


class TourClosing(TourWord, frozen=True):
    """No match begins any more; those that run are played out. These would be the winners."""

    how: str  # played, ended, cancelled
    winners: tuple[int, ...]


class Parted(TourWord, frozen=True):
    """An entrant has taken the end of a tour that is closing, and may go."""

    entrant: int


class TourEnded(TourWord, frozen=True):
    """The tour is over: played, ended by its owner, or called off."""

    how: str  # played, ended, cancelled
    winners: tuple[int, ...]


PublicTourEvent = (
    TourOpened
    | Joined
    | Partnered
    | Returned
    | Replaced
    | Renamed
    | CheckedIn
    | Withdrawn
    | TourStarted
    | TourPaused
    | TourSeeded
    | Arranged
    | Paired
    | MatchBegun
    | MatchEnded
    | MatchVoided
    | MatchRuled
    | TourClosing
    | Parted
    | TourEnded
)

TourEvent = PublicTourEvent | TourKeyed


def tour_stream(tour: TourId) -> str:
    """The name of a tour's stream in the log."""
    return f"tour/{tour}"


def tour_of(stream: str) -> TourId | None:
    """The tour whose stream this is."""
    kind, _, number = stream.partition("/")
    return TourId(int(number)) if kind == "tour" else None
