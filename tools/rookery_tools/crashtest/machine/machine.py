"""The machine that servers run on: starts them, stops them, freezes them, kills them.

Moments are noted in the wall's time, as the log has it.
"""

import asyncio
import os
import secrets
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.ids import Micros
from rookery.server.datadir import LOG_FILE
from rookery.store import Log
from rookery.store.sqlite import open_for_reading
from rookery_tools.crashtest.clients.calling import HOST, now
from rookery_tools.crashtest.clients.player_groups import PORTS, SETTINGS

PATIENCE: Final = 60.0  # seconds until a server that does not begin, or end, is given up
FIRST, LAST = 10_000, 32_000  # ports that no system gives by itself
FROZEN: Final = "frozen"


class CrashtestOutage(Struct):
    """A span of time in which a server was gone or unwell, and why."""

    kind: str
    since: Micros
    until: Micros = 0
    decides_until: Micros = 0  # who goes in good order may decide so long, after it was asked to


class ServerGone(Exception):
    """A server did not begin, or ended by itself."""


class Nursery:
    """Starts the process that forks servers (`nursery.py`), and asks it for them."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._born: set[int] = set()

    async def open(self, environment: dict[str, str]) -> None:
        """Have everything imported; with this in the environment besides."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("ROOKERY_")}
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "rookery_tools.crashtest.machine.nursery"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**own, **environment},
        )
        await self._line()

    async def ask(self, wish: list[str] | int) -> str:
        """The answer: the number of a new process, or how one ended."""
        assert self._process is not None, "it was opened before"
        assert self._process.stdin is not None, "the nursery is spoken to"
        self._process.stdin.write(msgspec.json.encode(wish) + b"\n")
        answer = await self._line()
        if isinstance(wish, list):
            self._born.add(int(answer))
        else:
            self._born.discard(wish)
        return answer

    async def close(self) -> None:
        """Kill all processes that were forked, and end the nursery."""
        for number in self._born:  # it may wait for one of them
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    async def _line(self) -> str:
        assert self._process is not None, "it was opened before"
        assert self._process.stdout is not None, "the nursery answers"
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE)
        if not line:
            raise ServerGone("The nursery is gone.")
        return line.decode().strip()


class CrashtestMachine:
    """Runs one server at a time, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.outages: list[CrashtestOutage] = []
        self.restarts: list[Micros] = []  # how long each took
        self.pid = 0
        self._said = folder / "server.txt"
        self._settings = folder / "rookery.toml"
        self.ports = {name: spare_port() for name in ("", *PORTS)}
        self._settings.write_text(SETTINGS.format(**self.ports), "utf-8")
        self.other_ports: dict[str, int] = {}
        self._nursery = Nursery()

    def open_log(self) -> Log:
        """The log as it is now. Raises StoreFailed and StoreBroken."""
        return open_for_reading(self.log_file)

    @property
    def log_file(self) -> Path:
        """The path of the log's file."""
        return self.folder / LOG_FILE

    def said(self) -> str:
        """All that the servers wrote to their log."""
        with suppress(OSError):
            return self._said.read_text("utf-8", "replace")
        return ""

    async def open(self, environment: dict[str, str]) -> None:
        """Have everything imported; with this in the environment besides."""
        await self._nursery.open(environment)

    async def start(self) -> None:
        """Start a server, and wait until it listens on all its ports."""
        began = now()
        words = ["serve", "--port", str(self.ports[""]), "--data", str(self.folder)]
        words += ["--house", "off", "--config", str(self._settings), "--log-level", "warning"]
        self.pid = int(await self._nursery.ask([str(self._said), *words]))
        until = asyncio.get_running_loop().time() + PATIENCE
        while not all([await _listens(port) for port in self.ports.values()]):
            if asyncio.get_running_loop().time() > until or not self.alive:
                raise ServerGone(f"No server begins: {self.said()[-2000:]}")
            await asyncio.sleep(0.01)
        self.restarts.append(now() - began)
        for outage in self.outages:
            outage.until = outage.until or began  # it may have listened long before we saw it

    @property
    def alive(self) -> bool:
        """Whether the server still runs."""
        try:
            return Path(f"/proc/{self.pid}/stat").read_text("ascii").split(") ")[1][0] != "Z"
        except OSError:
            return False

    async def kill(self) -> None:
        """End the server as nothing can be caught: it may be in the middle of anything."""
        os.kill(self.pid, signal.SIGKILL)
        self.outages.append(CrashtestOutage("kill", now()))  # whatever it did, it did before
        await self._nursery.ask(self.pid)

    async def stop(self) -> int:
        """Ask the server to stop, and wait for it; returns its exit code."""
        os.kill(self.pid, signal.SIGTERM)
        code = int(await self._nursery.ask(self.pid))
        self.outages.append(CrashtestOutage("stop", now()))
        return code

    async def freeze(self, seconds: float) -> None:
        """Stop the process for so long, as a machine that sleeps does."""
        os.kill(self.pid, signal.SIGSTOP)
        outage = CrashtestOutage(FROZEN, now())
        await asyncio.sleep(seconds)
        outage.until = now()
        os.kill(self.pid, signal.SIGCONT)
        self.outages.append(outage)

    async def close(self) -> None:
        """Kill the server if one runs, and end the nursery."""
        await self._nursery.close()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        return False
    writer.close()
    return True


def spare_port() -> int:
    """A port that is free now."""
    while True:
        port = FIRST + secrets.randbelow(LAST - FIRST)
        with suppress(OSError), socket.create_server((HOST, port)):
            return port
