"""What players, teams, rooms and tours may be called: one rule for all names.

A name is there to be read by others. So it shows something; nothing in it is invisible, or two
names would look the same; and it runs in one direction, or it would change how the words around
it are read. Old clients that cannot be told so have their names mended.
"""

import re
from typing import Final
from unicodedata import bidirectional, category

# What Unicode calls default-ignorable (and Python does not call unprintable), and signs that are
# blank: Hangul fillers, the empty braille cell, a note head and a filler that are not drawn.
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)
_STYLES: Final = "\ufe0e\ufe0f"  # behind a sign they say how it is drawn: ☺ or ☺️
_LEFTWARDS: Final = frozenset({"R", "AL"})
_RIGHTWARDS: Final = "L"
_MARK, _SIGN = "M", "S"  # how the categories of accents and of signs begin
_SHOWN: Final = "LNPS"  # letters, digits, punctuation, signs


def objection(name: str, longest: int, what: str = "A name") -> str | None:
    """What is wrong with a name, as a sentence; None if nothing is."""
    if not shows(name):
        return f"{what} has at least one letter or sign."
    if len(name) > longest:
        return f"{what} has at most {longest} characters."
    if not name.isprintable():
        return f"{what} is made of characters that can be printed."
    unseen = next((c for n, c in enumerate(name) if _is_unseen(name, n)), None)
    if unseen is not None:
        return f"{what} is made of characters that can be seen, and U+{ord(unseen):04X} cannot."
    if category(name[0]).startswith(_MARK):
        return f"{what} does not begin with an accent."
    if _turns(name):
        return f"{what} is written in one direction, from left to right or from right to left."
    return None


def shows(text: str) -> bool:
    """Whether the text has a character that can be seen."""
    return any(category(c)[0] in _SHOWN and _UNSEEN.match(c) is None for c in text)


def caseless(name: str) -> str:
    """The name without regard to case, to compare it with others."""
    return name.casefold()


def mended(name: str, longest: int) -> str:
    """The valid name closest to this: `_` for each bad character, and `-` if nothing shows."""
    cut = name[:longest]
    kept = "".join(
        c if c.isprintable() and not _is_unseen(cut, n) else "_" for n, c in enumerate(cut)
    )
    if not shows(cut):
        return "-"
    if category(kept[0]).startswith(_MARK):
        kept = f"_{kept[1:]}"
    if _turns(kept):
        kept = "".join("_" if bidirectional(c) in _LEFTWARDS else c for c in kept)
    return kept


def _is_unseen(name: str, n: int) -> bool:
    letter = name[n]
    if _UNSEEN.match(letter) is None:
        return False
    return not (letter in _STYLES and n > 0 and category(name[n - 1]).startswith(_SIGN))


def _turns(name: str) -> bool:
    """Whether some of the name runs from left to right and some from right to left."""
    directions = set(map(bidirectional, name))
    return _RIGHTWARDS in directions and not directions.isdisjoint(_LEFTWARDS)
