"""Connections of the crash test: TCP as it is, or the same bytes in messages of a WebSocket.

A line tells its caller what it hears and when it is lost, and nothing else.
"""

import asyncio
import base64
from typing import Protocol

from rookery_tools.bench.languages.websocket import SHAKE, message
from rookery_tools.sim.frames import CLOSING, HEAD_ENDS, PINGING, PONG, Frames


class LineHolder(Protocol):
    """The caller that a line belongs to and reports to."""

    def connected(self, line: "CrashtestLine") -> None:
        """Called when the server took the call, over this line."""
        ...

    def heard(self, came: bytes) -> None:
        """Called with bytes that came from the server."""
        ...

    def lost(self) -> None:
        """Called when the line is gone."""
        ...

    def noted(self, mark: str, words: bytes) -> None:
        """Called with what goes over the line, or happens to it, for the tape."""
        ...


class CrashtestLine(asyncio.Protocol):
    """One connection of a caller to the server."""

    def __init__(self, caller: LineHolder, *, framed: bool) -> None:
        self._caller = caller
        self._frames = Frames() if framed else None
        self._transport: asyncio.Transport | None = None
        self._shaken = not framed  # whether the WebSocket is there
        self._came = b""  # of the handshake
        self._unwanted = False  # it was hung up on, perhaps before it was there

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Report to the caller that the line is connected, or first ask for a WebSocket."""
        assert isinstance(transport, asyncio.Transport), "lines are streams"
        self._transport = transport
        if self._unwanted:
            transport.close()
            return
        peer = transport.get_extra_info("peername")  # None where the server has just been killed
        self._caller.noted("called", b"nobody" if peer is None else str(peer[1]).encode())
        if self._shaken:
            self._caller.connected(self)
        else:
            transport.write(SHAKE % base64.b64encode(bytes(16)))

    def data_received(self, data: bytes) -> None:
        """Pass bytes on to the caller; of a WebSocket the messages, each with a line end."""
        self._caller.noted("<", data)
        if not self._shaken:
            head, mark, data = (self._came + data).partition(HEAD_ENDS)
            self._came = head
            if not mark:
                return
            self._shaken = True
            self._caller.connected(self)
        if self._frames is None:
            self._caller.heard(data)
            return
        for kind, text in self._frames.feed(data):
            if kind == PINGING and self._transport is not None:
                self._transport.write(PONG)
            elif kind != CLOSING:
                self._caller.heard(text + b"\n")

    def connection_lost(self, exc: Exception | None) -> None:
        """Report to the caller that the line is lost, whichever side hung up."""
        self._transport = None
        self._caller.noted("lost", b"" if exc is None else repr(exc).encode())
        self._caller.lost()

    def send(self, words: bytes) -> None:
        """Send bytes, if the line is still connected."""
        if self._transport is None or self._transport.is_closing() or not words:
            return
        self._caller.noted(">", words)
        if self._frames is None:
            self._transport.write(words)
        else:
            for line in words.splitlines():
                self._transport.write(message(line))

    def hang_up(self) -> None:
        """Close the line, after all bytes that wait are sent."""
        self._unwanted = True
        if self._transport is not None:
            self._caller.noted("hangs up", b"")
            self._transport.close()
