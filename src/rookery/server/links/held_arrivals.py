"""Arrivals on hold: clients that come by one edge while others of their host are at another.

An edge that dies tells nobody so, and its clients call another edge at once. Most of them are
known by where they come from and by their seats being empty, which the hall would see only after
a while. So a client that comes from a host with connections at another edge is heard once that
edge has given a sign of life, some milliseconds later; and an edge that gives none for a second
is gone, with all its connections, as if it had been silent for long. It mutates, and the
outposts own it.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.links.outpost import Home, Lodger, Outpost

PATIENCE: Final[Micros] = MICROS_A_SECOND  # with an edge that was asked for a sign of life
SILENT: Final[Micros] = PATIENCE // 2  # an edge that lives has beaten more often


class Newcomer(Struct, frozen=True):
    """A client that waits for a sign of life of one edge."""

    lodger: Lodger
    since: Micros
    sign: int  # the number of the sign of life it waits for


class HeldArrivals:
    """All who wait; `ask` asks an edge for a sign of life, `enter` lets a client be heard."""

    def __init__(self, ask: Callable[[Outpost], None], enter: Callable[[Lodger], None]) -> None:
        self._ask = ask
        self._enter = enter
        self._waiting: dict[str, deque[Newcomer]] = {}  # by the edge they wait for

    def came(self, lodger: Lodger, home: Home, others: Iterable[Outpost], now: Micros) -> None:
        """Hold a client that may have been at one of these edges, and ask for signs of life."""
        for other in others:
            if other is not lodger.outpost and other.homes[home]:
                other.signs += 1
                lodger.waits += 1
                waiting = self._waiting.setdefault(other.edge, deque())
                waiting.append(Newcomer(lodger, now, other.signs))
                self._ask(other)

    def answered(self, outpost: Outpost) -> None:
        """Let clients in who waited for this sign of life."""
        outpost.answered += 1
        waiting = self._waiting.get(outpost.edge, ())
        while waiting and waiting[0].sign <= outpost.answered:
            self._let_in(outpost.edge)

    def lost(self, edge: str) -> None:
        """Let everyone in who waited for this edge, because it is gone."""
        while edge in self._waiting:
            self._let_in(edge)

    def is_dead(self, outpost: Outpost, now: Micros, silent: Micros) -> bool:
        """Whether this edge, silent for so long, owed a sign of life and gave none.

        If it is not dead, clients who have waited for its sign long enough are let in.
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
