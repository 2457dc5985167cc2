"""A connection for who asks a server, and waits for each answer: what all such have in common."""

from types import TracebackType
from typing import Self, TypeVar

from msgspec import Struct

from rookery.cli.connection.address import Address, NoServer
from rookery.cli.connection.server import ConnectionLost, ServerConnection
from rookery.clients.native.words import Request

A = TypeVar("A", bound=Struct)


class ConnectionGone(NoServer):
    """The server was there, and went away."""


class Questions:
    """Asks, over a client that is connected, and closed at the end."""

    def __init__(self, address: Address, client: ServerConnection) -> None:
        self._address = address
        self.client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.client.close()

    def ask(self, request: Request, kind: type[A]) -> A:
        """Ask the server, and return its answer. Raises Rejected and ConnectionGone."""
        try:
            return self.client.ask(request, kind)
        except ConnectionLost:
            raise self.gone() from None

    def gone(self) -> ConnectionGone:
        """The error to raise when the server went away."""
        return ConnectionGone(f"The server at {self._address} went away.")
