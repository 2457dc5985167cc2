"""The app: every route, the headers of every answer, and problems for everything else."""

from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rookery.core.ids import TableId
from rookery.server.web.answer_cache import Renew, Truth
from rookery.server.web.api import about, analyses, clocks, dialects, games, health, replays, tables
from rookery.server.web.api.calls import JSON, Asked, Call, Sources, Text
from rookery.server.web.api.people import accounts, histories, leaderboards, moderation, players
from rookery.server.web.api.problems import TROUBLES, Trouble, respond
from rookery.server.web.api.tours import formats, looking, ratings, running
from rookery.server.web.guard.middleware import GuardMiddleware
from rookery.server.web.protocol.answer_recorder import TRUTH
from rookery.server.web.protocol.http_connection import HttpServer
from rookery.server.web.site import lessons
from rookery.server.web.site.headers import HEADERS
from rookery.server.web.site.site import (
    Endpoint,
    described,
    other_addresses,
    own_page,
    site_routes,
)

CALLS: Final = (
    *(*games.CALLS, *dialects.CALLS, *clocks.CALLS, *tables.CALLS, *replays.CALLS),
    *(*analyses.CALLS, *lessons.CALLS),
    *(*players.CALLS, *histories.CALLS, *leaderboards.CALLS, *accounts.CALLS),
    *moderation.CALLS,
    *(*formats.CALLS, *looking.CALLS, *ratings.CALLS, *running.CALLS),
    *(*about.CALLS, *health.CALLS),
)


def make_app(sources: Sources) -> Starlette:
    """Everything there is under HTTP."""
    routes = site_routes(CALLS)
    by_path: dict[str, dict[str, Call]] = {}
    for call in CALLS:
        by_path.setdefault(call.path, {})[call.method] = call
    for path, methods in by_path.items():
        routes.append(Route(path, _endpoint(sources, methods), methods=list(methods)))
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Headed), Middleware(GuardMiddleware, sources.guard)],
        exception_handlers={
            **TROUBLES,
            ClientDisconnect: _nobody,
            Exception: _mistake,
        },
    )
    app.router.default = other_addresses()
    app.router.redirect_slashes = False  # it would send people to whatever `Host` says
    return app


def make_ready() -> None:
    """Make ahead what every server shows, so that a stand-by which takes over finds it made."""
    described(CALLS)
    own_page()
    site_routes(CALLS)
    for call in CALLS:
        compile_path(call.path)  # which `re` keeps
    HttpServer(Starlette())


class Headed:
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and put our headers on its answer."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, headed)


def _endpoint(sources: Sources, methods: dict[str, Call]) -> Endpoint:
    async def answer(request: Request) -> Response:
        call = methods["GET" if request.method == "HEAD" else request.method]
        asked = Asked(sources, request)
        if call.writes:
            asked.authorise()
        elif call.anyone:
            asked.check_page()
        found = await call.do(asked)
        if call.lasts is not None and request.method == "GET":
            number = request.path_params.get("table")
            table = None if number is None else TableId(int(number))
            request.scope[TRUTH] = Truth(call.lasts, table, _renewal(sources, call, found))
        return _response(found)

    return answer


def _renewal(sources: Sources, call: Call, answer: Struct | Text) -> Renew | None:
    """How to give the answer again later, with its clocks as they are then; None: it cannot be."""
    if call.later is None or isinstance(answer, Text):
        return None
    later = call.later(sources, answer)

    def renew() -> bytes | None:
        found = later()
        return None if found is None else msgspec.json.encode(found)

    return renew


def _response(answer: Struct | Text) -> Response:
    if not isinstance(answer, Text):
        return Response(msgspec.json.encode(answer), media_type=JSON)
    headers = {}
    if answer.name:
        headers["Content-Disposition"] = f'attachment; filename="{answer.name}"'
    kind = answer.kind if answer.kind == JSON else f"{answer.kind}; charset=utf-8"
    return Response(answer.text.encode(), headers=headers, media_type=kind)


async def _nobody(_: Request, __: Exception) -> Response:
    """Answer a client that is gone; nobody will read this."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def _mistake(_: Request, __: Exception) -> Response:
    sentence = "The server made a mistake of its own; it is in its log."
    return respond(Trouble(HTTPStatus.INTERNAL_SERVER_ERROR, "mistake", sentence))
