"""Somebody in between: carries bytes to a database and back, and cuts the line when told to.

It reads PostgreSQL's own words only so far as to see where what a client sends at once ends
(`Sync`), so that a cut is before the database has heard of a statement, in the middle of it,
or after its commit and before the client hears so.
"""

import socket
import threading
from contextlib import suppress
from enum import Enum
from types import TracebackType
from typing import Final, Self

SYNC: Final = b"S\x00\x00\x00\x04"  # ends what is sent at once


class Cut(Enum):
    """When to cut, of what is sent next."""

    BEFORE = "before the database has heard of it"
    WITHIN = "when the database has heard the first half"
    AT_ONCE = "when the database has heard it, whatever it makes of it"
    AFTER = "when the database has answered, before anyone hears so"


class Proxy:
    """Listens on a port of its own. It mutates, in threads."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: set[socket.socket] = set()
        self._cut: tuple[bytes, Cut] | None = None
        self._refuses = False
        self.cuts = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        wrong: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._listening.close()
        self.cut_all()

    def cut_next(self, about: bytes, when: Cut) -> None:
        """Cut the line of whoever next sends something with these bytes in it."""
        self._cut = (about, when)

    def refuse(self) -> None:
        """Let nobody in."""
        self._refuses = True

    def admit(self) -> None:
        """Let everybody in again."""
        self._refuses = False

    def cut_all(self) -> None:
        """Cut every line there is."""
        for one in list(self._open):
            _close(one)
        self._open.clear()

    def _listen(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self._refuses:
                _close(client)
                continue
            database = socket.create_connection(("127.0.0.1", self._target))
            self._open |= {client, database}
            muted = threading.Event()
            for work in (self._up, self._down):
                threading.Thread(target=work, args=(client, database, muted), daemon=True).start()

    def _up(self, client: socket.socket, database: socket.socket, muted: threading.Event) -> None:
        with suppress(OSError):
            while heard := client.recv(1 << 20):
                if self._cut is None or self._cut[0] not in heard:
                    database.sendall(heard)
                    continue
                (_, when), self._cut = self._cut, None
                while not heard.endswith(SYNC):
                    heard += client.recv(1 << 20)
                self.cuts += 1
                muted.set()
                match when:
                    case Cut.BEFORE:
                        pass
                    case Cut.WITHIN:
                        database.sendall(heard[: len(heard) // 2])
                    case Cut.AT_ONCE:
                        database.sendall(heard)
                    case Cut.AFTER:
                        database.sendall(heard)
                        database.recv(1 << 20)
                break
        _close(client)
        _close(database)

    def _down(self, client: socket.socket, database: socket.socket, muted: threading.Event) -> None:
        with suppress(OSError):
            while not muted.is_set():
                # Only looked at: what is said once the line is to be cut is not ours to take.
                if not database.recv(1, socket.MSG_PEEK):
                    break
                if muted.is_set():
                    return
                client.sendall(database.recv(1 << 20))
            return
        _close(client)


def _close(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
