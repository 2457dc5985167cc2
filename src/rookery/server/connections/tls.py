"""TLS as a layer of bytes: sealed ones in, plain ones out, and the other way round.

Plain and sealed connections come to the same port, and the first byte tells them apart.
By then it has been read, so the event loop's own TLS cannot be used any more; this one
needs no socket at all. It mutates. One connection owns it, except while hands are shaken: that
takes long, and so a thread does it, which owns it meanwhile (`handshakes`).
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
        self.shaken = False  # hands have been shaken
        self._before = 0  # bytes that came before that
        self._early = b""  # plain bytes to seal once hands are shaken
        self.ended = False  # the other side said that it will say no more

    def take(self, sealed: bytes) -> None:
        """Take in sealed bytes that came; too many of them before hands are shaken end it all."""
        if not self.shaken:
            self._before += len(sealed)
            self.ended = self.ended or self._before > HANDSHAKE_MAX
        self._incoming.write(sealed)

    def shake(self) -> None:
        """Shake hands as far as the bytes allow; in any thread, while nobody else touches this."""
        try:
            self._object.do_handshake()
            self.shaken = True
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:  # the client cannot speak TLS
            self.ended = True

    def read(self) -> bytes:
        """Open and return what came, as far as it is whole; bytes that are no TLS end it all."""
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
        except ssl.SSLError:  # the client said goodbye, or cannot speak TLS
            self.ended = True
        return plain

    def seal(self, plain: bytes) -> None:
        """Seal these plain bytes, for `drain` to give out."""
        if self.shaken and not self.away:
            self._object.write(plain)
        else:
            self._early += plain

    def drain(self) -> bytes:
        """Take out the bytes to send, those of the handshake included."""
        return b"" if self.away else self._outgoing.read()


def tls_of(settings: Settings) -> ssl.SSLContext | None:
    """Load the certificate of the settings; None if there is none. Raises BadSetting."""
    if not settings.tls_cert:
        return None
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.options |= ssl.OP_NO_RENEGOTIATION  # shaking hands is dear: once a connection
    try:
        tls.load_cert_chain(settings.tls_cert, settings.tls_key)
    except (OSError, ssl.SSLError) as wrong:
        raise BadSetting(f"The TLS certificate or key cannot be used: {wrong}.") from None
    return tls
