"""What one connection asks and is told, for the cache of answers: others may ask the same.

It notes what is sent while a request is answered, and gives that to be kept, and to all who
asked the same meanwhile. It mutates.
"""

from collections.abc import Callable
from typing import Final

from starlette.types import Scope

from rookery.server.web.answer_cache import AnswerCache, Making, Told, Truth, Version

TRUTH: Final = "rookery.truth"  # in a request's scope: for how long its answer is true

Counting = Callable[[str], bool]  # whether this host may ask once more


class AnswerRecorder:
    """What is noted of one connection; `counts` counts a request, and says if it is too many."""

    __slots__ = ("_counts", "_making", "_said", "_sealed", "kept")

    def __init__(self, kept: AnswerCache, counts: Callable[[], bool], *, sealed: bool) -> None:
        self.kept = kept
        self._counts = counts
        self._sealed = sealed
        self._making: Making | None = None  # the answer to the request that is here
        self._said: list[bytes] = []  # of it, so far

    def knows(self, request: bytes) -> bool:
        """Whether there is an answer to this that may still be true."""
        return (request, self._sealed) in self.kept

    def find(self, request: bytes) -> bytes | None:
        """The answer to this, if it is true, and its host has not asked too much."""
        words = self.kept.find((request, self._sealed))
        return words if words is not None and self._counts() else None

    def may_have(self, words: bytes | None) -> bytes | None:
        """What another was told, if that is for others, and our host has not asked too much."""
        return words if words is not None and self._counts() else None

    def join(self, request: bytes, told: Told) -> Making | None:
        """Wait for the same as somebody else is being told, if somebody is."""
        return self.kept.join((request, self._sealed), told)

    def asked(self, request: bytes) -> None:
        """This is to be answered in the plain way."""
        self.forget()
        self._making = self.kept.begin((request, self._sealed))

    def said(self, words: bytes) -> None:
        """This was sent."""
        if self._making is not None:
            self._said.append(words)

    def answered(self, scope: Scope, begun: Version) -> None:
        """The answer is whole."""
        truth: Truth | None = scope.get(TRUTH)
        making = self._making
        if making is not None and truth is not None:
            words = b"".join(self._said)
            self.kept.put(making.asking, words, truth, begun)
            self._making = None
            self.kept.end(making, words)

    def forget(self) -> None:
        """What comes next is another request."""
        making, self._making = self._making, None
        self._said.clear()
        if making is not None:
            self.kept.end(making, None)
