"""Who wants little goes before who wants much; who wants much has a part of the time.

A player asks one thing and waits for the answer; a program that floods asks the next before.
So there are two queues, and in each the order of `shares`. The second is served when nobody
waits in the first, and when it is owed time: one nanosecond in `PART`, whatever others ask.
It mutates.
"""

from typing import Final, Generic, TypeVar

from rookery.server.fairness.shares import Flow, Shares

PART: Final = 5  # one in so many nanoseconds is for those who want much
OWED: Final = 500_000  # nanoseconds that they are owed before they go first
OWED_MAX: Final = 5_000_000


class Claim:
    """Somebody who waits for turns, in one queue or the other. It mutates."""

    __slots__ = ("home", "kind", "little", "much")

    def __init__(self, home: str) -> None:
        self.home = home
        self.little: Flow | None = None  # once it wanted little
        self.much: Flow | None = None  # once it wanted much
        self.kind: Flow | None = None  # which of them had its last turn

    @property
    def waits(self) -> bool:
        """Whether it waits for a turn."""
        little, much = self.little, self.much
        return (little is not None and little.waits) or (much is not None and much.waits)


C = TypeVar("C", bound=Claim)


class Precedence(Generic[C]):
    """Everyone who waits, for little or for much."""

    def __init__(self) -> None:
        self._little = Shares()
        self._much = Shares()
        self._claims: dict[Flow, C] = {}  # of those who wait
        self._owed = 0  # nanoseconds, to those who want much

    def __bool__(self) -> bool:
        """Whether anyone waits."""
        return bool(self._claims)

    @property
    def flooded(self) -> bool:
        """Whether anyone waits who wants much."""
        return bool(self._much)

    @property
    def modest(self) -> bool:
        """Whether anyone waits who wants little."""
        return bool(self._little)

    @property
    def owes(self) -> bool:
        """Whether who wants much has waited long enough for who wants little."""
        return self._owed >= OWED and bool(self._much)

    def leave(self, claim: C) -> None:
        """It wants no more; its home still owes what it took."""
        if claim.little is not None:
            self._little.leave(claim.little)
        if claim.much is not None:
            self._much.leave(claim.much)

    def is_first(self, claim: C) -> bool:
        """Whether this one would be next who wants little; it is to have its turn if so."""
        if not self._claims:
            claim.kind = claim.little
            return True
        claim.kind = flow = self._little_of(claim)
        return self._little.is_first(flow) and not self.owes

    def wait(self, claim: C, *, much: bool) -> None:
        """It wants a turn, for little or for much."""
        if claim.waits:
            return
        shares = self._much if much else self._little
        flow = self._much_of(claim) if much else self._little_of(claim)
        self._claims[flow] = claim
        shares.wait(flow)

    def _little_of(self, claim: C) -> Flow:
        if claim.little is None:
            claim.little = self._little.flow(claim.home)
        return claim.little

    def _much_of(self, claim: C) -> Flow:
        if claim.much is None:
            claim.much = self._much.flow(claim.home)
        return claim.much

    def again(self, claim: C) -> None:
        """It had a turn and wants more; or it was passed over, and waits on."""
        if claim.much is not None and claim.kind is claim.much:
            self._claims[claim.much] = claim
            self._much.again(claim.much)
        else:
            self.wait(claim, much=True)

    def next(self, *, little: bool = False) -> C | None:
        """Whose turn it is, who waits no more; `little`: nobody who wants much and is owed none."""
        owes = self.owes
        if self._little and not owes:
            flow = self._little.next()
        else:
            flow = None if little and not owes else self._much.next()
        if flow is None:
            return None
        claim = self._claims.pop(flow)
        claim.kind = flow
        return claim

    def charge(self, claim: C, spent: int) -> None:
        """Its last turn took so many nanoseconds."""
        kind = claim.kind
        if kind is None:
            return
        if kind is claim.much:
            self._much.charge(kind, spent)
            self._owed = max(0, self._owed - spent)
        else:
            self._little.charge(kind, spent)
            if self._much:
                self._owed = min(OWED_MAX, self._owed + spent // (PART - 1))
