"""Two boards of bughouse as a client keeps them, so that the game's rules can go on from there.

The wire tells of pieces that go from square to square. It does not tell who may castle and
which pawn has just passed; the client works both out, so that the game's own rules can say
what is legal. Players and boards go by the numbers of the wire; moves that come before the
client knows who sits where are kept all the same.
"""

from typing import Final

import chess

from rookery.core.ids import Seat
from rookery.games.bughouse import State, board_of, seat_on
from rookery.games.bughouse.board import freeze

LETTERS: Final = "PNBRQK"  # LETTERS[n - 1] is piece type n
# Team 1's white and team 2's black play on the first board, the others on the second.
SEATS: Final = {1: (Seat(0), Seat(3)), 2: (Seat(2), Seat(1))}  # by team: its white, its black
HOME_RANKS: Final = {chess.WHITE: chess.BB_RANK_1, chess.BLACK: chess.BB_RANK_8}
DOUBLE_STEP: Final = 16  # between the squares of a pawn's first move by two


class Boards:
    """The boards and hands of one game, from its start on."""

    def __init__(self) -> None:
        self.numbers: tuple[int, ...] = ()  # of the first and the second board
        self.players: dict[Seat, int] = {}
        self._sides: dict[int, chess.Board] = {}
        self._hands: dict[int, list[str]] = {}  # by player, in the order of arrival

    @property
    def known(self) -> bool:
        """Whether the client knows the numbers of both boards, and who sits in all four seats."""
        return len(self.numbers) == 2 and len(self.players) == 4

    def seat(self, player: int) -> Seat | None:
        """The seat of a player; None while it is not known."""
        return next((seat for seat, number in self.players.items() if number == player), None)

    def sit(self, team: int, white: int, black: int) -> None:
        """Note which players of a team are its white and its black."""
        self.players |= dict(zip(SEATS[team], (white, black), strict=True))

    def number_of(self, seat: Seat) -> int:
        """The number on the wire of the board of a seat."""
        return self.numbers[board_of(seat) - 1]

    def hand(self, player: int) -> list[str]:
        """The pieces that a player holds, in the order of arrival; the list itself."""
        return self._hands.setdefault(player, [])

    def move(self, number: int, start: chess.Square, end: chess.Square) -> None:
        """Move a piece onto a square, which takes."""
        board = self._side(number)
        promoted = bool(board.promoted & chess.BB_SQUARES[start])
        piece, taken = board.remove_piece_at(start), board.piece_at(end)
        if piece is None:
            return
        board.set_piece_at(end, piece, promoted)
        # A castling rook, and a pawn to be taken en passant, go along out of their turn.
        if piece.color != board.turn:
            return
        board.castling_rights &= ~(chess.BB_SQUARES[start] | chess.BB_SQUARES[end])
        if piece.piece_type == chess.KING:
            board.castling_rights &= ~HOME_RANKS[piece.color]
        pawn = piece.piece_type == chess.PAWN
        passed = (start + end) // 2 if pawn and abs(end - start) == DOUBLE_STEP else None
        _next(board, passed, quiet=not pawn and taken is None)

    def put(self, number: int, player: int, index: int, at: chess.Square) -> None:
        """Drop a held piece, or promote a pawn to it. Raises IndexError."""
        board, letter = self._side(number), self.hand(player).pop(index)
        kind = LETTERS.index(letter) + 1
        pawn = board.piece_at(at)
        # "A promotion is ... a PUT of it, as the last prisoner, where the pawn is."
        if pawn is not None:
            board.set_piece_at(at, chess.Piece(kind, pawn.color), promoted=True)
            return
        # Of a game so far some moves are left out, so the board's own turn may not be right.
        board.turn = self._is_white(number, player, board.turn)
        board.push(chess.Move(at, at, drop=kind))

    def _is_white(self, number: int, player: int, otherwise: bool) -> bool:
        """Whether a player is white on a board; `otherwise` where its team is not known yet."""
        first_team = [self.players.get(seat) for seat in SEATS[1]]
        if number not in self.numbers or None in first_team:
            return otherwise
        return (player in first_team) == (number == self.numbers[0])

    def state(self) -> State | None:
        """The game's state for the rules; None where a king is missing, which cannot be."""
        assert self.known, "who does not know who plays knows no state"
        boards = []
        for n, number in enumerate(self.numbers, 1):
            side = self._side(number)
            if side.king(chess.WHITE) is None or side.king(chess.BLACK) is None:
                return None
            white, black = (
                "".join(self.hand(self.players[seat_on(n, white=colour)]))
                for colour in (True, False)
            )
            boards.append(freeze(side.copy(stack=False), (white, black)))
        return State((boards[0], boards[1]), ((), ()))

    def _side(self, number: int) -> chess.Board:
        return self._sides.setdefault(number, chess.Board())


def _next(board: chess.Board, passed: chess.Square | None, *, quiet: bool) -> None:
    """Give the turn to the other side, and keep the board's counters as chess does."""
    board.ep_square = passed
    board.halfmove_clock = board.halfmove_clock + 1 if quiet else 0
    board.fullmove_number += board.turn == chess.BLACK
    board.turn = not board.turn


def square_at(x: int, y: int) -> chess.Square:
    """The square of file x and rank y, from 0. Raises ValueError off the board."""
    if not (0 <= x < 8 and 0 <= y < 8):
        raise ValueError("That is not on the board.")
    return chess.square(x, y)


def letter_of(kind: int) -> str:
    """The letter of a piece by its number on the wire. Raises ValueError for no piece."""
    if not 1 <= kind <= len(LETTERS):
        raise ValueError("There is no such piece.")
    return LETTERS[kind - 1]
