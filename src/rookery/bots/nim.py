"""Nim, solved: leave rows whose binary sum without carries is nothing, and win.

In misère the same holds until a move would leave only rows of one stick; then an odd
number of them must be left. A side that is lost takes one stick from the longest row, so
that the other has as many chances to go wrong as there can be. Weaker levels take at
random in a stated share of their moves.
"""

from functools import reduce
from operator import xor
from typing import Any, Final

from msgspec import Struct

from rookery.bots.base import Halt, Level, Sight
from rookery.bots.studying import Choice, Studied
from rookery.core.chance import Chance
from rookery.games.nim import NimView


class NimBot(Struct, frozen=True):
    """Plays perfectly but for `errs` per cent of its moves, which are any."""

    errs: int

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose a winning move if there is one and the bot does not err."""
        view = sight.view
        assert isinstance(view, NimView), "a nim bot plays nim"
        if chance.below(100) < self.errs:
            return chance.choice(sight.moves)
        row, take = _best(view.rows, misere=view.misere)
        return f"{row},{take}"


def _best(rows: tuple[int, ...], *, misere: bool) -> tuple[int, int]:
    """A row and how many to take from it: to win if that can be done, else to hold out."""
    longest = max(range(len(rows)), key=lambda row: rows[row])
    many = [row for row, has in enumerate(rows) if has > 1]
    if misere and len(many) <= 1:
        return _last_in_misere(rows, longest)
    total = reduce(xor, rows)
    for row, has in enumerate(rows):
        if has ^ total < has:
            return row, has - (has ^ total)
    return longest, 1


def _last_in_misere(rows: tuple[int, ...], longest: int) -> tuple[int, int]:
    """Leave an odd number of single sticks: all of the one long row, or all but one."""
    singles = sum(1 for has in rows if has) - 1  # those beside the longest row
    keep = 1 - singles % 2
    return longest, max(rows[longest] - keep, 1)


class NimAnalyst(Struct, frozen=True):
    """Studies nim by its theory: each position is known to be won or lost."""

    def study(self, sight: Sight, state: Any, halt: Halt, last: Halt) -> Studied:
        """A winning move, or that there is none."""
        view = sight.view
        assert isinstance(view, NimView), "a nim analyst studies nim"
        row, take = _best(view.rows, misere=view.misere)
        left = tuple(has - take if n == row else has for n, has in enumerate(view.rows))
        won = _is_lost(left, misere=view.misere)
        choice = Choice(f"{row},{take}", float(won), "wins" if won else "loses")
        return Studied((choice,), sum(view.rows), exact=True)


def _is_lost(rows: tuple[int, ...], *, misere: bool) -> bool:
    """Whether who is to move here loses against the best play."""
    if misere and max(rows) <= 1:
        return sum(rows) % 2 == 1
    return reduce(xor, rows) == 0


LEVELS: Final[tuple[Level, ...]] = (
    Level(NimBot(errs=100), 1),
    Level(NimBot(errs=60), 1),
    Level(NimBot(errs=30), 1),
    Level(NimBot(errs=10), 1),
    Level(NimBot(errs=0), 1),
)
ANALYST: Final = NimAnalyst()
