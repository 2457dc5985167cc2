"""An edge: listens, finds the hall, and carries between the two until told to stop.

    clients ──▶ Listener ──▶ EdgeLink ──▶ NATS ──▶ hall
            ──▶ HTTP: the page and the documentation here; all else is asked of the hall

An edge keeps no log and decides nothing, so there may be any number of them. What HTTP asks of a
hall that is not there is answered with a 503.
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rookery import __version__
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.messages import Notice
from rookery.plugins.watchdog import watched
from rookery.server import limits
from rookery.server.addresses import ServerAddress, places_of, reached_at
from rookery.server.app import CRASHED, MILLIS_A_SECOND, SIGNALS, Stop, loop_runner, sweep
from rookery.server.cluster.edge_link import HallConnection
from rookery.server.cluster.http_forward import Unanswered, Why
from rookery.server.cluster.nats import reach_broker
from rookery.server.config import BadSetting, Settings
from rookery.server.environment import THIS_MACHINE, Environment
from rookery.server.fairtime import FairTime
from rookery.server.metrics import PROMETHEUS, Health, prometheus
from rookery.server.net.fair import SWITCHING
from rookery.server.net.listener import Listener, Say, listen, raise_limit, sessions_among
from rookery.server.net.tls import tls_of
from rookery.server.web.api_server import ABOUT, ServerShown
from rookery.server.web.app import CALLS, Headed, other_addresses, site_routes
from rookery.server.web.guard import API, HEALTH, GuardMiddleware, RequestGuard, admission_of
from rookery.server.web.http import HttpServer
from rookery.server.web.problems import PROBLEM_HANDLERS, HttpProblem, respond
from rookery.server.web.routes import JSON

LENGTH: Final = b"content-length"
# What is said if the hall does not answer, and after how many seconds to ask again. A client
# whose wish may have been done is not told to ask again: it would be done twice.
UNANSWERED: Final[Mapping[Why, tuple[str, int]]] = {
    "no_hall": ("The server is coming back; try again in a moment.", 1),
    "in_doubt": (
        "The server went away over this and may have done it; look before you ask again.",
        0,
    ),
    "no_answer": ("The server has not answered this for long; try again later.", 60),
    "busy": ("Too much that your host asked waits for an answer; try again in a moment.", 1),
}


def edge_app(
    guard: RequestGuard,
    end: HallConnection,
    gauges: Callable[[], dict[str, float]],
    listens: Sequence[ServerAddress],
) -> Starlette:
    """The app of an edge: everything there is under HTTP; it `listens` there, once it is open."""

    async def health(_: Request) -> Response:
        if end.link.away:
            return respond(unanswered("no_hall"))
        return Response(msgspec.json.encode(Health("ok", __version__)), media_type=JSON)

    async def metrics(_: Request) -> Response:
        return Response(prometheus(gauges()), media_type=PROMETHEUS)

    routes = [Route(HEALTH, health, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]
    app = Starlette(
        routes=[*routes, *site_routes(CALLS)],
        middleware=[Middleware(Headed), Middleware(GuardMiddleware, guard)],
        exception_handlers=PROBLEM_HANDLERS,
    )
    app.router.default = _asked(other_addresses(), end, listens)
    app.router.redirect_slashes = False
    return app


def unanswered(why: Why) -> HttpProblem:
    """The trouble to answer with if there is no hall, or none that answers."""
    sentence, seconds = UNANSWERED[why]
    headers = {"Retry-After": str(seconds)} if seconds else {}
    return HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, why, sentence, headers)


def _asked(others: ASGIApp, end: HallConnection, listens: Sequence[ServerAddress]) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if not path.startswith(API):
            await others(scope, receive, send)
            return
        if path == ABOUT and scope["method"] == "GET":
            send = _from_here(send, tuple(listens))
        try:
            await end.asking.ask(scope, receive, send)
        except Unanswered as wrong:
            raise unanswered(wrong.why) from None

    return answer


def _from_here(send: Send, places: tuple[ServerAddress, ...]) -> Send:
    """Change what the hall says of its addresses into those of this edge: its own do not count."""
    heads: list[Message] = []

    async def change(message: Message) -> None:
        if message["type"] == "http.response.start":
            heads.append(message)
            return
        head = heads.pop()
        if head["status"] == HTTPStatus.OK:
            shown = msgspec.json.decode(message["body"], type=ServerShown)
            shown = msgspec.structs.replace(shown, listens=places, reach=reached_at(places))
            message = {**message, "body": msgspec.json.encode(shown)}
            headers = [one for one in head["headers"] if one[0].lower() != LENGTH]
            size = str(len(message["body"])).encode()
            head = {**head, "headers": [*headers, (LENGTH, size)]}
        await send(head)
        await send(message)

    return change


GOING: Final = Notice("closing", "The server is going down; your games are safe.")


def run_edge(settings: Settings, say: Say) -> int:
    """Run an edge until told to stop; return the exit code. Raises Mistake before it starts."""
    if not settings.nats:
        raise BadSetting("An edge needs --nats, where its hall is to be found.")
    try:
        return loop_runner()(_serve(settings, say))
    finally:
        SWITCHING.calm()


async def _serve(settings: Settings, say: Say) -> int:
    loop, stop = asyncio.get_running_loop(), Stop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop.asked)
    await reach_broker(settings.nats, settings.wait, stop.is_asked)
    with watched(settings.rules_timeout / MILLIS_A_SECOND):
        code = await live_at_edge(settings, say, stop)
    for number in SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_IGN)
    return code


async def live_at_edge(
    settings: Settings, say: Say, stop: Stop, machine: Environment = THIS_MACHINE
) -> int:
    """Carry between connections and the hall until there is a reason to stop; return the code."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(stop.complained)
    time = FairTime(machine.monotonic, machine.wall, looks=machine.looks(loop))
    edge = Edge(settings, time, machine)
    servers = await edge.open(settings, say)
    machine.settle()
    say(f"This is an edge of {settings.hall}; stop with Ctrl-C")
    code = await stop.wait()
    for server in servers:
        server.close()
    await edge.close(orderly=code != CRASHED)
    return code


class Edge:
    """Everything between the sockets and the broker. It mutates."""

    def __init__(
        self, settings: Settings, time: FairTime, machine: Environment = THIS_MACHINE
    ) -> None:
        self._time, self._machine = time, machine
        self._listens: list[ServerAddress] = []  # once the ports are open
        self._end = end = HallConnection(settings, time, machine)
        self.listener = Listener(
            end.link,
            time,
            end.directory,
            limits.Bounds(sessions=sessions_among(raise_limit())),
            tls=tls_of(settings),
            elapsed=machine.elapsed,
            worked=machine.worked,
        )
        self._began = machine.monotonic()
        tls = self.listener.tls is not None
        admission = admission_of(settings.host, settings.public_host, tls=tls)
        guard = RequestGuard(time.now, admission=admission)
        app = edge_app(guard, end, self._gauges, self._listens)
        self.listener.web = HttpServer(app, admission=admission)
        end.link.dismiss = self.listener.dismiss
        end.link.certainty.hold = self.listener.hold
        end.link.terms_of = self.listener.terms.get
        self._sweeping: asyncio.Task[None] | None = None

    async def open(self, settings: Settings, say: Say) -> list[asyncio.Server]:
        """Open the ports, and then look for the hall. Raises Mistake."""
        servers = await listen(settings, self.listener, say)
        self._listens += places_of(settings, servers)
        self._end.open()
        self._sweeping = asyncio.get_running_loop().create_task(sweep(self.listener))
        return servers

    async def close(self, *, orderly: bool) -> None:
        """Tell everyone and hang up, if `orderly`; then tell the hall and go."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        if orderly:
            self.listener.close(GOING)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limits.SHUTDOWN_PATIENCE):
                    await self.listener.empty.wait()
        self.listener.abort()
        await self._end.close()

    def _gauges(self) -> dict[str, float]:
        return self._end.samples() | {
            "rookery_connections": len(self.listener),
            "rookery_stalled_seconds_total": self._time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (self._machine.monotonic() - self._began) / MICROS_A_SECOND,
        }
