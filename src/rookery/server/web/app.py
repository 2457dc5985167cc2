"""The app: every route, the headers of every answer, and problems for everything else."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rookery.server.web import (
    api_accounts,
    api_games,
    api_moderation,
    api_players,
    api_positions,
    api_server,
    api_tables,
    api_tours,
)
from rookery.server.web.guard import GuardMiddleware
from rookery.server.web.http import HttpServer
from rookery.server.web.openapi import document
from rookery.server.web.pages import (
    DOCS,
    EXAMPLES,
    ZIP,
    Docs,
    Examples,
    app_files,
    docs_page,
    nothing_there,
)
from rookery.server.web.problems import HEADERS, PROBLEM_HANDLERS, HttpProblem, respond
from rookery.server.web.routes import JSON, ApiRequest, AppState, Call, Text, calls_of
from rookery.server.web.static import KINDS, File, Page, is_page, make_file, send_file
from rookery.server.web.websocket import carried

# Every module of the API; what they can be asked is described in this order.
MODULES: Final = (
    *(api_games, api_tables, api_positions, api_players),
    *(api_accounts, api_moderation, api_tours, api_server),
)
CALLS: Final = tuple(call for module in MODULES for call in calls_of(module))
Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(state: AppState) -> Starlette:
    """Everything there is under HTTP."""
    by_path: dict[str, dict[str, Call]] = {}
    for call in CALLS:
        by_path.setdefault(call.path, {})[call.method] = call
    calls = [
        Route(path, _endpoint(state, methods), methods=list(methods))
        for path, methods in by_path.items()
    ]
    app = Starlette(
        routes=[*calls, *site_routes(CALLS)],  # looked through in order
        middleware=[Middleware(Headed), Middleware(GuardMiddleware, state.guard)],
        exception_handlers={
            **PROBLEM_HANDLERS,
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


_HEADERS: Final = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]


class Headed:
    """Puts the same headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and put our headers on its answer."""

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                given = {name for name, _ in headers}
                more = (one for one in _HEADERS if one[0] not in given)
                message["headers"] = [*headers, *more]
            await send(message)

        await self._app(scope, receive, headed)


def _endpoint(state: AppState, methods: dict[str, Call]) -> Endpoint:
    async def answer(request: Request) -> Response:
        call = methods["GET" if request.method == "HEAD" else request.method]
        return _response(await call.answered(ApiRequest(state, request)))

    return answer


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
    return respond(HttpProblem(HTTPStatus.INTERNAL_SERVER_ERROR, "mistake", sentence))


# -- What a browser is shown: the page, the documentation, and the API to read.
#
# The page is read when the first server of a process starts, the rest when it is first asked for.
# An address that is no call of the API and nothing else here is an address of the page.

HTML: Final = KINDS["html"]
DESCRIBED: Final = ("/api/openapi.json", "/api/docs")


@cache
def _papers() -> tuple[Docs, Examples]:
    """The documentation and the examples, found once however many servers a process has."""
    examples = Examples()
    return Docs(examples=examples), examples


def site_routes(calls: Sequence[Call]) -> list[Route]:
    """Routes for all addresses that are no calls."""
    files = app_files()
    docs, examples = _papers()

    async def read(request: Request) -> Response:
        return send_file(files[request.scope["path"]], request.headers)

    async def documentation(request: Request) -> Response:
        path = request.scope["path"]
        # A long page takes 60 ms to put into markup: nobody else waits for it.
        if (found := await asyncio.to_thread(docs.file, path)) is not None:
            return send_file(found, request.headers)
        if (folder := docs.folder(path)) is not None:
            return RedirectResponse(folder)
        return _html(nothing_there(), HTTPStatus.NOT_FOUND)

    async def example(request: Request) -> Response:
        path, raw = request.scope["path"], "raw" in request.query_params
        found = await asyncio.to_thread(examples.file, path, raw=raw)
        if found is None:
            return _html(nothing_there(), HTTPStatus.NOT_FOUND)
        return send_file(found, request.headers)

    ends: dict[str, Endpoint] = dict.fromkeys(files, read)
    ends |= dict.fromkeys(DESCRIBED, _describing(tuple(calls)))
    ends |= {
        DOCS.rstrip("/"): _to_docs,
        f"{DOCS}{{path:path}}": documentation,
        EXAMPLES: example,
        ZIP: example,
        f"{EXAMPLES}/{{path:path}}": example,
        "/ws/{dialect:path}": _no_upgrade,
    }
    return [Route(path, end, methods=["GET"]) for path, end in ends.items()]


def _describing(calls: tuple[Call, ...]) -> Endpoint:
    async def read(request: Request) -> Response:
        # It takes 60 ms to be made, once: nobody else waits for it, at a start or later.
        found = await asyncio.to_thread(described, calls)
        return send_file(found[request.scope["path"]], request.headers)

    return read


@cache
def described(calls: tuple[Call, ...]) -> dict[str, File]:
    """The API's description, for programs and for people, by address."""
    programs, people = DESCRIBED
    return {
        programs: make_file(msgspec.json.encode(document(calls)), JSON),
        people: make_file(docs_page(calls).encode(), HTML),
    }


@cache
def own_page() -> Page:
    """The page that is in the package, read once."""
    return Page()


def other_addresses() -> ASGIApp:
    """The app that answers where no route does: with the page, or a 404."""
    page = own_page()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        path = scope["path"]
        file = page.file(path) or page.at(path, request.headers.get("accept", ""))
        if file is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        lost = page.file(path) is None and not is_page(path)
        status = HTTPStatus.NOT_FOUND if lost else HTTPStatus.OK
        await send_file(file, request.headers, status)(scope, receive, send)

    return answer


def _html(text: str, status: HTTPStatus = HTTPStatus.OK) -> Response:
    return Response(text.encode(), status, headers={"Content-Type": HTML})


async def _to_docs(_: Request) -> Response:
    return RedirectResponse(DOCS)


async def _no_upgrade(request: Request) -> Response:
    dialect = carried(request.scope["path"])
    sentence = f"Here {dialect} is spoken in a WebSocket; ask for an upgrade."
    headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
    raise HttpProblem(HTTPStatus.UPGRADE_REQUIRED, "bad_handshake", sentence, headers)
