"""Alpha-beta on one board: deeper and deeper while nodes are left, captures to the end.

A mate is a check that no drop could end, not even of a piece that is not in hand. A side that
is in check, has no move and might be saved by a piece is stuck: bad, and not lost. Below the
root the search looks only at drops near the enemy's king, and at those that end a check.
"""

from typing import Final

from rookery.bots.base import Halt
from rookery.bots.bughouse.moves import drops, goes, is_legal, sharp_drops, takes
from rookery.bots.bughouse.quick import HAND, Move, Quick
from rookery.bots.bughouse.safety import judge
from rookery.bots.bughouse.worth import VALUES

MATE: Final = 100_000
LOST: Final = -MATE + 1000  # at or below this there is a mate in sight
STUCK: Final = 700  # what it costs to have to wait for a piece
CHAIN: Final = 6  # captures in a row that are looked at
DEEPEST: Final = 12
ASK_EVERY: Final = 255  # a mask: of 256 nodes, at one it is asked whether to stop

DROP: Final = 60  # how early a drop is tried
# By the piece that is taken and the one that takes: much by little first.
_TAKES: Final = tuple(
    tuple(10_000 + 10 * VALUES[taken & 7] - VALUES[by & 7] for by in range(16))
    for taken in range(16)
)
_BECOMES: Final = tuple(20 * value for value in VALUES)  # by what a pawn becomes

_Entry = tuple[int, int, int, Move | None]  # depth, bound, value, best
_EXACT, _LOWER, _UPPER = range(3)


class Search:
    """One search on one board; it counts the positions it has looked at."""

    def __init__(self, board: Quick, nodes: int, halt: Halt) -> None:
        self._board = board
        self._left, self._halt = nodes, halt
        self.stopped = halt()
        self._table: dict[object, _Entry] = {}
        self._history: dict[Move, int] = {}

    def best(self, moves: list[Move], depth: int) -> tuple[Move, int]:
        """The best of these moves and its value for the side to move, as far as the search got."""
        ranked = list(moves)
        self._sort(ranked)
        best, value = ranked[0], 0
        for deep in range(1, depth + 1):
            found, top = self._root(ranked, deep)
            if found is not None:
                best, value = found, top
                ranked.remove(best)
                ranked.insert(0, best)
            if self.stopped or abs(value) >= -LOST:
                break
        return best, value

    def _root(self, ranked: list[Move], depth: int) -> tuple[Move | None, int]:
        """The best move at this depth and its value; cut short, of the moves that were finished."""
        board, best, top = self._board, None, -MATE
        for move in ranked:
            passed = board.en_passant
            undo = board.make(move)
            value = -self._value(depth - 1, -MATE, -top, 1, checked=board.checks(move, passed))
            board.unmake(move, undo)
            if self.stopped:
                break
            if value > top or best is None:
                best, top = move, value
        return best, top

    def _value(self, depth: int, alpha: int, beta: int, ply: int, *, checked: bool) -> int:
        """What the position is worth to the side to move, which is in check or not."""
        self._left -= 1
        if self._left & ASK_EVERY == 0 or self._left <= 0:
            self._ask()
        if self.stopped:
            return 0
        board = self._board
        if checked:
            depth += 1
        if depth <= 0 or ply >= DEEPEST:
            return self._quiet(alpha, beta, CHAIN, checked=checked)
        key = board.key()
        known = self._table.get(key)
        first = None
        if known is not None:
            deep, bound, value, first = known
            if deep >= depth and (
                bound == _EXACT
                or (bound == _LOWER and value >= beta)
                or (bound == _UPPER and value <= alpha)
            ):
                return value
        best, top = self._loop(depth, alpha, beta, ply, checked=checked, first=first)
        if not self.stopped:
            bound = _LOWER if top >= beta else _UPPER if top <= alpha else _EXACT
            self._table[key] = (depth, bound, top, best)
        return top

    def _loop(
        self, depth: int, alpha: int, beta: int, ply: int, *, checked: bool, first: Move | None
    ) -> tuple[Move | None, int]:
        board, best, top, tried = self._board, None, -MATE, 0
        # So near the end a quiet move does not make up for what is missing.
        hopeless = depth == 1 and not checked and judge(board) + 150 <= alpha
        passed = board.en_passant
        for move in self._moves(first, checked=checked):
            calm = move[0] != HAND and not board.cells[move[1]] and not move[2]
            if hopeless and calm and tried:
                continue
            undo = board.make(move)
            if board.exposes(move, passed, checked=checked):
                board.unmake(move, undo)
                continue
            tried += 1
            less = 2 if calm and tried > 6 and depth > 1 and not checked else 1
            floor, check = max(alpha, top), board.checks(move, passed)
            value = -self._value(depth - less, -beta, -floor, ply + 1, checked=check)
            if less == 2 and value > floor:
                value = -self._value(depth - 1, -beta, -floor, ply + 1, checked=check)
            board.unmake(move, undo)
            if value > top:
                best, top = move, value
            if self.stopped or top >= beta:
                self._history[move] = self._history.get(move, 0) + depth * depth
                break
        if not tried:
            return None, self._nothing(ply, checked=checked)
        return best, top

    def _nothing(self, ply: int, *, checked: bool) -> int:
        """The value of a position in which no move was worth looking at: mate, stuck, or quiet."""
        if not checked:
            return judge(self._board) - (0 if any(self._board.hands[self._board.side]) else STUCK)
        return judge(self._board) - STUCK if self._board.guards() else ply - MATE

    def _moves(self, first: Move | None, *, checked: bool) -> list[Move]:
        board = self._board
        moves = goes(board)
        moves += drops(board, board.guards()) if checked else sharp_drops(board)
        self._sort(moves)
        if first is not None and first in moves:
            moves.remove(first)
            moves.insert(0, first)
        return moves

    def _sort(self, moves: list[Move]) -> None:
        """Captures of much by little first, then drops and what was good elsewhere."""
        cells, history = self._board.cells, self._history
        ranks: dict[Move, int] = {}
        for move in moves:
            start, end, kind = move
            if start == HAND:
                ranks[move] = DROP + history.get(move, 0)
            elif victim := cells[end]:
                ranks[move] = _TAKES[victim][cells[start]]
            else:
                ranks[move] = _BECOMES[kind] + history.get(move, 0)
        moves.sort(key=ranks.__getitem__, reverse=True)

    def _quiet(self, alpha: int, beta: int, chain: int, *, checked: bool) -> int:
        """The worth once nobody wants to capture any more."""
        board = self._board
        top = judge(board)
        if top >= beta or chain == 0:
            return top
        moves = takes(board)
        if len(moves) > 1:
            self._sort(moves)
        passed = board.en_passant
        for move in moves:
            gain = 2 * VALUES[board.cells[move[1]] & 7] + 200
            if top + gain <= alpha and not move[2]:
                continue
            self._left -= 1
            if self._left & ASK_EVERY == 0 or self._left <= 0:
                self._ask()
            undo = board.make(move)
            if not board.exposes(move, passed, checked=checked):
                check = chain > 1 and board.checks(move, passed)  # nobody asks after the last
                value = -self._quiet(-beta, -max(alpha, top), chain - 1, checked=check)
                top = max(top, value)
            board.unmake(move, undo)
            if self.stopped or top >= beta:
                break
        return top

    def _ask(self) -> None:
        """Stop the search where no nodes are left, or the caller halts it."""
        if self._left <= 0 or self._halt():
            self.stopped = True


def mates(board: Quick, move: Move) -> bool:
    """Whether this legal move is mate."""
    undo = board.make(move)
    mated = board.checked() and not board.guards() and not _escapes(board)
    board.unmake(move, undo)
    return mated


def _escapes(board: Quick) -> bool:
    return any(is_legal(board, move) for move in goes(board))
