"""The registry of bots: which bot plays which game at which level, from 1 to 5.

A new strategy is a file beside this one; a game's five levels are the `LEVELS` of its own,
or those of `any_game`, and some games have an `ANALYST`. All are imported when they are first
asked for: a server knows which there are, and lets worker processes think (`answering`).
"""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Final, Literal

from rookery.bots.base import Level
from rookery.bots.studying import Analyst
from rookery.core.errors import BadOption
from rookery.core.plugin import HOUSE, Origin, clashes
from rookery.games import find_game

Levels = tuple[Level, ...]

OWN: Final = ("bughouse", "fish", "guess", "nim", "reversi", "tictactoe")  # beside this file
ANALYSED: Final = frozenset({"bughouse", "nim", "reversi"})  # those with an analyst of their own
BEST: Final = 5

Thinking = Literal["own", "search", "random"]


class _Registry(MutableMapping[str, Levels]):
    """The levels by game. Plug-ins add theirs, and ours are imported when asked for."""

    def __init__(self) -> None:
        self._levels: dict[str, Levels | None] = dict.fromkeys(OWN)  # None: not imported yet

    def __getitem__(self, game: str) -> Levels:
        levels = self._levels[game]
        if levels is None:
            levels = self._levels[game] = import_module(f"{__name__}.{game}").LEVELS
        return levels

    def __contains__(self, game: object) -> bool:
        return game in self._levels

    def __iter__(self) -> Iterator[str]:
        return iter(self._levels)

    def __len__(self) -> int:
        return len(self._levels)

    def __setitem__(self, game: str, levels: Levels) -> None:
        self._levels[game] = levels

    def __delitem__(self, game: str) -> None:
        del self._levels[game]


_levels: Final = _Registry()
LEVELS: Final[Mapping[str, Levels]] = _levels

_origins: Final[dict[str, Origin]] = {}  # of those that did not come with the house


def register(game: str, levels: Levels, origin: Origin) -> None:
    """Let these levels play a game from now on. Raises BadPlugin where the game has bots."""
    if game in LEVELS:
        raise clashes("bot for", game, _origins.get(game, HOUSE))
    _levels[game] = levels
    _origins[game] = origin


def level_of(game: str, level: int) -> Level:
    """The level of this number of a game, by the game's name. Raises BadOption."""
    find_game(game)
    if not 1 <= level <= BEST:
        raise BadOption(f"A level is a whole number from 1 to {BEST}, not {level}.")
    if game in LEVELS:
        return LEVELS[game][level - 1]
    from rookery.bots import any_game  # noqa: PLC0415 # as above: when it is asked for

    return any_game.LEVELS[level - 1]


def analyst_of(game: str) -> Analyst | None:
    """The analyst that studies positions of this game; None: the one of `any_game` does."""
    if game not in ANALYSED:
        return None
    found: Analyst = import_module(f"{__name__}.{game}").ANALYST
    return found


def asks_for_past(game: str) -> bool:
    """Whether the bots of this game need the moves played so far: those of `any_game` may."""
    return game not in LEVELS


def thinking_of(game: str) -> Thinking:
    """How levels 2 to 5 play a game: by bots of its `own`, by `search`, or at `random`."""
    if game in LEVELS:
        return "own"
    from rookery.bots.any_game import looks_ahead  # noqa: PLC0415 # as above

    return "search" if looks_ahead(find_game(game)()) else "random"
