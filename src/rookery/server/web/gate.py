"""The gate for requests that write: from this server's own pages, not too many, with a token.

A browser says which page sends a request (`Origin`); a page of anywhere else may not
write. Programs send no Origin, and need none. The token itself is judged by the hall. It
mutates: each host has so many writes at hand, which come back with time.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from starlette.requests import Request

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.web.problems import Trouble

BURST: Final = 60  # writes a host may send at once
REFILL: Final[Micros] = MICROS_A_SECOND // 10  # how long one of them takes to come back
HOSTS_MAX: Final = 10_000  # hosts remembered; when there are more, all begin anew

_SCHEME: Final = "bearer"


class Gate:
    """Who may write."""

    def __init__(self, now: Callable[[], Micros], burst: int = BURST) -> None:
        self._now = now
        self._burst = burst
        self._spent: dict[str, Micros] = {}  # when a host has all its writes at hand again

    def token(self, request: Request) -> str:
        """The token of a request that may try to write. Raises Trouble."""
        _check_origin(request)
        self._count("" if request.client is None else request.client.host)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != _SCHEME or not token.strip():
            sentence = "Writing needs the organiser's token: Authorization: Bearer TOKEN."
            headers = {"WWW-Authenticate": "Bearer"}
            raise Trouble(HTTPStatus.UNAUTHORIZED, "no_token", sentence, headers)
        return token.strip()

    def _count(self, host: str) -> None:
        now = self._now()
        if len(self._spent) > HOSTS_MAX:
            self._spent.clear()
        again = max(now, self._spent.get(host, now)) + REFILL
        if again - now > self._burst * REFILL:
            sentence = "Too many requests that write came from your host; wait a moment."
            headers = {"Retry-After": "1"}
            raise Trouble(HTTPStatus.TOO_MANY_REQUESTS, "too_fast", sentence, headers)
        self._spent[host] = again


def _check_origin(request: Request) -> None:
    origin = request.headers.get("origin")
    if origin is None:
        return
    here = f"{request.url.scheme}://{request.headers.get('host', '')}"
    if origin.lower() != here.lower():
        sentence = f"A page of {origin[:100]} may not write here."
        raise Trouble(HTTPStatus.FORBIDDEN, "bad_origin", sentence)
