"""The registry: every wire language there is, by name.

A new dialect is a file beside this one and a line here; the laws test it at once. A
dialect's options are the fields of a struct of its own, set for each port it speaks on.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from rookery.core.directory import Directory
from rookery.core.errors import BadOption
from rookery.core.text.misfits import ours
from rookery.dialects.base import Dialect
from rookery.dialects.blackwhite import BlackWhite, BlackWhiteOptions
from rookery.dialects.bughouse import Bughouse, BughouseOptions
from rookery.dialects.fish import FishDialect, FishOptions
from rookery.dialects.fishcom import Fishcom, FishcomOptions
from rookery.dialects.native import Native, NativeOptions
from rookery.dialects.othello import Othello, OthelloOptions
from rookery.dialects.tourney import Tourney, TourneyOptions


class Kind(Struct, frozen=True):
    """A wire language: what can be set, and how a connection begins to speak it."""

    options: type[Struct]
    begin: Callable[[Any, Directory], Dialect]  # Any: each takes options of its own type


DIALECTS: Final[Mapping[str, Kind]] = {
    "fish": Kind(FishOptions, FishDialect),
    "fishcom": Kind(FishcomOptions, Fishcom),
    "native": Kind(NativeOptions, Native),
    "blackwhite": Kind(BlackWhiteOptions, BlackWhite),
    "bughouse": Kind(BughouseOptions, Bughouse),
    "othello": Kind(OthelloOptions, Othello),
    "tourney": Kind(TourneyOptions, Tourney),
}


def begin(name: str, directory: Directory, options: Struct | None = None) -> Dialect:
    """One connection's side of this dialect, with these options or the usual ones."""
    kind = DIALECTS[name]
    return kind.begin(kind.options() if options is None else options, directory)


def read_options(name: str, given: Mapping[str, object]) -> Struct:
    """The options of this dialect that a settings file gives. Raises BadOption."""
    if name not in DIALECTS:
        raise BadOption(f"There is no dialect {name[:40]!r}; there are {', '.join(DIALECTS)}.")
    kind = DIALECTS[name].options
    known = [field.name for field in msgspec.structs.fields(kind)]
    for option in given:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadOption(f"The dialect {name} has no option {option!r}; {has}.")
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as wrong:
        sentence = f"The dialect {name} cannot be set so: {wrong}."
        raise ours(wrong, BadOption) or BadOption(sentence) from None
