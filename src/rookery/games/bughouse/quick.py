"""The quick way of an ordinary move: the board after it, without a board of python-chess.

Nearly every move is a piece that goes where it may while nobody is in check, before or after.
For such a one a few operations on bitboards say whether it is legal, and work out the facts that
the next move needs. Any other kind of move (castling, en passant, promotion, any check, a side
that may be left without a move, a move that may not be legal) gives None, and `rules` asks
python-chess. The tests play both ways side by side.
"""

from typing import Final

import chess
from msgspec import Struct

from rookery.games.bughouse.board import PIECES, Board, Hands

_BIT: Final = chess.BB_SQUARES
_KNIGHT: Final = chess.BB_KNIGHT_ATTACKS
_KING: Final = chess.BB_KING_ATTACKS
_DIAGONAL_MASK, _DIAGONAL = chess.BB_DIAG_MASKS, chess.BB_DIAG_ATTACKS
_FILE_MASK, _FILE = chess.BB_FILE_MASKS, chess.BB_FILE_ATTACKS
_RANK_MASK, _RANK = chess.BB_RANK_MASKS, chess.BB_RANK_ATTACKS
_PAWN: Final = chess.BB_PAWN_ATTACKS  # by colour: what a pawn on a square attacks


class Pieces(Struct, frozen=True, gc=False):
    """Where all pieces stand right after a move, as bitboards."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    movers: int  # all pieces of the side that has moved
    others: int  # all pieces of the side to move now


def quick_go(board: Board, start: int, end: int) -> tuple[Board, str | None] | None:
    """The board after this move, and the piece it captures; None where python-chess must say."""
    white = board.whites_turn
    own, theirs = (board.white, board.black) if white else (board.black, board.white)
    gone, come = _BIT[start], _BIT[end]
    if board.checked or not own & gone or own & come:
        return None
    pawns, kings = board.pawns, board.kings
    if not (_pawn_reaches if pawns & gone else _reaches)(board, start, end, theirs):
        return None
    moved, taken = gone | come, theirs & come
    stay = ~taken
    knights, bishops, rooks, queens = board.knights, board.bishops, board.rooks, board.queens
    pieces = Pieces(
        pawns & stay ^ moved if pawns & gone else pawns & stay,
        knights & stay ^ moved if knights & gone else knights & stay,
        bishops & stay ^ moved if bishops & gone else bishops & stay,
        rooks & stay ^ moved if rooks & gone else rooks & stay,
        queens & stay ^ moved if queens & gone else queens & stay,
        kings ^ moved if kings & gone else kings,
        own ^ moved,
        theirs & stay,
    )
    if _attackers(pieces, pieces.movers, pieces.others, white) or not _is_calm(pieces, white):
        return None
    castling, promoted = board.castling & ~moved, board.promoted & stay
    if kings & gone:
        castling &= ~(chess.BB_RANK_1 if white else chess.BB_RANK_8)
    if promoted & gone:
        promoted ^= moved
    quiet = 0 if taken or pawns & gone else board.quiet + 1
    after = _after(board, pieces, promoted, castling, board.hands, quiet=quiet)
    return after, captured(board, come) if taken else None


def quick_drop(board: Board, kind: int, at: int, hands: Hands) -> Board | None:
    """The board after this drop, which is legal; None where python-chess must say."""
    white, come = board.whites_turn, _BIT[at]
    own, theirs = (board.white, board.black) if white else (board.black, board.white)
    pieces = Pieces(
        board.pawns | come if kind == chess.PAWN else board.pawns,
        board.knights | come if kind == chess.KNIGHT else board.knights,
        board.bishops | come if kind == chess.BISHOP else board.bishops,
        board.rooks | come if kind == chess.ROOK else board.rooks,
        board.queens | come if kind == chess.QUEEN else board.queens,
        board.kings,
        own | come,
        theirs,
    )
    if not _is_calm(pieces, white):
        return None
    return _after(board, pieces, board.promoted, board.castling, hands, quiet=board.quiet + 1)


def captured(board: Board, victim: int) -> str:
    """The letter of the piece on this square, as the partner gets it."""
    if (board.pawns | board.promoted) & victim:
        return "P"
    kinds = (board.knights, board.bishops, board.rooks, board.queens)
    return next(letter for letter, those in zip(PIECES[1:], kinds, strict=True) if those & victim)


def _after(
    board: Board, pieces: Pieces, promoted: int, castling: int, hands: Hands, *, quiet: int
) -> Board:
    """The board after an ordinary move: no check, drops anywhere, and the next side can move."""
    white, movers, others = board.whites_turn, pieces.movers, pieces.others
    return Board(
        pieces.pawns,
        pieces.knights,
        pieces.bishops,
        pieces.rooks,
        pieces.queens,
        pieces.kings,
        movers if white else others,
        others if white else movers,
        promoted,
        castling,
        not white,
        None,
        hands,
        quiet,
        board.number if white else board.number + 1,
        checked=False,
        drops=chess.BB_ALL & ~(movers | others),
        mobile=True,
    )


# -- where pieces get to


def _reaches(board: Board, start: int, end: int, _theirs: int) -> bool:
    """Whether the piece on `start`, which is no pawn, gets to `end`, its king's safety aside."""
    gone, come, occupied = _BIT[start], _BIT[end], board.white | board.black
    if board.knights & gone:
        return bool(_KNIGHT[start] & come)
    if board.kings & gone:
        return bool(_KING[start] & come)
    reach = 0
    if not board.rooks & gone:
        reach = _DIAGONAL[start][_DIAGONAL_MASK[start] & occupied]
    if not board.bishops & gone:
        reach |= _RANK[start][_RANK_MASK[start] & occupied]
        reach |= _FILE[start][_FILE_MASK[start] & occupied]
    return bool(reach & come)


def _pawn_reaches(board: Board, start: int, end: int, theirs: int) -> bool:
    """Whether the pawn captures or steps there, without promotion or risk of en passant."""
    white, come, occupied = board.whites_turn, _BIT[end], board.white | board.black
    takes, ahead = _PAWN[white], 8 if white else -8
    if come & chess.BB_BACKRANKS:
        return False
    if takes[start] & come:
        return bool(come & theirs)
    if end == start + ahead:
        return not come & occupied
    if end != start + 2 * ahead or not _BIT[start] & (chess.BB_RANK_2 | chess.BB_RANK_7):
        return False
    way = come | _BIT[start + ahead]
    return not way & occupied and not takes[start + ahead] & board.pawns & theirs


# -- kings


def _is_calm(pieces: Pieces, white: bool) -> bool:
    """Whether the side to move now is surely in no check and surely has a move."""
    others = pieces.others
    if _attackers(pieces, others, pieces.movers, not white):
        return False
    king = (pieces.kings & others).bit_length() - 1
    occupied = pieces.movers | others
    lines = (
        _DIAGONAL[king][_DIAGONAL_MASK[king] & occupied]
        | _RANK[king][_RANK_MASK[king] & occupied]
        | _FILE[king][_FILE_MASK[king] & occupied]
    )
    free = others & ~lines  # what does not stand next to its king on a line is not pinned
    pawns, knights = pieces.pawns & free, pieces.knights & free
    if (pawns >> 8 if white else pawns << 8) & ~occupied:
        return True
    return any(_KNIGHT[at] & ~others for at in chess.scan_forward(knights))


def _attackers(pieces: Pieces, own: int, theirs: int, white: bool) -> int:
    """The pieces of `theirs` that attack the king of `own`, which has this colour."""
    king, occupied, queens = (pieces.kings & own).bit_length() - 1, own | theirs, pieces.queens
    return theirs & (
        _KNIGHT[king] & pieces.knights
        | _PAWN[white][king] & pieces.pawns
        | _KING[king] & pieces.kings
        | _DIAGONAL[king][_DIAGONAL_MASK[king] & occupied] & (pieces.bishops | queens)
        | _RANK[king][_RANK_MASK[king] & occupied] & (pieces.rooks | queens)
        | _FILE[king][_FILE_MASK[king] & occupied] & (pieces.rooks | queens)
    )
