"""A command at a terminal: what it writes there can be waited for, and somebody can type.

Nothing sleeps, and a time limit is the safety net, as for other processes.
"""

import codecs
import fcntl
import os
import pty
import struct
import termios
import threading
from types import TracebackType
from typing import Self

from tests.cli.windows import Window
from tests.warm import LIMIT, Warm

WIDE, HIGH = 100, 24


class Terminal:
    """One `rookery` command whose input and output are a terminal. Mutates."""

    def __init__(self, *words: str) -> None:
        self._number, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HIGH, WIDE, 0, 0))
        env = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
        self._process = Warm(*words, stdin=theirs, stdout=theirs, env=env)
        os.close(theirs)
        self._seen = b""
        self._letters = codecs.getincrementaldecoder("utf-8")().decode
        self._limit = threading.Timer(LIMIT, self._process.kill)
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
        os.close(self._number)

    def type(self, text: str) -> None:
        """Type this; without a line end nobody reads it yet."""
        os.write(self._number, text.encode())

    def until(self, words: str) -> str:
        """What is written until these words come, them included."""
        said = words.encode()
        while said not in self._seen:
            piece = self._read()
            assert piece, f"It never said {words!r}, but:\n{self._seen.decode()}"
            self._seen += piece
        before, _, self._seen = self._seen.partition(said)
        return before.decode() + words

    def wait_for(self, window: Window, words: str, line: str | None = None) -> None:
        """Draw what is written, until these words are in sight, and the cursor at this row."""
        while not any(words in row for row in window.shown) or line not in (None, window.line):
            piece = self._read()
            shown = "\n".join(window.shown)
            assert piece, f"It never showed {words!r}, but:\n{shown}"
            window.write(self._letters(piece))

    def end(self) -> tuple[str, int]:
        """What else it writes, and its exit code."""
        while piece := self._read():
            self._seen += piece
        return self._seen.decode(), self._process.wait()

    def _read(self) -> bytes:
        try:
            return os.read(self._number, 1 << 16)
        except OSError:  # the other side is closed
            return b""
