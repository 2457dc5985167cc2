"""A client of the native dialect, small and blocking: it asks, and waits for the answer.

Messages that come unasked while an answer is awaited are kept, in order, until `heard` is
called, or `tour_news` for what happens in tours.
A connection that drops raises `ConnectionLost`, which the code that plays or watches catches
to come back; everything else that can go wrong is a `Mistake` with its sentence.
"""

import select
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Self, TypeVar

from msgspec import Struct

from rookery.cli.connection.address import Address, NoServer, call, hear
from rookery.clients.native import Answered, NativeClient, Unknown
from rookery.clients.native.words import Answer, Greeting, Request, Told
from rookery.core.errors import Mistake
from rookery.core.messages import Notice, Refused, RoomNews, TourNews


# Python looks at signals between two steps of its own. A signal that comes after the last look
# and before the system waits would be seen only when something else comes, which may be never:
# so the signal itself writes to a socket that is waited for too.
def ready(files: Sequence[int], seconds: float | None = None) -> list[int]:
    """Wait until some of these files have something to read; none of them if the time is up."""
    if threading.current_thread() is not threading.main_thread():
        return select.select(files, [], [], seconds)[0]  # signals are the main thread's
    woken, waking = socket.socketpair()
    with woken, waking:
        waking.settimeout(0)
        before = signal.set_wakeup_fd(waking.fileno(), warn_on_full_buffer=False)
        try:
            found = select.select([*files, woken.fileno()], [], [], seconds)[0]
        finally:
            signal.set_wakeup_fd(before)
    return [number for number in found if number in files]


PATIENCE: Final = 60.0  # seconds for an answer: the server may be waiting for its disk
PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)  # seconds before the next try; the last again
TRIES: Final = 40  # about five minutes

A = TypeVar("A", bound=Struct)


class ConnectionLost(Exception):
    """The connection dropped; the server may be back soon."""


class Rejected(Mistake):
    """The server refused a request; has its sentence, and its code for programs."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class ServerConnection:
    """One connection to a server, in the native dialect."""

    def __init__(self, address: Address, speaker: NativeClient | None = None) -> None:
        self._address = address
        self._speaker = speaker or NativeClient()
        self._socket = call(address, PATIENCE)
        self._heard: deque[Told | Notice] = deque()
        self._of_tours: deque[TourNews] = deque()
        self._answers: deque[Answered] = deque()

    def fileno(self) -> int:
        """The socket's number, for `select`."""
        return self._socket.fileno()

    def close(self) -> None:
        """Hang up on the server."""
        self._socket.close()

    def greet(self) -> None:
        """Come in, or come back as the same player. Raises Rejected, and ConnectionLost."""
        self.ask(self._speaker.hello(), Greeting)

    def ask(self, request: Request, kind: type[A]) -> A:
        """The answer. Raises Rejected where it is a no, and ConnectionLost."""
        words = self._speaker.ask(request)
        try:
            self._socket.sendall(words)
        except OSError:
            raise ConnectionLost from None
        while (answer := self._answer(request)) is None:
            self.read()
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
        for happening in self._speaker.hear(came):
            match happening:
                case Answered():
                    self._answers.append(happening)
                case TourNews():
                    self._of_tours.append(happening)
                case Told() | Notice():
                    self._heard.append(happening)
                case RoomNews():
                    pass  # nobody here is in a room
                case Unknown():
                    raise self._stranger()

    def heard(self) -> Told | Notice | None:
        """The next thing that came unasked, if something has."""
        return self._heard.popleft() if self._heard else None

    def tour_news(self) -> TourNews | None:
        """The next news of a tour, if some have come."""
        return self._of_tours.popleft() if self._of_tours else None

    def _answer(self, request: Request) -> Answer | None:
        """The answer to this request, if it came; answers that Ctrl-C cut short are dropped."""
        while self._answers:
            answered = self._answers.popleft()
            if answered.asked is request:
                return answered.answer
        return None

    def _stranger(self) -> NoServer:
        return NoServer(f"What answers at {self._address} does not speak as this Rookery does.")


def connected_again(connect: Callable[[], ServerConnection], address: Address) -> ServerConnection:
    """A connection after ever longer pauses. Raises NoServer when it takes too long."""
    for attempt in range(TRIES):
        time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
        with suppress(NoServer, ConnectionLost):
            return connect()
    raise NoServer(f"The server at {address} has not come back.")


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
