"""The server over HTTP: where it listens, which bots it has, and how it is."""

from http import HTTPStatus
from typing import Final

from msgspec import Struct

from rookery import __version__
from rookery.server.addresses import HouseBots, ServerAddress, reached_at
from rookery.server.metrics import PLAIN, PROMETHEUS, Health, prometheus
from rookery.server.web.problems import Trouble
from rookery.server.web.routes import Asked, Call, Nothing, Text

ABOUT: Final = "/api/server"


class ServerShown(Struct, frozen=True):
    """What one must know to connect; `house` is missing where no bots are for everyone."""

    version: str
    listens: tuple[ServerAddress, ...]
    house: HouseBots | None
    reach: tuple[str, ...] = ()  # what others type to see the page; empty: only this machine can


async def show_server(asked: Asked) -> ServerShown:
    """The server, for who wants to connect."""
    asked.query(Nothing)
    places = tuple(asked.sources.places)
    return ServerShown(__version__, places, asked.sources.bots, reached_at(places))


# -- health and metrics
# How the server is: `/healthz` for whoever restarts it, `/metrics` for whoever watches.
#
# Neither asks the hall, so both answer while the log cannot be written.


async def health(asked: Asked) -> Health:
    """Whether the server can take moves."""
    asked.query(Nothing)
    if asked.sources.failing():
        sentence = "The server cannot write its log, and takes no moves."
        raise Trouble(HTTPStatus.SERVICE_UNAVAILABLE, "no_disk", sentence)
    return Health("ok", __version__)


async def metrics(asked: Asked) -> Text:
    """Numbers, for Prometheus."""
    asked.query(Nothing)
    tally = asked.sources.tally
    counted: dict[str, float] = {
        'rookery_tables{status="open"}': tally.open,
        'rookery_tables{status="playing"}': tally.playing,
        "rookery_tours": tally.tours,
        "rookery_players": tally.players,
        "rookery_moves_total": tally.moves,
        "rookery_records_total": tally.records,
        "rookery_log_failing": int(asked.sources.failing()),
    }
    return Text(prometheus(counted | asked.sources.gauges()), PROMETHEUS)


CALLS: Final = (
    Call(
        "GET",
        ABOUT,
        "Where the server listens, in which dialects, and which bots it has",
        "health",
        show_server,
        ServerShown,
        query=Nothing,
    ),
    Call(
        "GET",
        "/healthz",
        "Whether the server can take moves",
        "health",
        health,
        Health,
        query=Nothing,
    ),
    Call(
        "GET",
        "/metrics",
        "Numbers for Prometheus",
        "health",
        metrics,
        query=Nothing,
        kinds=(PLAIN,),
    ),
)
