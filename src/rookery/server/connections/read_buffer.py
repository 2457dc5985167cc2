"""What came from a connection and has not been heard yet, with the time it was read at.

It is given out in small pieces, so that hearing one takes little time whatever is in it. A
piece is never of two reads: what waits for its turn counts from when it was there. It
mutates, and one connection owns it.
"""

from rookery.core.ids import Micros


class ReadBuffer:
    """Bytes in the order they came."""

    __slots__ = ("_came", "_taken", "size")

    def __init__(self) -> None:
        self._came: list[tuple[bytes, Micros]] = []  # few, since we soon read no more
        self._taken = 0  # bytes of the first that have been given out
        self.size = 0

    def put(self, words: bytes, at: Micros) -> None:
        """These were read then."""
        if words:
            self._came.append((words, at))
            self.size += len(words)

    def take(self, most: int) -> tuple[bytes, Micros]:
        """The next piece, of at most so many bytes, and when it was read."""
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
        """These are to be heard before all others: somebody else began to."""
        if words:
            rest = self._rest()
            self.clear()
            self.put(words, at)
            self._came.extend(rest)
            self.size += sum(len(one) for one, _ in rest)

    def strip(self) -> None:
        """Forget the white space in front."""
        since, words = self.since, self.all().lstrip()
        self.clear()
        if since is not None:
            self.put(words, since)

    def all(self) -> bytes:
        """Everything that came and has not been taken."""
        return b"".join(words for words, _ in self._rest())

    @property
    def since(self) -> Micros | None:
        """When what is next was read; None where nothing is."""
        return self._came[0][1] if self._came else None

    def clear(self) -> None:
        """Forget it all."""
        self._came.clear()
        self._taken = self.size = 0

    def _rest(self) -> list[tuple[bytes, Micros]]:
        rest = list(self._came)
        if rest and self._taken:
            words, at = rest[0]
            rest[0] = (words[self._taken :], at)
        return rest
