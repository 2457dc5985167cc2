"""Bots as clients: pilots that play over every wire language, game after game.

One file a dialect. A pilot rebuilds what it may know of the game from what it is told, and
puts moves into the language's words; `mind` thinks, `playing` has the socket.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rookery.cli.bot.blackwhite import Blackwhite
from rookery.cli.bot.bughouse import Bughouse
from rookery.cli.bot.fish import Fish
from rookery.cli.bot.fishcom import Fishcom
from rookery.cli.bot.native import Native
from rookery.cli.bot.othello import Othello
from rookery.cli.bot.pilot import Pilot, Wish
from rookery.cli.bot.tourney import Tourney

PILOTS: Final[Mapping[str, Callable[[Wish], Pilot]]] = {
    "native": Native,
    "blackwhite": Blackwhite,
    "bughouse": Bughouse,
    "fish": Fish,
    "fishcom": Fishcom,
    "othello": Othello,
    "tourney": Tourney,
}
