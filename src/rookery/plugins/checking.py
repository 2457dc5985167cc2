"""Whether what a plug-in offers is what it says: a game, a dialect, five levels, a format.

Only what can be seen without playing is looked at: that all words are there, and of the
right kind. Whether the rules are sound is for `rookery laws`. A process that thinks loads plug-ins
too: dialects and formats are imported where there are any.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from msgspec import Struct

from rookery import sdk
from rookery.bots import BEST
from rookery.bots.base import Level
from rookery.core.game import Game
from rookery.core.ids import SEATS_MAX
from rookery.core.options import make_variant, options_of, variant_text
from rookery.core.plugin import BadPlugin
from rookery.core.presentation import objections
from rookery.games import AnyGame, view_type

if TYPE_CHECKING:
    from rookery.dialects.base import Kind
    from rookery.hall.tours.formats.base import Format

NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")  # it stands in texts, links and file names
PHASE_MAX: Final = 40  # characters


def check_version(wants: object) -> None:
    """Raise BadPlugin where a plug-in asks for another kit than there is."""
    if wants is None:
        return
    if not isinstance(wants, str) or not re.fullmatch(r"[0-9]{1,4}\.[0-9]{1,4}", wants):
        raise BadPlugin(f"its ROOKERY_SDK is a text like {sdk.VERSION!r}, not {_short(wants)}")
    asked, has = (tuple(map(int, text.split("."))) for text in (wants, sdk.VERSION))
    if asked[0] != has[0] or asked > has:
        raise BadPlugin(f"it was written for version {wants} of rookery.sdk; this is {sdk.VERSION}")


def checked_game(value: object) -> type[AnyGame]:
    """This, if it is a game. Raises BadPlugin."""
    if not _is_kind(value, Game):
        raise BadPlugin("a game is a class made of msgspec.Struct")
    _check_name("game", value.name)
    _must(type(value.rules) is int and value.rules >= 1, "its rules are a number from 1 up")
    seats = value.seat_counts
    sound = isinstance(seats, range) and seats and seats.step == 1 and seats[0] >= 1
    _must(sound and seats[-1] <= SEATS_MAX, f"its seat_counts are a range within 1 to {SEATS_MAX}")
    _must(isinstance(value.can_draw, bool), "its can_draw is True or False")
    _must(isinstance(value.secret_moves, bool), "its secret_moves is True or False")
    phases = value.phases
    sound = isinstance(phases, tuple) and all(isinstance(one, str) and one for one in phases)
    _must(
        sound and max(map(len, phases), default=0) <= PHASE_MAX, "its phases are a tuple of texts"
    )
    _check_view(value)
    _check_shown(value)
    _check_options("game", value)
    return value


def checked_format(value: object) -> "type[Format]":
    """This, if it is a format of tours. Raises BadPlugin."""
    from rookery.hall.tours.formats.base import Format  # noqa: PLC0415 # who thinks needs none

    if not _is_kind(value, Format):
        raise BadPlugin("a format is a class made of msgspec.Struct")
    _check_name("format", value.name)
    _must(isinstance(value.sides, range) and bool(value.sides), "its sides are a range")
    _must(type(value.most) is int and value.most >= 2, "its most is a number from 2 up")
    for flag in ("solo", "eager", "fixed", "late", "by_rounds", "smaller", "seeded"):
        _must(isinstance(getattr(value, flag), bool), f"its {flag} is True or False")
    _check_options("format", value)
    return value


def checked_dialect(value: object) -> "Kind":
    """This, if it is a dialect. Raises BadPlugin."""
    from rookery.dialects.base import Kind  # noqa: PLC0415 # who thinks needs none

    if not isinstance(value, Kind):
        raise BadPlugin("a dialect is a Kind")
    _check_name("dialect", value.manners.name)
    options: object = value.options
    sound = isinstance(options, type) and issubclass(options, Struct)
    _must(sound, "its options are a class made of msgspec.Struct")
    for word in (value.begin, value.opens_with, value.house_bot, value.clash):
        _must(callable(word), "its begin, opens_with, house_bot and clash are functions")
    value.options()
    return value


def checked_levels(value: object) -> tuple[Level, ...]:
    """This, if it is five levels. Raises BadPlugin."""
    sound = isinstance(value, Sequence) and all(isinstance(one, Level) for one in value)
    if not sound or not isinstance(value, Sequence) or len(value) != BEST:
        raise BadPlugin(f"bots are {BEST} of rookery.sdk.bots.Level, the weakest first")
    for one in value:
        _must(callable(getattr(one.bot, "choose", None)), "a bot has a method choose")
        _must(type(one.nodes) is int and one.nodes >= 1, "a level's nodes are a number from 1 up")
    return tuple(value)


def _is_kind(value: object, protocol: type[Any]) -> TypeGuard[type[Any]]:
    """Whether this is a struct; it must have all words of the protocol. Raises BadPlugin."""
    if not (isinstance(value, type) and issubclass(value, Struct)):
        return False
    _must(value.__struct_config__.frozen, "it must be frozen: class Name(Struct, frozen=True)")
    lacks = [word for word in _words(protocol) if not _has(value, word, protocol)]
    if lacks:
        raise BadPlugin(f"it has no {', '.join(lacks)}")
    return True


def _words(protocol: type[Any]) -> list[str]:
    return [
        word for word in (*protocol.__annotations__, *vars(protocol)) if not word.startswith("_")
    ]


def _has(value: type[Any], word: str, protocol: type[Any]) -> bool:
    found = getattr(value, word, None)
    return found is not None and (word not in vars(protocol) or callable(found))


def _check_name(kind: str, name: object) -> None:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BadPlugin(
            f"the name of a {kind} is up to 40 small letters, digits and _, a letter first, "
            f"and {_short(name)} is not"
        )


def _check_view(game: type[AnyGame]) -> None:
    try:
        kind = view_type(game)
    except Exception as wrong:  # noqa: BLE001 # it is the plug-in's code that runs
        raise BadPlugin(
            f"its view does not say which kind of View it gives: {_first(wrong)}"
        ) from None
    _must(isinstance(kind.__struct_config__.tag, str), "its view has a text as its tag")


def _check_shown(game: type[AnyGame]) -> None:
    try:
        found = objections(game)
    except Exception as wrong:  # noqa: BLE001 # it is the plug-in's code that runs
        found = [_first(wrong)]
    if found:
        raise BadPlugin(f"it cannot be shown as it declares: {found[0].removesuffix('.')}")


def _check_options(kind: str, value: type[Any]) -> None:
    """See that it can be made without options, and made again from its text."""
    try:
        options_of(value)
        usual = value()
        again = make_variant(value, value.name, {}, kind=kind)
        text = variant_text(usual, value.name)
        sound = text == value.name and again == usual and hash(again) == hash(usual)
    except Exception as wrong:  # noqa: BLE001 # it is the plug-in's code that runs
        raise BadPlugin(f"it cannot be made without options: {_first(wrong)}") from None
    _must(sound, "made without options twice it is not the same, and frozen")


def _must(true: object, sentence: str) -> None:
    if not true:
        raise BadPlugin(sentence)


def _first(wrong: BaseException) -> str:
    return _short(f"{type(wrong).__name__}: {wrong}".splitlines()[0])


def _short(value: object) -> str:
    return ascii(value)[:80]
