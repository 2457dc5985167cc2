"""Notes what one connection asks and is told, for the cache of answers.

It notes what is sent while a request is answered, and gives that to the cache, and to all
connections that asked the same meanwhile. It mutates.
"""

from collections.abc import Callable
from typing import Final

from starlette.types import Scope

from rookery.server.web.answer_cache import AnswerCache, Making, Told, Truth, Version

TRUTH: Final = "rookery.truth"  # in a request's scope: for how long its answer is true

Counting = Callable[[str], bool]  # counts a request; whether this host may ask it


class AnswerRecorder:
    """Notes the answers of one connection; `counts` counts a request of its host.

    `counts` returns False if that is one request too many.
    """

    __slots__ = ("_counts", "_making", "_said", "_sealed", "kept")

    def __init__(self, kept: AnswerCache, counts: Callable[[], bool], *, sealed: bool) -> None:
        self.kept = kept
        self._counts = counts
        self._sealed = sealed
        self._making: Making | None = None  # the answer that is being given
        self._said: list[bytes] = []  # the bytes of it so far

    def knows(self, request: bytes) -> bool:
        """Whether the cache has an answer to this request, which may still be true."""
        return (request, self._sealed) in self.kept

    def find(self, request: bytes) -> bytes | None:
        """The cached answer to this request; None if untrue, or the host asks too much."""
        words = self.kept.find((request, self._sealed))
        return words if words is not None and self._counts() else None

    def may_have(self, words: bytes | None) -> bytes | None:
        """Another's answer for our client; None if none, or its host asks too much."""
        return words if words is not None and self._counts() else None

    def join(self, request: bytes, told: Told) -> Making | None:
        """Wait for the answer to the same request of another client; None if none is made."""
        return self.kept.join((request, self._sealed), told)

    def asked(self, request: bytes) -> None:
        """Begin to note the answer to this request, which the app is to give."""
        self.forget()
        self._making = self.kept.begin((request, self._sealed))

    def said(self, words: bytes) -> None:
        """Note these bytes of the answer, which were sent."""
        if self._making is not None:
            self._said.append(words)

    def answered(self, scope: Scope, begun: Version) -> None:
        """Keep the answer, which is whole now, and give it to all who wait for it."""
        truth: Truth | None = scope.get(TRUTH)
        making = self._making
        if making is not None and truth is not None:
            words = b"".join(self._said)
            self.kept.put(making.asking, words, truth, begun)
            self._making = None
            self.kept.end(making, words)

    def forget(self) -> None:
        """Drop what was noted, and send those who wait for it to ask by themselves."""
        making, self._making = self._making, None
        self._said.clear()
        if making is not None:
            self.kept.end(making, None)
