"""The guard: no host asks too much, and only pages of this server's own write.

Every request calls the server by a name that is its own (`admission.py`), and a client that
may not write is told so before we read what it wrote.

A browser says which page sends a request (`Origin`); a page of anywhere else may not
write. Programs send no Origin, and need none. The hall itself judges the token. The guard
mutates: each host has so many requests at hand, which come back with time. Pages are counted
apart from what is asked of the hall and the log, and so is how the server is: an operator at
the host of a flood sees that all the same.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.messages import Refused
from rookery.core.network import Buckets, home_of
from rookery.hall.hall import Hall
from rookery.runtime.fairtime import FairTime
from rookery.server.web.api.problems import Trouble
from rookery.server.web.guard.admission import Admission
from rookery.server.web.guard.origins import check_origins
from rookery.server.web.limits import Rates

RATES: Final = Rates()
ANYONE: Final = Admission()

API: Final = "/api/"
SOCKETS: Final = "/ws/"
HEALTH: Final = "/healthz"
PROBES: Final = frozenset({HEALTH, "/metrics"})
READING: Final = frozenset({"GET", "HEAD"})

NO_PATH: Final = "A request asks for a path, like /api/games."

_SCHEME: Final = "bearer"


class RequestGuard:
    """Decides which requests may be made, and which may write."""

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
        self._bars = bars  # why nobody from a host may ask anything; None: they may
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
        # A client with the organiser's token can lift a ban of its own host.
        if no is not None and not self._knows(bearer(request)):
            raise Trouble(HTTPStatus.FORBIDDEN, no.code, no.sentence)
        wait = self._buckets(request.scope["path"]).take(_host(request), self._now())
        if wait:
            raise _too_fast("Too many requests came from your host; wait a moment.", wait)
        any_name = request.scope["path"] == HEALTH  # which machines ask, by whatever name
        self.admission.check_name(request.headers.getlist("host"), any_name=any_name)
        # "GET .evil.example/" is no path, and would be a part of the name in a redirect.
        if not request.scope["path"].startswith("/"):
            raise Trouble(HTTPStatus.BAD_REQUEST, "bad_target", NO_PATH)
        if request.method not in READING or "authorization" in request.headers:
            self.admission.check_secret(sealed=request.url.scheme == "https")

    def counts(self, host: str) -> bool:
        """Count a read whose answer is cached; False if that is one too many.

        Then it is made like any other read, which may be refused.
        """
        return self._bars(host) is None and not self._again.take(host, self._now())

    def elsewhere(self, request: Request) -> str | None:
        """The address of a page under TLS, if there is a certificate; else None."""
        path: str = request.scope["path"]
        page = not path.startswith((API, SOCKETS)) and path not in PROBES
        host = request.headers.get("host", "")
        if not (self.admission.tls and page and host) or request.url.scheme == "https":
            return None
        query = f"?{request.url.query}" if request.url.query else ""
        return f"https://{host}{quote(path)}{query}"

    def token(self, request: Request) -> str:
        """Return the token of a request that wants to write, if it is right. Raises Trouble."""
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
        """Count a table's code as a guess; `knew_code` gives it back. Raises Trouble."""
        wait = self._codes.take(_host(request), self._now())
        if wait:
            raise _too_fast("Too many wrong codes came from your host; wait a moment.", wait)

    def knew_code(self, request: Request) -> None:
        """Take back the guess that was counted: the code was right."""
        self._codes.give(_host(request), 1)

    def check_page(self, request: Request) -> None:
        """Check that no page of anywhere else sends this. Raises Trouble."""
        check_origins(request.headers.getlist("origin"), request.headers.getlist("host"), "write")

    def home(self, request: Request) -> str:
        """The home of the host that asks: hosts of one home share what they may ask."""
        return home_of(_host(request))

    def _buckets(self, path: str) -> Buckets:
        """The counters against which a request for this path counts."""
        if path in PROBES:
            return self._probes
        return self._reads if path.startswith(API) else self._pages


def guard_of(
    hall: Hall, time: FairTime, knows: Callable[[str], bool], admission: Admission = ANYONE
) -> RequestGuard:
    """Make the guard of a hall, which knows the hosts that the hall has banned."""

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
