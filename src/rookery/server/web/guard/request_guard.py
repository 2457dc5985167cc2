"""The guard: no host asks too much, and who writes comes from a page of this server's own.

Every request calls the server by a name that is its own (`admission.py`), and who may not
write is told so before what it wrote is read.

A browser says which page sends a request (`Origin`); a page of anywhere else may not
write. Programs send no Origin, and need none. The token itself is judged by the hall. It
mutates: each host has so many requests at hand, which come back with time. Pages are counted
apart from what is asked of the hall and the log, and so is how the server is: who looks
after it from the host of a flood sees it all the same.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.messages import Refused
from rookery.core.visitors.buckets import Buckets
from rookery.core.visitors.hosts import home_of
from rookery.hall.hall import Hall
from rookery.runtime.fairtime import FairTime
from rookery.server.web.api.problems import Trouble
from rookery.server.web.guard.admission import Admission
from rookery.server.web.guard.origins import check_origins
from rookery.server.web.limits import Rates

RATES: Final = Rates()
ANYONE: Final = Admission()

API: Final = "/api/"
STATUS: Final = "/status"  # a page, and asks the hall
SOCKETS: Final = "/ws/"
HEALTH: Final = "/healthz"
PROBES: Final = frozenset({HEALTH, "/metrics"})
READING: Final = frozenset({"GET", "HEAD"})

_SCHEME: Final = "bearer"


class RequestGuard:
    """Who may ask, and who may write."""

    def __init__(
        self,
        now: Callable[[], Micros],
        rates: Rates = RATES,
        *,
        admission: Admission = ANYONE,
        knows: Callable[[str], bool] = lambda _: True,
        bars: Callable[[str], Refused | None] = lambda _: None,
    ) -> None:
        self._now = now
        self._knows = knows  # whether a token is the organiser's, as far as we can say
        self._bars = bars  # why nobody from a host may ask anything
        self.admission = admission
        self._reads = Buckets(rates.reads, rates.reads_loopback)
        self._again = Buckets(rates.again, rates.again_loopback)
        self._writes = Buckets(rates.writes, rates.writes_loopback)
        self._codes = Buckets(rates.codes, rates.codes_loopback)
        self._pages = Buckets(rates.pages, rates.pages_loopback)
        self._probes = Buckets(rates.pages, rates.pages_loopback)

    def admit(self, request: Request) -> None:
        """Count a request, whatever it asks. Raises Trouble."""
        no = self._bars(_host(request))
        # Whoever has the organiser's token can lift a ban of its own host.
        if no is not None and not self._knows(bearer(request)):
            raise Trouble(HTTPStatus.FORBIDDEN, no.code, no.sentence)
        wait = self._buckets(request.scope["path"]).take(_host(request), self._now())
        if wait:
            raise _too_fast("Too many requests came from your host; wait a moment.", wait)
        if request.scope["path"] != HEALTH:  # which is asked by machines, by whatever name
            self.admission.check_name(request.headers.getlist("host"))
        if request.method not in READING or "authorization" in request.headers:
            self.admission.check_secret(sealed=request.url.scheme == "https")

    def counts(self, host: str) -> bool:
        """Count a read whose answer is known already; whether it is not one too many.

        One that is counts like any other read, which may be refused.
        """
        return self._bars(host) is None and not self._again.take(host, self._now())

    def elsewhere(self, request: Request) -> str | None:
        """Where a page is to be had instead: under TLS, if there is a certificate."""
        path: str = request.scope["path"]
        page = not path.startswith((API, SOCKETS)) and path not in PROBES
        host = request.headers.get("host", "")
        if not (self.admission.tls and page and host) or request.url.scheme == "https":
            return None
        query = f"?{request.url.query}" if request.url.query else ""
        return f"https://{host}{quote(path)}{query}"

    def token(self, request: Request) -> str:
        """The token of a request that may try to write. Raises Trouble."""
        self.check_page(request)
        wait = self._writes.take(_host(request), self._now())
        if wait:
            sentence = "Too many requests that write came from your host; wait a moment."
            raise _too_fast(sentence, wait)
        token = bearer(request)
        if not token:
            sentence = "Writing needs the organiser's token: Authorization: Bearer TOKEN."
            headers = {"WWW-Authenticate": "Bearer"}
            raise Trouble(HTTPStatus.UNAUTHORIZED, "no_token", sentence, headers)
        if not self._knows(token):
            raise Trouble(HTTPStatus.FORBIDDEN, "bad_token", "That is not the organiser's token.")
        return token

    def try_code(self, request: Request) -> None:
        """Count a code as a guess; a right one is given back. Raises Trouble."""
        wait = self._codes.take(_host(request), self._now())
        if wait:
            raise _too_fast("Too many wrong codes came from your host; wait a moment.", wait)

    def knew_code(self, request: Request) -> None:
        """It was no guess."""
        self._codes.give(_host(request), 1)

    def check_page(self, request: Request) -> None:
        """What is written is not sent by a page of anywhere else. Raises Trouble."""
        check_origins(request.headers.getlist("origin"), request.headers.getlist("host"), "write")

    def home(self, request: Request) -> str:
        """Who asks, as far as one shares with others."""
        return home_of(_host(request))

    def _buckets(self, path: str) -> Buckets:
        """What a request for this counts against."""
        if path in PROBES:
            return self._probes
        return self._reads if path.startswith(API) or path == STATUS else self._pages


def guard_of(
    hall: Hall, time: FairTime, knows: Callable[[str], bool], admission: Admission = ANYONE
) -> RequestGuard:
    """The guard of a hall, which knows whom it has banned."""

    def bars(host: str) -> Refused | None:
        return hall.community.may_not_come(host, time.wall())

    return RequestGuard(time.now, admission=admission, knows=knows, bars=bars)


def bearer(request: Request) -> str:
    """The token that a request shows; empty where it shows none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == _SCHEME else ""


def _too_fast(sentence: str, wait: Micros) -> Trouble:
    seconds = -(-wait // MICROS_A_SECOND)  # rounded up
    return Trouble(
        HTTPStatus.TOO_MANY_REQUESTS, "too_fast", sentence, {"Retry-After": str(seconds)}
    )


def _host(request: Request) -> str:
    return "" if request.client is None else request.client.host
