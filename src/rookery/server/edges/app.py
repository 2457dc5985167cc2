"""What an edge answers under HTTP: the page and the documentation, and how the edge itself is.

All else is asked of the hall that is meant, which answers it. Without a hall that is a 503.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rookery import __version__
from rookery.server.addresses import ServerAddress
from rookery.server.config import HallPlace
from rookery.server.edges.hall_by_address import BY_PATH, HALL, NO_SUCH_HALL, ChoosesHall, Choosing
from rookery.server.edges.hall_end import HallEnd
from rookery.server.lan import reached_at, reached_by_name
from rookery.server.links.web_asking import Unanswered, Why
from rookery.server.web.api.about import ABOUT, ServerShown
from rookery.server.web.api.calls import JSON
from rookery.server.web.api.health import Health
from rookery.server.web.api.measures import PROMETHEUS, prometheus
from rookery.server.web.api.problems import TROUBLES, Trouble, missing, respond
from rookery.server.web.app import CALLS, Headed
from rookery.server.web.guard.admission import read_host
from rookery.server.web.guard.middleware import GuardMiddleware
from rookery.server.web.guard.request_guard import API, HEALTH, STATUS, RequestGuard
from rookery.server.web.site.site import other_addresses, site_routes

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


class Around(msgspec.Struct, frozen=True):
    """What an edge knows of itself and its halls."""

    ends: Mapping[str, HallEnd]  # its halls, by name
    places: Mapping[str, HallPlace]  # at which ports and names they are
    gauges: Callable[[], dict[str, float]]
    usual: str  # the hall of clients that do not say which
    listens: Mapping[str, tuple[ServerAddress, ...]]  # its addresses, by hall; some halls have none

    def reach(self, hall: str) -> tuple[str, ...]:
        """What people on other machines type to see the page of this hall."""
        if hall in self.listens:
            return reached_at(self.listens[hall])
        names = self.places[hall].names if hall in self.places else ()
        return reached_by_name(self.listens.get(self.usual, ()), names)

    def end(self, scope: Scope) -> HallEnd:
        """Our end of the hall that a request means. Raises Trouble if there is no such hall."""
        found = self.ends.get(scope[HALL])
        if found is None:
            raise missing(NO_SUCH_HALL)
        return found


def edge_app(guard: RequestGuard, choosing: Choosing, around: Around) -> Starlette:
    """The app of an edge: everything there is under HTTP, with `choosing` to find the hall."""

    async def health(request: Request) -> Response:
        one = around.end(request.scope)
        asked = [one] if request.scope[BY_PATH] else around.ends.values()
        if all(end.link.away for end in asked):
            return respond(unanswered("no_hall"))
        return Response(msgspec.json.encode(Health("ok", __version__)), media_type=JSON)

    async def metrics(request: Request) -> Response:
        around.end(request.scope)
        return Response(prometheus(around.gauges()), media_type=PROMETHEUS)

    routes = [Route(HEALTH, health, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]
    app = Starlette(
        routes=[*routes, *site_routes(None, CALLS)],
        middleware=[
            Middleware(ChoosesHall, choosing),
            Middleware(Headed),
            Middleware(GuardMiddleware, guard),
        ],
        exception_handlers=TROUBLES,
    )
    app.router.default = _asked(other_addresses(), around)
    app.router.redirect_slashes = False
    return app


def unanswered(why: Why) -> Trouble:
    """The trouble to answer with if there is no hall, or none that answers."""
    sentence, seconds = UNANSWERED[why]
    headers = {"Retry-After": str(seconds)} if seconds else {}
    return Trouble(HTTPStatus.SERVICE_UNAVAILABLE, why, sentence, headers)


def _asked(others: ASGIApp, around: Around) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        end = around.end(scope)
        if path.startswith(API) or path == STATUS:
            if path == ABOUT and scope["method"] == "GET":
                listens, reach = around.listens.get(end.hall, ()), around.reach(end.hall)
                send = _from_here(send, listens, reach)
            try:
                await end.asking.ask(scope, receive, send)
            except Unanswered as wrong:
                raise unanswered(wrong.why) from None
        elif scope[BY_PATH]:
            address = _own_page(around.places.get(end.hall), Request(scope))
            await RedirectResponse(address)(scope, receive, send)
        else:
            await others(scope, receive, send)

    return answer


def _from_here(send: Send, places: tuple[ServerAddress, ...], reach: tuple[str, ...]) -> Send:
    """Change what the hall says of its addresses into those of this edge: its own do not count."""
    heads: list[Message] = []

    async def change(message: Message) -> None:
        if message["type"] == "http.response.start":
            heads.append(message)
            return
        head = heads.pop()
        if head["status"] == HTTPStatus.OK:
            shown = msgspec.json.decode(message["body"], type=ServerShown)
            shown = msgspec.structs.replace(shown, listens=places, reach=reach)
            message = {**message, "body": msgspec.json.encode(shown)}
            headers = [one for one in head["headers"] if one[0].lower() != LENGTH]
            size = str(len(message["body"])).encode()
            head = {**head, "headers": [*headers, (LENGTH, size)]}
        await send(head)
        await send(message)

    return change


def _own_page(place: HallPlace | None, request: Request) -> str:
    """The address of a hall's own page, since browsers keep things by host. Raises Trouble."""
    scheme, path = request.url.scheme, request.scope["path"]
    called = read_host(request.headers.get("host", ""))
    if place is not None and place.names:
        port = "" if called is None else called.port
        return f"{scheme}://{place.names[0]}{port}{path}"
    if place is not None and place.port and called is not None:
        return f"{scheme}://{called.shown}:{place.port}{path}"
    raise missing("This hall has no page of its own: it has neither a port nor a name here.")
