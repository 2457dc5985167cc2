"""Whether the other end of a silent connection is still there, as far as the system can tell.

A client that thinks says nothing for minutes, and a computer whose cable was pulled says
nothing either. But whatever is sent to the first is acknowledged by its system at once, read
or not, and what is sent to the second never is. Where the system does not say which (only
Linux does), a connection counts as there until TCP itself gives it up.
"""

import asyncio
import socket
import struct
import sys
from collections.abc import Iterable
from typing import Final, NamedTuple

from rookery.server.limits import REACHED

# Where they stand in Linux' `struct tcp_info`: packets under way, and bytes acknowledged.
_UNACKED: Final = struct.Struct("@I"), 24
_ACKED: Final = struct.Struct("@Q"), 120
_ENOUGH: Final = 128  # bytes of it that we look at; kernels before 4.1 have fewer


class Sent(NamedTuple):
    """What became of the bytes that were sent."""

    under_way: int  # packets that the other end has not acknowledged yet
    acknowledged: int  # bytes so far


def prepare(listening: Iterable[socket.socket]) -> None:
    """Set up listening sockets so that what we send is never delayed, and TCP finds dead peers.

    Connections inherit this: to set it for each anew would be a tenth of letting a client in.
    """
    for one in listening:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


def ask_after(transport: asyncio.Transport, wait: float = REACHED) -> None:
    """Hang up if nothing of what is about to be sent is acknowledged within `wait` seconds."""
    before = sent(transport)
    if before is not None:
        asyncio.get_running_loop().call_later(wait, _judge, transport, before)


def _judge(transport: asyncio.Transport, before: Sent) -> None:
    now = None if transport.is_closing() else sent(transport)
    if now is not None and is_gone(before, now):
        transport.abort()


def is_gone(before: Sent, now: Sent) -> bool:
    """Whether the other end acknowledged nothing of what was sent in between."""
    return now.under_way > 0 and now.acknowledged == before.acknowledged


def sent(transport: asyncio.Transport) -> Sent | None:
    """What became of all bytes that were sent so far; None if the system does not say."""
    connection = _socket(transport)
    if connection is None or sys.platform != "linux":
        return None
    try:
        told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _ENOUGH)
    except OSError:
        return None  # it is closed already
    return read(told)


def read(told: bytes) -> Sent | None:
    """Read Linux' `tcp_info`; None if the kernel is too old to say enough."""
    if len(told) < _ENOUGH:
        return None
    (under_way,), (acknowledged,) = (form.unpack_from(told, at) for form, at in (_UNACKED, _ACKED))
    return Sent(under_way, acknowledged)


def _socket(transport: asyncio.Transport) -> socket.socket | None:
    connection: socket.socket | None = transport.get_extra_info("socket")
    inet = (socket.AF_INET, socket.AF_INET6)
    return connection if connection is not None and connection.family in inet else None
