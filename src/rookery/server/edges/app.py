"""What an edge answers under HTTP: the page and the documentation, and how it is itself.

All else is asked of the hall, and answered by it. Without a hall that is a 503.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rookery import __version__
from rookery.server.links.requests import WebAsking
from rookery.server.web.api.calls import JSON
from rookery.server.web.api.health import PROMETHEUS, Health
from rookery.server.web.api.problems import Trouble, respond
from rookery.server.web.app import CALLS, TROUBLES, Headed
from rookery.server.web.guard.gate import API, HEALTH, STATUS, Gate
from rookery.server.web.guard.turnstile import Turnstile
from rookery.server.web.site.site import other_addresses, site_routes

NO_HALL: Final = "The server is coming back; try again in a moment."


class Around(msgspec.Struct, frozen=True):
    """What an edge knows of itself."""

    away: Callable[[], bool]  # whether there is no hall
    gauges: Callable[[], dict[str, float]]


def edge_app(gate: Gate, asking: WebAsking, around: Around) -> Starlette:
    """Everything there is under HTTP at an edge."""

    async def health(_: Request) -> Response:
        if around.away():
            return respond(no_hall())
        return Response(msgspec.json.encode(Health("ok", __version__)), media_type=JSON)

    async def metrics(_: Request) -> Response:
        lines = [f"{name} {value:.15g}" for name, value in around.gauges().items()]
        return Response("\n".join(lines) + "\n", media_type=PROMETHEUS)

    routes = [Route(HEALTH, health, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]
    app = Starlette(
        routes=[*routes, *site_routes(None, CALLS)],
        middleware=[Middleware(Headed), Middleware(Turnstile, gate)],
        exception_handlers={Trouble: _trouble, HTTPException: _elsewhere},
    )
    app.router.default = _asked(asking, other_addresses(), around)
    app.router.redirect_slashes = False
    return app


def no_hall() -> Trouble:
    """There is nobody to ask."""
    status = HTTPStatus.SERVICE_UNAVAILABLE
    return Trouble(status, "no_hall", NO_HALL, {"Retry-After": "1"})


def _asked(asking: WebAsking, others: ASGIApp, around: Around) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if not path.startswith(API) and path != STATUS:
            await others(scope, receive, send)
        elif around.away() or not await asking.ask(scope, receive, send):
            raise no_hall()

    return answer


def _trouble(_: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, Trouble), "Starlette sorts them"
    return respond(wrong)


def _elsewhere(_: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException), "Starlette sorts them"
    status = HTTPStatus(wrong.status_code)
    code, sentence = TROUBLES.get(status, ("refused", f"{status.phrase}."))
    headers = None if wrong.headers is None else dict(wrong.headers)
    return respond(Trouble(status, code, sentence, headers))
