"""The middleware: every request is counted here, whatever it asks, and some get no further.

A refusal is sent a moment later. An answer costs the same whatever it says, so a refusal
alone would slow nobody down; and on one connection the next request waits for it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from rookery.server.web.api.problems import Trouble, respond, say
from rookery.server.web.guard.request_guard import API, PROBES, RequestGuard
from rookery.server.web.limits import HOLD


async def moment() -> None:
    """Wait a moment before a refusal is sent."""
    await asyncio.sleep(HOLD)


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
        except Trouble as wrong:
            await self._hold()
            path = scope["path"]
            answer = respond(wrong) if path.startswith(API) or path in PROBES else say(wrong)
            await answer(scope, receive, send)
            return
        if (address := self._guard.elsewhere(request)) is not None:
            await RedirectResponse(address)(scope, receive, send)
            return
        if "transfer-encoding" in request.headers and "content-length" in request.headers:
            await respond(_ambiguous())(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _ambiguous() -> Trouble:
    # "Such a message might indicate an attempt to perform request smuggling" (RFC 9112): a
    # proxy in front of us may see the end of the request elsewhere.
    sentence = "A body has a length or comes in chunks, and not both."
    return Trouble(HTTPStatus.BAD_REQUEST, "unreadable", sentence, {"Connection": "close"})
