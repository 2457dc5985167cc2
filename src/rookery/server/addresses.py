"""Addresses: where a server listens, where others reach it, and which bots it has.

A server that listens on every address of a machine is not told which those are. We ask the
system from which address it would speak to each kind of network; nothing is sent.
"""

import asyncio
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from rookery.bots import BEST
from rookery.core.ids import Micros
from rookery.server.config import Settings

ANY: Final = "any"  # the dialect of the port that understands everyone
# One address that is nobody's in every kind of network; the one by the usual way first.
_PROBES: Final = {
    socket.AF_INET: ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254"),
    socket.AF_INET6: ("2001:db8::1", "fd00::1"),
}
_PORT: Final = 9  # any will do


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


# -- in the networks that the machine is in

Finder = Callable[[socket.AddressFamily], Sequence[str]]


def own_addresses(family: socket.AddressFamily) -> tuple[str, ...]:
    """The machine's own addresses that others may know, the usual one first."""
    found: dict[str, None] = {}
    for probe in _PROBES[family]:
        # There is no way to every network, and a machine may have no such addresses at all.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((probe, _PORT))
            found[asking.getsockname()[0]] = None
    return tuple(one for one in found if _is_for_others(one))


def reached_at(places: Sequence[ServerAddress], find: Finder = own_addresses) -> tuple[str, ...]:
    """What people on other machines type to see the page; empty if only this machine can."""
    found: dict[str, None] = {}
    for place in places:
        if place.dialect != ANY or place.tour:
            continue
        scheme = "https" if place.tls else "http"
        for host in _hosts(place.host, find):
            name = f"[{host}]" if ":" in host else host
            found[f"{scheme}://{name}:{place.port}"] = None
    return tuple(found)


def _hosts(host: str, find: Finder) -> Sequence[str]:
    address = ip_address(host)
    if address.is_unspecified:
        return find(socket.AF_INET if address.version == 4 else socket.AF_INET6)
    return (host,) if _is_for_others(host) else ()


def _is_for_others(host: str) -> bool:
    address = ip_address(host.partition("%")[0])
    return not (address.is_loopback or address.is_unspecified or address.is_link_local)
