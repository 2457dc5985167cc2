"""Loading plug-ins: each is found, imported, checked and registered, or left out with a sentence.

Whatever a plug-in does while it is imported is its own misfortune: it may raise anything,
`SystemExit` too, or hang; it is named, and the start goes on. Only Ctrl-C is ours.
What it prints goes to standard error: standard output belongs to the command.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar

from msgspec import Struct

from rookery import bots, games
from rookery.bots.base import Level
from rookery.core.errors import TookTooLong
from rookery.core.plugin import BadPlugin, Origin
from rookery.plugins.checking import (
    check_version,
    checked_dialect,
    checked_format,
    checked_game,
    checked_levels,
)
from rookery.plugins.watchdog import at_most

GIVEN: Final = "ROOKERY_WITH"  # the files, for the processes that this one starts, and for people
PATIENCE: Final = 20.0  # seconds that a plug-in may take to be imported
WORDS_MAX: Final = 300  # characters of what an exception says

GROUPS: Final = {
    "rookery.games": "game",
    "rookery.dialects": "dialect",
    "rookery.bots": "bot",
    "rookery.formats": "format",
}

# What makes a class in a file be taken for one; whether it is a sound one is seen later.
MARKS: Final = {"game": ("legal_moves", "play"), "format": ("next", "done")}

T = TypeVar("T")


class Plugin(Struct, frozen=True):
    """Something that was offered: what, by whom, and why it is left out, if it is."""

    kind: str  # game, dialect, bot or format; empty where it did not come so far
    name: str
    origin: Origin
    problem: str = ""

    def sentence(self) -> str:
        """Why it is left out, for a person."""
        what = f"the {self.kind} {self.name}" if self.kind else self.name
        whose = self.origin.words()
        named = what if what == whose else f"{what} of {whose}"
        return f"Left out {named}: {self.problem}."


class Thing(Struct, frozen=True):
    """Something that a plug-in offers: what it is to be, by which name, and the module's wish."""

    kind: str  # game, dialect, bot or format
    name: str
    value: object
    wants: object  # the version of the kit that its module asks for, None if none


_found: Final[list[Plugin]] = []
_files: Final[list[Path]] = []


def load(given: Iterable[Path] = ()) -> tuple[Plugin, ...]:
    """Load what packages offer, and these files; what is newly found, sound or not.

    Nothing is loaded twice, however often this is called.
    """
    before = len(_found)
    if not _found:
        for kind, point in points():
            _found.extend(_from_point(kind, point))
    told = os.environ.get(GIVEN, "")
    for path in [*(Path(one) for one in told.split(os.pathsep) if one), *given]:
        whole = path.absolute()
        if whole not in _files:
            _files.append(whole)
            _found.extend(_from_file(whole))
    if _files:
        os.environ[GIVEN] = os.pathsep.join(map(str, _files))
    return tuple(_found[before:])


def loaded() -> tuple[Plugin, ...]:
    """All that was found since the process began."""
    return tuple(_found)


def _from_point(kind: str, point: EntryPoint) -> list[Plugin]:
    things, problem = _guarded(lambda: [offered_by_point(kind, point)])
    origin = origin_of(point)
    if problem:
        return [Plugin(kind, point.name, origin, problem)]
    return [_registered(thing, origin) for thing in things]


def _from_file(path: Path) -> list[Plugin]:
    origin = Origin(file=str(path))
    things, problem = _guarded(lambda: offered_by_file(path))
    if problem:
        return [Plugin("", str(path), origin, problem)]
    return [_registered(thing, origin) for thing in things]


def _registered(thing: Thing, origin: Origin) -> Plugin:
    named, problem = _guarded(lambda: [_register(thing, origin)])
    return Plugin(thing.kind, named[0] if named else _printable(thing.name), origin, problem)


def _register(thing: Thing, origin: Origin) -> str:
    """Put it into its registry; the name it has there."""
    check_version(thing.wants)
    match thing.kind:
        case "game":
            game = checked_game(thing.value)
            games.register(game, origin)
            return game.name
        case "format":
            from rookery.hall.tours import formats  # noqa: PLC0415 # who thinks needs none

            form = checked_format(thing.value)
            formats.register(form, origin)
            return form.name
        case "dialect":
            from rookery import dialects  # noqa: PLC0415 # who thinks needs none

            kind = checked_dialect(thing.value)
            dialects.register(kind, origin)
            return kind.manners.name
        case _:
            bots.register(thing.name, checked_levels(thing.value), origin)
            return thing.name


def _guarded(work: Callable[[], list[T]]) -> tuple[list[T], str]:
    """What this gives, or nothing and why."""
    try:
        with redirect_stdout(sys.stderr), at_most(PATIENCE):
            return work(), ""
    except KeyboardInterrupt:
        raise
    except BadPlugin as wrong:
        return [], str(wrong)
    except TookTooLong:
        return [], f"it took longer than {PATIENCE:.0f} s to load"
    except SystemExit:
        return [], "it ends the process when it is imported"
    except BaseException as wrong:  # noqa: BLE001 # a plug-in may raise what it will
        return [], _printable(f"{type(wrong).__name__}: {wrong}")


def _printable(text: str) -> str:
    """In one line, without anything that a terminal would obey."""
    said = "".join(c if c.isprintable() else " " for c in text[: 2 * WORDS_MAX])
    return " ".join(said.split())[:WORDS_MAX].rstrip(".")


# -- What there is to load: entry points of installed packages, and files given by path.


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


def offered_by_point(kind: str, point: EntryPoint) -> Thing:
    """What this entry point offers; its module is imported now."""
    value = point.load()
    return Thing(kind, point.name, value, _wanted(sys.modules.get(point.module)))


def offered_by_file(path: Path) -> list[Thing]:
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
