"""Texts to try a reader with: anything at all, and nearly right ones.

Random text alone almost never comes near a move, so most texts here are right ones
with one thing changed, by characters that readers are known to stumble over.
"""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

# Digits that only `str.isdigit` likes, ends that `$` overlooks, signs, blanks, letters.
NASTY: Final = ("", "\n", " ", "\t", "\0", "٣", "²", "０", "+", "-", "_", ",", ".", "0", "9", "é")
HUGE: Final = ("9" * 30, "-" + "9" * 5000, "a" * 10_000, "0" * 100 + "1")


def anything(valid: Sequence[str]) -> st.SearchStrategy[str]:
    """Any text, often a valid one with something changed."""
    letters = "".join(sorted({letter for one in valid[:50] for letter in one}))
    put = st.one_of(st.sampled_from(NASTY), st.text(letters, max_size=2), st.characters())
    right = changed(st.sampled_from(valid), put)
    return st.one_of(st.text(max_size=30), st.sampled_from(HUGE), right, right, right)


@st.composite
def changed(draw: st.DrawFn, valid: st.SearchStrategy[str], piece: st.SearchStrategy[str]) -> str:
    """A valid text with a piece put in, taken out, replaced, doubled or changed in case."""
    text = draw(valid)
    at = draw(st.integers(0, len(text)))
    length = draw(st.integers(0, 2))
    put = draw(piece)
    after = text[at + length :]
    match draw(st.integers(0, 4)):
        case 0:
            return text.swapcase()
        case 1:
            return text + put + text
        case _:
            return text[:at] + put + after
