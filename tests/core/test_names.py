"""What one may be called: what can be seen, and read in one direction."""

from unicodedata import name as title

import pytest

from rookery.core.names import mended, objection, shows

LONGEST = 40

# Default-ignorable code points and blanks, each of which Python would print.
UNSEEN = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\ufe00\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100\U000e01ef"
)
# Invisible, and never printable: joiners, marks of direction, tags, spaces that are not ours.
UNPRINTABLE = "\u00ad\u061c\u200b\u200d\u200e\u200f\u202e\u2066\u2060\ufeff\u00a0\u3000\U000e0041"


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "Zoë",
        "e\u0301",
        "Ångström",
        "李雷",
        "한글",
        "אבג",
        "محمد ٣",
        "no 5",
        "☺\ufe0f",
        "🦊",
        "-",
    ],
)
def test_a_name_that_can_be_read_is_one(name: str) -> None:
    assert objection(name, LONGEST) is None
    assert mended(name, LONGEST) == name


@pytest.mark.parametrize("letter", UNSEEN, ids=title)
def test_what_shows_nothing_is_no_name_nor_a_part_of_one(letter: str) -> None:
    for name in (letter, letter * 5, f" {letter} "):
        assert objection(name, LONGEST) == "A name has at least one letter or sign."
        assert mended(name, LONGEST) == "-"
    hidden = f"Ann{letter}"
    wrong = f"A name is made of characters that can be seen, and U+{ord(letter):04X} cannot."
    assert objection(hidden, LONGEST) == wrong
    assert mended(hidden, LONGEST) == "Ann_"


@pytest.mark.parametrize("letter", UNPRINTABLE, ids=lambda letter: f"{ord(letter):04X}")
def test_nor_is_what_cannot_be_printed(letter: str) -> None:
    assert objection(letter, LONGEST) is not None
    assert objection(f"A{letter}nn", LONGEST) is not None
    assert mended(f"A{letter}nn", LONGEST) == "A_nn"


def test_accents_alone_show_nothing_and_none_comes_first() -> None:
    assert objection("\u0301\u0302", LONGEST) == "A name has at least one letter or sign."
    assert objection("\u0301Ann", LONGEST) == "A name does not begin with an accent."
    assert mended("\u0301Ann", LONGEST) == "_Ann"


def test_a_name_runs_in_one_direction() -> None:
    both = "annבוב"
    assert objection(both, LONGEST, "A team") == (
        "A team is written in one direction, from left to right or from right to left."
    )
    assert mended(both, LONGEST) == "ann___"


def test_how_a_sign_is_drawn_is_said_behind_a_sign_and_nowhere_else() -> None:
    assert objection("❤\ufe0f Ann", LONGEST) is None
    assert objection("Ann\ufe0f", LONGEST) is not None


def test_a_name_has_a_length() -> None:
    assert objection("a" * LONGEST, LONGEST) is None
    assert objection("a" * (LONGEST + 1), LONGEST) == "A name has at most 40 characters."
    assert mended("a" * (LONGEST + 1), LONGEST) == "a" * LONGEST


def test_every_name_that_was_mended_is_one() -> None:
    codes = (*range(0x3200), *range(0xFE00, 0x10000), *range(0x3200, 0x110000, 101))
    for letter in map(chr, codes):
        for name in (letter, f"a{letter}", f"א{letter}"):
            fit = mended(name, LONGEST)
            assert objection(fit, LONGEST) is None, (name, fit)


def test_what_is_said_shows_something_too() -> None:
    assert not shows("\u2800 \u3164")
    assert shows("\u2800!")
