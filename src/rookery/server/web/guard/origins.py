"""Which pages are this server's own: one rule for requests that write and for WebSockets.

A browser says which page is calling (`Origin`); a program says nothing, and need not.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

from rookery.server.web.api.problems import Trouble

_WEB: Final = ("http", "https")


def check_origins(origins: Sequence[str], hosts: Sequence[str], act: str) -> None:
    """Check that only our own page does this, if any page does. Raises Trouble."""
    ours = [host.lower() for host in hosts]
    for origin in origins:
        # Where a proxy ends the TLS, the page says https and the request came by http.
        scheme, _, host = origin.lower().partition("://")
        if scheme not in _WEB or not host or ours != [host]:
            sentence = f"A page of {origin[:100]} may not {act} here."
            raise Trouble(HTTPStatus.FORBIDDEN, "bad_origin", sentence)
