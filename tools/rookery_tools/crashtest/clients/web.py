"""Clients that ask over HTTP: one reads finished games, another opens tours and starts them.

Their calls fail while there is no server. Each answer is a claim like any other.
"""

import asyncio
from pathlib import Path
from typing import Any, Final

import msgspec

from rookery.core.chance import Chance
from rookery.core.ids import TableId
from rookery.core.messages import Entry
from rookery.server.datadir import TOKEN_FILE
from rookery_tools.crashtest.clients.calling import HOST, CrashtestTown, now
from rookery_tools.crashtest.observer.claims import EventHeard

READ_EVERY: Final = 0.08  # seconds
PATIENCE: Final = 10.0
ENDED: Final = ("ended", "cancelled")

_ENTRIES: Final = msgspec.json.Decoder(tuple[Entry, ...])


class NoAnswer(Exception):
    """A question over HTTP got no answer: no server, or it went away, or it refused."""


class Web:
    """A client that asks over HTTP."""

    def __init__(self, town: CrashtestTown, folder: Path, seed: int) -> None:
        self._town, self._folder, self._chance = town, folder, Chance(seed)
        self.answers = 0

    # Any: JSON of as many kinds as there are calls.
    async def ask(self, path: str, body: object = None, *, post: bool = False) -> Any:
        """Ask the server over HTTP, and return its answer. Raises NoAnswer."""
        try:
            return await asyncio.wait_for(self._ask(path, body, post=post), PATIENCE)
        except (OSError, asyncio.IncompleteReadError, EOFError, ValueError, IndexError) as wrong:
            raise NoAnswer(str(wrong)) from None

    async def _ask(self, path: str, body: object, *, post: bool) -> Any:
        reader, writer = await asyncio.open_connection(HOST, self._town.ports[""])
        try:
            words = b"" if body is None else msgspec.json.encode(body)
            head = f"{'POST' if post else 'GET'} {path} HTTP/1.1\r\nHost: {HOST}\r\n"
            if post:
                token = (self._folder / TOKEN_FILE).read_text("ascii").strip()
                head += f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
                head += f"Content-Length: {len(words)}\r\n"
            writer.write(f"{head}Connection: close\r\n\r\n".encode() + words)
            first, _, rest = (await reader.read(-1)).partition(b"\r\n\r\n")
        finally:
            writer.close()
        lines = first.decode("latin-1").split("\r\n")
        sizes = [line for line in lines if line.lower().startswith("content-length:")]
        if int(sizes[0].partition(":")[2]) != len(rest):
            raise NoAnswer("cut off")
        if lines[0].split()[1] != "200":
            raise NoAnswer(rest.decode(errors="replace"))
        self.answers += 1
        return msgspec.json.decode(rest)

    async def read_on(self) -> None:
        """Read the logs of tables, any of them, until cancelled."""
        last = 0
        while True:
            await asyncio.sleep(READ_EVERY)
            try:
                tables = (await self.ask("/api/tables?status=playing"))["tables"]
                last = max([last, *(line["table"] for line in tables)])
                if last:
                    await self._read(TableId(1 + self._chance.below(last)))
            except NoAnswer:
                continue

    async def _read(self, table: TableId) -> None:
        found = await self.ask(f"/api/tables/{table}/log")
        for entry in _ENTRIES.decode(msgspec.json.encode(found["events"])):
            claim = EventHeard(now(), "http", table, entry.n, entry.event)
            self._town.claims.heard.append(claim)

    async def open_tour(self, variant: str, code: str) -> int:
        """Open a tour. Raises NoAnswer: it may be open or not."""
        plan = {"variant": variant, "format": "round_robin", "time": "2m"}
        made = await self.ask("/api/tours", {"plan": plan, "code": code}, post=True)
        tour = int(made["tour"])
        self._town.claims.opened.append(tour)
        return tour

    async def tours(self) -> list[tuple[int, str]]:
        """The number and status of every tour that is not over. Raises NoAnswer."""
        found = (await self.ask("/api/tours?limit=200"))["tours"]
        return [(one["tour"], one["status"]) for one in found if one["status"] not in ENDED]
