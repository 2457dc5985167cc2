"""Bytes that came from a connection and have not been heard yet, with when each was read.

They are given out in small pieces, so that hearing one takes little time whatever is in it. A
piece is never of two reads: what waits for its turn counts from when it was read. It
mutates, and one connection owns it.
"""

from rookery.core.ids import Micros


class ReadBuffer:
    """A connection's unheard bytes, in the order they came."""

    __slots__ = ("_came", "_taken", "size")

    def __init__(self) -> None:
        self._came: list[tuple[bytes, Micros]] = []  # few, since we soon read no more
        self._taken = 0  # bytes of the first that have been given out
        self.size = 0

    def put(self, words: bytes, at: Micros) -> None:
        """Add bytes that were read at `at`."""
        if words:
            self._came.append((words, at))
            self.size += len(words)

    def take(self, most: int) -> tuple[bytes, Micros]:
        """Take out the next piece, of at most so many bytes, and when it was read."""
        words, at = self._came[0]
        if not self._taken and len(words) <= most:  # nearly always
            self._came.pop(0)
            self.size -= len(words)
            return words, at
        piece = words[self._taken : self._taken + most]
        self._taken += len(piece)
        self.size -= len(piece)
        if self._taken == len(words):
            self._came.pop(0)
            self._taken = 0
        return piece, at

    def put_back(self, words: bytes, at: Micros) -> None:
        """Put bytes back in front of all others, because another reader took too many."""
        if words:
            rest = self._rest()
            self.clear()
            self.put(words, at)
            self._came.extend(rest)
            self.size += sum(len(one) for one, _ in rest)

    def strip(self) -> None:
        """Drop the white space in front."""
        since, words = self.since, self.all().lstrip()
        self.clear()
        if since is not None:
            self.put(words, since)

    def all(self) -> bytes:
        """Every byte that came and has not been taken."""
        return b"".join(words for words, _ in self._rest())

    @property
    def since(self) -> Micros | None:
        """When the next byte was read; None if there is none."""
        return self._came[0][1] if self._came else None

    def clear(self) -> None:
        """Drop all bytes."""
        self._came.clear()
        self._taken = self.size = 0

    def _rest(self) -> list[tuple[bytes, Micros]]:
        rest = list(self._came)
        if rest and self._taken:
            words, at = rest[0]
            rest[0] = (words[self._taken :], at)
        return rest
