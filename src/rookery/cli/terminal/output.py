"""Where a table is shown: lines and boards, with nothing in them that a terminal obeys.

Names and what people say come from anybody. They are never read as markup, and every
character that is not printed is shown as a `?` before anything leaves this file.

While somebody types key by key, or looks on at a terminal, there is a foot (`foot.py`): the
board stays above the prompt, and what happens is written above both.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.text import Text

from rookery.cli.terminal.editor import LineEditor
from rookery.cli.terminal.foot import Foot
from rookery.cli.terminal.screen import screen

_KEPT: Final = "\n"


def clean(text: str) -> str:
    """The text with a `?` for everything that would do something else than stand there."""
    return "".join(c if c.isprintable() or c in _KEPT else "?" for c in text)


class Output:
    """Standard output, on a terminal or not. It remembers a prompt that nobody answered yet."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or screen()
        self._prompting = False
        self._foot: Foot | None = None

    @property
    def terminal(self) -> bool:
        """Whether somebody looks on while it is written."""
        return self._console.is_terminal

    @property
    def lively(self) -> bool:
        """Whether what is written can be written over."""
        return self.terminal and not self._console.is_dumb_terminal

    def say(self, text: str, style: str = "") -> None:
        """A line, or several."""
        self._print(Text(clean(text), style))

    def show(self, picture: Text) -> None:
        """A drawing, with an empty line before and after it; where it can, it stays in sight."""
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
        """A line for now: the next takes its place, where it can."""
        if self._foot is None:
            if text:
                self.say(text)
            return
        self._foot.remark = Text(clean(text))
        self._redraw()

    def ask(self, text: str) -> None:
        """A prompt, behind which somebody types; what was typed already stays."""
        if self._foot is not None:
            self._foot.prompt = Text(clean(text), "bold")
            self._redraw()
        elif text:
            self._console.print(Text(clean(text), "bold"), end="", soft_wrap=True)
            self._prompting = True

    def answered(self, line: str) -> None:
        """This was typed, so that the next line begins at the margin."""
        self._prompting = False
        if self._foot is not None and line.strip():
            self._print(Text.assemble("> ", clean(line), style="dim"))

    # -- while somebody types key by key

    def type_in(self, editor: LineEditor) -> None:
        """From now on the line being typed is drawn here."""
        self._foot = Foot(self._console, editor)
        self._foot.draw()

    def typed(self) -> None:
        """The line being typed is another one now."""
        self._redraw()

    def type_nothing(self) -> None:
        """Nobody types any more: the last drawing stays, and the prompt goes."""
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
        """What is shown while this lasts is written in one piece, and does not flicker."""
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
