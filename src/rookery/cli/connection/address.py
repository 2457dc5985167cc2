"""Where a server is: `--at HOST:PORT`, a call to it, and what to say where nobody answers."""

import socket
from typing import Final, NamedTuple

import click

from rookery.core.errors import Mistake

HOST: Final = "127.0.0.1"
PORT: Final = 7350  # what `rookery serve` listens on when it is told nothing else
READ: Final = 1 << 16  # bytes at a time


class NoServer(Mistake):
    """No server answers at an address, or one that does not speak our language."""


class Address(NamedTuple):
    """The host and port where a server listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """`HOST:PORT`, where either may be missing; `[::1]:7350` for IPv6. Raises NoServer."""
    host, colon, number = text.rpartition(":")
    if not colon or text.endswith("]"):
        host, number = text, str(PORT)
    host = host.removeprefix("[").removesuffix("]") or HOST
    if not (number.isascii() and number.isdigit() and 0 < int(number[:6]) < 65536):
        raise NoServer(f"A server is written HOST:PORT, and {text!r} is not.")
    return Address(host, int(number))


at_option: Final = click.option(
    "--at", default=f"{HOST}:{PORT}", show_default=True, metavar="HOST:PORT", help="The server."
)


def call(address: Address, patience: float | None = None) -> socket.socket:
    """Connect to a server; `patience` is its time-out in seconds. Raises NoServer."""
    try:
        return socket.create_connection(address, patience)
    except OSError as wrong:
        raise NoServer(unanswered(address, wrong.strerror or str(wrong))) from None


def unanswered(address: Address, why: str) -> str:
    """A sentence that no server answers; at the usual address, how to start one."""
    usual = address == Address(HOST, PORT)
    hint = " Start one with: rookery serve; or say with --at where it is." if usual else ""
    return f"No server answers at {address}: {why}.{hint}"


def hear(line: socket.socket) -> bytes:
    """The next bytes of the server; empty if the connection is gone, in whatever way."""
    try:
        return line.recv(READ)
    except OSError:
        return b""
