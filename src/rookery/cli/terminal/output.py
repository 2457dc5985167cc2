"""Where a table is shown: lines and boards, with nothing in them that a terminal obeys.

Names and what people say come from anybody. They are never read as markup, and every
character that is not printed is shown as a `?` before anything leaves this file.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.text import Text

from rookery.cli.terminal.screen import screen

_KEPT: Final = "\n"
_KEEP_PLACE: Final = "\x1b7\x1b[G"  # remember where one types, and go to the margin
_TAKE_PLACE: Final = "\x1b8"


def clean(text: str) -> str:
    """The text with a `?` for everything that would do something else than stand there."""
    return "".join(c if c.isprintable() or c in _KEPT else "?" for c in text)


class Output:
    """Standard output, on a terminal or not. It remembers a prompt that nobody answered yet."""

    def __init__(self) -> None:
        self._console = screen()
        self._prompting = False

    @property
    def terminal(self) -> bool:
        """Whether somebody looks on while it is written."""
        return self._console.is_terminal

    def say(self, text: str, style: str = "") -> None:
        """A line, or several."""
        self._print(Text(clean(text), style))

    def show(self, picture: Text) -> None:
        """A drawing, with an empty line before and after it."""
        safe = Text(clean(picture.plain), spans=picture.spans)
        self._print(Text("\n").append_text(safe).append("\n"))

    def ask(self, text: str) -> None:
        """A prompt, behind which somebody types."""
        self._console.print(Text(clean(text), "bold"), end="", soft_wrap=True)
        self._prompting = True

    def ask_anew(self, text: str) -> None:
        """A prompt as long as the last in its place; what was typed behind it stays."""
        if self._prompting and self.lively:
            with self.at_once():
                self._console.out(_KEEP_PLACE, end="")
                self.ask(text)
                self._console.out(_TAKE_PLACE, end="")

    def answered(self) -> None:
        """A line was typed, so that the next one begins at the margin."""
        self._prompting = False

    @property
    def lively(self) -> bool:
        """Whether what is written can be written over."""
        return self.terminal and not self._console.is_dumb_terminal

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is shown while this lasts is written in one piece, and does not flicker."""
        with self._console:
            yield

    def wipe(self) -> None:
        """An empty screen, where there is one."""
        if self.terminal:
            self._console.clear()

    def _print(self, text: Text) -> None:
        if self._prompting:
            self._console.print()  # not behind the prompt
            self._prompting = False
        self._console.print(text, soft_wrap=True)
