"""What an edge answers under HTTP: the page and the documentation, and how it is itself.

All else is asked of the hall that is meant, and answered by it. Without a hall that is a 503.
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
from rookery.server.web.guard.admission import name_in
from rookery.server.web.guard.middleware import GuardMiddleware
from rookery.server.web.guard.request_guard import API, HEALTH, STATUS, RequestGuard
from rookery.server.web.site.site import other_addresses, site_routes

LENGTH: Final = b"content-length"
# What is said where the hall does not answer, and after how many seconds one may ask again. Who
# wanted something done that may have been is not asked to: it would be done twice.
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
    """What an edge knows of itself."""

    ends: Mapping[str, HallEnd]  # its halls, by name
    places: Mapping[str, HallPlace]  # where else they are to be had
    gauges: Callable[[], dict[str, float]]
    usual: str  # the hall of who does not say which
    listens: Mapping[str, tuple[ServerAddress, ...]]  # where it does, by hall; not of every hall

    def reach(self, hall: str) -> tuple[str, ...]:
        """What others type to see the page of a hall."""
        if hall in self.listens:
            return reached_at(self.listens[hall])
        names = self.places[hall].names if hall in self.places else ()
        return reached_by_name(self.listens.get(self.usual, ()), names)

    def end(self, scope: Scope) -> HallEnd:
        """The hall that is meant. Raises Trouble where there is none of that name."""
        found = self.ends.get(scope[HALL])
        if found is None:
            raise missing(NO_SUCH_HALL)
        return found


def edge_app(guard: RequestGuard, choosing: Choosing, around: Around) -> Starlette:
    """Everything there is under HTTP at an edge, on ports where halls are chosen so."""

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
    """There is nobody to ask, or nobody who answers."""
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
    """Say of what the hall says of itself where one calls it from here: its ports are nobody's."""
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
    """Where a hall's page is: what a browser keeps, it keeps by name and port. Raises Trouble."""
    scheme, path = request.url.scheme, request.scope["path"]
    name, port = _host(request)
    if place is not None and place.names:
        return f"{scheme}://{place.names[0]}{port}{path}"
    if place is not None and place.port and name:
        return f"{scheme}://{name}:{place.port}{path}"
    raise missing("This hall has no page of its own: it has neither a port nor a name here.")


def _host(request: Request) -> tuple[str, str]:
    """By which name, and with which port, one was called."""
    said = request.headers.get("host", "")
    name = name_in(said)
    shown = f"[{name}]" if ":" in name else name
    return shown, said[len(shown) :] if said.lower().startswith(shown) else ""
