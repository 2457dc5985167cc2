"""The ports a server listens on: the one that understands everyone, and those of one dialect.

On the one port a caller is recognised by its first bytes. A port of one dialect speaks
nothing else, and has options of its own (`[listen.othello]` in the settings file). Either
may be the port of a tour, for clients that cannot say which one they want.
"""

import asyncio
import errno
import os
from collections.abc import Callable

import msgspec

from rookery import __version__
from rookery.core.clock import taken_for
from rookery.server.config import BadSetting, Port, Settings
from rookery.server.connections.door import Door
from rookery.server.connections.liveness import prepare
from rookery.server.connections.tcp import Connection

Say = Callable[[str], None]


async def listen(settings: Settings, door: Door, say: Say) -> list[asyncio.Server]:
    """Open every port of the settings, and say where. Raises BadSetting, and opens none then."""
    host = settings.host
    servers: list[asyncio.Server] = []
    lines: list[str] = []
    try:
        front = Port(port=settings.port, tour=settings.tour, by=settings.by)
        one = await _open(host, door, front)
        servers.append(one)
        lines += [f"Rookery {__version__} listens on {address}" for address in _addresses(one)]
        for wanted in settings.ports():
            page = one.sockets[0].getsockname()[1]
            server = await _open(host, door, msgspec.structs.replace(wanted, page=page))
            servers.append(server)
            lines += [f"{wanted.dialect} alone: {address}" for address in _addresses(server)]
            # An operator who wrote `5+3` into the settings sees what it was taken for.
            assert wanted.options is not None, "a port of one dialect has its options"
            clock = msgspec.structs.asdict(wanted.options).get("time", "none")
            lines += filter(None, [taken_for(clock)])
    except BadSetting:
        for server in servers:
            server.close()
        raise
    for line in lines:  # once all of them are open
        say(line)
    return servers


async def _open(host: str, door: Door, port: Port) -> asyncio.Server:
    try:
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(door, port), host, port.port, backlog=1024, start_serving=False
        )
        try:
            prepare(server.sockets)
            await server.start_serving()
        except OSError:
            server.close()
            raise
    except OSError as wrong:
        raise BadSetting(f"Cannot listen on {_address(host, port.port)}: {_why(wrong)}.") from None
    return server


def _why(wrong: OSError) -> str:
    """The system's own reason why a port cannot be opened, without asyncio's words around it."""
    if wrong.errno == errno.EADDRINUSE:
        return "somebody listens there already; --port has another"
    number = wrong.errno or 0
    # What is wrong with a host's name has a number below zero, which the system does not know.
    return os.strerror(number).lower() if number > 0 else wrong.strerror or str(wrong)


def _addresses(server: asyncio.Server) -> list[str]:
    return [_address(*listening.getsockname()[:2]) for listening in server.sockets]


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
