"""What a browser is shown: the page, the documentation, and the API to read.

The page is read when the first server of a process starts, the rest when it is first asked for.
An address that is no call of the API and nothing else here is an address of the page.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rookery.server.web.api.calls import JSON, Call
from rookery.server.web.api.openapi import document
from rookery.server.web.api.problems import Trouble
from rookery.server.web.protocol.upgrade import carried
from rookery.server.web.site.assets import KINDS, File, Page, is_page, make_file, send_file
from rookery.server.web.site.docs import ROOT as DOCS
from rookery.server.web.site.docs import Docs, nothing_there
from rookery.server.web.site.examples import ROOT as EXAMPLES
from rookery.server.web.site.examples import ZIP, Examples
from rookery.server.web.site.installing import app_files
from rookery.server.web.site.pages import docs_page

HTML: Final = KINDS["html"]
DESCRIBED: Final = ("/api/openapi.json", "/api/docs")

Endpoint = Callable[[Request], Awaitable[Response]]


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
    raise Trouble(HTTPStatus.UPGRADE_REQUIRED, "bad_handshake", sentence, headers)
