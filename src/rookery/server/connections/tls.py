"""TLS as a layer of bytes: sealed ones in, plain ones out, and the other way round.

Plain and sealed connections come to the same port, and the first byte tells them apart.
By then it has been read, so the event loop's own TLS cannot be used any more; this one
needs no socket at all. It mutates, and one connection owns it.
"""

import ssl
from typing import Final

from rookery.server.limits import HANDSHAKE_MAX

HELLO: Final = b"\x16"  # the first byte of every TLS connection: a handshake record


class Sealed:
    """The server's side of one TLS connection."""

    __slots__ = (
        "_before",
        "_early",
        "_incoming",
        "_object",
        "_outgoing",
        "ended",
        "shaken",
    )

    def __init__(self, tls: ssl.SSLContext) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._object = tls.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self.shaken = False  # hands
        self._before = 0  # bytes that came until then
        self._early = b""  # what is to be said when they are
        self.ended = False  # the other side said that it will say no more

    def open(self, sealed: bytes) -> bytes:
        """What these bytes say, as far as they say it; what is no TLS ends it."""
        if not self.shaken:
            self._before += len(sealed)
            if self._before > HANDSHAKE_MAX:
                self.ended = True
                return b""
        self._incoming.write(sealed)
        plain = b""
        try:
            if not self.shaken:
                self._object.do_handshake()
                self.shaken = True
                if self._early:
                    self._object.write(self._early)
            while piece := self._object.read(1 << 16):
                plain += piece
            self.ended = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:  # it said goodbye, or cannot speak it
            self.ended = True
        return plain

    def seal(self, plain: bytes) -> None:
        """Say this; `drain` has the bytes."""
        if self.shaken:
            self._object.write(plain)
        else:
            self._early += plain

    def drain(self) -> bytes:
        """What to send, the handshake included; it is given out once."""
        return self._outgoing.read()
