"""Variants and whole numbers as text: `reversi size=10`, `nim sticks=3,4,5 misere=true`.

A game's options are the fields of its struct, each with a default and a description,
so listing, reading, writing and checking them needs no code in the game but the
bounds. The text is what the log keeps and what people type. What msgspec finds wrong with a
request or a file is taken apart here, and put into words of ours.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct, ValidationError
from msgspec.structs import FieldInfo

from rookery.core.errors import BROKEN, BadNotation, BadOption, Mistake

G = TypeVar("G")

Value = int | bool | str | tuple[int, ...]

STRUCT: Final = "what has options is a struct of them"

_TRUE: Final = ("true", "yes", "on", "1")
_FALSE: Final = ("false", "no", "off", "0")


class Option(Struct, frozen=True):
    """One option of a game, for a person who wants to set it."""

    name: str
    kind: str
    default: str
    description: str


def options_of(game: type[object]) -> tuple[Option, ...]:
    """Every option of this game, in the order the game lists them."""
    assert issubclass(game, Struct), STRUCT
    hints = _hints(game)
    found = []
    for field in _fields(game):
        kind, description = _kind(hints[field.name])
        found.append(Option(field.name, kind, format_value(field.default), description))
    return tuple(found)


def make_variant(game: type[G], name: str, options: Mapping[str, str], *, kind: str = "game") -> G:
    """The variant with these options, given as text. Raises BadOption.

    `kind` is what a person calls the thing that has the options.
    """
    assert issubclass(game, Struct), STRUCT
    hints = _hints(game)
    fields = {field.name for field in _fields(game)}
    values: dict[str, Value] = {}
    for option, text in options.items():
        if option not in fields:
            raise BadOption(_unknown(kind, name, option, sorted(fields)))
        values[option] = _read(option, _kind(hints[option])[0], text)
    try:
        return game(**values)
    except BadOption:
        raise
    except BROKEN as wrong:
        sentence = f"The {kind} {name} cannot be made so: {type(wrong).__name__}."
        raise BadOption(sentence) from wrong


def variant_text(game: object, name: str) -> str:
    """The shortest text that makes this variant again."""
    assert isinstance(game, Struct), STRUCT
    parts = [name]
    for field in _fields(type(game)):
        value = getattr(game, field.name)
        if value != field.default:
            parts.append(f"{field.name}={format_value(value)}")
    return " ".join(parts)


def split_options(words: Iterable[str]) -> dict[str, str]:
    """`["size=10"]` as a mapping. Raises BadOption for a word without `=` or one said twice."""
    options: dict[str, str] = {}
    for word in words:
        option, equals, text = word.partition("=")
        if not equals or not option:
            raise BadOption(f"An option is written name=value, and {word!r} is not.")
        if option in options:
            raise BadOption(f"The option {option!r} is given twice.")
        options[option] = text
    return options


def check_whole(option: str, value: object, low: int, high: int) -> None:
    """Raise BadOption unless this is a whole number from low to high."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadOption(
            f"The option {option} is a whole number from {low} to {high}, not {value!r}."
        )


def check_flag(option: str, value: object) -> None:
    """Raise BadOption unless this is True or False."""
    if not isinstance(value, bool):
        raise BadOption(f"The option {option} is true or false, not {value!r}.")


def check_wholes(option: str, value: object, low: int, high: int) -> None:
    """Raise BadOption unless this is a tuple of whole numbers from low to high."""
    if not isinstance(value, tuple):
        raise BadOption(f"The option {option} is a list of whole numbers, not {value!r}.")
    for number in value:
        check_whole(option, number, low, high)


def format_value(value: object) -> str:
    """An option's value as `make_variant` reads it."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return ",".join(map(str, value))
        case _:
            return str(value)


def _unknown(kind: str, name: str, option: str, known: list[str]) -> str:
    has = f"it has {', '.join(known)}" if known else "it has none"
    return f"The {kind} {name} has no option {option!r}; {has}."


# Both are the same for a game for good, and to work them out is half of opening a table.
# Any: a type hint is whatever the game wrote; `_kind` looks at it and nothing else does.
@lru_cache(maxsize=256)
def _hints(game: type[Struct]) -> Mapping[str, Any]:
    return get_type_hints(game, include_extras=True)


@lru_cache(maxsize=256)
def _fields(game: type[Struct]) -> tuple[FieldInfo, ...]:
    return msgspec.structs.fields(game)


def _kind(hint: Any) -> tuple[str, str]:
    description = ""
    if get_origin(hint) is Annotated:
        hint, *metas = get_args(hint)
        description = next((m.description or "" for m in metas if isinstance(m, Meta)), "")
    if hint is bool:
        return "true or false", description
    if hint is int:
        return "number", description
    if hint is str:
        return "word", description
    assert get_origin(hint) is tuple, "an option is a number, a flag, a word or numbers"
    return "numbers", description


def _read(option: str, kind: str, text: str) -> Value:
    match kind:
        case "number":
            return _whole(option, text)
        case "numbers":
            return tuple(_whole(option, word) for word in text.split(",")) if text else ()
        case "word":
            return text
        case _:
            if text.lower() in _TRUE + _FALSE:
                return text.lower() in _TRUE
            raise BadOption(f"The option {option} is true or false, not {text!r}.")


def _whole(option: str, text: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise BadOption(f"The option {option} is a whole number, and {text!r} is not.")
    return int(text)


# -- Whole numbers as the wire languages write them, and as people say them.
#
# On a wire a number has an optional sign, digits, and 32 bit.


_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,20}")
_LOW, _HIGH = -(1 << 31), (1 << 31) - 1


def parse_integer(text: str) -> int:
    """The number this text means. Raises BadNotation."""
    if not _INTEGER.fullmatch(text) or not _LOW <= int(text) <= _HIGH:
        raise BadNotation(f"{text[:40]!r} is not a whole number.")
    return int(text)


def counted(number: int, thing: str) -> str:
    """So many of a thing: `1 row`, `2 rows`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


E = TypeVar("E", bound=Mistake)

KINDS: Final[Mapping[str, str]] = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}

_AT: Final = re.compile(r" - at `\$\.?(.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`")
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`(?:, got `([^`]+)`)?")
_VALUE: Final = re.compile(r"Invalid (?:enum )?value '(.*)'", re.DOTALL)


# msgspec explains itself in terms of types (`Expected `int`, got `str` - at `$.table``); people
# want to hear which field is wrong, and what it should be. Requests and files have sentences of
# their own; msgspec's messages are read here alone.
class BadField(Struct, frozen=True):
    """Which field does not fit, and why; a part that is not known is empty."""

    what: str  # as msgspec says it
    where: str  # the field: `policy.errors.limit`; nothing is the whole
    missing: str = ""  # the field in there that must be given
    wanted: str = ""  # the types that would do
    got: str = ""  # the type that is there
    value: str | None = None  # a word that is none of those there are


def bad_field(wrong: Exception) -> BadField:
    """Take the message of this msgspec error apart."""
    text = str(wrong)
    at = _AT.search(text)
    where, what = (at[1], text[: at.start()]) if at else ("", text)
    if missing := _MISSING.fullmatch(what):
        return BadField(what, where, missing=missing[1])
    if expected := _EXPECTED.fullmatch(what):
        return BadField(what, where, wanted=expected[1], got=expected[2] or "")
    if value := _VALUE.fullmatch(what):
        return BadField(what, where, value=value[1])
    return BadField(what, where)


def kind(types: str, kinds: Mapping[str, str] = KINDS) -> str:
    """Types in words, `int | null` for example; `kinds` goes before our usual words."""
    if types in kinds:
        return kinds[types]
    return " or ".join(kinds.get(one, KINDS.get(one, one)) for one in types.split(" | "))


def ill_set(wrong: Exception, kinds: Mapping[str, str]) -> str | None:
    """The sentence that a field in a file has the wrong type; None if something else is wrong."""
    found = bad_field(wrong)
    if not (found.wanted and found.where):
        return None
    name, inside, _ = found.where.partition("[")
    what = f"what is in {name}" if inside else name
    wanted = kind(found.wanted.removesuffix(" | null"), kinds)
    return f"{what} is {wanted}, and what is given is not."


def ill_declared(wrong: Exception) -> str:
    """The sentence that says what is wrong with something that was declared or set."""
    found = bad_field(wrong)
    if found.missing:
        return f"{'.'.join(filter(None, (found.where, found.missing)))} is missing."
    if found.value is not None:
        return f"{found.where or 'it'} cannot be {found.value!r}."
    at = f" in {found.where}" if found.where else ""
    return ill_set(wrong, {"str": "a text"}) or f"{found.what}{at}."


def ours(wrong: ValidationError, kind: type[E]) -> E | None:
    """The Mistake that one of our structs raised for its fields, if it is of this kind."""
    cause = wrong.__cause__
    return cause if isinstance(cause, kind) else None
