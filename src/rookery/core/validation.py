"""What msgspec found wrong with a request or a file, taken apart and put into words of ours.

It explains itself in terms of types (`Expected `int`, got `str` - at `$.table``); people want
to hear which field is wrong, and what it should be. Requests and files have sentences of
their own; msgspec's messages are read here alone.
"""

import re
from collections.abc import Mapping
from typing import Final, TypeVar

from msgspec import Struct, ValidationError

from rookery.core.errors import Mistake

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
