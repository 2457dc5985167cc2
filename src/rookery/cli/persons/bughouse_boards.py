"""Two boards as a client of bughouse keeps them: what it was told, and no rules.

Players, games and boards go by the numbers of the wire; who sits where is asked for when a
game starts, and moves that come before that is known are kept all the same.
"""

from typing import Final

import chess
from msgspec import Struct
from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.core.ids import Seat
from rookery.games.bughouse import BughouseView, board_of, is_white

LETTERS: Final = "PNBRQK"  # LETTERS[n - 1] is piece type n
# Team 1's white and team 2's black play on the first board, the others on the second.
SEATS: Final = {1: (Seat(0), Seat(3)), 2: (Seat(2), Seat(1))}  # by team, in the order of joining


class Side(Struct):
    """One of the two boards, and whose turn it is on it. It mutates."""

    board: chess.BaseBoard
    whites_turn: bool = True
    last: str = ""


class Boards:
    """A game that has started. It mutates."""

    def __init__(self) -> None:
        self._sides: dict[int, Side] = {}
        self._hands: dict[int, list[str]] = {}  # by player, in the order of arrival
        self.numbers: tuple[int, ...] = ()  # of the first and the second board
        self.players: dict[Seat, int] = {}

    @property
    def known(self) -> bool:
        """Whether enough is known to draw it."""
        return len(self.numbers) == 2 and len(self.players) == 4

    def seat(self, player: int) -> Seat | None:
        """Where this player sits, as far as is known."""
        return next((seat for seat, number in self.players.items() if number == player), None)

    def number_of(self, seat: Seat) -> int:
        """The board of this seat, as the wire has it."""
        return self.numbers[board_of(seat) - 1]

    def name_of(self, number: int) -> int:
        """A board's number as it is drawn, 1 or 2; that of the wire until more is known."""
        return self.numbers.index(number) + 1 if number in self.numbers else number

    def hand(self, player: int) -> list[str]:
        """What a player holds."""
        return self._hands.setdefault(player, [])

    def move(self, number: int, start: chess.Square, end: chess.Square) -> str:
        """A piece goes, and whatever stood there is gone. The move as people write it."""
        side = self._side(number)
        promoted = bool(side.board.promoted & chess.BB_SQUARES[start])
        piece = side.board.remove_piece_at(start)
        side.board.set_piece_at(end, piece, promoted)
        # A castling rook, and a pawn to be taken en passant, go along out of their turn.
        if piece is None or piece.color != side.whites_turn:
            return ""
        side.whites_turn = not side.whites_turn
        side.last = f"{chess.SQUARE_NAMES[start]}{chess.SQUARE_NAMES[end]}"
        return side.last

    def put(self, number: int, player: int, index: int, at: chess.Square) -> str:
        """A prisoner is dropped, or a pawn becomes it. Raises IndexError if nobody holds it."""
        side = self._side(number)
        letter = self.hand(player).pop(index)
        piece = chess.Piece(LETTERS.index(letter) + 1, side.whites_turn)
        # "A promotion is ... a PUT of it, as the last prisoner, where the pawn is."
        pawn = side.board.piece_at(at)
        if pawn is not None:
            piece.color = pawn.color
            side.board.set_piece_at(at, piece, promoted=True)
            return f"{side.last}{letter.lower()}"
        side.board.set_piece_at(at, piece)
        side.whites_turn = not side.whites_turn
        side.last = f"{letter}@{chess.SQUARE_NAMES[at]}"
        return side.last

    def view(self) -> BughouseView:
        """How both boards stand; nobody told us of checks."""
        assert self.known, "what is not known cannot be shown"
        one, two = (self._side(n).board.board_fen(promoted=True) for n in self.numbers)
        seats = [Seat(seat) for seat in range(4)]
        first, second, third, fourth = ("".join(self.hand(self.players[s])) for s in seats)
        turns = tuple(seat for seat in seats if self._turn(seat))
        return BughouseView((one, two), (first, second, third, fourth), turns, (), 0)

    def drawing(self, player: int) -> Text:
        """Both boards as this player sees them, with the last move on each."""
        lasts = [self._side(number).last for number in self.numbers]
        last = tuple(f"{n}:{move}" for n, move in enumerate(lasts, 1) if move)
        return draw(self.view(), Look(viewer=self.seat(player), last=last))

    def _turn(self, seat: Seat) -> bool:
        return self._side(self.number_of(seat)).whites_turn == is_white(seat)

    def _side(self, number: int) -> Side:
        return self._sides.setdefault(number, Side(chess.BaseBoard()))


def square_at(x: int, y: int) -> chess.Square:
    """The square with these numbers. Raises ValueError."""
    if not (0 <= x < 8 and 0 <= y < 8):
        raise ValueError("That is not on the board.")
    return chess.square(x, y)


def letter_of(kind: int) -> str:
    """The letter of a piece type. Raises ValueError."""
    if not 1 <= kind <= len(LETTERS):
        raise ValueError("There is no such piece.")
    return LETTERS[kind - 1]
