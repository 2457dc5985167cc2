"""A line editor: keys in, whole lines out, and the part of a line that fits beside a prompt.

It touches no terminal: the code that reads the keys draws the line. The line has one row,
whatever its length: where it is longer than its place, the part around the cursor is shown.
The keys are those of every shell.
"""

import codecs
from collections import deque
from typing import Final

from rich.cells import cell_len

LINE_MAX: Final = 4_000  # characters; what is typed beyond is lost
REMEMBERED: Final = 100  # lines that can be had again
ESCAPE_MAX: Final = 16  # characters of a key's sequence; what is longer is none

# What terminals send for the keys that have no character.
_SEQUENCES: Final = {
    "[A": "up",
    "OA": "up",
    "[B": "down",
    "OB": "down",
    "[C": "right",
    "OC": "right",
    "[D": "left",
    "OD": "left",
    "[H": "home",
    "OH": "home",
    "[1~": "home",
    "[7~": "home",
    "[F": "end",
    "OF": "end",
    "[4~": "end",
    "[8~": "end",
    "[3~": "delete",
}
_CONTROLS: Final = {
    "\x01": "home",
    "\x02": "left",
    "\x04": "stop",
    "\x05": "end",
    "\x06": "right",
    "\x08": "back",
    "\x0b": "cut",
    "\x0e": "down",
    "\x10": "up",
    "\x15": "drop",
    "\x17": "word",
    "\x7f": "back",
}


class LineEditor:
    """The line that is being typed, and those before it."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0  # the character before which the next one goes
        self.ended = False  # whether somebody has said that nothing more comes
        self._read = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._escape: str | None = None  # of a key, as far as it has come
        self._past: deque[str] = deque(maxlen=REMEMBERED)
        self._back = 0  # how many lines ago is shown; 0 is the one being typed
        self._kept = ""  # that one, meanwhile

    def feed(self, keys: bytes) -> list[str]:
        """Take keys in; returns the lines that they finished."""
        return [line for key in self._read(keys) if (line := self._press(key)) is not None]

    def shown(self, width: int) -> tuple[str, int]:
        """The part of the line that fits this many columns, and the column of the cursor."""
        start, before = 0, self.text[: self.at]
        while cell_len(before[start:]) >= width and start < self.at:
            start += 1
        end = len(self.text)
        while cell_len(self.text[start:end]) >= width and end > start:
            end -= 1
        return self.text[start:end], cell_len(before[start:])

    def _press(self, key: str) -> str | None:
        if self._escape is not None:
            self._escaped(self._escape + key)
        elif key == "\x1b":
            self._escape = ""
        elif key in "\r\n":
            return self._entered()
        elif key in _CONTROLS:
            self._do(_CONTROLS[key])
        elif key.isprintable() and len(self.text) < LINE_MAX:
            self.text = self.text[: self.at] + key + self.text[self.at :]
            self.at += 1
        return None

    def _escaped(self, sequence: str) -> None:
        """Take one more character of an escape sequence, which ends with a letter or a tilde."""
        first, last = sequence[0], sequence[-1]
        more = first in "[O" and (len(sequence) == 1 or last in "0123456789;?")
        self._escape = sequence if more and len(sequence) < ESCAPE_MAX else None
        if self._escape is None and sequence in _SEQUENCES:
            self._do(_SEQUENCES[sequence])

    def _entered(self) -> str:
        line = self.text
        if line.strip() and (not self._past or self._past[-1] != line):
            self._past.append(line)
        self._put("")
        self._back = 0
        return line

    def _do(self, what: str) -> None:
        text, at = self.text, self.at
        match what:
            case "left":
                self.at = max(0, at - 1)
            case "right":
                self.at = min(len(text), at + 1)
            case "home":
                self.at = 0
            case "end":
                self.at = len(text)
            case "up" | "down":
                self._recall(1 if what == "up" else -1)
            case "back" if at > 0:
                self._put(text[: at - 1] + text[at:], at - 1)
            case "stop" if not text:
                self.ended = True
            case "stop" | "delete":
                self._put(text[:at] + text[at + 1 :], at)
            case "cut":
                self._put(text[:at], at)
            case "drop":
                self._put(text[at:], 0)
            case "word":
                start = text[:at].rstrip().rfind(" ") + 1
                self._put(text[:start] + text[at:], start)
            case _:
                pass

    def _put(self, text: str, at: int | None = None) -> None:
        self.text, self.at = text, len(text) if at is None else at

    def _recall(self, step: int) -> None:
        """Bring back an earlier line, or the one after it."""
        if self._back == 0:
            self._kept = self.text
        self._back = min(max(0, self._back + step), len(self._past))
        self._put(self._past[-self._back] if self._back else self._kept)
