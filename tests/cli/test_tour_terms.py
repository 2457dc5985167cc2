"""The policies of a tour as people write them, and one sentence for what is none."""

import msgspec
import pytest

from rookery.cli.tours.sheet import PolicyTerms, check_only, parse_policy
from rookery.core.errors import BadOption, Mistake
from rookery.core.policy import Errors, Gone, Policy
from rookery.core.tour_values import Plan
from tests.cli.running import run


def test_what_is_not_said_is_as_at_every_table() -> None:
    assert parse_policy("") == Policy()


def test_everything_can_be_said() -> None:
    text = "gone=at_once grace=2m errors=3 in_a_row=no out_of_turn=yes only=fishcom"
    assert parse_policy(text) == Policy(
        gone=Gone.AT_ONCE,
        grace=120_000_000,
        errors=Errors(3, in_a_row=False, out_of_turn=True),
        only="fishcom",
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hold", "An option is written name=value, and 'hold' is not."),
        ("gone=hold gone=hold", "The option 'gone' is given twice."),
        ("gone=away", "In a tour gone is forfeit, hold or at_once, not 'away'."),
        ("gone=takeover", "In a tour gone is forfeit, hold or at_once, not 'takeover'."),
        ("grace=long", "'long' is no length of time;"),
        ("errors=some", "The option errors is a whole number, and 'some' is not."),
        ("in_a_row=maybe", "The option in_a_row is true or false, not 'maybe'."),
        ("only=french", "There is no dialect 'french'; there are fish, fishcom, native,"),
        ("begin=owner", "The policy of a tour has no option 'begin'; it has errors, gone,"),
    ],
)
def test_what_is_no_policy_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(Mistake) as wrong:
        parse_policy(text)
    assert str(wrong.value).startswith(sentence)


def test_the_only_dialect_of_a_tour_has_words_for_its_game() -> None:
    check_only(Plan("nim", policy=parse_policy("only=tourney")))
    with pytest.raises(BadOption, match=r"fish has no words for nim; these do: native,.* tourney"):
        check_only(Plan("nim", policy=parse_policy("only=fish")))


def test_the_help_of_create_has_every_policy_with_its_default() -> None:
    shown = run("tour", "create", "--help").output
    for field in msgspec.structs.fields(PolicyTerms):
        default = str(field.default).lower() if field.name != "only" else ""
        assert f"\n    {field.name}={default} " in shown
