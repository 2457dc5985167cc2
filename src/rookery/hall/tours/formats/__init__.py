"""The registry: every format of a tour there is, by name.

A new format is a file beside this one and a line here; the laws test it at once.
"""

from collections.abc import Mapping
from typing import Final

from rookery.core.errors import BadOption
from rookery.core.options import make_variant, split_options, variant_text
from rookery.core.plugin import HOUSE, Origin, clashes
from rookery.hall.tours.formats.arena import Arena
from rookery.hall.tours.formats.base import Format
from rookery.hall.tours.formats.knockout import Groups, Knockout
from rookery.hall.tours.formats.rotating import Rotating
from rookery.hall.tours.formats.round_robin import Duel, Gauntlet, Joining, RoundRobin
from rookery.hall.tours.formats.swiss import Swiss

_formats: Final[dict[str, type[Format]]] = {
    RoundRobin.name: RoundRobin,
    Joining.name: Joining,
    Swiss.name: Swiss,
    Knockout.name: Knockout,
    Groups.name: Groups,
    Arena.name: Arena,
    Gauntlet.name: Gauntlet,
    Duel.name: Duel,
    Rotating.name: Rotating,
}

FORMATS: Final[Mapping[str, type[Format]]] = _formats

_origins: Final[dict[str, Origin]] = {}  # of those that did not come with the house


def register(form: type[Format], origin: Origin) -> None:
    """Have this format among the others from now on. Raises BadPlugin where it cannot be."""
    if form.name in FORMATS:
        raise clashes("format", form.name, format_origin(form.name))
    _formats[form.name] = form
    _origins[form.name] = origin


def format_origin(name: str) -> Origin:
    """Where the format of this name comes from."""
    return _origins.get(name, HOUSE)


def parse_format(text: str) -> Format:
    """The format this text means, like `swiss rounds=5`. Raises BadOption."""
    name, *words = text.split() or [""]
    if name not in FORMATS:
        raise BadOption(f"There is no format {name[:40]!r}; there are {', '.join(FORMATS)}.")
    return make_variant(FORMATS[name], name, split_options(words), kind="format")


def format_text(form: Format) -> str:
    """The shortest text that `parse_format` reads as this format."""
    return variant_text(form, form.name)
