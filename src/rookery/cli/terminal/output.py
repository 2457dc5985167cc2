"""Prints lines and boards of a table, with nothing in them that a terminal obeys.

Names and chat come from anybody. They are never read as markup, and every character that
cannot be printed is shown as a `?` before anything leaves this file.

While a person types key by key, or looks on at a terminal, there is a foot: a picture, a remark
and the line being typed are always the last rows, and sentences scroll away above them. Each row
of the foot is cut to the window, so that none wraps and all can be taken away again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from rookery.cli.terminal.editor import LineEditor
from rookery.cli.terminal.screen import screen

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


_KEPT: Final = "\n"


def clean(text: str) -> str:
    """The text with a `?` for everything that would do something else than stand there."""
    return "".join(c if c.isprintable() or c in _KEPT else "?" for c in text)


class Output:
    """Standard output, on a terminal or not; remembers an unanswered prompt."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or screen()
        self._prompting = False
        self._foot: Foot | None = None

    @property
    def terminal(self) -> bool:
        """Whether the output is a terminal, at which a person looks on."""
        return self._console.is_terminal

    @property
    def lively(self) -> bool:
        """Whether the output is a terminal whose rows can be written over."""
        return self.terminal and not self._console.is_dumb_terminal

    def say(self, text: str, style: str = "") -> None:
        """Print a text of one line or several."""
        self._print(Text(clean(text), style))

    def show(self, picture: Text) -> None:
        """Print a drawing between empty lines; with a foot it stays in sight, if it fits."""
        safe = Text(clean(picture.plain), spans=picture.spans)
        if self._foot is not None and self._foot.fits(safe):
            self._foot.picture = safe
            self._redraw()
            return
        if self._foot is not None:
            self._foot.picture = None
        self._print(Text("\n").append_text(safe).append("\n"))

    @property
    def stays(self) -> bool:
        """Whether the last drawing is still in sight, and can be drawn anew."""
        return self._foot is not None and self._foot.picture is not None

    def remark(self, text: str) -> None:
        """Print a line for now; with a foot, the next remark takes its place."""
        if self._foot is None:
            if text:
                self.say(text)
            return
        self._foot.remark = Text(clean(text))
        self._redraw()

    def ask(self, text: str) -> None:
        """Show a prompt, behind which the person types; keys typed already stay."""
        if self._foot is not None:
            self._foot.prompt = Text(clean(text), "bold")
            self._redraw()
        elif text:
            self._console.print(Text(clean(text), "bold"), end="", soft_wrap=True)
            self._prompting = True

    def answered(self, line: str) -> None:
        """Note that the prompt was answered with this line; with a foot, print it above."""
        self._prompting = False
        if self._foot is not None and line.strip():
            self._print(Text.assemble("> ", clean(line), style="dim"))

    # -- while somebody types key by key

    def type_in(self, editor: LineEditor) -> None:
        """Draw a foot with the line that is being typed in this editor, from now on."""
        self._foot = Foot(self._console, editor)
        self._foot.draw()

    def typed(self) -> None:
        """Draw the foot anew, because the line being typed has changed."""
        self._redraw()

    def type_nothing(self) -> None:
        """Take the foot away: the last drawing stays, and the prompt goes."""
        foot, self._foot = self._foot, None
        if foot is not None:
            with self.at_once():
                foot.take_away()
                if foot.picture is not None:
                    self._print(Text("\n").append_text(foot.picture).append("\n"))

    def _redraw(self) -> None:
        if self._foot is not None:
            with self.at_once():
                self._foot.take_away()
                self._foot.draw()

    # -- for who only looks on

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Write all that is shown within `with` in one piece, so that it does not flicker."""
        with self._console:
            yield

    @contextmanager
    def looking_on(self) -> Iterator[None]:
        """While this lasts the last drawing stays at the bottom, where the terminal can do that."""
        if self.lively:
            self._foot = Foot(self._console, None)
        try:
            yield
        finally:
            self.type_nothing()

    def _print(self, text: Text) -> None:
        if self._prompting:
            self._console.print()  # not behind the prompt
            self._prompting = False
        if self._foot is None:
            self._console.print(text, soft_wrap=True)
            return
        with self.at_once():
            self._foot.take_away()
            self._console.print(text, soft_wrap=True)
            self._foot.draw()
