"""What house bots are called: by their game and level, and a number where there are several.

By its name the house also knows after a restart what kind of bot a player was that comes back.
"""

from collections.abc import Container
from itertools import count


def free_name(game: str, level: int, taken: Container[str]) -> str:
    """The first name for such a bot that is not taken: `reversi-3`, `reversi-3-2` and so on."""
    first = f"{game}-{level}"
    if first not in taken:
        return first
    return next(name for n in count(2) if (name := f"{first}-{n}") not in taken)


def is_such(name: str, game: str, level: int) -> bool:
    """Whether this is the name of a bot for that game and level."""
    return name.split("-")[:2] == [game, str(level)]


def level_in(name: str) -> int:
    """The level of the bot that has this name."""
    return int(name.split("-")[1])
