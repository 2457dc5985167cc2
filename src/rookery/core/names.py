"""What players, teams, rooms and tours may be called, and which names look alike.

A name is there to be read by others. So it shows something; nothing in it is invisible, or two
names would look the same; and it runs in one direction, or it would change how the words around
it are read. Old clients that cannot be told so have their names mended.
"""

import re
from functools import lru_cache
from typing import Final
from unicodedata import bidirectional, category, normalize

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


# -- Names that look alike, and the raised number that tells their bearers apart.
#
# Two names are alike when a person at a table could take one for the other: whatever their
# capitals, accents, spaces and signs, and whichever alphabet a letter was borrowed from. The table
# of borrowed letters is short and by hand: those of Cyrillic, Greek and Armenian that are drawn
# like Latin ones. To find too many alike costs somebody a raised number, and nothing else.


RAISED: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_TO_RAISED: Final = str.maketrans("0123456789", RAISED)
_FROM_RAISED: Final = str.maketrans(RAISED, "0123456789")
_NUMBER: Final = re.compile(f"[{RAISED}₀₁₂₃₄₅₆₇₈₉]+\\W*$")  # whatever signs and marks are behind it

# Capitals that are drawn like another letter than their small ones, and then small letters.
_CAPITALS: Final = str.maketrans("ΖΗΜΝΡΥ", "zhmnpy")
_BORROWED: Final = "авеёкмнорстухіїјѕһԁԛԝүґѵьαβγεηικνορτυχωοյսհոօցք"
_LATIN: Final = "abeekmhopctyxiijshdqwyrvbabyenikvoptuxwojuhnogp"
_DIGITS: Final = {"0": "o", "1": "l", "i": "l", "ı": "l", "|": "l", "ß": "b", "ł": "l"}
_LIKE: Final = str.maketrans(dict(zip(_BORROWED, _LATIN, strict=True)) | _DIGITS)


@lru_cache(maxsize=10_000)
def skeleton(name: str) -> str:
    """The look of a name: the same text for all names that could be taken for each other."""
    drawn = normalize("NFKD", plain(name)).translate(_CAPITALS).casefold()
    drawn = drawn.translate(_LIKE).translate(_LIKE)  # a borrowed i is an l in the end
    drawn = normalize("NFKD", drawn).replace("rn", "m").replace("vv", "w")
    letters = "".join(c for c in drawn if category(c)[0] in "LN")
    return letters or drawn


def numbered(name: str, number: int) -> str:
    """The name of the bearer with this number: `Ann`, `Ann²` and so on."""
    return name if number == 1 else f"{name}{str(number).translate(_TO_RAISED)}"


@lru_cache(maxsize=10_000)
def plain(name: str) -> str:
    """A name without the raised number, which only the hall gives; if it is all, as low digits."""
    before, left = "", name
    while left != before:
        before, left = left, _NUMBER.sub("", left).rstrip()
    return left or name.translate(_FROM_RAISED)
