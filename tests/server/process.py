"""A real server in a process of its own, and clients that remember all they were told.

Nothing here sleeps: a server is there when it has said where it listens, and a client
waits for a line. A client speaks the native dialect; what it is told is read into
`Told`, one struct with every field that some line has.
"""

import os
import resource
import signal
import socket
import ssl
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Struct

from rookery.clients.native.words import Unasked
from rookery.core.events import PublicEvent
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent
from rookery.core.messages import Entry, LobbyCleared, LobbySaid, PlayerLine
from rookery.dialects.native import Hello, Ping
from rookery.server.datadir import LOG_FILE
from tests.warm import Bounds, Warm, ended

PATIENCE = 60.0  # seconds until a test says that nothing comes
LAST_WORDS = 5_000  # characters of a server's complaints that a failed test shows

NONE = msgspec.Raw(b"[]")
UNASKED = frozenset(
    kind.__struct_config__.tag for kind in get_args(Unasked | LobbySaid | LobbyCleared)
)

Request = AnyIntent | Hello | Ping


class Told(Struct, frozen=True):
    """A line from the server, whatever its type."""

    type: str
    table: TableId | None = None
    seat: Seat | None = None
    n: int = 0
    at: Micros = 0
    event: PublicEvent | None = None
    to_act: tuple[Seat, ...] = ()
    left: tuple[Micros, ...] | None = None
    events: tuple[Entry, ...] = ()
    more: bool = False
    moves: tuple[str, ...] = ()
    player: PlayerId | None = None
    token: str | None = None
    tables: msgspec.Raw = NONE  # ids or lines, as the type has it
    players: tuple[PlayerLine, ...] = ()
    code: str = ""
    sentence: str = ""

    @property
    def unasked(self) -> bool:
        """Whether it answers nothing."""
        return self.type in UNASKED


_reader = msgspec.json.Decoder(Told)


class Server:
    """`rookery serve`, or another command, on a free port, with its log in this folder.

    It mutates.
    """

    def __init__(
        self,
        folder: Path,
        *flags: str,
        largest_file: int | None = None,
        files: int | None = None,
        ahead: int = 0,
        command: list[str] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._complaints = folder / "stderr.txt"
        command = serve_command(folder, *flags) if command is None else command
        with self._complaints.open("ab") as complaints:
            bounds = Bounds(largest_file, files, ahead)
            self.process = Warm(
                *command[3:], stderr=complaints.fileno(), env=environment(), bounds=bounds
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert " listens on " in line, f"no server: {line}{self.complaints()}"
        self.port = int(line.rpartition(":")[2])
        self._clients: list[Client] = []  # to be closed with it

    def make_room(self) -> None:
        """Its files may grow again: the disk is full no more."""
        most = resource.RLIM_INFINITY
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most, most))

    def port_alone(self) -> int:
        """The next port of one dialect that it says it listens on."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert " alone: " in line, f"no port of one dialect: {line}"
        return int(line.rpartition(":")[2])

    @property
    def log_file(self) -> Path:
        """Where its log is."""
        return self.folder / LOG_FILE

    def complaints(self) -> str:
        """What it said on stderr."""
        return self._complaints.read_text("utf-8")

    def call(self, *, tls: ssl.SSLContext | None = None, buffer: int = 0) -> "Client":
        """A new connection, to be closed when the server is forgotten."""
        client = Client(self.port, tls=tls, buffer=buffer)
        self._clients.append(client)
        return client

    def enter(self, name: str) -> "Client":
        """A new connection that is a new player."""
        return self.call().enter(name)

    def kill(self) -> None:
        """End it at once, as a power cut would; it may be in the middle of anything."""
        self.process.kill()
        self.gone()

    def forget(self) -> None:
        """Close every connection to it."""
        for client in self._clients:
            client.close()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; its exit code."""
        self.process.send_signal(number)
        return self.gone()

    def gone(self) -> int:
        """Wait for it to end; its exit code."""
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@contextmanager
def serving(
    folder: Path, *flags: str, largest_file: int | None = None, files: int | None = None
) -> Iterator[Server]:
    """A server that is gone afterwards, whatever happens."""
    server = Server(folder, *flags, largest_file=largest_file, files=files)
    try:
        yield server
    except BaseException as failure:
        failure.add_note(f"The server had said:\n{server.complaints()[-LAST_WORDS:]}")
        raise
    finally:
        server.kill()
        server.forget()


def serve_command(folder: Path, *flags: str) -> list[str]:
    """How a server is started."""
    settings = ["--port", "0", "--data", str(folder), "--house", "off", *flags]
    return [sys.executable, "-m", "rookery", "serve", *settings]


def environment() -> dict[str, str]:
    """Ours, without settings that were meant for another server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ROOKERY_")}


def failed_start(folder: Path, *flags: str) -> "subprocess.CompletedProcess[str]":
    """A server that does not come up."""
    return ended(*serve_command(folder, *flags)[3:], env=environment())


class Client:
    """A connection in the native dialect. It mutates, and remembers."""

    def __init__(self, port: int, *, tls: ssl.SSLContext | None = None, buffer: int = 0) -> None:
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        self.player: PlayerId | None = None
        self.token: str | None = None
        self.told: list[Told] = []  # everything, in order
        self.ended = False  # the server has hung up
        self._part = b""  # the beginning of a line
        self._unread: deque[Told] = deque()

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def fileno(self) -> int:
        """For those who wait for several at once."""
        return self.socket.fileno()

    # -- saying

    def say(self, *requests: Request) -> None:
        """Send these, in one piece."""
        self.say_bytes(b"".join(msgspec.json.encode(request) + b"\n" for request in requests))

    def say_bytes(self, words: bytes) -> None:
        """Send this, whatever it is."""
        self.socket.sendall(words)

    # -- hearing

    def take(self) -> list[Told]:
        """What one read brings; waits for something. Sets `ended` at the end."""
        try:
            words = self.socket.recv(1 << 16)
        except ConnectionError:
            words = b""
        self.ended = not words
        *lines, self._part = (self._part + words).split(b"\n")
        fresh = [_reader.decode(line) for line in lines]
        self.told += fresh
        return fresh

    def next(self) -> Told:
        """The next line, which must come."""
        while not self._unread:
            assert not self.ended, "the server hung up before the line came"
            self._unread += self.take()
        return self._unread.popleft()

    def answer(self) -> Told:
        """The next answer; the news before it are only remembered."""
        while (told := self.next()).unasked:
            pass
        return told

    def news(self, kind: type[Struct]) -> Told:
        """The next news of an event of this kind; everything before it is only remembered."""
        while not isinstance((told := self.next()).event, kind):
            pass
        return told

    def notice(self) -> Told:
        """The next notice."""
        while (told := self.next()).type != "notice":
            pass
        return told

    def rest(self) -> list[Told]:
        """Everything until the server hangs up."""
        while not self.ended:
            self._unread += self.take()
        rest, self._unread = list(self._unread), deque()
        return rest

    # -- both

    def ask(self, request: Request) -> Told:
        """The answer to this."""
        self.say(request)
        return self.answer()

    def done(self, request: Request) -> Told:
        """The answer to this, which is done."""
        told = self.ask(request)
        assert told.type == "done", f"{request} is answered by {told}"
        return told

    def enter(self, name: str) -> "Client":
        """Be a new player; it is this client that comes back."""
        return self._greet(Hello(1, name=name))

    def back(self, before: "Client") -> "Client":
        """Be the player that this client was."""
        return self._greet(Hello(1, player=before.player, token=before.token))

    def _greet(self, hello: Hello) -> "Client":
        told = self.ask(hello)
        assert told.type == "hello", f"the server knows us: {told}"
        self.player, self.token = told.player, told.token
        return self
