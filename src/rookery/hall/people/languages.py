"""What the hall knows of dialects: which games each can play, and how its clients wait.

A tour takes players of any dialect that has words for its game. Old clients differ in
when they can be given a match: some at any time, some only after they asked for a game,
and nearly all only one at a time.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rookery.games import AnyGame
from rookery.games.bughouse import Bughouse
from rookery.games.fish import Fish
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe

NATIVE: Final = "native"
TOURNEY: Final = "tourney"
UNNAMED: Final = "null"  # what tourney calls who never gave a name
BOT: Final = "bot"  # what programs are said to speak that play without a connection

SEVERAL: Final = frozenset({NATIVE})  # dialects in which one can play several games at once
# Dialects whose clients are given a match only after they asked for a game.
ASKING: Final = frozenset({"othello", "blackwhite", "fish"})
# Dialects whose clients come to a tour by a code; who is called, and never asks, as well.
BOUND: Final = ASKING | {"fishcom"}
# Dialects that can say which tour they mean; their clients join when they say so.
WITH_WORDS: Final = frozenset({NATIVE, TOURNEY})
FAILING: Final = "fishcom"  # the dialect that puts its own clients out of a game


def _tourney(game: AnyGame) -> bool:
    match game:
        case Reversi(size=size):
            return size in (4, 6, 8)
        case Nim() | Guess() | Tictactoe():
            return True
        case _:
            return False


_CAN_PLAY: Final[Mapping[str, Callable[[AnyGame], bool]]] = {
    NATIVE: lambda _: True,
    TOURNEY: _tourney,
    "othello": lambda game: isinstance(game, Reversi) and game.size == 8,
    # Its clients put the first four discs down by themselves.
    "blackwhite": lambda game: game == Reversi(size=10),
    "bughouse": lambda game: isinstance(game, Bughouse),
    "fish": lambda game: isinstance(game, Fish),
    "fishcom": lambda game: isinstance(game, Fish),
}


def can_play(dialect: str, game: AnyGame) -> bool:
    """Whether a client of this dialect has words for this game; of an unknown one, surely."""
    return _CAN_PLAY.get(dialect, _CAN_PLAY[NATIVE])(game)
