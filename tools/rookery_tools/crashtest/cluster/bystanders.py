"""Bystanders: clients that greet and then ask nothing; no part may ever hang up on them."""

import asyncio
from typing import Final

from rookery.clients.native import NativeClient
from rookery_tools.crashtest.clients.calling import HOST

MANY: Final = 5


class Bystanders:
    """Some bystanders at one edge."""

    def __init__(self) -> None:
        self.lost: list[str] = []  # what those heard last who were hung up on
        self._there: list[asyncio.Task[None]] = []

    async def come(self, port: int) -> None:
        """Connect all bystanders to this port, and let them greet."""
        for n in range(MANY):
            reader, writer = await asyncio.open_connection(HOST, port)
            client = NativeClient(f"bystander{n}")
            writer.write(client.ask(client.hello()))
            await reader.readline()
            self._there.append(asyncio.ensure_future(self._stay(reader, writer)))

    def go(self) -> None:
        """Let all bystanders go."""
        for task in self._there:
            task.cancel()

    async def _stay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        last = b""
        try:
            while line := await reader.readline():
                last = line
            self.lost.append(last.decode())
        except OSError as wrong:
            self.lost.append(repr(wrong))
        finally:
            writer.close()
