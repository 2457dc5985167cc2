"""Alpha-beta search at reversi: deeper and deeper until the nodes are used up.

The moves of a position are tried best first: the one remembered from before, then by how
few replies they leave. Only the first is given the whole window; the others must prove
that they are better. Searched to the last empty square the answer is exact.

It mutates: one search answers one question, and remembers positions until it is done.
"""

from typing import Final

from rookery.bots.base import Halt
from rookery.bots.reversi.evaluation import WON, final, worth
from rookery.bots.reversi.lines import Lines

_FIRST: Final = -1_000_000  # a rank before all others
_ASK_EVERY: Final = 256  # nodes between two questions whether to stop
_INFINITE: Final = 10 * WON
_KEEP_FROM: Final = 2  # the depth from which a position is worth remembering
_KEEP_MOST: Final = 100_000  # positions remembered at once: some 50 MB on the usual board

# A move's rank (the lowest first), its square, and both sides' discs after it.
Child = tuple[int, int, int, int]

# What is remembered of a position: how deep, the least and the most it is worth, the best move.
Known = tuple[int, int, int, int]
_UNKNOWN: Final[Known] = (-1, -_INFINITE, _INFINITE, -1)


class OutOfNodes(Exception):
    """The search must end here; what it found before stands."""


class Search:
    """Looks at no more than so many positions, and stops when told to."""

    def __init__(self, lines: Lines, nodes: int, halt: Halt) -> None:
        self._lines = lines
        self._left = nodes
        self._ask_at = nodes - 1
        self._halt = halt
        self._known: dict[tuple[int, int], Known] = {}

    def value(self, own: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """What the side to move gets: exact between alpha and beta, else on their far side.

        Raises OutOfNodes.
        """
        self._count(1)
        if depth <= 0:
            return worth(self._lines, own, theirs)
        if depth < _KEEP_FROM:
            return self._leaves(own, theirs, alpha, beta)
        known = self._known.get((own, theirs), _UNKNOWN)
        if known[0] >= depth:
            alpha, beta = max(alpha, known[1]), min(beta, known[2])
            if alpha >= beta:
                return known[1] if known[1] >= beta else known[2]
        moves = self._lines.moves(own, theirs)
        if not moves:
            return self._passed(own, theirs, depth, alpha, beta)
        return self._inner(
            (own, theirs), depth, alpha, beta, self.ordered(own, theirs, moves, known[3])
        )

    def _inner(
        self, key: tuple[int, int], depth: int, alpha: int, beta: int, children: list[Child]
    ) -> int:
        """The best of the children, remembered under this key."""
        best, best_at, floor = -_INFINITE, -1, alpha
        for _, at, own, theirs in children:
            if best_at >= 0:
                got = -self.value(theirs, own, depth - 1, -floor - 1, -floor)
                if floor < got < beta:
                    got = -self.value(theirs, own, depth - 1, -beta, -got)
            else:
                got = -self.value(theirs, own, depth - 1, -beta, -floor)
            if got > best:
                best, best_at = got, at
                if got > floor:
                    floor = got
                    if got >= beta:
                        break
        low = best if best > alpha else -_INFINITE
        high = best if best < beta else _INFINITE
        if len(self._known) >= _KEEP_MOST:
            self._known.clear()
        self._known[key] = (depth, low, high, best_at)
        return best

    def ordered(self, own: int, theirs: int, moves: dict[int, int], first: int = -1) -> list[Child]:
        """The moves from the most promising on, each with both sides' discs after it."""
        lines = self._lines
        marks, full, edges = lines.marks, lines.full, lines.edges
        found = []
        for at, flips in moves.items():
            mark = marks[at]
            after_own, after_theirs = own | mark | flips, theirs ^ flips
            empty = full ^ after_own ^ after_theirs
            replies = (((after_theirs << 1) & after_own) + after_own) & empty
            rank = replies.bit_count() + ((after_own << 1) & empty).bit_count() // 2
            if mark & edges:
                rank -= 20
            found.append((rank if at != first else _FIRST, at, after_own, after_theirs))
        found.sort()
        return found

    def _leaves(self, own: int, theirs: int, alpha: int, beta: int) -> int:
        """The last move before the guess: nothing to order and nothing to remember."""
        lines = self._lines
        marks = lines.marks
        moves = lines.moves(own, theirs)
        if not moves:
            return self._passed(own, theirs, 1, alpha, beta)
        best = -_INFINITE
        tried = 0
        for at, flips in moves.items():
            tried += 1
            got = -worth(lines, theirs ^ flips, own | marks[at] | flips)
            if got > best:
                best = got
                if got >= beta:
                    break
        self._count(tried)
        return best

    def _passed(self, own: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """Passing costs no depth: there was nothing to choose."""
        if not self._lines.can_move(theirs, own):
            return final(self._lines, own, theirs)
        return -self.value(theirs, own, depth, -beta, -alpha)

    def _count(self, nodes: int) -> None:
        self._left -= nodes
        if self._left <= self._ask_at:
            if self._left < 0 or self._halt():
                raise OutOfNodes
            self._ask_at = self._left - _ASK_EVERY
