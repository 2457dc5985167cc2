"""Names that look alike, and the raised number that tells their bearers apart.

Two names are alike when a person at a table could take one for the other: whatever their
capitals, accents, spaces and signs, and whichever alphabet a letter was borrowed from. The
table of borrowed letters is short and by hand: those of Cyrillic, Greek and Armenian that are
drawn like Latin ones. To find too many alike costs somebody a raised number, and nothing else.
"""

import re
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

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
