"""What an edge answers under HTTP: the page and the documentation, and how the edge itself is.

All else is asked of the hall, which answers it. Without a hall that is a 503.
"""

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
from rookery.server.addresses import ServerAddress, reached_at
from rookery.server.edges.hall_end import HallEnd
from rookery.server.links.web_asking import Unanswered, Why
from rookery.server.web.api.measures import PROMETHEUS, prometheus
from rookery.server.web.api_server import ABOUT, Health, ServerShown
from rookery.server.web.app import CALLS, Headed, other_addresses, site_routes
from rookery.server.web.guard import API, HEALTH, GuardMiddleware, RequestGuard
from rookery.server.web.problems import TROUBLES, Trouble, respond
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
    end: HallEnd,
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
        exception_handlers=TROUBLES,
    )
    app.router.default = _asked(other_addresses(), end, listens)
    app.router.redirect_slashes = False
    return app


def unanswered(why: Why) -> Trouble:
    """The trouble to answer with if there is no hall, or none that answers."""
    sentence, seconds = UNANSWERED[why]
    headers = {"Retry-After": str(seconds)} if seconds else {}
    return Trouble(HTTPStatus.SERVICE_UNAVAILABLE, why, sentence, headers)


def _asked(others: ASGIApp, end: HallEnd, listens: Sequence[ServerAddress]) -> ASGIApp:
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
