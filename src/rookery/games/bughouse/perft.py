"""Counting the lines of play on one board alone, to compare with published tables.

What is captured leaves for the other board and nothing comes from there, so a hand
only gets smaller. A mate is one line however much depth is left; a player who has no
move and is not mated waits for a piece that never comes, and makes no line at all.
"""

import chess

from rookery.games.bughouse.board import PIECES, Hands, is_mate, legal_moves, spend, thaw
from rookery.games.bughouse.fen import parse_board


def board_perft(fen: str, depth: int) -> int:
    """How many lines of this many plies there are on this board. Raises BadPosition."""
    assert depth >= 0, "a line is no shorter than no move at all"
    board = parse_board(fen)
    return _lines(thaw(board), board.hands, depth)


def _lines(thawed: chess.Board, hands: Hands, depth: int) -> int:
    if depth == 0:
        return 1
    moves = list(legal_moves(thawed, hands[0 if thawed.turn else 1]))
    if not moves:
        return int(is_mate(thawed))
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = hands
        if move.drop is not None:
            after = spend(hands, PIECES[move.drop - 1], white=thawed.turn)
        thawed.push(move)
        total += _lines(thawed, after, depth - 1)
        thawed.pop()
    return total
