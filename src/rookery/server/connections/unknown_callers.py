"""What we tell callers with whom no dialect can be spoken: unknown ones, and lost ones.

A browser that calls a port of one dialect has lost its way: it is told so in HTTP, which it
understands, whatever the dialect would have made of its first line.
"""

from typing import Final

from rookery.dialects import DIALECTS
from rookery.dialects.first_bytes import METHODS

# No line of any dialect begins so: none has a word of HTTP, a space and the path behind it.
_REQUESTS: Final = tuple(
    method + target for method in METHODS for target in (b" /", b" *", b" http")
)


def strange() -> bytes:
    """The last words to a caller whose language we do not know."""
    known = f"it speaks {', '.join(DIALECTS)} and HTTP"
    return f"This is Rookery, and it does not know that language; {known}.\n".encode()


def misdirected(first: bytes, dialect: str, page: int) -> bytes:
    """An answer in HTTP to a caller whose first bytes are HTTP; else empty.

    It says what is spoken here, and at which port the page is, if that is known.
    """
    if not first.startswith(_REQUESTS):
        return b""
    where = f"The server's page is at port {page}." if page else "Its page is at another port."
    body = f"This port of Rookery speaks {dialect} alone, and no HTTP. {where}\n".encode()
    head = (
        "HTTP/1.0 421 Misdirected Request\r\n"
        "Content-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
