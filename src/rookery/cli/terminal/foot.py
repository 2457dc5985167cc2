"""The foot of a terminal: a picture, a remark and the line being typed, always the last rows.

Sentences go above the foot and scroll away; the foot stays at the bottom and is drawn anew.
Each of its rows is cut to the window, so that none wraps and all can be taken away again. A
person who only looks on types nothing: then there is no editor, and the picture is all.
"""

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from rookery.cli.terminal.editor import LineEditor

SPARE = 3  # rows of a window that a picture leaves: what was said last, a remark, the prompt


class Foot:
    """The rows at the bottom of a terminal, drawn and taken away."""

    def __init__(self, console: Console, editor: LineEditor | None) -> None:
        self._console = console
        self._editor = editor
        self._drawn: list[int] = []  # how long each row is that is on the screen
        self.picture: Text | None = None
        self.remark = Text()
        self.prompt = Text()

    def fits(self, picture: Text) -> bool:
        """Whether the window has room for this picture with the rows below it."""
        lines = picture.plain.split("\n")
        width, height = self._console.size
        wide = all(cell_len(line) < width for line in lines)
        return wide and len(lines) + SPARE + 1 <= height

    def take_away(self) -> None:
        """Clear the foot's rows, so that text can be written where they were."""
        if self._drawn:
            # A window that became narrower has wrapped them.
            width = self._console.width
            rows = sum(max(1, -(-length // width)) for length in self._drawn)
            up = f"\x1b[{rows - 1}A" if rows > 1 else ""
            self._console.out(f"\x1b[G{up}\x1b[J", end="")
            self._drawn = []

    def draw(self) -> None:
        """Write the foot's rows, and put the cursor into the line being typed."""
        width = self._console.width
        rows: list[Text] = []
        if self.picture is not None:
            rows = [Text(), *self.picture.split("\n", allow_blank=True), Text()]
        if self.remark:
            rows.append(self.remark.copy())
        typed, column = "", 0
        if self._editor is not None:
            typed, column = self._editor.shown(max(1, width - cell_len(self.prompt.plain)))
        rows.append(Text.assemble(self.prompt, typed))
        for n, row in enumerate(rows):
            row.truncate(width - 1 if n < len(rows) - 1 else width, overflow="crop")
            self._console.print(row, end="\n" if n < len(rows) - 1 else "", soft_wrap=True)
        place = cell_len(self.prompt.plain) + column
        self._console.out(f"\x1b[{place + 1}G", end="")
        self._drawn = [cell_len(row.plain) for row in rows]
