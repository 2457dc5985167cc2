"""Everyone who calls a server in whatever language: lines are sent and heard to the letter."""

import socket
from contextlib import ExitStack

from tests.server.process import PATIENCE, Server


class Caller:
    """Somebody on a socket who sends lines and waits for lines. It mutates."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self._heard = b""

    def say(self, words: bytes) -> None:
        """Send a line."""
        self.line.sendall(words + b"\n")

    def hear(self, patience: float = PATIENCE) -> bytes:
        """The next line; nothing where the server hung up, or says nothing for so long."""
        self.line.settimeout(patience)
        while b"\n" not in self._heard:
            try:
                piece = self.line.recv(1024)
            except TimeoutError:
                return b""
            if not piece:
                return b""
            self._heard += piece
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def until(self, word: bytes) -> bytes:
        """The next line with this in it."""
        while word not in (line := self.hear()):
            assert line, "the server hung up before the line came"
        return line


class Party:
    """A server, and everyone who calls it."""

    def __init__(self, server: Server, calls: ExitStack) -> None:
        self._server = server
        self._calls = calls

    def port_alone(self) -> int:
        """The port of the settings' one dialect."""
        return self._server.port_alone()

    def call(self, port: int | None = None) -> Caller:
        """Somebody new; at the one port, if no other is named."""
        address = ("127.0.0.1", port or self._server.port)
        return Caller(self._calls.enter_context(socket.create_connection(address, PATIENCE)))
