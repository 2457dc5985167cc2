"""Commands as processes that talk to each other: a server, players, somebody who watches.

Nothing sleeps: a test waits for words in the output. Each process has a time limit as a
safety net, so that a test that waits for words which never come fails, and says what did.
"""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.warm import LIMIT, Warm

SERVER_LIMIT = 900.0  # one may serve all tests of a file


class Process:
    """One `rookery` command: what it says can be waited for, line by line. Mutates."""

    def __init__(self, *words: str, stdin: int = subprocess.PIPE, limit: float = LIMIT) -> None:
        env = {**os.environ, "TZ": "UTC", "NO_COLOR": "1"}
        self._process = Warm(*words, stdin=stdin, env=env)
        assert self._process.stdout is not None
        self._out = TextIOWrapper(self._process.stdout, "utf-8")
        typed = self._process.stdin
        self._in = None if typed is None else TextIOWrapper(typed, "utf-8")
        self.said = ""
        self._limit = threading.Timer(limit, self._process.kill)
        self._limit.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._limit.cancel()
        self._process.kill()
        self._process.wait()
        for pipe in (self._in, self._out):
            if pipe is not None:
                with suppress(BrokenPipeError):  # what was typed last it never read
                    pipe.close()

    def until(self, words: str) -> str:
        """The first new line with these words in it."""
        for line in self._out:
            self.said += line
            if words in line:
                return line
        raise AssertionError(f"It never said {words!r}, but:\n{self.said}")

    def type(self, *lines: str) -> None:
        """Type these lines."""
        assert self._in is not None
        self._in.write("".join(f"{line}\n" for line in lines))
        self._in.flush()

    def type_all(self, *lines: str) -> None:
        """Type these lines, and nothing after them."""
        assert self._in is not None
        self.type(*lines)
        self._in.close()

    def signal(self, number: signal.Signals) -> None:
        """Send it this signal."""
        self._process.send_signal(number)

    def end(self) -> int:
        """Its exit code, once it has said all it has to say."""
        self.said += self._out.read()
        return self._process.wait()


@contextmanager
def serving(folder: Path, port: int = 0, *flags: str) -> Iterator[tuple[Process, int]]:
    """A server with its log in this folder, and the port it listens on."""
    settings = ("--port", str(port), "--data", str(folder), "--house", "off", *flags)
    with Process("serve", *settings, limit=SERVER_LIMIT) as server:
        said = server.until("listens on")
        yield server, int(said.rpartition(":")[2])


def stop(server: Process) -> None:
    """Ask a server to go, and see it gone."""
    server.signal(signal.SIGTERM)
    assert server.end() == 0, server.said
