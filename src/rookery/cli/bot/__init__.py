"""Bots as clients: pilots that play over every wire language, game after game.

One file a dialect. A pilot rebuilds the position from what the server tells, and puts moves
into the language's words; `mind` thinks, `playing` has the socket.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rookery.cli.bot.blackwhite import BlackwhitePilot
from rookery.cli.bot.bughouse import BughousePilot
from rookery.cli.bot.fish import FishPilot
from rookery.cli.bot.fishcom import FishcomPilot
from rookery.cli.bot.native import NativePilot
from rookery.cli.bot.othello import OthelloPilot
from rookery.cli.bot.pilot import BotWish, Pilot
from rookery.cli.bot.tourney import TourneyPilot

PILOTS: Final[Mapping[str, Callable[[BotWish], Pilot]]] = {
    "native": NativePilot,
    "blackwhite": BlackwhitePilot,
    "bughouse": BughousePilot,
    "fish": FishPilot,
    "fishcom": FishcomPilot,
    "othello": OthelloPilot,
    "tourney": TourneyPilot,
}
