"""What the laws are tried on: every registered game as it is, for every number of seats.

A game needs no line here to be tested. The lines below add variants whose options
change what the rules do, and say how long a game can be where that is known.
"""

from typing import Final

from rookery.games import GAMES, AnyGame, format_variant, parse_variant
from rookery.games.bughouse import Bughouse
from rookery.games.fish import Fish
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe
from rookery.testing import DEEP, USUAL, GameCase
from rookery.testing.cases import ANY_GAME_ENDS
from tests import effort

MORE: Final = (
    "bughouse plies=60",
    "fish rows=3 cols=5 holes=3",
    "fish rows=5 cols=5 fish=2",
    "guess low=-3 high=3 rounds=4",
    "guess low=5 high=5",
    "nim sticks=3,4,5 misere=true",
    "nim rows=1 sticks=1",
    "nim rows=30 sticks=2",
    "reversi size=4",
    "reversi size=10",
    "reversi size=4 opening=20",
    "reversi opening=8",
)
EFFORT: Final = DEEP if effort.DEEP else USUAL


def every_case() -> tuple[GameCase, ...]:
    """Each registered game by its defaults, and the variants above, for all numbers of seats."""
    variants = [parse_variant(text) for text in (*GAMES, *MORE)]
    return tuple(
        GameCase(game, seats, format_variant(game), longest_game(game), effort=EFFORT)
        for game in variants
        for seats in game.seat_counts
    )


def longest_game(game: AnyGame) -> int:
    """The most plies a game of this variant can have, and why."""
    match game:
        case Bughouse(plies=plies):
            return plies
        case Fish(rows=rows, cols=cols):
            return rows * cols + 9  # a tile goes with every move; three place three penguins
        case Tictactoe():
            return 9  # slots
        case Reversi(size=size):
            return size * size - 4  # empty squares; a pass is no ply
        case Nim(rows=rows, sticks=sticks):
            # A stick a ply.
            return sum(sticks) if len(sticks) > 1 else (rows or 10) * (sticks or (100,))[0]
        case Guess(rounds=rounds):
            return 2 * rounds  # both guess in every round
        case _:
            return ANY_GAME_ENDS


CASES: Final = every_case()
