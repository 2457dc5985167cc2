"""Nim: the deal, taking sticks, the last one, refusals, options and positions."""

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, BadOption, BadPosition, IllegalMove
from rookery.core.game import win
from rookery.games.nim import AWAY, HOME, Nim, NimView, State, Take


def deals(game: Nim) -> list[tuple[int, ...]]:
    """The rows of many starts."""
    return [game.start(2, Chance(seed)).rows for seed in range(500)]


# Tourney: "3–10 rows of 5–100 sticks, drawn from the table's seed".
def test_the_deal_is_3_to_10_rows_of_5_to_100_sticks() -> None:
    dealt = deals(Nim())
    assert {len(rows) for rows in dealt} == set(range(3, 11))
    assert {sticks for rows in dealt for sticks in rows} == set(range(5, 101))


def test_the_same_seed_deals_what_it_always_dealt() -> None:
    assert Nim().start(2, Chance(1)).rows == (12, 35, 16, 62)


def test_the_number_of_rows_can_be_set() -> None:
    assert {len(rows) for rows in deals(Nim(rows=2))} == {2}


def test_one_number_of_sticks_is_for_every_row() -> None:
    assert Nim(rows=3, sticks=(7,)).start(2, Chance(1)).rows == (7, 7, 7)
    assert {len(rows) for rows in deals(Nim(sticks=(7,)))} == set(range(3, 11))


def test_several_numbers_of_sticks_are_the_rows() -> None:
    assert Nim(sticks=(3, 4, 5)).start(2, Chance(1)) == State((3, 4, 5), HOME)
    assert Nim(rows=3, sticks=(3, 4, 5)).start(2, Chance(1)).rows == (3, 4, 5)


def test_a_move_takes_sticks_from_one_row_and_gives_away_the_turn() -> None:
    step = Nim().play(State((3, 4, 5)), HOME, Take(row=1, take=4))
    assert step.state == State((3, 0, 5), AWAY)
    assert step.effects == ()


def test_the_last_stick_wins() -> None:
    game = Nim()
    last = game.play(State((0, 2), AWAY), AWAY, Take(1, 2)).state
    assert game.outcome(last) == win(2, AWAY, "last_stick", "Away took the last stick.")
    assert game.view(last, None) == NimView((0, 0), None, misere=False)


def test_in_misere_the_last_stick_loses() -> None:
    game = Nim(misere=True)
    last = game.play(State((0, 2), AWAY), AWAY, Take(1, 2)).state
    assert game.outcome(last) == win(
        2, HOME, "last_stick", "Away took the last stick, which loses."
    )


def test_legal_moves_go_by_row_and_then_by_number() -> None:
    moves = list(Nim().legal_moves(State((1, 0, 2)), HOME))
    assert moves == [Take(0, 1), Take(2, 1), Take(2, 2)]


# Tourney: "Row is out of range.", "You must take a positive number of sticks.", "That row
# does not have that many sticks.", checked in this order.
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("3,1", "row_out_of_range"),
        ("-1,1", "row_out_of_range"),
        ("3,0", "row_out_of_range"),
        ("3,99", "row_out_of_range"),
        ("0,0", "take_not_positive"),
        ("0,-1", "take_not_positive"),
        ("1,0", "take_not_positive"),
        ("0,4", "too_many_sticks"),
        ("1,1", "too_many_sticks"),
        ("2,2147483647", "too_many_sticks"),
    ],
)
def test_each_refusal_has_its_code(text: str, code: str) -> None:
    game = Nim()
    with pytest.raises(IllegalMove) as caught:
        game.play(State((3, 0, 5)), HOME, game.parse_move(text))
    assert caught.value.code == code


def test_a_refusal_counts_one_stick_as_one() -> None:
    with pytest.raises(IllegalMove, match=r"^Row 0 has 1 stick, and not 2\.$"):
        Nim().play(State((1, 2)), HOME, Take(0, 2))


@pytest.mark.parametrize("text", ["0,3", "+0,+3", "00,03"])
def test_a_move_is_two_numbers_with_a_comma(text: str) -> None:
    assert Nim().parse_move(text) == Take(0, 3)


@pytest.mark.parametrize(
    "text",
    ["", ",", "1", "1,", ",1", "1,2,3", "1, 2", " 1,2", "1,2 ", "1;2", "1,2147483648"],
)
def test_anything_else_is_no_move(text: str) -> None:
    with pytest.raises(BadNotation):
        Nim().parse_move(text)


@pytest.mark.parametrize(
    ("rows", "sticks", "sentence"),
    [
        (-1, (), "The option rows is a whole number from 0 to 30, not -1."),
        (31, (), "The option rows is a whole number from 0 to 30, not 31."),
        (0, (0,), "The option sticks is a whole number from 1 to 1000, not 0."),
        (0, (5, 1001), "The option sticks is a whole number from 1 to 1000, not 1001."),
        (2, (3, 4, 5), "There cannot be 2 rows when sticks lists 3."),
        (0, (5,) * 31, "There are at most 30 rows, not 31."),
    ],
)
def test_rows_and_sticks_have_bounds(rows: int, sticks: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(BadOption) as caught:
        Nim(rows=rows, sticks=sticks)
    assert str(caught.value) == sentence


def test_the_bounds_themselves_are_allowed() -> None:
    assert Nim(rows=30, sticks=(1000,)).start(2, Chance(1)).rows == (1000,) * 30
    assert Nim(sticks=(1,) * 30).start(2, Chance(1)).rows == (1,) * 30


def test_a_position_is_the_rows_and_whose_turn_it_is() -> None:
    state = State((3, 4, 5), AWAY)
    assert Nim().format_position(state) == "3,4,5 away"
    assert Nim().parse_position("3,4,5 away") == state


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Nim(), ""),
        (Nim(), "home"),
        (Nim(), "3,4,5"),
        (Nim(), "3,4,5 nobody"),
        (Nim(), "3,4,x home"),
        (Nim(), "3,4 home"),
        (Nim(), "3,4,5,6,7,8,9,10,11,12,13 home"),
        (Nim(), "3,4,101 home"),
        (Nim(), "3,4,-1 home"),
        (Nim(sticks=(3, 4, 5)), "3,5,4 home"),
        (Nim(sticks=(3, 4, 5)), "3,4 home"),
        (Nim(rows=2, sticks=(6,)), "6,7 home"),
    ],
)
def test_what_no_game_can_reach_is_no_position(game: Nim, text: str) -> None:
    with pytest.raises(BadPosition):
        game.parse_position(text)
