"""All bytes that came from one connection and were not heard yet, plain and sealed.

Bytes under TLS are opened only when it is the connection's turn: opening takes time, and a
record may hold a single byte. Shaking hands takes milliseconds, and is done elsewhere. It
mutates, and one connection owns it.
"""

import ssl
from collections.abc import Callable

from rookery.core.ids import Micros
from rookery.server.connections.handshakes import Handshakes
from rookery.server.connections.read_buffer import ReadBuffer
from rookery.server.connections.tls import HELLO, Sealed
from rookery.server.limits import PIECE, UNHEARD_MAX, UNREAD_MAX


class Intake:
    """A connection's bytes in the order they came; `sealed` is set if they come under TLS."""

    __slots__ = ("_left", "_shaking", "_unopened", "fresh", "held", "plain", "sealed")

    def __init__(self) -> None:
        self.fresh = True  # nothing has come yet
        self.held = False  # nothing is to be heard before there is a hall
        self.plain = ReadBuffer()
        self.sealed: Sealed | None = None
        self._unopened: ReadBuffer | None = None
        self._left = False  # the connection is gone
        self._shaking: Micros = 0  # when the bytes of the handshake under way were read

    def begins(self, first: bytes, tls: ssl.SSLContext | None) -> bool:
        """Look at the connection's first bytes; return whether it speaks TLS."""
        self.fresh = False
        if tls is not None and first.startswith(HELLO):
            self.sealed, self._unopened = Sealed(tls), ReadBuffer()
        return self.sealed is not None

    def put(self, words: bytes, at: Micros) -> int:
        """Add bytes that were read at `at`; return how many bytes wait now."""
        if self._unopened is None:
            self.plain.put(words, at)
            return self.plain.size
        self._unopened.put(words, at)
        return self.size

    @property
    def away(self) -> bool:
        """Whether the thread shakes hands now, so that nothing can be opened."""
        return self.sealed is not None and self.sealed.away

    @property
    def stuck(self) -> bool:
        """Whether nothing can be heard now: hands are being shaken, or there is no hall."""
        return self.held or self.away

    def open(self) -> Sealed | None:
        """Open a piece of what came under TLS; return the TLS layer, or None if there was none."""
        if self.sealed is None or self._unopened is None or not self._unopened.size:
            return None
        words, at = self._unopened.take(PIECE)
        self.sealed.take(words)
        self.plain.put(self.sealed.read(), at)
        return self.sealed

    def shake(self, hands: Handshakes, host: str, then: Callable[[Sealed], None]) -> bool:
        """Begin to shake hands with what came, if that is still to be done; whether it is."""
        sealed, unopened = self.sealed, self._unopened
        if sealed is None or sealed.shaken or unopened is None or not unopened.size:
            return False
        words, self._shaking = unopened.take(PIECE)
        sealed.take(words)
        sealed.away = True

        def shaken() -> None:
            sealed.away = False
            if not self._left:
                self.plain.put(sealed.read(), self._shaking)
                then(sealed)

        if sealed.ended:  # that was too much
            shaken()
        else:
            hands.ask(host, sealed, shaken)
        return True

    def leave(self) -> None:
        """Note that the connection is gone: its handshake need not be done any more."""
        self._left = True
        if self.sealed is not None:
            self.sealed.ended = True

    def enclose(self, words: bytes) -> bytes:
        """Return the bytes to send for these words: the same, or sealed under TLS."""
        if self.sealed is None:
            return words
        self.sealed.seal(words)
        return self.sealed.drain()

    @property
    def size(self) -> int:
        """How many bytes wait to be heard."""
        return self.plain.size + (0 if self._unopened is None else self._unopened.size)

    @property
    def can_be_heard(self) -> bool:
        """Whether bytes wait that can be heard now, and not so many as a flood."""
        return 0 < self.size <= UNHEARD_MAX and not self.held

    def may_wait(self, *, paused: bool) -> bool:
        """Whether bytes may wait that are still to be heard: a quick look before `since`.

        Not if the connection is paused because of what its own client does.
        """
        return (self.plain.size > 0 or self.sealed is not None) and (self.held or not paused)

    @property
    def since(self) -> Micros | None:
        """When the oldest waiting bytes were read; None if none wait."""
        since = self._shaking if self.away else self.plain.since
        return self._unopened.since if since is None and self._unopened is not None else since

    def unheard(self, now: Micros, *, clogged: bool) -> Micros | None:
        """As `since`, for others whose flags wait for these bytes; None if they wait too long.

        If the client reads no answers (`clogged`) we hear no more of it, and its opponent's flag
        would wait for its words for ever.
        """
        since = self.since
        return None if clogged and since is not None and now - since > UNREAD_MAX else since
