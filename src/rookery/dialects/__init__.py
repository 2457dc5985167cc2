"""The registry: every wire language there is, by name.

A new dialect is a folder beside this file and a line here; the laws test it at once. A
dialect's options are the fields of a struct of its own, set for each port it speaks on;
what others must know of its clients are its manners.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.errors import BadOption
from rookery.core.manners import Directory, Languages
from rookery.core.options import ill_declared, ours
from rookery.core.plugin import HOUSE, Origin, clashes
from rookery.dialects import blackwhite, bughouse, fish, fishcom, native, othello, tourney
from rookery.dialects.base import Dialect, Kind

_KINDS: Final = (
    fish.KIND,
    fishcom.KIND,
    native.KIND,
    blackwhite.KIND,
    bughouse.KIND,
    othello.KIND,
    tourney.KIND,
)

_dialects: Final[dict[str, Kind]] = {kind.manners.name: kind for kind in _KINDS}
DIALECTS: Final[Mapping[str, Kind]] = _dialects
LANGUAGES: Final = Languages(kind.manners for kind in _KINDS)

_origins: Final[dict[str, Origin]] = {}  # of those that did not come with the house


def register(kind: Kind, origin: Origin) -> None:
    """Add this dialect to the registry. Raises BadPlugin where its name is taken."""
    name = kind.manners.name
    if name in DIALECTS:
        raise clashes("dialect", name, origin_of(name))
    _dialects[name] = kind
    _origins[name] = origin
    LANGUAGES.declare(kind.manners)


def origin_of(name: str) -> Origin:
    """Where this dialect came from: the house itself, or a plugin."""
    return _origins.get(name, HOUSE)


def begin(name: str, directory: Directory, options: Struct | None = None) -> Dialect:
    """Begin one connection's side of this dialect, with these options or the default ones."""
    kind = DIALECTS[name]
    return kind.begin(kind.options() if options is None else options, directory)


def read_options(name: str, given: Mapping[str, object]) -> Struct:
    """Read the options that a settings file gives this dialect. Raises BadOption."""
    if name not in DIALECTS:
        raise BadOption(f"There is no dialect {name[:40]!r}; there are {', '.join(DIALECTS)}.")
    kind = DIALECTS[name].options
    known = kind.__struct_fields__
    for option in given:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise BadOption(f"The dialect {name} has no option {option!r}; {has}.")
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as wrong:
        sentence = f"The dialect {name} cannot be set so: {ill_declared(wrong)}"
        raise ours(wrong, BadOption) or BadOption(sentence) from None
