"""The server over HTTP: which version it is, where it listens, and which bots it has."""

from typing import Final

from msgspec import Struct

from rookery import __version__
from rookery.server.addresses import HouseBots, ServerAddress, reached_at
from rookery.server.web.api.calls import Asked, Call, Nothing

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
)
