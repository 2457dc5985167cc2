"""What there is to load: entry points of installed packages, and files given by path.

Nothing here raises but what a plug-in's own code raises when it is imported; `loading` keeps
that to the plug-in.
"""

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

from msgspec import Struct

from rookery.bots.base import Level
from rookery.core.plugin import BadPlugin, Origin

GROUPS: Final = {
    "rookery.games": "game",
    "rookery.dialects": "dialect",
    "rookery.bots": "bot",
    "rookery.formats": "format",
}

# What makes a class in a file be taken for one; whether it is a sound one is seen later.
MARKS: Final = {"game": ("legal_moves", "play"), "format": ("next", "done")}


class Thing(Struct, frozen=True):
    """Something that a plug-in offers: what it is to be, by which name, and the module's wish."""

    kind: str  # game, dialect, bot or format
    name: str
    value: object
    wants: object  # the version of the kit that its module asks for, None if none


def points() -> list[tuple[str, EntryPoint]]:
    """The entry points of installed packages by what they offer, always in the same order."""
    every = entry_points()  # each call reads what every installed package says of itself
    found = [(kind, one) for group, kind in GROUPS.items() for one in every.select(group=group)]
    return sorted(found, key=lambda pair: (list(GROUPS.values()).index(pair[0]), pair[1].name))


def origin_of(point: EntryPoint) -> Origin:
    """The package that has this entry point."""
    dist = point.dist
    file = getattr(sys.modules.get(point.module), "__file__", None) or ""
    return Origin(dist.name, dist.version, file) if dist else Origin(file=file or point.value)


def from_point(kind: str, point: EntryPoint) -> Thing:
    """What this entry point offers; its module is imported now."""
    value = point.load()
    return Thing(kind, point.name, value, _wanted(sys.modules.get(point.module)))


def from_file(path: Path) -> list[Thing]:
    """What a file of Python offers; it is run now."""
    if not path.is_file():
        raise BadPlugin("there is no such file")
    name = f"with_{path.stem}"
    while name in sys.modules:
        name += "_"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadPlugin("it is no file of Python")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    things = list(_things(module))
    if not things:
        raise BadPlugin("it has no game, dialect, bot or format")
    return things


def _things(module: ModuleType) -> Iterator[Thing]:
    wants = _wanted(module)
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    games = []
    for kind, marks in MARKS.items():
        for value in own:
            if all(hasattr(value, mark) for mark in marks):
                name = getattr(value, "name", value.__name__)
                games += [name] if kind == "game" else []
                yield Thing(kind, str(name), value, wants)
    from rookery.dialects.base import Kind  # noqa: PLC0415 # who thinks needs none

    for value in vars(module).values():
        if isinstance(value, Kind):
            yield Thing("dialect", value.manners.name, value, wants)
    yield from _bots(getattr(module, "LEVELS", None), games, wants)


def _bots(levels: object, games: Sequence[object], wants: object) -> Iterator[Thing]:
    """`LEVELS` is five levels for the one game of the file, or such by the names of games."""
    if isinstance(levels, dict):
        for name, value in levels.items():
            yield Thing("bot", str(name), value, wants)
    elif isinstance(levels, tuple) and all(isinstance(one, Level) for one in levels):
        if len(games) != 1:
            raise BadPlugin("its LEVELS do not say which game they are for")
        yield Thing("bot", str(games[0]), levels, wants)


def _wanted(module: ModuleType | None) -> object:
    return getattr(module, "ROOKERY_SDK", None)
