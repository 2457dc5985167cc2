"""TLS as a layer of bytes: sealed ones in, plain ones out, and the other way round.

Plain and sealed connections come to the same port, and the first byte tells them apart.
By then it has been read, so the event loop's own TLS cannot be used any more; this one
needs no socket at all. It mutates, and one connection owns it; while hands are shaken, which is
dear, the thread that does it (`handshakes`).
"""

import ssl
from typing import Final

from rookery.server.config import BadSetting, Settings
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
        "away",
        "ended",
        "shaken",
    )

    def __init__(self, tls: ssl.SSLContext) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._object = tls.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self.away = False  # another thread has it: nothing is sealed or drained meanwhile
        self.shaken = False  # hands
        self._before = 0  # bytes that came until then
        self._early = b""  # what is to be said when they are
        self.ended = False  # the other side said that it will say no more

    def take(self, sealed: bytes) -> None:
        """These bytes came; too many of them before hands are shaken end it."""
        if not self.shaken:
            self._before += len(sealed)
            self.ended = self.ended or self._before > HANDSHAKE_MAX
        self._incoming.write(sealed)

    def shake(self) -> None:
        """Shake hands, as far as what came allows; any thread may, and all else waits for it."""
        try:
            self._object.do_handshake()
            self.shaken = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:  # it cannot speak it
            self.ended = True

    def read(self) -> bytes:
        """What came, opened, as far as it is whole; what is no TLS ends it."""
        plain = b""
        if not self.shaken:
            return plain
        try:
            if self._early:
                self._object.write(self._early)
                self._early = b""
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
        if self.shaken and not self.away:
            self._object.write(plain)
        else:
            self._early += plain

    def drain(self) -> bytes:
        """What to send, the handshake included; it is given out once."""
        return b"" if self.away else self._outgoing.read()


def tls_of(settings: Settings) -> ssl.SSLContext | None:
    """The certificate to show to who wants TLS, where there is one. Raises BadSetting."""
    if not settings.tls_cert:
        return None
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.options |= ssl.OP_NO_RENEGOTIATION  # shaking hands is dear: once a connection
    try:
        tls.load_cert_chain(settings.tls_cert, settings.tls_key)
    except (OSError, ssl.SSLError) as wrong:
        raise BadSetting(f"The TLS certificate or key cannot be used: {wrong}.") from None
    return tls
