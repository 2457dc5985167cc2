"""What someone asks about tours. Like every intent, each gets exactly one reply.

Where `tour` is left out, it is the one the player owns, or is in. A session that has shown the
organiser's token may do with every tour what its owner may.
"""

from msgspec import Struct

from rookery.core.game import Forfeit
from rookery.core.ids import Micros, PlayerId, TourId
from rookery.core.tours.values import Plan


class TourIntent(Struct, frozen=True, gc=False):
    """Something someone asks about a tour."""


class Organise(TourIntent, frozen=True, tag="organise"):
    """Be the organiser, by the token that the server wrote at its first start."""

    token: str


class OpenTour(TourIntent, frozen=True, tag="open_tour"):
    """Open a tour and own it; as the organiser, without a player too."""

    plan: Plan
    code: str | None = None  # what one joins with; None: one is drawn, empty: none is needed
    player: PlayerId | None = None


class JoinTour(TourIntent, frozen=True, tag="join_tour"):
    """Join a tour: this one, the one with this code, or the first that takes anyone."""

    tour: TourId | None = None
    code: str = ""
    team: str = ""  # what the team is called, where entrants are teams
    player: PlayerId | None = None
    # Whether to take the place of one who is gone, and came from here under this name; not native.
    again: bool = False


class Withdraw(TourIntent, frozen=True, tag="withdraw"):
    """Leave a tour; as its owner, put an entrant out of it."""

    tour: TourId | None = None
    entrant: int | None = None
    player: PlayerId | None = None


class StartTour(TourIntent, frozen=True, tag="start_tour"):
    """Start the tour, or go on after a pause."""

    tour: TourId | None = None
    player: PlayerId | None = None


class PauseTour(TourIntent, frozen=True, tag="pause_tour"):
    """Begin no more matches for now; those that run go on."""

    tour: TourId | None = None
    player: PlayerId | None = None


class EndTour(TourIntent, frozen=True, tag="end_tour"):
    """End the tour as it stands; matches that run are played out, and count."""

    tour: TourId | None = None
    player: PlayerId | None = None


class CancelTour(TourIntent, frozen=True, tag="cancel_tour"):
    """Call the tour off: matches that run stop, and nothing is rated."""

    tour: TourId | None = None
    player: PlayerId | None = None


class VoidMatch(TourIntent, frozen=True, tag="void_match"):
    """Let a match count for nothing, and be played again."""

    tour: TourId
    match: int
    player: PlayerId | None = None


class EnterResult(TourIntent, frozen=True, tag="enter_result"):
    """Say how a match came out, or correct it; if its game runs, that is called off."""

    tour: TourId
    match: int
    places: tuple[int, ...]  # by side: 1 is first, equal places are shared; all 2: nobody won
    played: bool = True  # whether there was a game; if not, who is not first did not come
    reason: str = ""  # a sentence for people
    player: PlayerId | None = None


class SeedTour(TourIntent, frozen=True, tag="seed_tour"):
    """Say in which order entrants are seeded, before the start; those left out come after."""

    tour: TourId
    order: tuple[int, ...]
    player: PlayerId | None = None


class SignUp(TourIntent, frozen=True, tag="sign_up"):
    """Wait until enough are there for a tour like this; then it is opened and started.

    `most` start at once. When the window closes, `least` or more start; if there are
    fewer, so many more windows are waited for, and then everyone is sent home.
    """

    plan: Plan
    least: int
    most: int
    window: Micros
    again: int = 1
    player: PlayerId | None = None


class Forsake(TourIntent, frozen=True, tag="forsake"):
    """Put a player who failed its dialect out of the game it plays, and say why."""

    why: Forfeit
    player: PlayerId | None = None


class Greet(TourIntent, frozen=True, tag="greet"):
    """Say that the player's client was called with the start of its tour, and has answered."""

    player: PlayerId | None = None


class Farewell(TourIntent, frozen=True, tag="farewell"):
    """Take the end of one's tour, where that is asked of everyone, and be free to go."""

    player: PlayerId | None = None


# -- questions, and listening


class WatchTour(TourIntent, frozen=True, tag="watch_tour"):
    """Be told what happens in a tour from now on; the reply is how it stands."""

    tour: TourId


class UnwatchTour(TourIntent, frozen=True, tag="unwatch_tour"):
    """Stop being told what happens in a tour."""

    tour: TourId


class ListTours(TourIntent, frozen=True, tag="list_tours"):
    """Ask which tours there are, beyond that id; those that are over too."""

    after: TourId = TourId(0)


class ShowTour(TourIntent, frozen=True, tag="show_tour"):
    """Ask for a tour as it stands: its plan, its entrants and its standing."""

    tour: TourId | None = None
    player: PlayerId | None = None


class ListMatches(TourIntent, frozen=True, tag="list_matches"):
    """Ask for the matches of a tour after that number, in the order they were paired."""

    tour: TourId | None = None
    after: int = 0
    player: PlayerId | None = None


class ListRatings(TourIntent, frozen=True, tag="list_ratings"):
    """Ask how strong players of this game have shown themselves in tours, the best first."""

    game: str


TourAct = (
    OpenTour
    | JoinTour
    | Withdraw
    | StartTour
    | PauseTour
    | EndTour
    | CancelTour
    | VoidMatch
    | EnterResult
    | SeedTour
)

TourQuestion = ListTours | ShowTour | ListMatches | ListRatings

PlainTourIntent = Organise | TourAct | Farewell | WatchTour | UnwatchTour | TourQuestion

# For dialects alone: what their pages promise about tours of their own.
DialectTourIntent = SignUp | Forsake | Greet


def player_of(intent: PlainTourIntent | DialectTourIntent) -> PlayerId | None:
    """The player for whom this is asked; None if none is named, or no player is needed."""
    match intent:
        case Organise() | WatchTour() | UnwatchTour() | ListTours() | ListRatings():
            return None
        case _:
            return intent.player
