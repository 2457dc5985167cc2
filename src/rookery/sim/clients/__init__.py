"""Those who call the server, in every wire language, honest and hostile."""

from typing import Final

from rookery.sim.clients.blackwhite import BlackwhitePlayer
from rookery.sim.clients.bughouse import BUGHOUSE_LISTEN, BughousePlayer
from rookery.sim.clients.fish import FISHCOM_LISTEN, FishcomPlayer, FishPlayer
from rookery.sim.clients.hostile import Flooder, Liar, SilentCaller
from rookery.sim.clients.member import Member, Thief
from rookery.sim.clients.moderator import Moderator
from rookery.sim.clients.native import NativePlayer
from rookery.sim.clients.othello import OthelloPlayer
from rookery.sim.clients.peeper import Peeper
from rookery.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery.sim.clients.tourney import TourneyPlayer
from rookery.sim.clients.web import Reader, WebOrganiser

KINDS: Final[dict[str, type[WorldPerson]]] = {
    "blackwhite": BlackwhitePlayer,
    "bughouse": BughousePlayer,
    "fish": FishPlayer,
    "fishcom": FishcomPlayer,
    "flooder": Flooder,
    "liar": Liar,
    "mute": SilentCaller,
    "host": NativePlayer,
    "member": Member,
    "moderator": Moderator,
    "native": NativePlayer,
    "organiser": WebOrganiser,
    "othello": OthelloPlayer,
    "peeper": Peeper,
    "reader": Reader,
    "thief": Thief,
    "tourney": TourneyPlayer,
}
# Languages with a port of their own, and what is agreed there.
LISTEN: Final = {"fishcom": FISHCOM_LISTEN, "bughouse": BUGHOUSE_LISTEN}


def make_person(town: WorldTown, habits: Habits) -> WorldPerson:
    """Make the person whose kind and habits these are."""
    return KINDS[habits.kind](town, habits)
