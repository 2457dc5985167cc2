"""What a client sent ahead: requests that wait while an earlier one is before the hall.

Dialects whose answers hang on what was decided before take one request at a time. With
enough of them waiting the connection reads no more; whoever sends on all the same, or
sends more than a line may have, is told so once the rest is answered, and hung up on.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from rookery.dialects.limits import ENOUGH

Q = TypeVar("Q")


class Inbox(Generic[Q]):
    """Requests in the order they came. It mutates, and one dialect owns it."""

    __slots__ = ("_limit", "_too_long", "_too_many", "_waiting", "deaf", "last_words")

    def __init__(self, limit: int, *, too_long: str, too_many: str) -> None:
        self.deaf = False  # nothing more is read
        self.last_words = ""  # what to say before we hang up
        self._limit = limit
        self._too_long = too_long
        self._too_many = too_many
        self._waiting: deque[Q] = deque()

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._waiting)

    def __iter__(self) -> Iterator[Q]:
        return iter(self._waiting)

    @property
    def full(self) -> bool:
        """Whether enough waits to be answered."""
        return len(self._waiting) >= ENOUGH

    def listens(self, data: bytes) -> bool:
        """Whether these bytes are to be read; none at all are the end of what is said."""
        self.deaf = self.deaf or not data
        return not self.deaf

    def put(self, requests: Iterable[Q]) -> None:
        """These came."""
        self._waiting += requests

    def take(self) -> Q:
        """The one that came first."""
        return self._waiting.popleft()

    def keep(self, requests: Iterable[Q]) -> None:
        """Only these wait still."""
        self._waiting = deque(requests)

    def is_too_much(self, *, overflowed: bool) -> bool:
        """Whether more came than we read, in one line or in all: then this was the end of it."""
        if not overflowed and len(self._waiting) <= self._limit:
            return False
        self.deaf = True
        self.last_words = self._too_long if overflowed else self._too_many
        return True
