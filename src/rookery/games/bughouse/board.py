"""One board of the two as a value: where the pieces stand, and what each player holds.

The value keeps python-chess's bitboards and three facts that every move asks for:
whether the side to move is in check, where a drop would be legal, and whether any
piece on the board can move. `thaw` makes a board of python-chess out of it, which
knows how pieces move; `freeze` goes back and works the three facts out.
"""

from collections.abc import Iterator
from struct import Struct as Packing
from typing import Final

import chess
from msgspec import Struct

PIECES: Final = "PNBRQ"  # what can be in a hand; PIECES[n - 1] is python-chess's piece type n
KINDS: Final = {letter: kind for kind, letter in enumerate(PIECES, 1)}

Hands = tuple[str, str]  # white's and black's: letters from PIECES in order of arrival

_KEY: Final = Packing("<9Q?b")


class Board(Struct, frozen=True):
    """Pieces, rights and hands, with the three facts; `quiet` and `number` are those of a FEN."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    white: int
    black: int
    promoted: int  # once pawns, and pawns again when captured
    castling: int  # the rooks that may castle
    whites_turn: bool
    en_passant: int | None  # only where such a capture is legal
    hands: Hands
    quiet: int  # plies since a capture or a pawn's move: the FEN's halfmove clock
    number: int  # the FEN's fullmove number
    checked: bool
    drops: int  # the empty squares where a drop would leave no check
    mobile: bool  # whether the side to move has a legal move other than a drop

    @property
    def plies(self) -> int:
        """How many plies have been made on this board."""
        return 2 * (self.number - 1) + (not self.whites_turn)

    @property
    def hand(self) -> str:
        """The pieces that the side to move holds."""
        return self.hands[0 if self.whites_turn else 1]

    @property
    def mated(self) -> bool:
        """Whether the side to move is mated: no move helps, nor any drop that a hand could get."""
        return self.checked and not self.mobile and not self.drops

    @property
    def stuck(self) -> bool:
        """Whether the side to move has no move now; a piece from the partner may free it."""
        if self.mobile:
            return False
        if self.hand.strip("P"):
            return not self.drops
        return not self.hand or not self.drops & ~chess.BB_BACKRANKS


def thaw(board: Board) -> chess.Board:
    """The same pieces and rights as a board of python-chess, which knows of no hands."""
    thawed = chess.Board(None)
    thawed.pawns = board.pawns
    thawed.knights = board.knights
    thawed.bishops = board.bishops
    thawed.rooks = board.rooks
    thawed.queens = board.queens
    thawed.kings = board.kings
    thawed.occupied_co[chess.WHITE] = board.white
    thawed.occupied_co[chess.BLACK] = board.black
    thawed.occupied = board.white | board.black
    thawed.promoted = board.promoted
    thawed.castling_rights = board.castling
    thawed.turn = board.whites_turn
    thawed.ep_square = board.en_passant
    thawed.halfmove_clock = board.quiet
    thawed.fullmove_number = board.number
    return thawed


def freeze(thawed: chess.Board, hands: Hands) -> Board:
    """The board as a value, with the three facts worked out."""
    ep_square = thawed.ep_square
    if ep_square is not None and not thawed.has_legal_en_passant():
        ep_square = None
    checked, drops = _check(thawed)
    return Board(
        thawed.pawns,
        thawed.knights,
        thawed.bishops,
        thawed.rooks,
        thawed.queens,
        thawed.kings,
        thawed.occupied_co[chess.WHITE],
        thawed.occupied_co[chess.BLACK],
        thawed.promoted,
        thawed.castling_rights,
        thawed.turn,
        ep_square,
        hands,
        thawed.halfmove_clock,
        thawed.fullmove_number,
        checked,
        drops,
        any(thawed.generate_legal_moves()),
    )


def legal_moves(thawed: chess.Board, hand: str) -> Iterator[chess.Move]:
    """Every legal move of the side to move, drops from its hand last."""
    yield from thawed.generate_legal_moves()
    if hand:
        squares = _check(thawed)[1]
        for kind in sorted({KINDS[letter] for letter in hand}):
            allowed = squares & ~chess.BB_BACKRANKS if kind == chess.PAWN else squares
            for square in chess.scan_forward(allowed):
                yield chess.Move(square, square, drop=kind)


def is_mate(thawed: chess.Board) -> bool:
    """Whether the side to move, which has no move, is in a check that no drop could block."""
    checked, drops = _check(thawed)
    return checked and not drops


def spend(hands: Hands, piece: str, *, white: bool) -> Hands:
    """The hands when this side has dropped the earliest of its pieces of this kind."""
    whites, blacks = hands
    if white:
        return whites.replace(piece, "", 1), blacks
    return whites, blacks.replace(piece, "", 1)


def position_key(board: Board) -> bytes:
    """A key that two positions share if all that decides how play can go on is the same.

    The order of a hand does not matter; a promoted mark does, for it says what a capture gives.
    """
    white, black = board.hands
    packed = _KEY.pack(
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.white,
        board.promoted,
        board.castling,
        board.whites_turn,
        -1 if board.en_passant is None else board.en_passant,
    )
    if not white and not black:
        return packed + b"/"
    return packed + f"{''.join(sorted(white))}/{''.join(sorted(black))}".encode()


def _check(thawed: chess.Board) -> tuple[bool, int]:
    """Whether the side to move is in check, and on which squares a drop leaves none."""
    king = thawed.king(thawed.turn)
    assert king is not None, "both kings are on the board"
    checkers = thawed.attackers_mask(not thawed.turn, king)
    if not checkers:
        return False, chess.BB_ALL & ~thawed.occupied
    if checkers & (checkers - 1):
        return True, chess.BB_EMPTY  # nothing blocks two at once
    return True, chess.between(king, chess.msb(checkers))
