"""What a person at a terminal is to `rookery connect`."""

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from msgspec import Struct
from rich.text import Text

from rookery.clients.fish import AGE

Shown: TypeAlias = str | Text  # a sentence, or a drawing
Heard: TypeAlias = Shown | bytes  # or what is answered without anybody typing


class Who(Struct, frozen=True):
    """What a person says of themselves; each language takes what it asks for."""

    name: str
    age: int = AGE


class PersonByHand(Protocol):
    """A person's side of one connection: bytes to sentences, typed lines to bytes. It mutates."""

    def begin(self) -> bytes:
        """The first bytes to send on the connection."""
        ...

    def hear(self, data: bytes) -> Iterable[Heard]:
        """Read the server's bytes, cut anywhere; yields what to show, and bytes to send."""
        ...

    def prompt(self) -> str:
        """The prompt to show now; empty while nothing is asked of the person."""
        ...

    def say(self, typed: str) -> bytes | str:
        """The bytes for what was typed, or a sentence that says why there are none."""
        ...
