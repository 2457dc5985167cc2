"""Who may ask over HTTP, how often, by which names, from which pages, and who may write.

A page of elsewhere can give its own name the address of this server (DNS rebinding): to the
browser both are one site then, and that page could read and do here what the browser's user
can. But the browser says by which name it calls, and the name is the other page's. So only
names that are known to be ours are answered. An address in numbers is nobody's name. What stands
behind `Host:` is a name or an address and perhaps a port, and nothing else: it is a part of
redirects, and those must lead to this server.

Where the server has a certificate, a token is taken under TLS alone.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final
from urllib.parse import quote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.messages import Refused
from rookery.core.network import Buckets, Rate, home_of
from rookery.hall.hall import Hall
from rookery.server.fairtime import FairTime
from rookery.server.web.problems import HttpProblem, respond, say

# Requests are counted by host. Each has so many at hand, and they come back with time. A
# host on the same machine has more: it may be a proxy, and then it is everybody.
READS: Final = Rate(5_000, MICROS_A_SECOND // 500)  # a class opens the page at the same moment
READS_LOOPBACK: Final = Rate(50_000, MICROS_A_SECOND // 5_000)
# Nobody's hand is quicker, and guessing a token takes longer than there will be stars.
WRITES: Final = Rate(60, MICROS_A_SECOND // 10)
WRITES_LOOPBACK: Final = Rate(600, MICROS_A_SECOND // 100)
# Codes of private tables; a right one is given back. As many as over a line (`hall/limits.py`).
CODES: Final = Rate(50, 2 * MICROS_A_SECOND)
CODES_LOOPBACK: Final = Rate(500, MICROS_A_SECOND // 10)
# The page has twenty-five files, and a browser keeps nearly all of them: a class that opens it in
# several tabs each is far from this.
PAGES: Final = Rate(5_000, MICROS_A_SECOND // 50)
PAGES_LOOPBACK: Final = Rate(50_000, MICROS_A_SECOND // 500)
# Until a client hears that it is refused. To refuse costs as much as to answer: a client
# that asks on at once is slowed down by this, and not by the refusal.
REFUSAL_DELAY_S: Final = 1.0


class Rates(Struct, frozen=True):
    """How much the guard lets a host do; tests alone use others than these."""

    reads: Rate = READS
    reads_loopback: Rate = READS_LOOPBACK
    writes: Rate = WRITES
    writes_loopback: Rate = WRITES_LOOPBACK
    codes: Rate = CODES
    codes_loopback: Rate = CODES_LOOPBACK
    pages: Rate = PAGES
    pages_loopback: Rate = PAGES_LOOPBACK


LOOPBACK_NAMES: Final = frozenset({"localhost", "ip6-localhost", "localhost.localdomain"})
ANY_NAME: Final = "*"  # among the public names: a proxy in front of us checks names
# Labels of up to 63 characters (RFC 1035); `_` is in no host's name, and in many a container's.
_HOST: Final = re.compile(
    r"(?:\[(?P<v6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*)\.?)"
    r"(?P<port>:[0-9]{1,5})?"
)
HOST_MAX: Final = 253 + len(".:65535")  # characters: a name's, a last dot and a port
PORT_MAX: Final = 65535
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")  # a browser takes what ends so for an address
NO_HOST: Final = (
    "That is no host: behind Host stands a name or an address, an IPv6 one in brackets, then "
    "perhaps a port, and nothing else."
)
SAID_IN_THE_CLEAR: Final = (
    "This server has a certificate and takes no token in the clear: use https. "
    "A token that was sent so may have been read on its way."
)


def check_host(hosts: Sequence[str], version: str = "1.1") -> None:
    """Check that a request says once by which host it calls. Raises HttpProblem."""
    # "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message
    # that lacks a Host header field and to any request message that contains more than one"
    # (RFC 9112, 3.2).
    if len(hosts) > 1 or (not hosts and version == "1.1"):
        raise HttpProblem(HTTPStatus.BAD_REQUEST, "bad_host", NO_HOST)


class Admission(Struct, frozen=True):
    """What we ask of every request, whatever it wants."""

    names: frozenset[str] = frozenset({ANY_NAME})  # by which clients may call us, in lower case
    tls: bool = False  # whether the server has a certificate

    def check_name(self, hosts: Sequence[str], *, any_name: bool = False) -> None:
        """Check that a request calls us by a name, and by one of ours. Raises HttpProblem."""
        for host in hosts:
            name, ours = read_name(host), self.names
            if name is None:
                raise HttpProblem(HTTPStatus.BAD_REQUEST, "bad_host", NO_HOST)
            if any_name or ANY_NAME in ours or name in ours or is_address(name):
                continue
            sentence = (
                f"This server does not know that it is called {name[:100]}. If it is, start it "
                f"with --public-host {name[:100]}; its address in numbers always works."
            )
            raise HttpProblem(HTTPStatus.FORBIDDEN, "bad_host", sentence)

    def check_secret(self, *, sealed: bool) -> None:
        """Check that secrets may be said over such a connection. Raises HttpProblem."""
        if self.tls and not sealed:
            raise HttpProblem(HTTPStatus.FORBIDDEN, "no_tls", SAID_IN_THE_CLEAR)


def admission_of(host: str, public: Sequence[str], *, tls: bool) -> Admission:
    """The rules for a server that listens on `host` and has these names beside its own."""
    own = socket.gethostname()
    names = {host, *public, own, f"{own}.local", *LOOPBACK_NAMES}
    return Admission(frozenset(name.lower().rstrip(".") for name in names if name), tls)


def read_name(said: str) -> str | None:
    """Read the name or address behind `Host:`, in lower case, without brackets and a last dot.

    None where that is not just a host and perhaps a port.
    """
    read = _HOST.fullmatch(said.lower()) if len(said) <= HOST_MAX else None
    if read is None:
        return None
    name, port = read["v6"] or read["name"], read["port"] or ""
    in_numbers = read["v6"] is not None or _NUMBER.fullmatch(name.rpartition(".")[2])
    if (in_numbers and not is_address(name)) or (port and not 0 < int(port[1:]) <= PORT_MAX):
        return None
    return name if (":" in name) == (read["v6"] is not None) else None


def is_address(name: str) -> bool:
    """Whether this is an address in numbers."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


# -- Which pages are this server's own: one rule for requests that write and for WebSockets.
#
# A browser says which page is calling (`Origin`); a program says nothing, and need not.

_WEB: Final = ("http", "https")


def check_origins(origins: Sequence[str], hosts: Sequence[str], act: str) -> None:
    """Check that only our own page does this, if any page does. Raises HttpProblem."""
    ours = [host.lower() for host in hosts]
    for origin in origins:
        # Where a proxy ends the TLS, the page says https and the request came by http.
        scheme, _, host = origin.lower().partition("://")
        if scheme not in _WEB or not host or ours != [host]:
            sentence = f"A page of {origin[:100]} may not {act} here."
            raise HttpProblem(HTTPStatus.FORBIDDEN, "bad_origin", sentence)


# -- The guard: no host asks too much, and only pages of this server's own write.
#
# Every request calls the server by a name that is its own (`Admission`), and a client that
# may not write is told so before we read what it wrote.
#
# A browser says which page sends a request (`Origin`); a page of anywhere else may not
# write. Programs send no Origin, and need none. The hall itself judges the token. Each host
# has so many requests at hand, which come back with time. Pages are counted
# apart from what is asked of the hall and the log, and so is how the server is: an operator at
# the host of a flood sees that all the same.

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
        self._writes = Buckets(rates.writes, rates.writes_loopback)
        self._codes = Buckets(rates.codes, rates.codes_loopback)
        self._pages = Buckets(rates.pages, rates.pages_loopback)
        self._probes = Buckets(rates.pages, rates.pages_loopback)

    def admit(self, request: Request) -> None:
        """Count a request, whatever it asks. Raises HttpProblem."""
        no = self._bars(_host(request))
        # A client with the organiser's token can lift a ban of its own host.
        if no is not None and not self._knows(bearer(request)):
            raise HttpProblem(HTTPStatus.FORBIDDEN, no.code, no.sentence)
        wait = self._buckets(request.scope["path"]).take(_host(request), self._now())
        if wait:
            raise _too_fast("Too many requests came from your host; wait a moment.", wait)
        any_name = request.scope["path"] == HEALTH  # which machines ask, by whatever name
        hosts = request.headers.getlist("host")
        check_host(hosts, request.scope.get("http_version", ""))
        self.admission.check_name(hosts, any_name=any_name)
        # "GET .evil.example/" is no path, and would be a part of the name in a redirect.
        if not request.scope["path"].startswith("/"):
            raise HttpProblem(HTTPStatus.BAD_REQUEST, "bad_target", NO_PATH)
        if request.method not in READING or "authorization" in request.headers:
            self.admission.check_secret(sealed=request.url.scheme == "https")

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
        """Return the token of a request that wants to write, if it is right. Raises HttpProblem."""
        self.check_page(request)
        wait = self._writes.take(_host(request), self._now())
        if wait:
            sentence = "Too many requests that write came from your host; wait a moment."
            raise _too_fast(sentence, wait)
        token = bearer(request)
        if not token:
            sentence = "Writing needs the organiser's token: Authorization: Bearer TOKEN."
            headers = {"WWW-Authenticate": "Bearer"}
            raise HttpProblem(HTTPStatus.UNAUTHORIZED, "no_token", sentence, headers)
        if not self._knows(token):
            raise HttpProblem(
                HTTPStatus.FORBIDDEN, "bad_token", "That is not the organiser's token."
            )
        return token

    def try_code(self, request: Request) -> None:
        """Count a table's code as a guess; `knew_code` gives it back. Raises HttpProblem."""
        wait = self._codes.take(_host(request), self._now())
        if wait:
            raise _too_fast("Too many wrong codes came from your host; wait a moment.", wait)

    def knew_code(self, request: Request) -> None:
        """Take back the guess that was counted: the code was right."""
        self._codes.give(_host(request), 1)

    def check_page(self, request: Request) -> None:
        """Check that no page of anywhere else sends this. Raises HttpProblem."""
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


def _too_fast(sentence: str, wait: Micros) -> HttpProblem:
    seconds = -(-wait // MICROS_A_SECOND)  # rounded up
    return HttpProblem(
        HTTPStatus.TOO_MANY_REQUESTS, "too_fast", sentence, {"Retry-After": str(seconds)}
    )


def _host(request: Request) -> str:
    return "" if request.client is None else request.client.host


# -- The middleware: every request is counted here, whatever it asks, and some get no further.
#
# A refusal is sent a moment later. An answer costs the same whatever it says, so a refusal
# alone would slow nobody down; and on one connection the next request waits for it.


async def moment() -> None:
    """Wait a moment before a refusal is sent."""
    await asyncio.sleep(REFUSAL_DELAY_S)


class GuardMiddleware:
    """Passes on requests that the guard admits; `hold` is awaited before a refusal."""

    def __init__(
        self, app: ASGIApp, guard: RequestGuard, hold: Callable[[], Awaitable[None]] = moment
    ) -> None:
        self._app = app
        self._guard = guard
        self._hold = hold

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, send it elsewhere, or refuse it."""
        request = Request(scope)
        try:
            self._guard.admit(request)
        except HttpProblem as wrong:
            await self._hold()
            path = scope["path"]
            answer = respond(wrong) if path.startswith(API) or path in PROBES else say(wrong)
            await answer(scope, receive, send)
            return
        if (address := self._guard.elsewhere(request)) is not None:
            await RedirectResponse(address)(scope, receive, send)
            return
        await self._app(scope, receive, send)
