"""Why a request could not be read, as one sentence for a person.

The reader of JSON explains itself in terms of types (`Expected `int`, got `str` - at
`$.table``); somebody who writes a client at night wants to hear which field is wrong.
What it may say in later versions is passed on as it is.
"""

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

_AT: Final = re.compile(r" - at `\$\.?(.*)`$")
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`")
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`(?:, got `([^`]+)`)?")
_VALUE: Final = re.compile(r"Invalid (?:enum )?value '(.*)'", re.DOTALL)
_MALFORMED: Final = re.compile(r"JSON is malformed: (.*) \((byte \d+)\)")

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_LONGEST_WORD: Final = 40  # characters of somebody's mistake that are said back to them


def explain(wrong: Exception, requests: Collection[str]) -> str:
    """What is wrong with a line, and where; `requests` are the types there are."""
    if isinstance(wrong, RecursionError):
        return "This is nested too deeply to be read."
    if isinstance(wrong, UnicodeError):
        return "A line is written in UTF-8, and this one is not."
    text = str(wrong)
    if text == "Input data was truncated":
        return "This is not JSON: it ends too early."
    if malformed := _MALFORMED.fullmatch(text):
        return f"This is not JSON: {malformed[1]} at {malformed[2]}."
    at = _AT.search(text)
    where, what = (at[1], text[: at.start()]) if at else ("", text)
    return _misfit(what, where, requests)


def _misfit(what: str, where: str, requests: Collection[str]) -> str:
    """What is wrong with JSON that is no request."""
    if missing := _MISSING.fullmatch(what):
        return f"The field {'.'.join(filter(None, (where, missing[1])))} is missing."
    if expected := _EXPECTED.fullmatch(what):
        kind, got = _kind(expected[1]), expected[2]
        named = f"The field {where}" if where else "A request"
        return f"{named} must be {kind}, not {_kind(got)}." if got else f"{named} must be {kind}."
    if value := _VALUE.fullmatch(what):
        word = value[1][:_LONGEST_WORD]
        if where == "type":
            return f"There is no request {word!r}; {_hint(word, requests)}"
        return f"The field {where} cannot be {word!r}."
    return f"This cannot be read: {what}{f' in the field {where}' if where else ''}."


def _kind(types: str) -> str:
    return " or ".join(_KINDS.get(one, one) for one in types.split(" | "))


def _hint(word: str, requests: Collection[str]) -> str:
    close = get_close_matches(word, requests)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return "docs/dialects/native.md lists those there are."
