"""Moves as chess players write them, by the position before them: `exd5`, `N@f3+`, `Qh5#`.

python-chess knows how pieces are told apart. A mate is bughouse's own: a check against which
no piece from the partner would help either. A drop is written as on other servers: `@e4` is a
pawn's.
"""

import chess

from rookery.games.bughouse.board import KINDS, Board, is_mate, thaw
from rookery.games.bughouse.notation import Drop, Go, Move


def san(board: Board, move: Move) -> str:
    """This legal move, in short algebraic notation."""
    thawed = thaw(board)
    match move:
        case Go(start=start, end=end, promotion=letter):
            made = chess.Move(start, end, KINDS[letter] if letter else None)
            text = thawed.san(made).rstrip("+#")
            thawed.push(made)
        case Drop(piece=piece, at=at):
            text = f"{piece.removeprefix('P')}@{chess.SQUARE_NAMES[at]}"
            thawed.set_piece_at(at, chess.Piece(KINDS[piece], board.whites_turn))
            thawed.turn = not thawed.turn
    if not thawed.is_check():
        return text
    return f"{text}#" if is_mate(thawed) and not any(thawed.generate_legal_moves()) else f"{text}+"
