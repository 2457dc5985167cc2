"""Those who call the server, in every wire language, honest and hostile."""

from typing import Final

from rookery_tools.sim.clients.blackwhite import BlackwhitePlayer
from rookery_tools.sim.clients.bughouse import BUGHOUSE_LISTEN, BughousePlayer
from rookery_tools.sim.clients.fish import FISHCOM_LISTEN, FishcomPlayer, FishPlayer
from rookery_tools.sim.clients.hostile import Flooder, Liar, SilentCaller
from rookery_tools.sim.clients.member import Member, Thief
from rookery_tools.sim.clients.moderator import Moderator
from rookery_tools.sim.clients.native import NativePlayer
from rookery_tools.sim.clients.othello import OthelloPlayer
from rookery_tools.sim.clients.peeper import Peeper
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.clients.tourney import TourneyPlayer
from rookery_tools.sim.clients.web import Reader, WebOrganiser

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
