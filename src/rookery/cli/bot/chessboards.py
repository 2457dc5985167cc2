"""Two boards of bughouse as a bot keeps them: what it was told, with the rules' own rights.

The wire tells of pieces that go from square to square. What it does not tell, who may
castle and which pawn has just passed, follows from that, so that the game's own rules can
say what is legal. Players and boards go by the numbers of the wire.
"""

import chess

from rookery.cli.persons.bughouse_boards import LETTERS
from rookery.core.ids import Micros, Seat
from rookery.games.bughouse import Bughouse, State, board_of, seat_on
from rookery.games.bughouse.board import freeze

HOME_RANKS = {chess.WHITE: chess.BB_RANK_1, chess.BLACK: chess.BB_RANK_8}
DOUBLE_STEP = 16  # between the squares of a pawn's first move by two


class Chessboards:
    """A game from its start on. It mutates."""

    def __init__(self) -> None:
        self.numbers: tuple[int, ...] = ()  # of the first and the second board
        self.players: dict[Seat, int] = {}
        self._sides: dict[int, chess.Board] = {}
        self._hands: dict[int, list[str]] = {}  # by player, in the order of arrival
        self._clocks: dict[int, tuple[Micros, Micros]] = {}  # by board: white's and black's

    @property
    def known(self) -> bool:
        """Whether it is known who sits where."""
        return len(self.numbers) == 2 and len(self.players) == 4

    @property
    def left(self) -> tuple[Micros, ...] | None:
        """What is on the clocks by seat, once both boards' were told."""
        if not self.known or not all(number in self._clocks for number in self.numbers):
            return None
        return tuple(left for number in self.numbers for left in self._clocks[number])

    def seat(self, player: int) -> Seat | None:
        """Where this player sits, as far as is known."""
        return next((seat for seat, number in self.players.items() if number == player), None)

    def number_of(self, seat: Seat) -> int:
        """The board of this seat, as the wire has it."""
        return self.numbers[board_of(seat) - 1]

    def hand(self, player: int) -> list[str]:
        """What a player holds."""
        return self._hands.setdefault(player, [])

    def clock(self, number: int, white: Micros, black: Micros) -> None:
        """What is left on the clocks of a board."""
        self._clocks[number] = white, black

    def move(self, number: int, start: chess.Square, end: chess.Square) -> None:
        """A piece goes, and whatever stood there is gone."""
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
        self._next(board, passed, quiet=not pawn and taken is None)

    def put(self, number: int, player: int, index: int, at: chess.Square) -> None:
        """A prisoner is dropped, or a pawn becomes it. Raises IndexError if nobody holds it."""
        board = self._side(number)
        kind = LETTERS.index(self.hand(player).pop(index)) + 1
        pawn = board.piece_at(at)
        # "A promotion is ... a PUT of it, as the last prisoner, where the pawn is."
        if pawn is not None:
            board.set_piece_at(at, chess.Piece(kind, pawn.color), promoted=True)
            return
        board.push(chess.Move(at, at, drop=kind))

    def state(self) -> State | None:
        """How the game stands; None where what was told cannot be."""
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

    def moves(self, state: State, seat: Seat) -> tuple[str, ...]:
        """What this seat may play."""
        game = Bughouse()
        return tuple(map(game.format_move, game.legal_moves(state, seat)))

    def _next(self, board: chess.Board, passed: chess.Square | None, *, quiet: bool) -> None:
        """The other side is on turn."""
        board.ep_square = passed
        board.halfmove_clock = board.halfmove_clock + 1 if quiet else 0
        board.fullmove_number += board.turn == chess.BLACK
        board.turn = not board.turn

    def _side(self, number: int) -> chess.Board:
        return self._sides.setdefault(number, chess.Board())
