"""The server over HTTP: where it listens, which bots it has, and how it is."""

from http import HTTPStatus
from typing import Final

from msgspec import Struct

from rookery import __version__
from rookery.server.addresses import HouseBots, ServerAddress, reached_at
from rookery.server.metrics import PLAIN, PROMETHEUS, Health, prometheus
from rookery.server.web.problems import HttpProblem
from rookery.server.web.routes import ApiRequest, Text, get

ABOUT: Final = "/api/server"


class ServerShown(Struct, frozen=True):
    """What one must know to connect; `house` is missing where no bots are for everyone."""

    version: str
    listens: tuple[ServerAddress, ...]
    house: HouseBots | None
    reach: tuple[str, ...] = ()  # what others type to see the page; empty: only this machine can


@get(ABOUT, "health", "Where the server listens, in which dialects, and which bots it has")
async def show_server(request: ApiRequest) -> ServerShown:
    """The server, for who wants to connect."""
    places = tuple(request.state.places)
    return ServerShown(__version__, places, request.state.bots, reached_at(places))


# -- How the server is: `/healthz` for whoever restarts it, `/metrics` for whoever watches.
#
# Neither asks the hall, so both answer while the log cannot be written.


@get("/healthz", "health", "Whether the server can take moves")
async def health(request: ApiRequest) -> Health:
    """Whether the server can take moves."""
    if request.state.failing():
        sentence = "The server cannot write its log, and takes no moves."
        raise HttpProblem(HTTPStatus.SERVICE_UNAVAILABLE, "no_disk", sentence)
    return Health("ok", __version__)


@get("/metrics", "health", "Numbers for Prometheus", kinds=(PLAIN,))
async def metrics(request: ApiRequest) -> Text:
    """Numbers, for Prometheus."""
    return Text(prometheus(request.state.samples()), PROMETHEUS)
