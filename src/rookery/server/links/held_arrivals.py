"""Arrivals on hold: who comes by one edge, while others of its host are known to be at another.

An edge that dies tells nobody so, and its clients call another one at once. Most of them are known
by where they come from and by their seats being empty, which the hall would see only after a while.
So who comes from where somebody is connected elsewhere is heard when that edge has given a sign of
life, some milliseconds later; and an edge that gives none for a second is gone, with all its
connections, as if it had been silent for long. It mutates, and the outposts own it.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.links.outpost import Home, Lodger, Outpost

PATIENCE: Final[Micros] = MICROS_A_SECOND  # with an edge that was asked
SILENT: Final[Micros] = PATIENCE // 2  # who lives has beaten more often


class Newcomer(Struct, frozen=True):
    """Somebody who waits for a sign of life of an edge."""

    lodger: Lodger
    since: Micros
    sign: int  # the number of the one that was asked for


class HeldArrivals:
    """Everyone who waits; `ask` asks an edge for a sign of life, `enter` hears who has waited."""

    def __init__(self, ask: Callable[[Outpost], None], enter: Callable[[Lodger], None]) -> None:
        self._ask = ask
        self._enter = enter
        self._waiting: dict[str, deque[Newcomer]] = {}  # by the edge they wait for

    def came(self, lodger: Lodger, home: Home, others: Iterable[Outpost], now: Micros) -> None:
        """Somebody came who may have been at one of these edges before."""
        for other in others:
            if other is not lodger.outpost and other.homes[home]:
                other.signs += 1
                lodger.waits += 1
                waiting = self._waiting.setdefault(other.edge, deque())
                waiting.append(Newcomer(lodger, now, other.signs))
                self._ask(other)

    def answered(self, outpost: Outpost) -> None:
        """An edge has given a sign of life."""
        outpost.answered += 1
        waiting = self._waiting.get(outpost.edge, ())
        while waiting and waiting[0].sign <= outpost.answered:
            self._let_in(outpost.edge)

    def lost(self, edge: str) -> None:
        """An edge is gone: nobody waits for it any more."""
        while edge in self._waiting:
            self._let_in(edge)

    def is_dead(self, outpost: Outpost, now: Micros, silent: Micros) -> bool:
        """Whether an edge that has been silent for so long should have given a sign of life.

        Where it is not, who has waited for that long enough is let in.
        """
        waiting = self._waiting.get(outpost.edge, ())
        while waiting and now - waiting[0].since > PATIENCE:
            if silent > SILENT:
                return True
            self._let_in(outpost.edge)  # only the question was lost, or the answer
        return False

    def _let_in(self, edge: str) -> None:
        waiting = self._waiting[edge]
        lodger = waiting.popleft().lodger
        if not waiting:
            del self._waiting[edge]
        lodger.waits -= 1
        if not lodger.waits:
            self._enter(lodger)
