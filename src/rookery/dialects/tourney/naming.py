"""Names on the wire: "Texts and names never contain `:`", and any name may be given.

The hall takes only names that can be read, and not every one (`core/names.py`); this
dialect's clients may send any. What cannot be had becomes `_`, and nothing `-`.
"""

from typing import Final

from rookery.core.names import mended

UNNAMED: Final = "null"  # "never named: `null`"
NAME_MAX: Final = 40  # characters; the hall's bound


def plain(text: str) -> str:
    """A text with `_` for its colons, at which the wire is cut."""
    return text.replace(":", "_")


def given(name: str) -> str:
    """The name that a client gave itself, mended where the hall would not take it."""
    return mended(name, NAME_MAX)
