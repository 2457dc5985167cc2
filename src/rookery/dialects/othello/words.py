"""The words of othello frames: their types, boards and moves as digits.

Everything here is pure: a view of reversi becomes the 65 digits of frame 4, and the two
digits of frame 2 become a move of reversi.
"""

import re
from enum import IntEnum
from functools import lru_cache
from typing import Final

from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import Seat
from rookery.core.messages import Scene
from rookery.dialects.othello.framing import BETWEEN, SHORT
from rookery.games.reversi import Place, Reversi, ReversiView


class FrameKind(IntEnum):
    """The types of frames."""

    SIGN_ON = 1
    MOVE = 2
    INVALID = 3
    BOARD = 4
    END = 5
    ERROR = 6
    MESSAGE = 7


VARIANT: Final = "reversi"
NOBODY: Final = "0"  # nobody's turn, and nobody the winner

# The rules forbid these, to a player on turn; any other refusal is an error.
FORBIDDEN: Final = frozenset({"off_board_row", "off_board_column", "taken", "flips_nothing"})

# Losses that frame 6 explains: "by time or by too many invalid moves".
TOLD_WHY: Final = frozenset({Forfeit.LATE, Forfeit.CHEATED})

UNREADABLE: Final = "unreadable"  # the code for what is no move at all
HOW_TO_MOVE: Final = "A move is two digits from 0 to 7: the column, then the row."

_MOVE: Final = re.compile(f"[{BETWEEN}]*([0-9])[{BETWEEN}]*([0-9])[{BETWEEN}]*")
_NO_MOVE: Final = "?"  # a text that reversi cannot read
_DIGITS: Final = str.maketrans(".XO", "012")
_GAME: Final = Reversi()


def colour(seat: Seat) -> str:
    """The digit of a seat's colour: 1 is black and 2 is white."""
    return str(seat + 1)


def move(payload: str) -> str:
    """The move as reversi writes it; an unreadable payload becomes a text reversi refuses."""
    return _short_move(payload) if len(payload) <= SHORT else _move(payload)


def _move(payload: str) -> str:
    read = _MOVE.fullmatch(payload)
    return _GAME.format_move(Place(int(read[1]), int(read[2]))) if read else _NO_MOVE


_short_move: Final = lru_cache(maxsize=1024)(_move)


def board(view: ReversiView) -> str:
    """The 64 squares row by row, then the digit of the colour on turn, which is 0 at the end."""
    squares = "".join(view.rows).translate(_DIGITS)
    return squares + (NOBODY if view.turn is None else colour(view.turn))


class Boards:
    """Writes boards, and remembers the last: one is told to both players in a row."""

    __slots__ = ("_said", "_scene")

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._said = ""

    def find(self, scene: Scene) -> str:
        """The board of this scene, which is of reversi."""
        if self._scene is not scene:
            view = scene.view(None)
            assert isinstance(view, ReversiView), "we sit at tables of reversi"
            self._scene, self._said = scene, board(view)
        return self._said


def winner(outcome: Outcome) -> str:
    """The digit of the colour that won; 0 in a draw, or where the game was called off."""
    winners = outcome.winners
    return colour(winners[0]) if len(winners) == 1 else NOBODY
