"""Options of a variant: listed, read from text, written short, and refused in a sentence."""

from typing import Annotated

import pytest
from msgspec import Meta, Struct

from rookery.core.errors import BadOption
from rookery.core.options import (
    Option,
    check_flag,
    check_whole,
    check_wholes,
    make_variant,
    options_of,
    split_options,
    variant_text,
)


class Toy(Struct, frozen=True):
    """A thing with one option of each kind."""

    size: Annotated[int, Meta(description="how large")] = 8
    loud: Annotated[bool, Meta(description="whether it is")] = False
    board: Annotated[str, Meta(description="which")] = "round"
    rows: Annotated[tuple[int, ...], Meta(description="one each")] = ()
    plain: int = 0


def make(**options: str) -> Toy:
    return make_variant(Toy, "toy", options)


def test_options_are_listed_for_people() -> None:
    assert options_of(Toy) == (
        Option("size", "number", "8", "how large"),
        Option("loud", "true or false", "false", "whether it is"),
        Option("board", "word", "round", "which"),
        Option("rows", "numbers", "", "one each"),
        Option("plain", "number", "0", ""),
    )


def test_every_kind_of_option_is_read() -> None:
    assert make(size="10", loud="yes", board="square", rows="3,4,5") == Toy(
        10, loud=True, board="square", rows=(3, 4, 5)
    )


@pytest.mark.parametrize("word", ["true", "yes", "on", "1", "TRUE", "Yes"])
def test_there_are_many_words_for_true(word: str) -> None:
    assert make(loud=word).loud is True


@pytest.mark.parametrize("word", ["false", "no", "off", "0", "FALSE", "No"])
def test_there_are_many_words_for_false(word: str) -> None:
    assert make(loud=word).loud is False


def test_numbers_may_have_a_sign_and_a_list_may_be_empty() -> None:
    assert make(size="-3", plain="+4", rows="") == Toy(size=-3, plain=4)


def test_only_what_differs_from_the_defaults_is_written() -> None:
    assert variant_text(Toy(), "toy") == "toy"
    assert variant_text(Toy(10, loud=True, rows=(3, 4)), "toy") == "toy size=10 loud=true rows=3,4"


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("size", "x", "The option size is a whole number, and 'x' is not."),
        ("size", "", "The option size is a whole number, and '' is not."),
        ("size", "1.5", "The option size is a whole number, and '1.5' is not."),
        ("size", "٣", "The option size is a whole number, and '٣' is not."),
        ("size", "--1", "The option size is a whole number, and '--1' is not."),
        ("rows", "1,,2", "The option rows is a whole number, and '' is not."),
        ("loud", "maybe", "The option loud is true or false, not 'maybe'."),
        (
            "colour",
            "red",
            "The game toy has no option 'colour'; it has board, loud, plain, rows, size.",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    option: str, text: str, sentence: str
) -> None:
    with pytest.raises(BadOption) as caught:
        make(**{option: text})
    assert str(caught.value) == sentence


def test_a_number_of_absurd_length_is_refused() -> None:
    with pytest.raises(BadOption):
        make(size="9" * 5000)


def test_options_are_words_with_an_equals_sign() -> None:
    assert split_options(["size=10", "board=a=b", "rows="]) == {
        "size": "10",
        "board": "a=b",
        "rows": "",
    }


@pytest.mark.parametrize("words", [["size"], ["=3"], [""], ["size=1", "size=1"]])
def test_other_words_and_doubled_ones_are_refused(words: list[str]) -> None:
    with pytest.raises(BadOption):
        split_options(words)


def test_bounds_are_part_of_the_range() -> None:
    check_whole("size", 3, 3, 5)
    check_whole("size", 5, 3, 5)
    check_wholes("rows", (3, 5), 3, 5)
    check_flag("loud", True)  # noqa: FBT003


@pytest.mark.parametrize("value", [2, 6, True, "4", 4.0, None])
def test_what_is_not_a_whole_number_in_range_is_refused(value: object) -> None:
    with pytest.raises(BadOption, match=r"whole number from 3 to 5"):
        check_whole("size", value, 3, 5)


@pytest.mark.parametrize("value", [4, [4], (4, 6), (True,), None])
def test_what_is_no_tuple_of_numbers_in_range_is_refused(value: object) -> None:
    with pytest.raises(BadOption):
        check_wholes("rows", value, 3, 5)


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_only_true_and_false_are_flags(value: object) -> None:
    with pytest.raises(BadOption):
        check_flag("loud", value)
