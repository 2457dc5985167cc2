"""Three queues, one behind the other: acts first, then small requests, then floods.

A player asks one thing and waits for the answer; a program that floods asks the next before.
So each kind has a queue, and within a queue the order is that of `shares`. A queue is served
when nobody waits in those before it, and when it is owed time: one nanosecond in `PART` of
what those have, whatever they ask. It mutates.
"""

from enum import IntEnum
from typing import Final, Generic, TypeAlias, TypeVar

from rookery.server.fairness.shares import Flow, Shares

PART: Final = 5  # one in so many nanoseconds is for those who wait behind others
OWED: Final = 500_000  # nanoseconds that a queue is owed before it goes first
OWED_MAX: Final = 5_000_000


class Rank(IntEnum):
    """The queue in which a claim waits; lower goes first."""

    ACT = 0  # its request changes something, be it a move: there may be a clock
    LITTLE = 1  # it asks one thing
    MUCH = 2  # it asks for more while it waits


RANKS: Final = tuple(Rank)  # to walk through an enumeration itself takes four times as long


Flows: TypeAlias = tuple[Flow | None, ...]  # one a rank
NO_FLOWS: Final[Flows] = (None,) * len(RANKS)  # of all who never waited


class Claim:
    """A session or speaker that waits for turns, in one of the queues. It mutates."""

    __slots__ = ("flows", "home", "rank", "waits")

    def __init__(self, home: str) -> None:
        self.home = home
        # One for each queue in which it ever waited. A dict would cost an idle session 200 bytes.
        self.flows = NO_FLOWS
        self.rank: Rank | None = None  # that of its last turn
        self.waits = False


C = TypeVar("C", bound=Claim)


class Precedence(Generic[C]):
    """Everyone who waits for a turn, in all three queues."""

    def __init__(self) -> None:
        self._queues: Final = {rank: Shares() for rank in Rank}
        self.claims: dict[Flow, C] = {}  # of those who wait
        self._owed = dict.fromkeys(Rank, 0)  # nanoseconds, to those of this rank

    def __bool__(self) -> bool:
        """Whether anyone waits."""
        return bool(self.claims)

    def waits(self, rank: Rank) -> bool:
        """Whether anyone of this rank waits."""
        return bool(self._queues[rank])

    def leave(self, claim: C) -> None:
        """Forget a claim that wants no more turns; its host still owes what the claim took."""
        for rank, flow in zip(RANKS, claim.flows, strict=True):
            if flow is not None:
                self._queues[rank].leave(flow)

    def is_first(self, claim: C) -> bool:
        """Whether this claim, as one of rank LITTLE, would be next; sets its rank for that."""
        if not self.claims:
            claim.rank = None if claim.flows[Rank.LITTLE] is None else Rank.LITTLE
            return True
        claim.rank = Rank.LITTLE
        first = self._queues[Rank.LITTLE].is_first(self._flow(claim, Rank.LITTLE))
        return first and self._overdue() is None

    def wait(self, claim: C, rank: Rank) -> None:
        """Put the claim into the queue of this rank, unless it waits already."""
        if not claim.waits:
            claim.waits = True
            flow = self._flow(claim, rank)
            self.claims[flow] = claim
            self._queues[rank].wait(flow)

    def _flow(self, claim: C, rank: Rank) -> Flow:
        flow = claim.flows[rank]
        if flow is None:
            flow = self._queues[rank].flow(claim.home)
            claim.flows = (*claim.flows[:rank], flow, *claim.flows[rank + 1 :])
        return flow

    def again(self, claim: C) -> None:
        """Put the claim back, after a turn of it or instead of one, as one who wants much."""
        if claim.rank is not Rank.MUCH:
            self.wait(claim, Rank.MUCH)
        elif not claim.waits:
            claim.waits = True
            flow = self._flow(claim, Rank.MUCH)
            self.claims[flow] = claim
            self._queues[Rank.MUCH].again(flow)

    def next(self, last: Rank = Rank.MUCH) -> C | None:
        """Return the next claim of rank `last` or before, or one owed a turn; None if none is."""
        rank = self._overdue()
        if rank is None:
            rank = next((one for one in RANKS if self._queues[one]), Rank.MUCH)
            if rank > last:
                return None
        flow = self._queues[rank].next()
        if flow is None:
            return None
        claim = self.claims.pop(flow)
        claim.rank, claim.waits = rank, False
        return claim

    def _overdue(self) -> Rank | None:
        """The first rank that waits and is owed enough time to go first; None if none is."""
        for rank, owed in self._owed.items():
            if owed >= OWED and self._queues[rank]:
                return rank
        return None

    def charge(self, claim: C, spent: int, later: int = 0) -> None:
        """Charge the claim for the nanoseconds of its last turn; the ranks behind are owed some.

        `later` is what its turn will cost at another time. The claim and its host owe that too, but
        nobody else waited for it, so those behind are owed no part of it. Who comes into a room of
        480 costs 0.2 ms now and 5 later: a move waited up to 12 ms for those who were owed of that.
        """
        rank = claim.rank
        if rank is None:
            return
        self._queues[rank].charge(self._flow(claim, rank), spent + later)
        self._owed[rank] = max(0, self._owed[rank] - spent)
        for behind in RANKS:
            if behind > rank and self._queues[behind]:
                owed = self._owed[behind] + spent // (PART - 1)
                self._owed[behind] = min(OWED_MAX, owed)
