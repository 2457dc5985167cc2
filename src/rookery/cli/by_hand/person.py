"""What a person at a terminal is to `rookery connect`."""

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from msgspec import Struct
from rich.text import Text

from rookery.clients.fish import AGE

Shown: TypeAlias = str | Text  # a sentence, or a drawing
Heard: TypeAlias = Shown | bytes  # or what is answered without anybody typing


class Who(Struct, frozen=True):
    """What somebody says of themselves; a language asks for what it needs."""

    name: str
    age: int = AGE


class PersonByHand(Protocol):
    """Somebody who plays over one connection. It mutates."""

    def begin(self) -> bytes:
        """What to say first."""
        ...

    def hear(self, data: bytes) -> Iterable[Heard]:
        """What to show and to answer for these bytes, which may be cut anywhere."""
        ...

    def prompt(self) -> str:
        """What to ask now; empty while there is nothing to answer."""
        ...

    def say(self, typed: str) -> bytes | str:
        """The bytes for what was typed, or a sentence that says why there are none."""
        ...
