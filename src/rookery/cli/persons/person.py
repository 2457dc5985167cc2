"""What a person at a terminal is to `rookery connect`."""

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from rich.text import Text

Shown: TypeAlias = str | Text  # a sentence, or a drawing


class Person(Protocol):
    """Somebody who plays over one connection. It mutates."""

    def begin(self) -> bytes:
        """What to say first."""
        ...

    def hear(self, data: bytes) -> Iterable[Shown]:
        """What to show for these bytes, which may be cut anywhere."""
        ...

    def prompt(self) -> str:
        """What to ask now; empty while there is nothing to answer."""
        ...

    def say(self, typed: str) -> bytes | str:
        """The bytes for what was typed, or a sentence that says why there are none."""
        ...
