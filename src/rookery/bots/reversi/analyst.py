"""How a reversi position stands, in discs: guessed ever deeper, and proved close to the end.

With so few squares free that the end can be read, it is: the best move and its margin are then
exact (`endgame`). Before, all moves are looked at to the same depth, and each has its own
value.
"""

from math import exp
from typing import Any, Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.reversi.endgame import Endgame, OutOfTime
from rookery.bots.reversi.evaluation import WON
from rookery.bots.reversi.lines import Lines, look
from rookery.bots.reversi.search import Child, OutOfNodes, Search
from rookery.bots.studying import CHOICES_MAX, Choice, Studied

EXACT_FROM: Final = 16  # free squares: mostly under ten seconds, and never over the study's time
_NODES: Final = 10_000_000  # its time is up long before
_NEAR: Final = 3  # discs by which a guess is mostly wrong
_INFINITE: Final = 10 * WON
_STEEP: Final = 800  # hundredths of a disc by which three of four games are won


class ReversiAnalyst(Struct, frozen=True):
    """Looks all moves over, as deep as it has time for."""

    def study(self, sight: Sight, state: Any, halt: Halt, last: Halt) -> Studied:
        """Search this position, and tell what its moves are worth, the best first."""
        lines, own, theirs = look(sight)
        search = Search(lines, _NODES, halt)
        children = search.ordered(own, theirs)
        free = lines.empties(own, theirs)
        values, depth = _guessed(search, children, free)
        if depth < free <= EXACT_FROM:
            solved = _solved(lines, values, last)
            if solved is not None:
                return Studied(solved, free, exact=True)
        choices = tuple(_choice(lines, value, child) for value, child in values[:CHOICES_MAX])
        return Studied(choices, depth, exact=depth == free)


def _solved(lines: Lines, values: list[tuple[int, Child]], halt: Halt) -> tuple[Choice, ...] | None:
    """The best move and its exact margin, and bounds for the others; None: there was no time."""
    endgame = Endgame(lines, halt)
    found: list[tuple[int, int]] = []
    best = -_INFINITE
    try:
        for value, child in values:
            if found:
                got = -endgame.margin(child[3], child[2], -_INFINITE, -best)
            else:
                got = _near(endgame, child, round(value / 100), lines.size**2 + 1)
            found.append((got, child[1]))
            best = max(best, got)
    except OutOfTime:
        return None
    # Equal ones stand as they were tried: of those only the first is proved to be as good.
    found.sort(key=lambda one: -one[0])
    return tuple(
        _proved(lines, at, margin, "" if not place else "at most ")
        for place, (margin, at) in enumerate(found[:CHOICES_MAX])
    )


def _near(endgame: Endgame, child: Child, guess: int, most: int) -> int:
    """The exact margin of a move, searched in a small window about the guess, which is quicker."""
    guess = max(_NEAR - most, min(most - _NEAR, guess))
    low, high = guess - _NEAR, guess + _NEAR
    while True:
        got = -endgame.margin(child[3], child[2], -high, -low)
        if got <= low > -most:
            low, high = -most, got + 1
        elif got >= high < most:
            low, high = got - 1, most
        else:
            return got


def _proved(lines: Lines, at: int, margin: int, how: str) -> Choice:
    return Choice(lines.text(at), (margin > 0) + (margin == 0) / 2, f"{how}{margin:+d} discs")


def _guessed(
    search: Search, children: list[Child], free: int
) -> tuple[list[tuple[int, Child]], int]:
    """All moves with their values, the best first, and the depth that time allowed."""
    values = [(0, child) for child in children]
    deepest = 0
    try:
        for depth in range(1, free + 1):
            looked = [
                (-search.value(child[3], child[2], depth - 1, -_INFINITE, _INFINITE), child)
                for _, child in values
            ]
            values = sorted(looked, key=lambda one: -one[0])
            deepest = depth
    except OutOfNodes:
        pass
    return values, deepest


def _choice(lines: Lines, value: int, child: Child) -> Choice:
    if abs(value) >= WON:
        margin = value - WON if value > 0 else value + WON
        return Choice(lines.text(child[1]), float(margin > 0), f"{margin:+d} discs")
    return Choice(lines.text(child[1]), 1 / (1 + exp(-value / _STEEP)), f"{value / 100:+.1f} discs")
