"""Names that look alike, and the raised numbers that tell their bearers apart."""

import pytest

from rookery.core.names import numbered, plain, skeleton


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "ANN",
        "Änn",
        "A n n",
        "ann.",
        "_ann_",
        "Аnn",
        "Αnn",
        "ａｎｎ",
        "𝐀𝐧𝐧",
        "ann²",
        "Ann ¹⁰",
    ],
)
def test_what_could_be_taken_for_ann_looks_like_ann(name: str) -> None:
    assert skeleton(name) == skeleton("Ann")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Will", "WiII"), ("bob1", "bobl"), ("Olga", "0lga"), ("modern", "modem"), ("Νina", "Nina")],
)
def test_letters_that_are_drawn_alike_are_alike(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anna"), ("bot2", "bot3"), ("李雷", "李蕾"), ("☺", "☹"), ("-", "_")]
)
def test_other_names_are_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_a_number_is_raised_and_the_first_has_none() -> None:
    assert [numbered("Ann", n) for n in (1, 2, 3, 10, 451)] == [
        *("Ann", "Ann²", "Ann³", "Ann¹⁰", "Ann⁴⁵¹")
    ]


def test_nobody_gives_oneself_a_number() -> None:
    assert (plain("Ann²"), plain("Ann ¹²"), plain("Ann 2"), plain("²")) == (
        "Ann",
        "Ann",
        "Ann 2",
        "2",
    )


@pytest.mark.parametrize(
    "name",
    ["Kim²", "Kim² ", "Kim ²", "Kim² ³", "Kim²\u0301", "Kim²\u20dd", "Kim²·", "Kim₂", "Kim² ₂ ."],
)
def test_nobody_gives_itself_a_raised_number(name: str) -> None:
    assert plain(name) == "Kim"


def test_a_name_of_nothing_but_raised_numbers_is_low() -> None:
    assert plain("²²") == "22"
