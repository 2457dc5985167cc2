"""Texts to try a reader with: anything at all, and nearly right ones.

Random text alone almost never comes near a move, so most texts here are right ones
with one thing changed, by characters that readers are known to stumble over.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rookery.core.chance import Chance

# Digits that only `str.isdigit` likes, ends that `$` overlooks, signs, blanks, letters.
NASTY: Final = ("", "\n", " ", "\t", "\0", "٣", "²", "０", "+", "-", "_", ",", ".", "0", "9", "é")
HUGE: Final = ("9" * 30, "-" + "9" * 5000, "a" * 10_000, "0" * 100 + "1")
PLANES: Final = (0x7F, 0x2FF, 0xFFFF, 0x10FFFF)  # most texts are plain, some from anywhere
SURROGATES: Final = range(0xD800, 0xE000)  # no characters


def texts(valid: Sequence[str], chance: Chance, many: int) -> Iterator[str]:
    """So many texts, all the odd ones among them, and most of them nearly valid."""
    yield from ("", *NASTY, *HUGE)
    letters = "".join(sorted({letter for one in valid[:50] for letter in one})) or "x"
    for n in range(many):
        if n % 4 == 0 or not valid:
            yield "".join(_character(chance) for _ in range(chance.below(30)))
        else:
            yield changed(chance.choice(valid), letters, chance)


def changed(text: str, letters: str, chance: Chance) -> str:
    """A text with a piece put in, taken out, replaced, doubled or changed in case."""
    at = chance.below(len(text) + 1)
    after = text[at + chance.below(3) :]
    match chance.below(3):
        case 0:
            put = chance.choice(NASTY)
        case 1:
            put = "".join(chance.choice(letters) for _ in range(chance.below(3)))
        case _:
            put = _character(chance)
    match chance.below(5):
        case 0:
            return text.swapcase()
        case 1:
            return text + put + text
        case _:
            return text[:at] + put + after


def _character(chance: Chance) -> str:
    code = chance.below(chance.choice(PLANES)) + 1
    return chr(code) if code not in SURROGATES else "\ufffd"
