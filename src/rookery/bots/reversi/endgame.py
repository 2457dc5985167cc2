"""The end of a reversi game, solved: how many discs ahead the side to move comes out.

Nothing is guessed here. A position is searched to the last square, the moves first that leave
the other side the fewest replies, and each after the first must only prove that it is better.
Positions with more than a few free squares are remembered. `Endgame` raises `OutOfTime` where
it is told to stop, and then it has found out nothing.

One endgame answers one question, and remembers positions until it is done.
"""

from typing import Final

from rookery.bots.base import Halt
from rookery.bots.reversi.lines import Lines

_ASK_EVERY: Final = 512  # positions between two questions whether to stop
_ORDER_FROM: Final = 5  # free squares from which it pays to order moves, and to remember
_PROBE_FROM: Final = 7  # … and to ask of every move first whether it is remembered
_KEEP_MOST: Final = 700_000  # positions remembered at once: some 200 MB
_MOST: Final = 10_000  # more discs than a board has

# What is remembered: the least and the most it is worth, and the best move.
_Known = tuple[int, int, int]


class OutOfTime(Exception):
    """The endgame was told to stop, and has found out nothing."""


class Endgame:
    """Solves positions of one board."""

    def __init__(self, lines: Lines, halt: Halt) -> None:
        self._lines = lines
        self._halt = halt
        self._asked = _ASK_EVERY
        self._known: dict[int, _Known] = {}
        self._shift = lines.once.bit_length()
        self.looked = 0  # positions so far

    def margin(self, own: int, theirs: int, alpha: int = -_MOST, beta: int = _MOST) -> int:
        """The lead of who moves, in the end: exact between alpha and beta. Raises OutOfTime."""
        return self._solve(own, theirs, self._lines.empties(own, theirs), alpha, beta)

    def _solve(self, own: int, theirs: int, free: int, alpha: int, beta: int) -> int:
        self.looked += 1
        if self.looked > self._asked:
            self._asked += _ASK_EVERY
            if self._halt():
                raise OutOfTime
        moves = self._lines.moves(own, theirs)
        if not moves:
            if not self._lines.can_move(theirs, own):
                return self._lines.lead(own, theirs)
            return -self._solve(theirs, own, free, -beta, -alpha)
        if free >= _ORDER_FROM:
            return self._ordered((own, theirs), free, alpha, beta, moves)
        marks, best = self._lines.marks, -_MOST
        for at, flips in moves.items():
            after = own | marks[at] | flips
            if free == 1:  # the board is full now
                return self._lines.lead(after, theirs ^ flips)
            got = -self._solve(theirs ^ flips, after, free - 1, -beta, -max(alpha, best))
            if got > best:
                best = got
                if got >= beta:
                    break
        return best

    def _ordered(
        self, sides: tuple[int, int], free: int, alpha: int, beta: int, moves: dict[int, int]
    ) -> int:
        lines, (own, theirs) = self._lines, sides
        key = (own & lines.once) << self._shift | theirs & lines.once
        low, high, first = self._known.get(key, (-_MOST, _MOST, -1))
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return low if low >= beta else high
        ranked = self._ranked(own, theirs, moves, first)
        if free >= _PROBE_FROM:
            refuted, at = self._refuted(ranked, beta)
            if at >= 0:
                self._known[key] = (max(low, refuted), high, at)
                return refuted
        best, best_at, floor = -_MOST, -1, alpha
        for _, at, mine, other in ranked:
            if best_at < 0:
                got = -self._solve(other, mine, free - 1, -beta, -floor)
            else:
                got = -self._solve(other, mine, free - 1, -floor - 1, -floor)
                if floor < got < beta:
                    got = -self._solve(other, mine, free - 1, -beta, -got)
            if got > best:
                best, best_at = got, at
                if got > floor:
                    floor = got
                    if got >= beta:
                        break
        if len(self._known) >= _KEEP_MOST:
            self._known.clear()
        self._known[key] = (
            max(low, best) if best > alpha else low,
            min(high, best) if best < beta else high,
            best_at,
        )
        return best

    def _refuted(self, ranked: list[tuple[int, int, int, int]], beta: int) -> tuple[int, int]:
        """The value and square of a move already known to reach `beta`; square -1 for none."""
        once, shift, known = self._lines.once, self._shift, self._known
        for _, at, mine, other in ranked:
            found = known.get((other & once) << shift | mine & once)
            if found is not None and -found[1] >= beta:
                return -found[1], at
        return -_MOST, -1

    def _ranked(
        self, own: int, theirs: int, moves: dict[int, int], first: int
    ) -> list[tuple[int, int, int, int]]:
        """The moves, those first that leave the fewest replies; corners are worth some."""
        lines = self._lines
        marks, full, edges = lines.marks, lines.full, lines.edges
        found = []
        for at, flips in moves.items():
            mine, other = own | marks[at] | flips, theirs ^ flips
            empty = full ^ mine ^ other
            ends = (((other << 1) & mine) + mine) & empty
            rank = ends.bit_count() * 4 + ((mine << 1) & empty).bit_count()
            if marks[at] & edges:
                rank -= 30
            found.append((-_MOST if at == first else rank, at, mine, other))
        found.sort()
        return found
