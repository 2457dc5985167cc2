"""Standard input as lines, read only when one is wanted and without waiting for it.

At a terminal that can be written over, each key is read as it comes, and we draw the line being
typed (`editor.py`): so nothing is ever printed into it. Anywhere else lines come as they are
sent. From a script they are taken when they are due: the next move waits in the pipe until the
turn has come.
"""

import os
import signal
import sys
import termios
from collections import deque
from types import FrameType, TracebackType
from typing import Final, Self

from rookery.cli.terminal.editor import LineEditor
from rookery.cli.terminal.output import Output

_KEYED: Final = termios.ICANON | termios.ECHO  # what a terminal does with keys by itself
_LFLAG: Final = 3  # where that stands among a terminal's attributes


class Keyboard:
    """Standard input line by line; key by key within `with`, where an output can show the keys.

    It gives the terminal back in the end.
    """

    def __init__(self, output: Output | None = None) -> None:
        self._output = output
        self._number = sys.stdin.fileno()
        self._bytes = b""
        self._lines: deque[str] = deque()
        self._editor: LineEditor | None = None
        self.interactive = sys.stdin.isatty()
        self.ended = False

    def __enter__(self) -> Self:
        output = self._output
        if output is not None and output.lively and self.interactive:
            self._before = termios.tcgetattr(self._number)
            self._editor = LineEditor()
            self._take_keys()
            signal.signal(signal.SIGCONT, self._take_keys)  # a shell has set it back meanwhile
            output.type_in(self._editor)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._output is not None and self._editor is not None:
            signal.signal(signal.SIGCONT, signal.SIG_DFL)
            termios.tcsetattr(self._number, termios.TCSADRAIN, self._before)
            self._output.type_nothing()

    def fileno(self) -> int:
        """The number of the input's file, for `select`."""
        return self._number

    def read(self) -> None:
        """Take in the input that is there; called only when there is some."""
        came = os.read(self._number, 1 << 12)
        if self._output is not None and self._editor is not None:
            self._lines.extend(self._editor.feed(came))
            self.ended = self._editor.ended or not came
            self._output.typed()
            return
        self._bytes += came
        if not came:
            self.ended = True
            # A last line need not have an end.
            self._bytes += b"\n" if self._bytes else b""

    def line(self) -> str | None:
        """Take out the next whole line; None if there is none yet."""
        if self._editor is not None:
            return self._lines.popleft() if self._lines else None
        line, end, rest = self._bytes.partition(b"\n")
        if not end:
            return None
        self._bytes = rest
        return line.decode(errors="replace")

    def _take_keys(self, _: int = 0, __: FrameType | None = None) -> None:
        """Set the terminal to pass on every key at once without showing it; Ctrl-C still works."""
        ours = termios.tcgetattr(self._number)
        ours[_LFLAG] &= ~_KEYED
        termios.tcsetattr(self._number, termios.TCSADRAIN, ours)
