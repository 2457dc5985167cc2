"""Loading: each plug-in is imported, looked at and registered, or left out with a sentence.

Whatever a plug-in does while it is imported is its own misfortune: it may raise anything,
`SystemExit` too, or take for ever; it is named and the start goes on. Only Ctrl-C is for us.
What it prints goes to standard error: standard output belongs to the command.
"""

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from rookery import bots, games
from rookery.core.errors import TookTooLong
from rookery.core.plugin import BadPlugin, Origin
from rookery.plugins import finding
from rookery.plugins.alarm import at_most
from rookery.plugins.checking import (
    check_version,
    checked_dialect,
    checked_format,
    checked_game,
    checked_levels,
)
from rookery.plugins.finding import Thing

GIVEN: Final = "ROOKERY_WITH"  # the files, for the processes that this one starts, and for people
PATIENCE: Final = 20.0  # seconds that a plug-in may take to be imported
WORDS_MAX: Final = 300  # characters of what an exception says

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


_found: Final[list[Plugin]] = []
_files: Final[list[Path]] = []


def load(given: Iterable[Path] = ()) -> tuple[Plugin, ...]:
    """Load what packages offer, and these files; what is newly found, sound or not.

    Nothing is loaded twice, however often this is called.
    """
    before = len(_found)
    if not _found:
        for kind, point in finding.points():
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
    things, problem = _guarded(lambda: [finding.from_point(kind, point)])
    origin = finding.origin_of(point)
    if problem:
        return [Plugin(kind, point.name, origin, problem)]
    return [_registered(thing, origin) for thing in things]


def _from_file(path: Path) -> list[Plugin]:
    origin = Origin(file=str(path))
    things, problem = _guarded(lambda: finding.from_file(path))
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
