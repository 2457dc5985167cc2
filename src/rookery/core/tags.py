"""Families of structs that are told apart by a tag, in the log and on the wire."""

from typing import TypeVar

from msgspec import Struct

S = TypeVar("S", bound=Struct)


def snake_tag(qualname: str) -> str:
    """A class's name as its tag, for plug-ins that state none: `TileGone` is `tile_gone`."""
    name = qualname.rpartition(".")[2]
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def kinds_of(family: type[S]) -> tuple[type[S], ...]:
    """The kinds of a family that there are values of: those that no other is made from."""
    found = [kind for below in family.__subclasses__() for kind in kinds_of(below)]
    return tuple(found) or (family,)
