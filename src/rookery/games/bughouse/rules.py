"""What one move does to one board: the new board, the piece captured, the effects.

How pieces move is python-chess's to say; what it does not know, drops and captured
pieces that leave for the other board, is here. So are the reasons of a refusal, each
a code and a sentence. An ordinary move goes by `quick`, which leaves all else to this.
"""

from typing import Final

import chess
from chess import BB_SQUARES, SQUARE_NAMES
from msgspec import Struct

from rookery.core.errors import IllegalMove
from rookery.core.game import Effect
from rookery.core.ids import Seat
from rookery.games.bughouse.board import KINDS, Board, Hands, freeze, spend, thaw
from rookery.games.bughouse.effects import Castled, Dropped, EnPassant, Promoted
from rookery.games.bughouse.notation import Drop, Go
from rookery.games.bughouse.quick import captured, quick_drop, quick_go

# Seats 0 and 1 are white and black on board 1, seats 2 and 3 on board 2. Partners play
# different colours on different boards, so a captured piece keeps its colour when it
# changes hands: it goes to the one who plays that colour on the other board.
TEAMS: Final = (0, 1, 1, 0)
NAMES: Final = ("white on board 1", "black on board 1", "white on board 2", "black on board 2")


def partner(seat: Seat) -> Seat:
    """The other seat of this seat's team."""
    return Seat(3 - seat)


def board_of(seat: Seat) -> int:
    """The board this seat plays on, 1 or 2."""
    return seat // 2 + 1


def is_white(seat: Seat) -> bool:
    """Whether this seat plays white on its board."""
    return seat % 2 == 0


def seat_on(board: int, *, white: bool) -> Seat:
    """The seat that plays this colour on board 1 or 2."""
    return Seat(2 * board - (2 if white else 1))


class Made(Struct, frozen=True, gc=False):
    """The board after a move; `captured` is the piece as the partner gets it."""

    board: Board
    captured: str | None
    effects: tuple[Effect, ...]


def make_go(board: Board, move: Go) -> Made:
    """Move a piece on the board. Raises IllegalMove."""
    if move.promotion is None and (quick := quick_go(board, move.start, move.end)) is not None:
        return Made(*quick, ())
    return plain_go(board, move)


def plain_go(board: Board, move: Go) -> Made:
    """Move a piece on the board by python-chess, any kind of move. Raises IllegalMove."""
    thawed = thaw(board)
    promotion = KINDS[move.promotion] if move.promotion else None
    wanted = chess.Move(move.start, move.end, promotion)
    # A king's targets are not narrowed: python-chess looks for castling at the rook's square.
    targets = chess.BB_ALL if board.kings & BB_SQUARES[move.start] else BB_SQUARES[move.end]
    if wanted not in thawed.generate_legal_moves(BB_SQUARES[move.start], targets):
        raise _go_refusal(thawed, move)
    effects: tuple[Effect, ...] = ()
    victim = move.end
    if thawed.is_en_passant(wanted):
        victim = chess.square(chess.square_file(move.end), chess.square_rank(move.start))
        effects = (EnPassant(move.board, SQUARE_NAMES[victim]),)
    elif thawed.is_castling(wanted):
        effects = (_castled(move),)
    elif move.promotion:
        held = len(board.hand)
        effects = (Promoted(move.board, SQUARE_NAMES[move.end], move.promotion, held),)
    taken = BB_SQUARES[victim] & thawed.occupied
    thawed.push(wanted)
    return Made(freeze(thawed, board.hands), captured(board, taken) if taken else None, effects)


def make_drop(board: Board, seat: Seat, move: Drop) -> Made:
    """Put a piece from the hand on the board. Raises IllegalMove."""
    refusal = _drop_refusal(board, move)
    if refusal is not None:
        raise refusal
    hands = spend(board.hands, move.piece, white=board.whites_turn)
    quick = quick_drop(board, KINDS[move.piece], move.at, hands)
    after = plain_drop(board, move, hands) if quick is None else quick
    return Made(after, None, (Dropped(seat, board.hand.index(move.piece)),))


def plain_drop(board: Board, move: Drop, hands: Hands) -> Board:
    """The board after any legal drop, by python-chess."""
    thawed = thaw(board)
    thawed.push(chess.Move(move.at, move.at, drop=KINDS[move.piece]))
    return freeze(thawed, hands)


def _castled(move: Go) -> Castled:
    rank = SQUARE_NAMES[move.end][1]
    start, end = ("h", "f") if move.end > move.start else ("a", "d")
    return Castled(move.board, start + rank, end + rank)


def _go_refusal(thawed: chess.Board, move: Go) -> IllegalMove:
    """Why this move is not legal, as the error to raise."""
    start, end = SQUARE_NAMES[move.start], SQUARE_NAMES[move.end]
    own = thawed.occupied_co[thawed.turn]
    kind = thawed.piece_type_at(move.start)
    if kind is None:
        return IllegalMove("no_piece", f"There is no piece on {start}.")
    if not own & BB_SQUARES[move.start]:
        return IllegalMove("not_your_piece", f"The piece on {start} is not yours.")
    if own & BB_SQUARES[move.end]:
        return IllegalMove("taken", f"Your own piece stands on {end}.")
    last_rank = kind == chess.PAWN and bool(BB_SQUARES[move.end] & chess.BB_BACKRANKS)
    if move.promotion and not last_rank:
        return IllegalMove("promotion_wrong", "Only a pawn that comes to the last rank promotes.")
    queen = chess.QUEEN if last_rank else None
    possible = chess.Move(move.start, move.end, queen)
    if not thawed.is_pseudo_legal(possible):
        name = chess.piece_name(kind)
        return IllegalMove("illegal", f"The {name} on {start} cannot move to {end}.")
    if thawed.is_into_check(possible):
        return IllegalMove("in_check", "That would leave your king in check.")
    return IllegalMove("promotion_missing", f"Say what the pawn becomes on {end}.")


def _drop_refusal(board: Board, move: Drop) -> IllegalMove | None:
    at, name = SQUARE_NAMES[move.at], chess.piece_name(KINDS[move.piece])
    if move.piece not in board.hand:
        return IllegalMove("not_in_hand", f"You have no {name} in hand.")
    if BB_SQUARES[move.at] & (board.white | board.black):
        return IllegalMove("taken", f"{at} is taken.")
    if move.piece == "P" and BB_SQUARES[move.at] & chess.BB_BACKRANKS:
        return IllegalMove("pawn_rank", "A pawn is not dropped on the first or last rank.")
    if not BB_SQUARES[move.at] & board.drops:
        return IllegalMove("in_check", "That would leave your king in check.")
    return None
