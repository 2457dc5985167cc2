"""A client of the native dialect, small and blocking: ask, and be answered.

What comes unasked while an answer is awaited is kept, in order, until `heard` is called,
or `tour_news` for what happens in tours.
A connection that drops raises `ConnectionLost`, which whoever plays or watches catches
to come back; everything else that can go wrong is a `Mistake` with its sentence.
"""

from collections import deque
from typing import Final, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from rookery.cli.connection.address import Address, NoServer, call, hear
from rookery.cli.table.known import Board, Told
from rookery.core.errors import Mistake
from rookery.core.messages import Done, Moves, Notice, Past, Refused
from rookery.core.tours.tour_messages import TourNews, TourReply
from rookery.dialects.base import Lines
from rookery.dialects.native import Greeting, Pong, Request

PATIENCE: Final = 60.0  # seconds for an answer: the server may be waiting for its disk
LINE_MAX: Final = 1 << 24  # bytes of an answer; the longest are lists of moves

Answer: TypeAlias = Done | Refused | Greeting | Board | Moves | Past | Pong | TourReply
Unasked: TypeAlias = Told | Notice

A = TypeVar("A", bound=Struct)

_READER: Final[msgspec.json.Decoder[Answer | Unasked | TourNews]] = msgspec.json.Decoder(
    Answer | Unasked | TourNews
)


class ConnectionLost(Exception):
    """The connection dropped; the server may be back soon."""


class Rejected(Mistake):
    """The server refused; its sentence, and its code for programs."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Client:
    """One connection. It mutates."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._socket = call(address, PATIENCE)
        self._lines = Lines(LINE_MAX)
        self._heard: deque[Unasked] = deque()
        self._of_tours: deque[TourNews] = deque()
        self._answers: deque[Answer] = deque()
        self._owed = 0  # answers to what was asked; more than one where Ctrl-C cut an asking short

    def fileno(self) -> int:
        """The socket's number, for `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def ask(self, request: Request, kind: type[A]) -> A:
        """The answer. Raises Rejected where it is a no, and ConnectionLost."""
        words = msgspec.json.encode(request) + b"\n"
        self._owed += 1
        try:
            self._socket.sendall(words)
        except OSError:
            raise ConnectionLost from None
        while len(self._answers) < self._owed:
            self.read()
        while self._owed:  # the last one is ours
            answer = self._answers.popleft()
            self._owed -= 1
        if isinstance(answer, Refused):
            raise Rejected(answer.code, answer.sentence)
        if not isinstance(answer, kind):
            raise self._stranger()
        return answer

    def read(self) -> None:
        """Wait for something to come in. Raises ConnectionLost."""
        came = hear(self._socket)
        if not came:
            raise ConnectionLost
        for line in self._lines.feed(came):
            try:
                message = _READER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError):
                raise self._stranger() from None
            if isinstance(message, Told | Notice):
                self._heard.append(message)
            elif isinstance(message, TourNews):
                self._of_tours.append(message)
            else:
                self._answers.append(message)

    def heard(self) -> Unasked | None:
        """The next thing that came unasked, if something has."""
        return self._heard.popleft() if self._heard else None

    def tour_news(self) -> TourNews | None:
        """The next news of a tour, if some have come."""
        return self._of_tours.popleft() if self._of_tours else None

    def _stranger(self) -> NoServer:
        return NoServer(f"What answers at {self._address} does not speak as this Rookery does.")
