"""Our own seeded generator: the same seed gives the same draws for ever.

Logs keep a table's seed and not what was dealt from it, so the draws must outlive
every version of Python. The algorithm is SplitMix64 (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", 2014): add a constant to a 64-bit state,
then mix its bits. Whole numbers below n take the remainder, and throw away the few
draws at the top that would favour the small ones. Shuffling is Fisher-Yates from the
end. None of this may change; golden values in the tests hold it still.

One `Chance` belongs to one table, or to one bot, and nobody else draws from it. It is not for
secrets: tokens come from the system.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BITS: Final = 64
_MASK: Final = (1 << SEED_BITS) - 1
_STEP: Final = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio, made odd


class Chance:
    """A stream of draws from one seed."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        assert 0 <= seed <= _MASK, "a seed has 64 bits"
        self._state = seed

    def bits(self) -> int:
        """The next 64 bits."""
        self._state = (self._state + _STEP) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each as likely."""
        assert 0 < n <= _MASK, "there is something to choose from"
        fair = (_MASK + 1) - (_MASK + 1) % n
        while (drawn := self.bits()) >= fair:
            pass
        return drawn % n

    def between(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + self.below(high - low + 1)

    def choice(self, among: Sequence[T]) -> T:
        """One of these things, each as likely."""
        return among[self.below(len(among))]

    def shuffled(self, what: Sequence[T]) -> list[T]:
        """The same things in random order."""
        cards = list(what)
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        return cards
