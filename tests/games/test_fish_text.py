"""Fish in writing: moves and positions, right and wrong."""

import pytest

from rookery.core.errors import BadNotation, BadPosition
from rookery.games.fish import Fish, Move, Place, Slide

GAME = Fish(rows=3, cols=3)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3,2", Place((3, 2))),
        ("0,0", Place((0, 0))),
        ("3,2-5,2", Slide((3, 2), (5, 2))),
        ("39,10-7,39", Slide((39, 10), (7, 39))),
    ],
)
def test_a_move_is_written_as_row_and_column(text: str, move: Move) -> None:
    assert GAME.parse_move(text) == move
    assert GAME.format_move(move) == text


@pytest.mark.parametrize("text", ["99,99", "-1,0", "3,2--5,-2", "999999999,0"])
def test_tiles_of_no_board_are_read_and_written(text: str) -> None:
    assert GAME.format_move(GAME.parse_move(text)) == text


NO_MOVES = (
    *("", "3", "3,", ",2", "3,2-", "3,2-5", "-,-", "3,2-5,2-7,2"),
    *("3;2", "a,b", "[3,2]", "3 ,2", " 3,2", "3,2\n"),
    *("+3,2", "3.0,2", "٣,٢", "1_0,2", "1000000000,0", "9" * 5000 + ",0"),
)


@pytest.mark.parametrize("text", NO_MOVES)
def test_what_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadNotation, match=r"A move is written like 3,2 or 3,2-5,2") as caught:
        GAME.parse_move(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "123/450/111 red:0 white:0 red",
        "123/450/111 red:0@0,1 white:0 white",
        "123/450/111 red:12@0,1@2,2 white:0@0,0@1,1 brown:out black:out white",
        "100/000/111 red:0@0,0@2,2 white:0@2,0@2,1 brown:out black:out -",
        "123/450/111 red:out white:out brown:out -",
    ],
)
def test_a_position_is_read_back_as_it_was_written(text: str) -> None:
    assert GAME.format_position(GAME.parse_position(text)) == text


def test_if_the_one_named_cannot_act_the_next_who_can_is_on_turn() -> None:
    state = GAME.parse_position("100/000/111 red:0@0,0@2,2 white:0@2,0@2,1 brown:out black:out red")
    assert GAME.phase(state) == "over"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "2 to 4 players"),
        ("123/450/111", "2 to 4 players"),
        ("123/450/111 red:0 red", "2 to 4 players"),
        ("123/450/111 red:0 white:0 brown:0 black:0 green:0 red", "2 to 4 players"),
        ("123/450 red:0 white:0 red", "3 rows of 3"),
        ("123/45/1111 red:0 white:0 red", "3 rows of 3"),
        ("123/456/111 red:0 white:0 red", "digits from 0 to 5"),
        ("123/45٣/111 red:0 white:0 red", "digits from 0 to 5"),
        ("123/450/111 white:0 red:0 red", "written like red:3"),
        ("123/450/111 red white:0 red", "written like red:3"),
        ("123/450/111 red:-1 white:0 red", "written like red:3"),
        ("123/450/111 red:0@1 white:0 red", "written like red:3"),
        ("123/450/111 red:out@0,0 white:0 red", "written like red:3"),
        ("123/450/111 red:0@1,2 white:0 red", "cannot stand on 1,2"),
        ("123/450/111 red:0@3,0 white:0 red", "cannot stand on 3,0"),
        ("123/450/111 red:0@0,3 white:0 red", "cannot stand on 0,3"),
        ("123/450/111 red:0@0,0 white:0@0,0 red", "cannot stand on 0,0"),
        ("111/111/111 red:0@0,0@0,1@0,2@1,0@1,1 white:0 red", "places 4 penguins"),
        ("111/111/100 red:0 white:0 red", "places 4 penguins"),
        ("123/450/111 red:0 white:0 brown", "whose turn"),
        ("123/450/111 red:0 white:0 -", "red can act"),
    ],
)
def test_nonsense_is_no_position(text: str, why: str) -> None:
    with pytest.raises(BadPosition, match=why):
        GAME.parse_position(text)
