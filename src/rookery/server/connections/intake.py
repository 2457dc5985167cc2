"""All that came from one connection and was not heard yet, plain and sealed.

What is under TLS is opened only when it is its turn: shaking hands takes milliseconds, and
a record may hold a byte. It mutates, and one connection owns it.
"""

import ssl

from rookery.core.ids import Micros
from rookery.server.connections.inlet import Inlet
from rookery.server.connections.tls import HELLO, Sealed
from rookery.server.limits import PIECE, UNREAD_MAX


class Intake:
    """Bytes in the order they came; `sealed` where they come under TLS."""

    __slots__ = ("_unopened", "fresh", "plain", "sealed")

    def __init__(self) -> None:
        self.fresh = True  # nothing has come yet
        self.plain = Inlet()
        self.sealed: Sealed | None = None
        self._unopened: Inlet | None = None

    def begins(self, first: bytes, tls: ssl.SSLContext | None) -> bool:
        """Somebody's first bytes came; whether all is under TLS, which they begin then."""
        self.fresh = False
        if tls is not None and first.startswith(HELLO):
            self.sealed, self._unopened = Sealed(tls), Inlet()
        return self.sealed is not None

    def put(self, words: bytes, at: Micros) -> None:
        """These were read then."""
        (self.plain if self._unopened is None else self._unopened).put(words, at)

    def open(self) -> Sealed | None:
        """Open a piece of what came under TLS, if there is one; whoever opened it."""
        if self.sealed is not None and self._unopened is not None and self._unopened.size:
            words, at = self._unopened.take(PIECE)
            self.plain.put(self.sealed.open(words), at)
            return self.sealed
        return None

    def enclose(self, words: bytes) -> bytes:
        """What to send to say this: the same, or under TLS."""
        if self.sealed is None:
            return words
        self.sealed.seal(words)
        return self.sealed.drain()

    @property
    def size(self) -> int:
        """How many bytes there are."""
        return self.plain.size + (0 if self._unopened is None else self._unopened.size)

    @property
    def since(self) -> Micros | None:
        """When the first of them was read; None where there are none."""
        since = self.plain.since
        return self._unopened.since if since is None and self._unopened is not None else since

    def unheard(self, now: Micros, *, clogged: bool) -> Micros | None:
        """The same, for others who wait for it: not for long, where it reads no answers.

        Nothing more is heard of such a one, and a flag would wait for its words for ever.
        """
        since = self.since
        return None if clogged and since is not None and now - since > UNREAD_MAX else since
