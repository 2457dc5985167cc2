"""Names on the wire: "Texts and names never contain `:`", and any name may be given.

The hall takes only names that can be read, and not every one (`core/text/names.py`); this
dialect's clients may send any. What cannot be had becomes `_`, and nothing `-`.
"""

from typing import Final

from rookery.core.text.names import mended

UNNAMED: Final = "null"  # "never named: `null`"
NAME_MAX: Final = 40  # characters; the hall's bound


def plain(text: str) -> str:
    """This text as the wire can carry it, which is cut at colons."""
    return text.replace(":", "_")


def given(name: str) -> str:
    """A name that a client gave itself, as the hall can keep it."""
    return mended(name, NAME_MAX)
