"""The strong player at reversi: looks ahead as far as its nodes carry, to the end if it can.

It looks one move ahead, then two, and so on, and begins each time with what was best the
time before; cut short, it still has the best move so far. Close to the end it searches to
the last square instead.
"""

from typing import Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.reversi.evaluation import WON
from rookery.bots.reversi.lines import Lines, look
from rookery.bots.reversi.search import Child, OutOfNodes, Search
from rookery.core.chance import Chance

_INFINITE: Final = 10 * WON
_DEEPEST: Final = 100  # moves ahead; more than any number of nodes reaches
_WARM_UP: Final = 6  # so deep it looks before it searches to the end, to begin with a good move


class AlphaBetaBot(Struct, frozen=True):
    """Searches to the end when so few squares are empty, and else as deep as the nodes last."""

    exact_from: int

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose the move that is best as far as the search got; of equal ones any."""
        lines, own, theirs = look(sight)
        search = Search(lines, _affordable(lines, nodes), halt)
        # Shuffled first, so that moves of equal rank stand in any order.
        children = chance.shuffled(search.ordered(own, theirs))
        children.sort(key=_rank)
        if len(children) == 1:
            return lines.text(_square(children[0]))
        try:
            for depth in self._depths(lines.empties(own, theirs)):
                _deepen(search, children, depth)
        except OutOfNodes:
            pass
        return lines.text(_square(children[0]))

    def _depths(self, empties: int) -> list[int]:
        """The depths to search, one after the other."""
        if empties > self.exact_from:
            return list(range(1, min(empties, _DEEPEST) + 1))
        return [*range(1, min(_WARM_UP, empties - 1) + 1), empties]


def _deepen(search: Search, children: list[Child], depth: int) -> None:
    """Search to this depth and put the best child first, also if it raises OutOfNodes midway."""
    best = -_INFINITE
    for place, child in enumerate(list(children)):
        _, _, own, theirs = child
        if place:
            got = -search.value(theirs, own, depth - 1, -best - 1, -best)
            if got > best:
                got = -search.value(theirs, own, depth - 1, -_INFINITE, -got)
        else:
            got = -search.value(theirs, own, depth - 1, -_INFINITE, _INFINITE)
        if got > best:
            best = got
            children.remove(child)
            children.insert(0, child)


def _affordable(lines: Lines, nodes: int) -> int:
    """The nodes for this board: fewer on a large one, whose positions take longer."""
    return nodes * 8 // max(lines.size, 8)


def _rank(child: Child) -> int:
    return child[0]


def _square(child: Child) -> int:
    return child[1]
