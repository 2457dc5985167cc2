"""All that came from one connection and was not heard yet, plain and sealed.

What is under TLS is opened only when it is its turn: a record may hold a byte. Shaking hands
takes milliseconds, and is done elsewhere. It mutates, and one connection owns it.
"""

import ssl
from collections.abc import Callable

from rookery.core.ids import Micros
from rookery.server.connections.handshakes import Handshakes
from rookery.server.connections.read_buffer import ReadBuffer
from rookery.server.connections.tls import HELLO, Sealed
from rookery.server.limits import PIECE, UNHEARD_MAX, UNREAD_MAX


class Intake:
    """Bytes in the order they came; `sealed` where they come under TLS."""

    __slots__ = ("_left", "_shaking", "_unopened", "fresh", "held", "plain", "sealed")

    def __init__(self) -> None:
        self.fresh = True  # nothing has come yet
        self.held = False  # nothing can be heard before there is a hall
        self.plain = ReadBuffer()
        self.sealed: Sealed | None = None
        self._unopened: ReadBuffer | None = None
        self._left = False  # nobody is there any more
        self._shaking: Micros = 0  # when that was read with which hands are shaken

    def begins(self, first: bytes, tls: ssl.SSLContext | None) -> bool:
        """Somebody's first bytes came; whether all is under TLS, which they begin then."""
        self.fresh = False
        if tls is not None and first.startswith(HELLO):
            self.sealed, self._unopened = Sealed(tls), ReadBuffer()
        return self.sealed is not None

    def put(self, words: bytes, at: Micros) -> int:
        """These were read then; how many bytes there are now."""
        if self._unopened is None:
            self.plain.put(words, at)
            return self.plain.size
        self._unopened.put(words, at)
        return self.size

    @property
    def away(self) -> bool:
        """Whether hands are being shaken, and nothing can be opened."""
        return self.sealed is not None and self.sealed.away

    @property
    def stuck(self) -> bool:
        """Whether nothing can be heard now, for that or because there is no hall."""
        return self.held or self.away

    def open(self) -> Sealed | None:
        """Open a piece of what came under TLS, if there is one; whoever opened it."""
        if self.sealed is None or self._unopened is None or not self._unopened.size:
            return None
        words, at = self._unopened.take(PIECE)
        self.sealed.take(words)
        self.plain.put(self.sealed.read(), at)
        return self.sealed

    def shake(self, hands: Handshakes, host: str, then: Callable[[Sealed], None]) -> bool:
        """Let hands be shaken with what came, where they are to be; whether they are now."""
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
        """Nobody is there any more: who waits to shake hands need not."""
        self._left = True
        if self.sealed is not None:
            self.sealed.ended = True

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
    def can_be_heard(self) -> bool:
        """Whether there are some, which are no flood, and not held."""
        return 0 < self.size <= UNHEARD_MAX and not self.held

    def may_wait(self, *, paused: bool) -> bool:
        """Whether there may be any: what `since` asks, where there are mostly none.

        Not where it is for who said it that no more is heard.
        """
        return (self.plain.size > 0 or self.sealed is not None) and (self.held or not paused)

    @property
    def since(self) -> Micros | None:
        """When the first of them was read; None where there are none."""
        since = self._shaking if self.away else self.plain.since
        return self._unopened.since if since is None and self._unopened is not None else since

    def unheard(self, now: Micros, *, clogged: bool) -> Micros | None:
        """The same, for others who wait for it: not for long, where it reads no answers.

        Nothing more is heard of such a one, and a flag would wait for its words for ever.
        """
        since = self.since
        return None if clogged and since is not None and now - since > UNREAD_MAX else since
