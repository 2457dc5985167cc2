"""Whole numbers as the wire languages write them."""

import pytest

from rookery.core.errors import BadNotation
from rookery.core.options import parse_integer


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("+7", 7),
        ("-7", -7),
        ("007", 7),
        ("2147483647", 2**31 - 1),
        ("-2147483648", -(2**31)),
    ],
)
def test_a_sign_and_digits_are_a_number(text: str, number: int) -> None:
    assert parse_integer(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "+", "-", " 1", "1 ", "1\n", "1_000", "1.0", "0x1", "٣", "²", "--1", "2147483648",
     "-2147483649", "9" * 5000],
)  # fmt: skip
def test_anything_else_is_not(text: str) -> None:
    with pytest.raises(BadNotation, match=r"is not a whole number\.$"):
        parse_integer(text)


def test_of_a_long_text_only_its_beginning_is_quoted() -> None:
    with pytest.raises(BadNotation) as refused:
        parse_integer("9" * 5000)
    assert str(refused.value) == f"'{40 * '9'}' is not a whole number."
