"""Alpha-beta search at reversi: deeper and deeper until the nodes are used up.

The moves of a position are tried best first: the one remembered from before, then by how
few replies they leave. Only the first is given the whole window; the others must prove
that they are better. Searched to the last empty square the answer is exact.

One search answers one question, and remembers positions until it is done.
"""

from typing import Final

from rookery.bots.base import Halt
from rookery.bots.reversi.evaluation import WON, final, worth
from rookery.bots.reversi.leaves import Leaves
from rookery.bots.reversi.lines import Lines

_FIRST: Final = -1_000_000  # a rank before all others
_ASK_EVERY: Final = 256  # nodes between two questions whether to stop
_INFINITE: Final = 10 * WON
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
        self._ends = Leaves(lines)

    def value(self, own: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """The value for the side to move: exact between alpha and beta, else on their far side.

        Raises OutOfNodes.
        """
        self._left -= 1
        if self._left <= self._ask_at:
            self._ask()
        if depth <= 1:
            if depth <= 0:
                return worth(self._lines, own, theirs)
            return self._leaves(own, theirs, alpha, beta)
        key = (own, theirs)
        deep, low, high, first = self._known.get(key, _UNKNOWN)
        if deep >= depth:
            alpha, beta = max(alpha, low), min(beta, high)
            if alpha >= beta:
                return low if low >= beta else high
        if not self._lines.can_move(own, theirs):
            return self._passed(own, theirs, depth, alpha, beta)
        best, best_at = self._best(key, depth, alpha, beta, first)
        low = best if best > alpha else -_INFINITE
        high = best if best < beta else _INFINITE
        if len(self._known) >= _KEEP_MOST:
            self._known.clear()
        self._known[key] = (depth, low, high, best_at)
        return best

    def _best(
        self, sides: tuple[int, int], depth: int, alpha: int, beta: int, first: int
    ) -> tuple[int, int]:
        """The value and square of the best move. `first` is tried first.

        Where that move is enough, as it often is, the others are not even generated.
        """
        own, theirs = sides
        best, best_at, floor = -_INFINITE, first, alpha
        if first >= 0:
            flips = self._lines.turned(own, theirs, first)
            after, others = own | self._lines.marks[first] | flips, theirs ^ flips
            best = -self.value(others, after, depth - 1, -beta, -alpha)
            if best >= beta:
                return best, first
            floor = max(best, alpha)
        for _, at, after, others in self.ordered(own, theirs):
            if at == first:
                continue
            if best_at < 0:
                got = -self.value(others, after, depth - 1, -beta, -floor)
            else:
                got = -self.value(others, after, depth - 1, -floor - 1, -floor)
                if floor < got < beta:
                    got = -self.value(others, after, depth - 1, -beta, -got)
            if got > best:
                best, best_at = got, at
                if got > floor:
                    floor = got
                    if got >= beta:
                        break
        return best, best_at

    def ordered(self, own: int, theirs: int) -> list[Child]:
        """The moves from the most promising on, each with both sides' discs after it."""
        lines = self._lines
        marks, edges, empty = lines.marks, lines.edges, lines.full ^ own ^ theirs
        found = []
        for at, flips in lines.moves(own, theirs).items():
            mark = marks[at]
            after, others, left = own | mark | flips, theirs ^ flips, empty ^ mark
            replies = (((others << 1) & after) + after) & left
            rank = replies.bit_count() + ((after << 1) & left).bit_count() // 2
            if mark & edges:
                rank -= 20
            found.append((rank, at, after, others))
        found.sort()
        return found

    def _leaves(self, own: int, theirs: int, alpha: int, beta: int) -> int:
        """The last move before the guess: nothing to order."""
        found = self._ends.best(own, theirs, beta)
        if found is None:
            return self._passed(own, theirs, 1, alpha, beta)
        best, tried = found
        self._left -= tried
        return best

    def _passed(self, own: int, theirs: int, depth: int, alpha: int, beta: int) -> int:
        """Passing costs no depth: there was nothing to choose."""
        if not self._lines.can_move(theirs, own):
            return final(self._lines, own, theirs)
        return -self.value(theirs, own, depth, -beta, -alpha)

    def _ask(self) -> None:
        if self._left < 0 or self._halt():
            raise OutOfNodes
        self._ask_at = self._left - _ASK_EVERY
