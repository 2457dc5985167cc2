"""One connection that may ask the same again: its requests, and what was said to them.

It notes what is sent while a request is answered, and gives that to be kept. It mutates.
"""

from collections.abc import Callable
from typing import Final

from starlette.types import Scope

from rookery.core.ids import TableId
from rookery.server.web.kept import KeptAnswers, Lasts, Version

LASTS: Final = "rookery.lasts"  # in a request's scope: for how long its answer is true

Counting = Callable[[str], bool]  # whether this host may ask once more


class Again:
    """What is noted of one connection; `counts` counts a request, and says if it is too many."""

    __slots__ = ("_asked", "_counts", "_said", "_sealed", "kept")

    def __init__(self, kept: KeptAnswers, counts: Callable[[], bool], *, sealed: bool) -> None:
        self.kept = kept
        self._counts = counts
        self._sealed = sealed
        self._asked: bytes | None = None  # the request that is being answered
        self._said: list[bytes] = []  # to it, so far

    def knows(self, request: bytes) -> bool:
        """Whether there is an answer to this that may still be true."""
        return (request, self._sealed) in self.kept

    def find(self, request: bytes) -> bytes | None:
        """The answer to this, if it is true, and its host has not asked too much."""
        words = self.kept.find((request, self._sealed))
        return words if words is not None and self._counts() else None

    def asked(self, request: bytes) -> None:
        """This is to be answered in the plain way."""
        self._asked = request
        self._said.clear()

    def said(self, words: bytes) -> None:
        """This was sent."""
        if self._asked is not None:
            self._said.append(words)

    def answered(self, scope: Scope, begun: Version) -> None:
        """The answer is whole."""
        lasts: tuple[Lasts, TableId | None] | None = scope.get(LASTS)
        if self._asked is not None and lasts is not None:
            asking = self._asked, self._sealed
            self.kept.put(asking, b"".join(self._said), *lasts, begun)

    def forget(self) -> None:
        """What comes next is another request."""
        self._asked = None
        self._said.clear()
