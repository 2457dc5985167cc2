"""Fish from the table's side: boards, options, placing penguins, and the view."""

from collections import Counter

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadOption, IllegalMove
from rookery.core.ids import Seat
from rookery.games.fish import Fish, FishView, Flock, Skipped
from tests.games.fish_pictures import BLACK, BROWN, RED, WHITE, drawn, play, refused, written


def counts(game: Fish, seed: int = 1) -> Counter[int]:
    """How many tiles have how many fish at the start."""
    return Counter(game.start(2, Chance(seed)).fish)


def test_the_classic_board_has_30_ones_20_twos_and_10_threes() -> None:
    for seed in range(10):
        assert counts(Fish(), seed) == {1: 30, 2: 20, 3: 10}


def test_other_boards_have_half_ones_rounded_up_a_third_twos_rounded_down_and_threes() -> None:
    assert counts(Fish(rows=5, cols=5)) == {1: 13, 2: 8, 3: 4}


def test_a_fixed_number_of_fish_is_on_every_tile() -> None:
    assert counts(Fish(rows=5, cols=5, fish=2)) == {2: 25}


def test_holes_are_taken_from_the_tiles_and_the_mix_is_of_the_rest() -> None:
    assert counts(Fish(rows=4, cols=4, holes=4)) == {0: 4, 1: 6, 2: 4, 3: 2}


def test_holes_lie_elsewhere_by_another_seed() -> None:
    game = Fish(rows=5, cols=5, fish=2, holes=5)
    assert game.start(2, Chance(1)) != game.start(2, Chance(2))


def test_a_seed_deals_the_same_board_for_ever() -> None:
    game = Fish(rows=4, cols=5, holes=3)
    start = game.start(2, Chance(42))
    assert game.format_position(start) == "31120/01101/21322/11132 red:0 white:0 red"


@pytest.mark.parametrize(("seats", "tiles"), [(2, 8), (3, 9), (4, 8)], ids=["two", "three", "four"])
def test_a_board_with_a_tile_for_each_penguin_is_big_enough(seats: int, tiles: int) -> None:
    game = Fish(rows=tiles, cols=1)
    assert game.phase(game.start(seats, Chance(1))) == "place"


def test_a_board_too_small_for_all_penguins_is_refused_at_the_start() -> None:
    for game in (Fish(rows=4, cols=2), Fish(rows=3, cols=3, holes=1)):
        with pytest.raises(BadOption, match="3 players need 9 tiles, and this board has 8"):
            game.start(3, Chance(1))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_a_game_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(BadOption, match="2 to 4 players"):
        Fish().start(seats, Chance(1))


WRONG_OPTIONS = (
    *(("rows", 0), ("rows", 41), ("rows", True)),
    *(("cols", 0), ("cols", 41), ("cols", 2.5)),
    *(("fish", -1), ("fish", 6), ("fish", "2")),
    *(("holes", -1), ("holes", 53), ("holes", None)),
)


@pytest.mark.parametrize(("option", "value"), WRONG_OPTIONS)
def test_an_option_out_of_bounds_is_refused_by_name(option: str, value: int) -> None:
    with pytest.raises(BadOption, match=f"The option {option} "):
        Fish(**{option: value})


def test_a_board_on_which_not_even_two_can_play_is_refused() -> None:
    with pytest.raises(BadOption, match="need 8 tiles, and this board has 7"):
        Fish(rows=7, cols=1)


def test_the_largest_board_and_the_most_holes_are_allowed() -> None:
    game = Fish(rows=40, cols=40, holes=1592)
    assert len(list(game.legal_moves(game.start(4, Chance(1)), RED))) == 8


def test_the_colours_are_red_white_brown_and_black_in_turn_order() -> None:
    view = Fish().view(Fish().start(4, Chance(1)), None)
    assert [player.color for player in view.players] == ["red", "white", "brown", "black"]


@pytest.mark.parametrize(
    ("seats", "turns"),
    [(2, [0, 1] * 4), (3, [0, 1, 2] * 3), (4, [0, 1, 2, 3] * 2)],
    ids=["two", "three", "four"],
)
def test_each_of_n_places_6_minus_n_penguins_round_after_round(
    seats: int, turns: list[int]
) -> None:
    game = Fish()
    state = game.start(seats, Chance(1))
    asked: list[Seat] = []
    while game.phase(state) == "place":
        asked += game.to_act(state)
        state = play(game, state, game.format_move(next(iter(game.legal_moves(state, asked[-1])))))
    assert asked == turns


ICE = """
1 2 3
 1 0 3
1 2 3
 1 2 3
"""
BEGUN = "red:0@0,1 white:0 brown:0 white"


def test_a_penguin_is_placed_on_a_tile_with_fish_and_nothing_is_collected() -> None:
    game, state = drawn(ICE, "red:0 white:0 brown:0 red")
    after = play(game, state, "0,1")
    assert written(game, after) == "red:0@0,1 white:0 brown:0 white"
    assert after.fish == state.fish


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("0,1", "taken"),
        ("1,1", "no_tile"),
        ("4,0", "off_board"),
        ("0,3", "off_board"),
        ("-1,0", "off_board"),
        ("0,-1", "off_board"),
        ("0,1-2,1", "wrong_phase"),
        ("2,2", ""),
    ],
)
def test_a_placement_needs_a_free_tile_of_the_board(move: str, code: str) -> None:
    assert refused(*drawn(ICE, BEGUN), move) == code


def test_placements_are_listed_by_row_then_column() -> None:
    game, state = drawn(ICE, BEGUN)
    moves = " ".join(map(game.format_move, game.legal_moves(state, WHITE)))
    assert moves == "0,0 0,2 1,0 1,2 2,0 2,1 2,2 3,0 3,1 3,2"


def test_nobody_places_out_of_turn() -> None:
    game, state = drawn(ICE, BEGUN)
    with pytest.raises(IllegalMove) as caught:
        game.play(state, BROWN, game.parse_move("0,0"))
    assert caught.value.code == "not_your_turn"


# Tiles of one row do not touch, so nobody on it can ever move.
ROW = "1 1 1 1 1 1 1 1 1"


def test_the_game_is_over_right_after_placing_if_nobody_can_move() -> None:
    game, state = drawn(ROW, "red:0@0,0@0,1@0,2@0,3 white:0@0,4@0,5@0,6 white")
    step = game.play(state, WHITE, game.parse_move("0,7"))
    assert game.phase(step.state) == "over"
    assert step.effects == ()
    outcome = game.outcome(step.state)
    assert outcome is not None
    assert outcome.winners == (RED, WHITE)


def test_who_cannot_move_after_placing_is_skipped_at_once() -> None:
    game, state = drawn(
        """
        1 1 1
         0 0 0
        0 0 0
         1 0 0
        1 0 0
         1 1 1
        1 1 1
        """,
        "red:0@0,0@0,1@0,2 white:0@3,0@4,0@5,1 brown:0@6,0@6,1 brown",
    )
    step = game.play(state, BROWN, game.parse_move("6,2"))
    assert step.state.turn == WHITE
    assert step.effects == (Skipped(RED),)


def test_the_view_shows_the_ice_and_every_seat_in_order() -> None:
    game, state = drawn(
        """
        1 2
         3 4
        5 0
         1 1
        """,
        "red:3@0,1@3,0 white:out brown:0@2,0@3,1 black:out brown",
    )
    view = FishView(
        "move",
        ((1, 2), (3, 4), (5, 0), (1, 1)),
        (
            Flock(RED, "red", 3, ((0, 1), (3, 0)), removed=False),
            Flock(WHITE, "white", 0, (), removed=True),
            Flock(BROWN, "brown", 0, ((2, 0), (3, 1)), removed=False),
            Flock(BLACK, "black", 0, (), removed=True),
        ),
        BROWN,
    )
    for viewer in (None, RED, WHITE):
        assert game.view(state, viewer) == view
