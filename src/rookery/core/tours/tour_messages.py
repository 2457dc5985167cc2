"""What someone is told about tours: replies, and news of tours that they are in or watch."""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, TableId, TourId
from rookery.core.tours.standing import Row
from rookery.core.tours.tour_events import PublicTourEvent
from rookery.core.tours.values import Plan, Result, TourLine


class TourMessage(Struct, frozen=True, gc=False):
    """Something someone is told about a tour."""


class TourMade(TourMessage, frozen=True, tag="tour_made"):
    """The tour is open; players join it with this code, where it has one."""

    tour: TourId
    code: str


class TourJoined(TourMessage, frozen=True, tag="tour_joined", omit_defaults=True):
    """The player is in the tour, under this number; a match begins when it is their turn."""

    tour: TourId
    entrant: int
    player: PlayerId
    table: TableId | None = None  # where one takes up a match that runs
    name: str = ""  # the tour's, where it has one


class Tours(TourMessage, frozen=True, tag="tours"):
    """The tours there are; `more` when the rest must be asked for."""

    tours: tuple[TourLine, ...]
    more: bool = False


class MemberOf(Struct, frozen=True):
    """A player of an entrant."""

    player: PlayerId
    name: str
    dialect: str
    connected: bool


class EntrantLine(Struct, frozen=True, omit_defaults=True):
    """An entrant at a glance."""

    entrant: int
    name: str
    players: tuple[MemberOf, ...]
    out: str  # why it is in it no more; empty while it is
    rating: int | None = None  # it came with, where it had one
    paused: bool = False  # whether it has been away for longer than the plan allows


class TourShown(TourMessage, frozen=True, tag="tour_shown", omit_defaults=True):
    """A tour as it stands; the code only for its owner and the organiser."""

    line: TourLine
    plan: Plan
    code: str
    left: Micros | None  # of the format's time, where it has one
    entrants: tuple[EntrantLine, ...]
    standing: tuple[Row, ...]
    n: int  # events so far: news with a higher number are not in it


class MatchLine(Struct, frozen=True):
    """A match at a glance."""

    match: int
    round: int
    sides: tuple[int, ...]  # entrants
    status: str  # waiting, playing, over
    table: TableId | None
    result: Result | None
    points: tuple[float, ...]  # by side, once it is over
    teams: tuple[int, ...] = ()  # which sides are partners, where some are
    voided: int = 0


class Matches(TourMessage, frozen=True, tag="matches"):
    """A tour's matches in the order they were paired; `more` when the rest must be asked for."""

    tour: TourId
    matches: tuple[MatchLine, ...]
    more: bool = False


class RatingLine(Struct, frozen=True):
    """How strong somebody is, and how sure that is."""

    name: str
    rating: float
    uncertainty: float
    games: int
    player: PlayerId | None = None  # whose it is by now; nobody's where the name was given up


class Ratings(TourMessage, frozen=True, tag="ratings"):
    """The players of a game who have a rating, the best first."""

    game: str
    ratings: tuple[RatingLine, ...]


class TourNews(TourMessage, frozen=True, tag="tour_news"):
    """Event n of a tour."""

    tour: TourId
    n: int
    at: Micros
    event: PublicTourEvent


TourReply = TourMade | TourJoined | Tours | TourShown | Matches | Ratings
