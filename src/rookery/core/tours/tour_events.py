"""What happened in a tour: the words of its stream in the log.

As at a table, decisions and not consequences: who joined, which pairings were drawn, at
which table a match is played and how it came out. The standing is worked out anew. Seed
and join code are in a word that `PublicTourEvent` does not have, so they cannot leave.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, TableId, TourId
from rookery.core.tours.values import Fixture, Plan, Result


class TourWord(Struct, frozen=True, gc=False):
    """Something that happened in a tour."""


class EntrantWord(TourWord, frozen=True):
    """Something that happened to one entrant of a tour."""

    entrant: int


class MatchWord(TourWord, frozen=True):
    """Something that happened to one match of a tour."""

    match: int


class LifeWord(TourWord, frozen=True):
    """The tour begins, pauses or comes to its end."""


class TourOpened(TourWord, frozen=True, tag="tour_opened", omit_defaults=True):
    """A tour stands, and takes entrants; it is this player's, or the organiser's."""

    plan: Plan
    by: PlayerId | None = None
    package: str = ""  # what brought the game or the format, where that is a plug-in


class TourKeyed(TourWord, frozen=True, tag="tour_keyed"):
    """The tour's seed, and the code one joins with (empty: none is needed). In the log only."""

    seed: int
    code: str


class Joined(EntrantWord, frozen=True, tag="joined", omit_defaults=True):
    """A player, or the first of a team, is in."""

    name: str
    player: PlayerId
    rating: int | None = None  # what it had, where it joins after the start and had one


class Partnered(EntrantWord, frozen=True, tag="partnered"):
    """One more player of a team."""

    player: PlayerId


class Returned(EntrantWord, frozen=True, tag="returned"):
    """A client that cannot say who it was is here again, as another player."""

    player: PlayerId  # who it was
    now: PlayerId


class Renamed(EntrantWord, frozen=True, tag="renamed"):
    """An entrant goes by another name from now on."""

    name: str


class EntrantPaused(EntrantWord, frozen=True, tag="entrant_paused"):
    """An entrant has been away for longer than the plan allows; it is still in the tour."""


class EntrantResumed(EntrantWord, frozen=True, tag="entrant_resumed"):
    """An entrant that was paused is back."""


class Withdrawn(EntrantWord, frozen=True, tag="withdrawn"):
    """An entrant is out of the tour, and why."""

    why: str  # a word: withdrawn, removed, or why a seat was lost


class TourStarted(LifeWord, frozen=True, tag="tour_started", omit_defaults=True):
    """Matches begin from now on; for the first time, or after a pause."""

    until: Micros | None = None  # when the last may begin, where the format has a time
    ratings: tuple[tuple[int, int], ...] = ()  # entrants who had one by then, and which


class TourPaused(LifeWord, frozen=True, tag="tour_paused", omit_defaults=True):
    """No match begins until it is started again."""

    left: Micros | None = None  # of the format's time


class TourSeeded(TourWord, frozen=True, tag="tour_seeded"):
    """Entrants are seeded in this order; who joins later comes after them."""

    order: tuple[int, ...]


class Paired(TourWord, frozen=True, tag="paired"):
    """These are to be played."""

    fixtures: tuple[Fixture, ...]


class MatchBegun(MatchWord, frozen=True, tag="match_begun"):
    """A match is played at this table."""

    table: TableId


class MatchEnded(MatchWord, frozen=True, tag="match_ended"):
    """A match has come out, at its table or without one."""

    result: Result


class MatchVoided(MatchWord, frozen=True, tag="match_voided"):
    """A match counts for nothing, and is to be played again."""


class MatchRuled(MatchWord, frozen=True, tag="match_ruled"):
    """Somebody who runs the tour says how a match came out, whatever was or is played."""

    result: Result


class TourClosing(LifeWord, frozen=True, tag="tour_closing"):
    """No match begins any more; those that run are played out. These would be the winners."""

    how: str  # played, ended, cancelled
    winners: tuple[int, ...]


class Parted(LifeWord, frozen=True, tag="parted"):
    """An entrant has taken the end of a tour that is closing, and may go."""

    entrant: int


class TourEnded(LifeWord, frozen=True, tag="tour_ended"):
    """The tour is over: played, ended by its owner, or called off."""

    how: str  # played, ended, cancelled
    winners: tuple[int, ...]


EntrantEvent = Joined | Partnered | Returned | Renamed | EntrantPaused | EntrantResumed | Withdrawn
MatchEvent = MatchBegun | MatchEnded | MatchVoided | MatchRuled
LifeEvent = TourStarted | TourPaused | TourClosing | Parted | TourEnded

PublicTourEvent = (
    TourOpened
    | EntrantEvent
    | TourStarted
    | TourPaused
    | TourSeeded
    | Paired
    | MatchEvent
    | TourClosing
    | Parted
    | TourEnded
)

TourEvent = PublicTourEvent | TourKeyed


def tour_stream(tour: TourId) -> str:
    """The name of a tour's stream in the log."""
    return f"tour/{tour}"


def tour_of(stream: str) -> TourId | None:
    """The tour whose stream this is; None for other streams."""
    kind, _, number = stream.partition("/")
    return TourId(int(number)) if kind == "tour" else None
