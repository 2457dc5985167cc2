"""Laws of text: moves, variants and positions are written and read back the same.

A reader takes any text whatever. What it cannot read is the sender's mistake, told in
one sentence; no text makes it fail in any other way.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.errors import BadNotation, BadOption, BadPosition, IllegalMove, Mistake
from rookery.core.game import Positioned
from rookery.games import GAMES, parse_variant
from tests.laws.notation import anything
from tests.laws.variants import CASES, Case
from tests.laws.walks import (
    all_seats,
    is_sentence,
    legal,
    positions,
    seats_to_act,
    some_moves,
    spread,
)

with_case = pytest.mark.parametrize("case", CASES, ids=str)


def struct_of(name: str) -> type[msgspec.Struct]:
    game = GAMES[name]
    assert issubclass(game, msgspec.Struct)
    return game


with_game = pytest.mark.parametrize("name", GAMES)

# None of these is a number, a flag, a word or a tuple of numbers.
WRONG_TYPES = (None, 2.5, b"8", [3, 4], {"size": 8}, object())
ODD_VALUES = (
    "",
    "x",
    "-1",
    "0",
    "1",
    "7",
    "true",
    "no",
    "1,2",
    "1,,2",
    "99999",
    "9" * 40,
    "٣",
    "=",
)


def refusal(read: Callable[[str], object], text: str, mistake: type[Mistake]) -> str | None:
    """The sentence this text is refused with; None if it is read."""
    try:
        read(text)
    except mistake as refused:
        return str(refused)
    return None


def move_texts(case: Case) -> list[str]:
    return [case.game.format_move(move) for move in some_moves(case)]


# Any: states of every game, only passed back to it.
def positioned(case: Case) -> Positioned[Any] | None:
    """The game as one whose positions can be written, if it is."""
    game: object = case.game
    if hasattr(game, "parse_position") and hasattr(game, "format_position"):
        written: Positioned[Any] = game
        return written
    return None


POSITIONED = [case for case in CASES if positioned(case) is not None]


@with_case
def test_a_move_is_read_back_as_it_was_written(case: Case) -> None:
    for move in some_moves(case):
        assert case.game.parse_move(case.game.format_move(move)) == move


@with_case
def test_different_moves_are_written_differently(case: Case) -> None:
    texts = move_texts(case)
    assert len(set(texts)) == len(texts)


@with_case
@given(choice=st.data())
def test_a_text_is_no_move_or_one_that_is_written_and_read_the_same(
    case: Case, choice: st.DataObject
) -> None:
    text = choice.draw(anything(move_texts(case)))
    refused = refusal(case.game.parse_move, text, BadNotation)
    if refused is None:
        move = case.game.parse_move(text)
        assert case.game.parse_move(case.game.format_move(move)) == move
    else:
        assert is_sentence(refused)
        assert len(refused) < 300


@with_case
@given(choice=st.data())
def test_a_readable_text_is_accepted_exactly_if_its_move_is_legal(
    case: Case, choice: st.DataObject
) -> None:
    state = choice.draw(st.sampled_from(positions(case)))
    text = choice.draw(anything(move_texts(case)))
    if refusal(case.game.parse_move, text, BadNotation) is not None:
        return
    move = case.game.parse_move(text)
    for seat in all_seats(case):
        if move in legal(case, state, seat):
            case.game.play(state, seat, move)
        else:
            with pytest.raises(IllegalMove):
                case.game.play(state, seat, move)


@with_case
def test_a_variant_is_read_back_as_it_was_written(case: Case) -> None:
    assert parse_variant(case.title) == case.game


@with_game
def test_a_game_by_its_name_alone_is_its_defaults(name: str) -> None:
    assert parse_variant(name) == GAMES[name]()
    assert GAMES[name].name == name


@with_game
def test_an_option_that_a_game_does_not_have_is_refused(name: str) -> None:
    for text in (f"{name} colour=blue", f"{name} size", f"{name} =3", f"{name} name=x"):
        with pytest.raises(BadOption) as caught:
            parse_variant(text)
        assert is_sentence(str(caught.value))


@with_game
def test_an_option_takes_a_value_or_refuses_it_in_a_sentence(name: str) -> None:
    for field in msgspec.structs.fields(struct_of(name)):
        for value in ODD_VALUES:
            refused = refusal(parse_variant, f"{name} {field.name}={value}", BadOption)
            assert refused is None or is_sentence(refused)


@with_game
def test_an_option_of_the_wrong_type_is_refused(name: str) -> None:
    for field in msgspec.structs.fields(struct_of(name)):
        for value in WRONG_TYPES:
            with pytest.raises(BadOption) as caught:
                msgspec.structs.replace(struct_of(name)(), **{field.name: value})
            assert is_sentence(str(caught.value))


@pytest.mark.parametrize("case", POSITIONED, ids=str)
def test_a_position_is_read_back_as_it_was_written(case: Case) -> None:
    game = positioned(case)
    assert game is not None
    for state in positions(case):
        again = game.parse_position(game.format_position(state))
        assert game.format_position(again) == game.format_position(state)
        for viewer in (None, *all_seats(case)):
            assert case.game.view(again, viewer) == case.game.view(state, viewer)
        for seat in all_seats(case):
            assert legal(case, again, seat) == legal(case, state, seat)


@pytest.mark.parametrize("case", POSITIONED, ids=str)
@given(choice=st.data())
def test_a_text_is_no_position_or_one_that_can_be_played_on(
    case: Case, choice: st.DataObject
) -> None:
    game = positioned(case)
    assert game is not None
    known = [game.format_position(state) for state in positions(case)]
    text = choice.draw(anything(known))
    refused = refusal(game.parse_position, text, BadPosition)
    if refused is not None:
        assert is_sentence(refused)
        return
    state = game.parse_position(text)
    assert bool(case.game.to_act(state)) == (case.game.outcome(state) is None)
    for seat in seats_to_act(case, state):
        for move in spread(legal(case, state, seat), 3):
            case.game.play(state, seat, move)
