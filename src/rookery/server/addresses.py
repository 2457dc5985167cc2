"""Addresses: where a server listens, and which bots it has, for clients that want to connect."""

import asyncio
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from rookery.bots import BEST
from rookery.core.ids import Micros
from rookery.server.config import Settings

ANY: Final = "any"  # the dialect of the port that understands everyone


class ServerAddress(Struct, frozen=True):
    """A port one can call."""

    host: str
    port: int
    dialect: str  # the only one spoken there, or any
    tls: bool  # whether TLS is spoken there too
    tour: bool = False  # whether who comes there is bound for a tour
    bot_level: int | None = None  # of the bots that join who waits there, where it has its own


class HouseBots(Struct, frozen=True):
    """The bots that anyone can play with."""

    games: tuple[str, ...]
    levels: tuple[int, ...]
    level: int  # that comes where nobody says which
    wait: Micros  # how long one waits alone before it comes


def places_of(settings: Settings, servers: Sequence[asyncio.Server]) -> tuple[ServerAddress, ...]:
    """The addresses of these servers, which were opened by these settings, in their order."""
    first = (ANY, settings.tour, None)
    ports = [first, *((one.dialect, one.tour, one.house) for one in settings.ports())]
    tls = bool(settings.tls_cert)
    places = []
    for server, (dialect, tour, house) in zip(servers, ports, strict=True):
        level = None if house is None else house.level
        places += [
            ServerAddress(host, port, dialect, tls, bool(tour), level)
            for host, port in (listening.getsockname()[:2] for listening in server.sockets)
        ]
    return tuple(places)


def bots_of(settings: Settings) -> HouseBots | None:
    """The house bots for everyone; None if there are none."""
    house = settings.house_terms()
    if not house.open_at(settings.host):
        return None
    levels = tuple(range(1, BEST + 1))
    return HouseBots(tuple(sorted(house.games)), levels, house.terms.level, house.terms.wait)
