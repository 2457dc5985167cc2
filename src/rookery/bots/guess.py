"""Bots for guess: halve the numbers that are left, or do worse.

A bot knows only its own guesses and the answers to them; the other seat's answers say nothing,
because its guesses are hidden. Some levels draw their guess anywhere in what is left instead
of its middle, and some forget the answers in a stated share of their guesses.
"""

from typing import Final

from msgspec import Struct

from rookery.bots.base import Halt, Level, Sight
from rookery.core.chance import Chance
from rookery.games.guess import HIGH, LOW, GuessView


class GuessBot(Struct, frozen=True):
    """Guesses in what is left, its middle if it `halves`; `errs` per cent are any number."""

    halves: bool
    errs: int

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose a number of the range to guess."""
        view = sight.view
        assert isinstance(view, GuessView), "a guess bot plays guess"
        if chance.below(100) < self.errs:
            return str(chance.between(view.low, view.high))
        low, high = _left(view)
        return str((low + high) // 2 if self.halves else chance.between(low, high))


def _left(view: GuessView) -> tuple[int, int]:
    """The smallest and the largest number it can still be."""
    low = max((tried.number + 1 for tried in view.own if tried.answer == LOW), default=view.low)
    high = min((tried.number - 1 for tried in view.own if tried.answer == HIGH), default=view.high)
    return max(low, view.low), min(high, view.high)


LEVELS: Final[tuple[Level, ...]] = (
    Level(GuessBot(halves=False, errs=100), 1),
    Level(GuessBot(halves=False, errs=75), 1),
    Level(GuessBot(halves=False, errs=40), 1),
    Level(GuessBot(halves=False, errs=0), 1),
    Level(GuessBot(halves=True, errs=0), 1),
)
