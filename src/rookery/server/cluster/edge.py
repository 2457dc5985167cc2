"""An edge: listens, finds the hall, and carries between the two until told to stop.

    clients ──▶ Listener ── their languages ──▶ HallConnection ──▶ NATS ──▶ hall
                         ── HTTP ──▶ the page and the documentation are answered here;
                                     all else is asked of the hall

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
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rookery import __version__
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.messages import Notice
from rookery.plugins.watchdog import watched
from rookery.server import limits
from rookery.server.addresses import ServerAddress, places_of, reached_at
from rookery.server.app import CRASHED, MILLIS_A_SECOND, SIGNALS, Stop, loop_runner, sweep
from rookery.server.cluster.edge_link import HallConnection
from rookery.server.cluster.http_forward import HttpAnswer, Unanswered, Why
from rookery.server.cluster.nats import Broker, reach_broker
from rookery.server.config import BadSetting, Settings
from rookery.server.environment import THIS_MACHINE, Environment
from rookery.server.fairtime import FairTime
from rookery.server.metrics import PROMETHEUS, Health, prometheus
from rookery.server.net.listener import Listener, Say, listen, raise_limit, sessions_among
from rookery.server.net.tls import tls_of
from rookery.server.web.api_server import ABOUT, ServerShown
from rookery.server.web.app import CALLS, Headed, other_addresses, site_routes
from rookery.server.web.guard import API, HEALTH, GuardMiddleware, RequestGuard, admission_of
from rookery.server.web.http import HttpServer
from rookery.server.web.problems import PROBLEM_HANDLERS, HttpProblem, respond
from rookery.server.web.routes import JSON

GOING: Final = Notice("closing", "The server is going down; your games are safe.")
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


def run_edge(settings: Settings, say: Say) -> int:
    """Run an edge until told to stop; return the exit code. Raises Mistake before it starts."""
    if not settings.nats:
        raise BadSetting("An edge needs --nats, where its hall is to be found.")
    return loop_runner()(_serve(settings, say))


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
    settings: Settings, say: Say, stop: Stop, environment: Environment = THIS_MACHINE
) -> int:
    """Carry between connections and the hall until there is a reason to stop; return the code."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(stop.complained)
    time = FairTime(environment.monotonic, environment.wall, metrics=environment.loop_metrics(loop))
    broker = Broker(settings.nats, settings.hall, environment.nats_client)
    name = f"{environment.seed():x}"
    hall = HallConnection(broker, name, time, clock=environment.elapsed, work=environment.worked)
    listener = Listener(
        hall,
        time,
        hall.directory,
        limits.Bounds(sessions=sessions_among(raise_limit())),
        tls=tls_of(settings),
    )
    hall.dismiss, hall.hold, hall.terms_of = listener.dismiss, listener.hold, listener.terms.get
    listens: list[ServerAddress] = []  # once the ports are open
    listener.web = _http_server(settings, hall, listener, listens, environment)
    servers = await listen(settings, listener, say)
    listens += places_of(settings, servers)
    hall.open()
    sweeping = loop.create_task(sweep(listener))
    environment.settle()
    say(f"This is an edge of {settings.hall}; stop with Ctrl-C")
    code = await stop.wait()
    for server in servers:
        server.close()
    sweeping.cancel()
    if code != CRASHED:
        listener.close(GOING)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limits.SHUTDOWN_TIMEOUT_S):
                await listener.empty.wait()
    listener.abort()
    await hall.close()
    return code


# -- HTTP


def _http_server(
    settings: Settings,
    hall: HallConnection,
    listener: Listener,
    listens: Sequence[ServerAddress],
    environment: Environment,
) -> HttpServer:
    time, began = listener.time, environment.monotonic()

    def gauges() -> dict[str, float]:
        return hall.samples() | {
            "rookery_connections": len(listener),
            "rookery_stalled_seconds_total": time.stalled / MICROS_A_SECOND,
            "rookery_uptime_seconds": (environment.monotonic() - began) / MICROS_A_SECOND,
        }

    tls = listener.tls is not None
    admission = admission_of(settings.host, settings.public_host, tls=tls)
    guard = RequestGuard(time.now, admission=admission)
    return HttpServer(_edge_app(guard, hall, gauges, listens), admission=admission)


def _edge_app(
    guard: RequestGuard,
    hall: HallConnection,
    gauges: Callable[[], dict[str, float]],
    listens: Sequence[ServerAddress],
) -> Starlette:
    """The app of an edge: everything there is under HTTP; it `listens` there, once it is open."""

    async def health(_: Request) -> Response:
        if hall.away:
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
    app.router.default = _asked(other_addresses(), hall, listens)
    app.router.redirect_slashes = False
    return app


def unanswered(why: Why) -> HttpProblem:
    """The problem to answer with if there is no hall, or none that answers."""
    sentence, seconds = UNANSWERED[why]
    headers = {"Retry-After": str(seconds)} if seconds else {}
    return HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, why, sentence, headers)


def _asked(others: ASGIApp, hall: HallConnection, listens: Sequence[ServerAddress]) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if not scope["path"].startswith(API):
            await others(scope, receive, send)
            return
        try:
            found = await hall.http.ask(scope, receive)
        except Unanswered as wrong:
            raise unanswered(wrong.why) from None
        if found is None:
            return  # the client has left
        if (scope["path"], scope["method"], found.status) == (ABOUT, "GET", HTTPStatus.OK):
            found = _from_here(found, tuple(listens))
        head = {"status": found.status, "headers": list(found.headers)}
        await send({"type": "http.response.start", **head})
        await send({"type": "http.response.body", "body": found.body})

    return answer


def _from_here(found: HttpAnswer, places: tuple[ServerAddress, ...]) -> HttpAnswer:
    """Change what the hall says of its addresses into those of this edge: its own do not count."""
    shown = msgspec.json.decode(found.body, type=ServerShown)
    body = msgspec.json.encode(replace(shown, listens=places, reach=reached_at(places)))
    headers = [one for one in found.headers if one[0].lower() != LENGTH]
    return HttpAnswer(found.status, (*headers, (LENGTH, str(len(body)).encode())), body)
