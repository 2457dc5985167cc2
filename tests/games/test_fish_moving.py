"""Fish on the move: the six directions, what is in the way, eating, skipping, the end."""

import pytest

from rookery.core.errors import IllegalMove
from rookery.core.game import Outcome
from rookery.games.fish import Scored, Skipped
from tests.games.fish_pictures import BROWN, RED, WHITE, drawn, play, refused, written

OPEN = """
1 1 1 1 1
 1 1 1 1 1
1 1 1 1 1
 1 1 1 1 1
1 1 1 1 1
 1 1 1 1 1
1 1 1 1 1
 1 1 1 1 1
1 1 1 1 1
"""
# Of four players only red is left, with one penguin that matters and one to the side.
EVEN = "red:0@4,2@4,0 white:out brown:out black:out red"
ODD = "red:0@5,2@5,0 white:out brown:out black:out red"

# "even row | r−2,c | r−1,c | r+1,c | r+2,c | r+1,c−1 | r−1,c−1"
FROM_EVEN = {"N": "2,2", "NE": "3,2", "SE": "5,2", "S": "6,2", "SW": "5,1", "NW": "3,1"}
# "odd row | r−2,c | r−1,c+1 | r+1,c+1 | r+2,c | r+1,c | r−1,c"
FROM_ODD = {"N": "3,2", "NE": "4,3", "SE": "6,3", "S": "7,2", "SW": "6,2", "NW": "4,2"}


@pytest.mark.parametrize("direction", FROM_EVEN)
def test_a_penguin_in_an_even_row_moves_to_its_neighbour(direction: str) -> None:
    assert refused(*drawn(OPEN, EVEN), f"4,2-{FROM_EVEN[direction]}") == ""


@pytest.mark.parametrize("direction", FROM_ODD)
def test_a_penguin_in_an_odd_row_moves_to_its_neighbour(direction: str) -> None:
    assert refused(*drawn(OPEN, ODD), f"5,2-{FROM_ODD[direction]}") == ""


# "Parity is looked at afresh at every step of a ray."
LINES = (
    "4,2-2,2 4,2-0,2 "
    "4,2-3,2 4,2-2,3 4,2-1,3 4,2-0,4 "
    "4,2-5,2 4,2-6,3 4,2-7,3 4,2-8,4 "
    "4,2-6,2 4,2-8,2 "
    "4,2-5,1 4,2-6,1 4,2-7,0 4,2-8,0 "
    "4,2-3,1 4,2-2,1 4,2-1,0 4,2-0,0"
)


def test_lines_are_listed_clockwise_from_north_and_run_straight_to_the_edge() -> None:
    game, state = drawn(OPEN, EVEN)
    moves = map(game.format_move, game.legal_moves(state, RED))
    assert " ".join(move for move in moves if move.startswith("4,2-")) == LINES


def test_moves_are_listed_by_penguin_in_order_of_placing() -> None:
    game, state = drawn(OPEN, EVEN)
    starts = [game.format_move(move)[:3] for move in game.legal_moves(state, RED)]
    assert starts == ["4,2"] * 20 + ["4,0"] * (len(starts) - 20)
    assert "4,0" in starts


@pytest.mark.parametrize("end", ["4,2", "4,1", "4,3", "3,0", "3,3", "5,3", "6,4", "2,0", "0,3"])
def test_a_tile_that_lies_on_none_of_the_six_lines_is_refused(end: str) -> None:
    assert refused(*drawn(OPEN, EVEN), f"4,2-{end}") == "no_line"


def test_a_line_does_not_run_on_at_the_other_side_of_the_board() -> None:
    game, state = drawn(OPEN, "red:0@3,4@4,0 white:out brown:out black:out red")
    ends = {game.format_move(move)[4:] for move in game.legal_moves(state, RED)}
    from_the_right = "1,4 2,4 1,3 0,3 5,4 7,4 4,4 5,3 6,3 7,2 8,2"
    from_the_left = "2,0 0,0 3,0 2,1 1,1 0,2 5,0 6,1 7,1 8,2 6,0 8,0"
    assert ends == {*from_the_right.split(), *from_the_left.split()}


# White is in red's way to the south, a hole in its way to the south-east.
CROWDED = """
2 1 1
 3 1 1
1 0 1
 1 1 1
1 1 1
"""
SEATS = "red:1@0,0@0,2 white:4@2,0@4,2 brown:out black:out red"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("0,0-1,0", ""),
        ("0,0-2,0", "taken"),
        ("0,0-4,0", "blocked"),
        ("0,0-2,1", "no_tile"),
        ("0,0-3,1", "blocked"),
        ("0,0-1,1", "no_line"),
        ("0,0-5,0", "off_board"),
        ("3,3-0,0", "off_board"),
        ("0,0--2,0", "off_board"),
        ("2,0-3,0", "not_your_penguin"),
        ("1,1-3,1", "not_your_penguin"),
        ("2,1-3,1", "not_your_penguin"),
        ("1,0", "wrong_phase"),
    ],
)
def test_every_tile_on_the_way_and_the_last_must_exist_and_be_free(move: str, code: str) -> None:
    assert refused(*drawn(CROWDED, SEATS), move) == code


def test_the_tile_left_goes_and_its_fish_are_scored() -> None:
    game, state = drawn(CROWDED, SEATS)
    step = game.play(state, RED, game.parse_move("0,0-1,0"))
    assert (
        game.format_position(step.state)
        == "011/311/101/111/111 red:3@1,0@0,2 white:4@2,0@4,2 brown:out black:out white"
    )
    assert step.effects == (Scored(RED, 2, 0, 0),)


def test_the_penguins_stay_in_order_of_placing() -> None:
    game, state = drawn(CROWDED, SEATS)
    after = play(game, state, "0,0-1,0 4,2-2,2 0,2-1,1")
    assert written(game, after).startswith("red:4@1,0@1,1 white:5@2,0@2,2 ")


def test_a_long_move_scores_no_more_than_a_short_one() -> None:
    game, state = drawn(OPEN, EVEN)
    near, far = (play(game, state, move) for move in ("4,2-3,2", "4,2-0,4"))
    assert near.scores == far.scores == (1, 0, 0, 0)
    assert near.fish == far.fish


# Red and brown have a step to make; all other penguins stand on tiles of their own.
ISLANDS = """
1 0 1 0 1
 1 0 0 0 1
0 0 0 0 0
 0 0 0 0 0
1 1 1 1 1
"""
STUCK = "red:0@0,0@4,0 white:0@4,1@4,2 brown:0@0,4@4,3 black:0@0,2@4,4 red"


def test_who_cannot_move_is_skipped_and_stays_in() -> None:
    game, state = drawn(ISLANDS, STUCK)
    step = game.play(state, RED, game.parse_move("0,0-1,0"))
    assert step.state.turn == BROWN
    assert step.effects == (Scored(RED, 1, 0, 0), Skipped(WHITE))
    assert step.state.gone == frozenset()


def test_nobody_can_move_and_the_game_is_over() -> None:
    game, state = drawn(ISLANDS, STUCK)
    end = play(game, state, "0,0-1,0 0,4-1,4")
    assert game.phase(end) == "over"
    assert game.to_act(end) == frozenset()


def test_all_with_the_most_fish_win_and_the_others_share_the_place_after_them() -> None:
    game, state = drawn(ISLANDS, STUCK)
    outcome = game.outcome(play(game, state, "0,0-1,0 0,4-1,4"))
    assert outcome == Outcome((1, 3, 1, 3), "fish", "Red and brown have 1 fish each.", (1, 0, 1, 0))


# Red has two steps to make, white none.
ALONE = """
1 0 1 0
 2 0 0 0
3 0 0 0
 0 0 0 0
0 1 0 1
"""
LAST = "red:0@0,0@4,3 white:1@0,2@4,1 brown:out black:out red"


def test_one_who_alone_can_move_is_on_turn_again() -> None:
    game, state = drawn(ALONE, LAST)
    step = game.play(state, RED, game.parse_move("0,0-1,0"))
    assert step.state.turn == RED
    assert step.effects == (Scored(RED, 1, 0, 0), Skipped(WHITE))


def test_nobody_is_skipped_by_the_move_that_ends_the_game() -> None:
    game, state = drawn(ALONE, LAST)
    step = game.play(state, RED, game.parse_move("0,0-2,0"))
    assert step.state.turn == RED
    last = game.play(step.state, RED, game.parse_move("2,0-1,0"))
    assert last.effects == (Scored(RED, 3, 2, 0),)


def test_the_fish_under_a_penguin_at_the_end_are_nobodys() -> None:
    game, state = drawn(ALONE, LAST)
    outcome = game.outcome(play(game, state, "0,0-1,0 1,0-2,0"))
    assert outcome == Outcome((1, 2, 3, 3), "fish", "Red has 3 fish.", (3, 1, 0, 0))


def test_nothing_is_played_after_the_end() -> None:
    game, state = drawn(ALONE, LAST)
    end = play(game, state, "0,0-1,0 1,0-2,0")
    with pytest.raises(IllegalMove) as caught:
        game.play(end, RED, game.parse_move("2,0-1,0"))
    assert caught.value.code == "game_over"
