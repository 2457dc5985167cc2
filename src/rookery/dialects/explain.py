"""Why a request could not be read, as one sentence for a person.

Somebody who writes a client at night wants to hear which field is wrong. A complaint of the
JSON reader that is not known here, as of a later version, is passed on as it is.
"""

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

from rookery.core.manners import OWN
from rookery.core.options import bad_field, kind

_MALFORMED: Final = re.compile(r"JSON is malformed: (.*) \((byte \d+)\)")

_LONGEST_WORD: Final = 40  # characters of somebody's mistake that are said back to them


def explain(wrong: Exception, requests: Collection[str]) -> str:
    """Say what is wrong with a line, and where; `requests` are the types of request there are."""
    if isinstance(wrong, RecursionError):
        return "This is nested too deeply to be read."
    if isinstance(wrong, UnicodeError):
        return "A line is written in UTF-8, and this one is not."
    text = str(wrong)
    if text == "Input data was truncated":
        return "This is not JSON: it ends too early."
    if malformed := _MALFORMED.fullmatch(text):
        return f"This is not JSON: {malformed[1]} at {malformed[2]}."
    return _misfit(wrong, requests)


def _misfit(wrong: Exception, requests: Collection[str]) -> str:
    """Say what is wrong with a line that is JSON, but no request."""
    found = bad_field(wrong)
    where = found.where
    if found.missing:
        return f"The field {'.'.join(filter(None, (where, found.missing)))} is missing."
    if found.wanted:
        named = f"The field {where}" if where else "A request"
        but = f", not {kind(found.got)}" if found.got else ""
        return f"{named} must be {kind(found.wanted)}{but}."
    if found.value is not None:
        word = found.value[:_LONGEST_WORD]
        if where == "type":
            return f"There is no request {word!r}; {_hint(word, requests)}"
        return f"The field {where} cannot be {word!r}."
    return f"This cannot be read: {found.what}{f' in the field {where}' if where else ''}."


def _hint(word: str, requests: Collection[str]) -> str:
    close = get_close_matches(word, requests)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"docs/dialects/{OWN}.md lists those there are."
