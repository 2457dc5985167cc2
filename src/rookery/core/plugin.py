"""Where something in a registry comes from: with the house, from a package, or from a file.

Registries are filled once, at the start of a process, and keep this beside what was put in.
Only code that lists plug-ins, or says which package is missing, asks for it.
"""

from typing import Final

from msgspec import Struct

from rookery.core.errors import Mistake


class BadPlugin(Mistake):
    """Something that cannot be put into a registry; the sentence says why."""


class Origin(Struct, frozen=True):
    """A package with its version, or a file that was given by its path."""

    package: str = ""
    version: str = ""
    file: str = ""

    def words(self) -> str:
        """The origin as a person is told it: `connect4 1.2`, or the file's path."""
        if self.package:
            return f"{self.package} {self.version}".rstrip()
        return self.file or "rookery itself"

    def label(self) -> str:
        """As a log keeps it: empty for the house, `connect4 1.2`, or `the file connect4.py`."""
        if self.package:
            return f"{self.package} {self.version}".rstrip()
        return f"the file {self.file.rpartition('/')[2]}" if self.file else ""


HOUSE: Final = Origin()  # what came with the house


def clashes(kind: str, name: str, one: Origin) -> BadPlugin:
    """The error that refuses a second thing of the same name."""
    return BadPlugin(f"there is a {kind} {name!r} already, of {one.words()}")
