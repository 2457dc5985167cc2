"""A window that draws what a command writes to its terminal: so much of one as ours need."""

import re
from typing import Final

from rich.cells import cell_len

_PARTS: Final = re.compile(r"\x1b\[(\d*)([A-Za-z])|([\r\n])|([^\x1b\r\n]+)")


class Window:
    """Rows of characters, and where the next one goes."""

    def __init__(self, wide: int, high: int) -> None:
        self.wide, self.high = wide, high
        self._rows = [""]
        self.row, self.column = 0, 0

    @property
    def shown(self) -> list[str]:
        """The rows in sight."""
        return [row.rstrip() for row in self._rows[-self.high :]]

    @property
    def line(self) -> str:
        """The row of the cursor."""
        return self._rows[self.row].rstrip()

    def write(self, text: str) -> None:
        """Take what a terminal is sent; anything that is not known here is a failed test."""
        end = 0
        for part in _PARTS.finditer(text):
            assert part.start() == end, f"what is {text[end : part.start()]!r}?"
            end = part.end()
            number, order, control, words = part.groups()
            if order:
                self._obey(order, int(number or 1))
            elif control == "\r":
                self.column = 0
            elif control:
                self._down()
            else:
                self._put(words)
        assert end == len(text), f"what is {text[end:]!r}?"

    def _obey(self, order: str, number: int) -> None:
        match order:
            case "A":
                top = max(0, len(self._rows) - self.high)
                self.row = max(top, self.row - number)
            case "G":
                self.column = number - 1
            case "J":
                self._rows[self.row] = self._rows[self.row][: self.column]
                del self._rows[self.row + 1 :]
            case _:
                raise AssertionError(f"what is {order}?")

    def _put(self, words: str) -> None:
        assert cell_len(words) == len(words), "wide letters are not drawn here"
        for letter in words:
            if self.column == self.wide:
                self.column = 0
                self._down()
            row = self._rows[self.row].ljust(self.column)
            self._rows[self.row] = row[: self.column] + letter + row[self.column + 1 :]
            self.column += 1

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self._rows):
            self._rows.append("")
