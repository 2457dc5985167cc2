"""A program that listens at host:port: the words of programs, over TCP.

One connection is one player, so a program that is to play several games at once takes
several connections. What the program says is judged as a program's standard output is.
"""

import asyncio
import contextlib
from collections import deque
from typing import Final

from rookery.arena.players.player import PlayerFailed
from rookery.bots.asking import Thought
from rookery.bots.programs.failed import ProgramFailed
from rookery.bots.programs.program_output import ProgramAnswer, ProgramOutput
from rookery.bots.programs.words import Answer, Begin, End, Turn, move_in, turn_for, write
from rookery.core.game import Outcome
from rookery.core.ids import Seat

PATIENCE: Final = 10.0  # seconds to take a connection, and to be ready for a game
GOODBYE: Final = 1.0  # seconds until the other side hangs up too
CHUNK: Final = 1 << 16

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Remote:
    """A player at the other end of a connection."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._name = f"{host}:{port}"
        self._output = ProgramOutput(self._name)
        self._heard: deque[ProgramAnswer] = deque()
        self._streams: Streams | None = None

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """Call the program unless that is done, and wait until it is ready. Raises PlayerFailed."""
        if self._streams is None:
            self._streams = await self._connect()
        begin = Begin(variant, seat, len(names), names, time)
        try:
            await asyncio.wait_for(self._ask(self._streams, begin), PATIENCE)
        except TimeoutError:
            raise PlayerFailed(f"{self._name} was not ready in {PATIENCE:g} s.") from None

    async def ready(self) -> None:
        """Do nothing: the program is ready since the game began."""

    async def choose(self, thought: Thought) -> str | None:
        """Return the program's move, whenever it comes. Raises PlayerFailed."""
        assert self._streams is not None, "who is asked has been called"
        return move_in(await self._ask(self._streams, turn_for(thought)))

    async def end(self, outcome: Outcome | None) -> None:
        """Tell the program how the game ended."""
        assert self._streams is not None, "who plays has been called"
        await self._tell(self._streams, End(outcome))

    async def close(self) -> None:
        """Hang up on the program."""
        streams, self._streams = self._streams, None
        if streams is not None:
            with contextlib.suppress(OSError):  # a time-out is one too
                streams[1].close()
                await asyncio.wait_for(streams[1].wait_closed(), GOODBYE)

    async def _connect(self) -> Streams:
        opening = asyncio.open_connection(self._host, self._port)
        try:
            return await asyncio.wait_for(opening, PATIENCE)
        except OSError:
            raise PlayerFailed(f"Nobody takes a connection at {self._name}.") from None

    async def _ask(self, streams: Streams, question: Begin | Turn) -> Answer:
        number = self._output.asked(question)
        await self._tell(streams, question)
        while True:
            while self._heard:
                heard = self._heard.popleft()
                if heard.number == number:
                    return heard.answer
            await self._hear(streams[0])

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        try:
            chunk = await reader.read(CHUNK)
            self._heard.extend(self._output.hear(chunk))
        except ProgramFailed as wrong:
            raise PlayerFailed(str(wrong)) from None
        except OSError:
            chunk = b""
        if not chunk:
            raise PlayerFailed(f"{self._name} hung up.")

    async def _tell(self, streams: Streams, told: Begin | Turn | End) -> None:
        try:
            streams[1].write(write(told))
            await streams[1].drain()
        except OSError:
            raise PlayerFailed(f"{self._name} hung up.") from None
