"""What one connection has read and not processed yet, plain and under TLS.

A byte may wait here for

- its connection's turn (`fair`): pieces are small, so that one takes little time whatever is
  in it, and a piece never spans two reads, because what waits counts from when it was read;
- a TLS handshake, which takes milliseconds of a thread (`tls`). Records are decrypted only in
  the connection's turn: that takes time, and a record may hold a single byte;
- the client itself, which is paused while it does not read, or has asked too much (`connection`);
- a hall, at an edge whose hall is away (`held`).
"""

import ssl
from collections.abc import Callable

from rookery.core.ids import Micros
from rookery.server.limits import PIECE, UNHEARD_MAX, UNREAD_MAX
from rookery.server.net.tls import HELLO, Handshakes, TlsLayer


class InputBuffer:
    """A connection's bytes in the order of reading; `sealed` is its TLS layer, if any."""

    __slots__ = ("_left", "_shaking", "_unopened", "held", "is_first_read", "plain", "sealed")

    def __init__(self) -> None:
        self.is_first_read = True  # nothing has been read yet
        self.held = False  # nothing is processed before there is a hall
        self.plain = ReadBuffer()
        self.sealed: TlsLayer | None = None
        self._unopened: ReadBuffer | None = None
        self._left = False  # the connection is gone
        self._shaking: Micros = 0  # when the bytes of the handshake in progress were read

    def sniff_tls(self, first: bytes, tls: ssl.SSLContext | None) -> bool:
        """Look at the connection's first bytes; return whether they begin TLS."""
        self.is_first_read = False
        if tls is not None and first.startswith(HELLO):
            self.sealed, self._unopened = TlsLayer(tls), ReadBuffer()
        return self.sealed is not None

    def put(self, words: bytes, at: Micros) -> int:
        """Add bytes that were read at `at`; return how many bytes wait now."""
        if self._unopened is None:
            self.plain.put(words, at)
            return self.plain.size
        self._unopened.put(words, at)
        return self.size

    @property
    def in_handshake(self) -> bool:
        """Whether a thread works on the handshake now, so that nothing can be decrypted."""
        return self.sealed is not None and self.sealed.in_handshake

    @property
    def stuck(self) -> bool:
        """Whether nothing can be processed now: a handshake is in progress, or there is no hall."""
        return self.held or self.in_handshake

    def open(self) -> TlsLayer | None:
        """Decrypt a piece; return the TLS layer, or None if nothing waits under TLS."""
        if self.sealed is None or self._unopened is None or not self._unopened.size:
            return None
        words, at = self._unopened.take(PIECE)
        self.sealed.take(words)
        self.plain.put(self.sealed.read(), at)
        return self.sealed

    def handshake(self, queue: Handshakes, host: str, then: Callable[[TlsLayer], None]) -> bool:
        """Continue the handshake, if it is not done and bytes wait; return whether that is so."""
        sealed, unopened = self.sealed, self._unopened
        if sealed is None or sealed.is_done or unopened is None or not unopened.size:
            return False
        words, self._shaking = unopened.take(PIECE)
        sealed.take(words)
        sealed.in_handshake = True

        def done() -> None:
            sealed.in_handshake = False
            if not self._left:
                self.plain.put(sealed.read(), self._shaking)
                then(sealed)

        if sealed.ended:  # that was too much
            done()
        else:
            queue.ask(host, sealed, done)
        return True

    def leave(self) -> None:
        """Note that the connection is gone: its handshake is no longer needed."""
        self._left = True
        if self.sealed is not None:
            self.sealed.ended = True

    def enclose(self, words: bytes) -> bytes:
        """Return the bytes to send for these: the same, or encrypted under TLS."""
        if self.sealed is None:
            return words
        self.sealed.seal(words)
        return self.sealed.drain()

    @property
    def size(self) -> int:
        """How many bytes wait."""
        return self.plain.size + (0 if self._unopened is None else self._unopened.size)

    @property
    def can_be_heard(self) -> bool:
        """Whether bytes wait that can be processed now, and fewer than a flood has."""
        return 0 < self.size <= UNHEARD_MAX and not self.held

    def may_wait(self, *, paused: bool) -> bool:
        """Whether bytes may wait that will still be processed: a quick look before `since`.

        Not if the connection is paused because of what its own client does.
        """
        return (self.plain.size > 0 or self.sealed is not None) and (self.held or not paused)

    @property
    def since(self) -> Micros | None:
        """When the oldest waiting bytes were read; None if none wait."""
        since = self._shaking if self.in_handshake else self.plain.since
        return self._unopened.since if since is None and self._unopened is not None else since

    def pending_since(self, now: Micros, *, clogged: bool) -> Micros | None:
        """As `since`, for flags that wait for these bytes; None if they have waited too long.

        A client that reads no answers (`clogged`) is not processed, and its opponent's flag would
        wait for its bytes for ever.
        """
        since = self.since
        return None if clogged and since is not None and now - since > UNREAD_MAX else since


class ReadBuffer:
    """Bytes in the order they were read, each read with its time."""

    __slots__ = ("_reads", "_taken", "size")

    def __init__(self) -> None:
        self._reads: list[tuple[bytes, Micros]] = []  # few, since reading soon stops
        self._taken = 0  # bytes of the first that have been given out
        self.size = 0

    def put(self, words: bytes, at: Micros) -> None:
        """Add bytes that were read at `at`."""
        if words:
            self._reads.append((words, at))
            self.size += len(words)

    def take(self, most: int) -> tuple[bytes, Micros]:
        """Take out the next piece, of at most `most` bytes, and when it was read."""
        words, at = self._reads[0]
        if not self._taken and len(words) <= most:  # nearly always
            self._reads.pop(0)
            self.size -= len(words)
            return words, at
        piece = words[self._taken : self._taken + most]
        self._taken += len(piece)
        self.size -= len(piece)
        if self._taken == len(words):
            self._reads.pop(0)
            self._taken = 0
        return piece, at

    def put_back(self, words: bytes, at: Micros) -> None:
        """Put bytes back in front, because another reader took too many."""
        if words:
            rest = self._rest()
            self.clear()
            self.put(words, at)
            self._reads.extend(rest)
            self.size += sum(len(one) for one, _ in rest)

    def strip(self) -> None:
        """Drop the white space in front."""
        since, words = self.since, self.all().lstrip()
        self.clear()
        if since is not None:
            self.put(words, since)

    def all(self) -> bytes:
        """Every byte that was read and has not been taken."""
        return b"".join(words for words, _ in self._rest())

    @property
    def since(self) -> Micros | None:
        """When the next byte was read; None if there is none."""
        return self._reads[0][1] if self._reads else None

    def clear(self) -> None:
        """Drop all bytes."""
        self._reads.clear()
        self._taken = self.size = 0

    def _rest(self) -> list[tuple[bytes, Micros]]:
        rest = list(self._reads)
        if rest and self._taken:
            words, at = rest[0]
            rest[0] = (words[self._taken :], at)
        return rest
