"""Reversi: the start, turning over, passing, ending, refusals and positions."""

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, BadOption, BadPosition, IllegalMove
from rookery.core.game import Aside, Effect, draw, win
from rookery.core.ids import Seat
from rookery.games.reversi import BLACK, WHITE, Place, Reversi, State
from rookery.games.reversi.effects import Flipped, Passed


def start(game: Reversi) -> State:
    return game.start(2, Chance(1))


def play(game: Reversi, moves: str) -> tuple[State, list[tuple[Effect | Aside, ...]]]:
    """The state after these moves, and what each of them did."""
    state, effects = start(game), []
    for text in moves.split():
        step = game.play(state, state.turn, game.parse_move(text))
        state = step.state
        effects.append(step.effects)
    return state, effects


def board(game: Reversi, state: State) -> list[str]:
    return list(game.view(state, None).rows)


# Othello: "white on (3,3) and (4,4), black on (4,3) and (3,4)".
def test_the_start_on_8_by_8() -> None:
    game = Reversi()
    assert board(game, start(game))[2:6] == [
        "........",
        "...OX...",
        "...XO...",
        "........",
    ]
    assert game.to_act(start(game)) == {BLACK}


# The page of blackwhite: white is on [4,4] and [5,5], black on [4,5] and [5,4].
def test_the_start_on_10_by_10() -> None:
    game = Reversi(size=10)
    assert board(game, start(game))[4:6] == [
        "....OX....",
        "....XO....",
    ]
    assert game.view(start(game), None).discs == (2, 2)


def test_the_start_on_4_by_4() -> None:
    game = Reversi(size=4)
    assert board(game, start(game)) == [
        "....",
        ".OX.",
        ".XO.",
        "....",
    ]


# Seed 001: PLAYBLACK [5,6] is answered by REVERSETOBLACK [5,5], PLAYWHITE [6,6] by
# REVERSETOWHITE [5,5].
def test_the_first_moves_of_the_seed_turn_over_what_it_says() -> None:
    game = Reversi(size=10)
    after_black = game.play(start(game), BLACK, Place(col=5, row=6))
    assert after_black.effects == (Flipped(col=5, row=5),)
    after_white = game.play(after_black.state, WHITE, Place(col=6, row=6))
    assert after_white.effects == (Flipped(col=5, row=5),)


def test_a_line_is_turned_over_up_to_the_first_own_disc() -> None:
    game = Reversi(size=6)
    state = game.parse_position("....../.OOOO./.OXXO./.OXXO./.OOOO./...... X")
    assert game.play(state, BLACK, Place(0, 0)).effects == (Flipped(1, 1),)
    assert game.play(state, BLACK, Place(0, 3)).effects == (Flipped(1, 3),)


def test_discs_are_turned_over_in_all_eight_directions_by_row_then_column() -> None:
    game = Reversi(size=10)
    rows = [
        "..........",
        ".X.X.X....",
        "..OOO.....",
        ".XO.OX....",
        "..OOOX....",
        ".X.XXO....",
        "......X...",
        "..........",
        "..........",
        "..........",
    ]
    step = game.play(game.parse_position("/".join(rows) + " X"), BLACK, Place(3, 3))
    turned = [(2, 2), (3, 2), (4, 2), (2, 3), (4, 3), (2, 4), (3, 4), (4, 4), (5, 5)]
    assert step.effects == tuple(Flipped(col, row) for col, row in turned)


def test_a_side_that_cannot_move_is_passed_over() -> None:
    game = Reversi(size=4)
    state, effects = play(game, "c4 d4 d3 b4 a3 a2 c1 a4")
    assert board(game, state) == [
        "..X.",
        "OXX.",
        "OOXX",
        "OOOO",
    ]
    assert effects[-1] == (Flipped(0, 2), Passed(BLACK))
    assert game.to_act(state) == {WHITE}


def test_as_many_discs_are_a_draw() -> None:
    game = Reversi(size=4)
    state, _ = play(game, "c4 d4 d3 b4 a3 a2 c1 a4 b1 a1 d1 d2")
    assert game.outcome(state) == draw(2, "discs", "Both sides have 8 discs.", (8, 8))


def test_a_side_without_discs_has_lost_at_once() -> None:
    game = Reversi()
    state, _ = play(game, "e6 f4 e3 f6 g5 d6 e7 f5 c5")
    assert board(game, state) == [
        "........",
        "........",
        "....X...",
        "...XXX..",
        "..XXXXX.",
        "...XXX..",
        "....X...",
        "........",
    ]
    assert game.outcome(state) == win(2, BLACK, "discs", "Black has 13 discs to 0.", (13, 0))


def test_the_game_is_over_when_neither_side_can_move_though_squares_are_free() -> None:
    game = Reversi(size=4)
    state = game.parse_position("X.../.XX./.XX./...O X")
    assert game.to_act(state) == frozenset()
    assert game.phase(state) == "over"
    assert game.outcome(state) == win(2, BLACK, "discs", "Black has 5 discs to 1.", (5, 1))


@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Place(3, 8), "off_board_row"),
        (Place(3, -1), "off_board_row"),
        (Place(8, 3), "off_board_column"),
        (Place(9, 9), "off_board_row"),
        (Place(3, 3), "taken"),
        (Place(0, 0), "flips_nothing"),
        (Place(4, 2), "flips_nothing"),
    ],
)
def test_each_refusal_has_its_code(move: Place, code: str) -> None:
    game = Reversi()
    with pytest.raises(IllegalMove) as caught:
        game.play(start(game), BLACK, move)
    assert caught.value.code == code


@pytest.mark.parametrize("col", range(4))
def test_a_disc_goes_on_no_other_even_where_it_would_turn_discs_over(col: int) -> None:
    game = Reversi()
    state = game.parse_position(
        "XOOX..../......../......../...OX.../...XO.../......../......../........ X"
    )
    with pytest.raises(IllegalMove) as caught:
        game.play(state, BLACK, Place(col, 0))
    assert caught.value.code == "taken"


@pytest.mark.parametrize("size", [-2, 0, 2, 3, 5, 7, 27, 28, 100])
def test_odd_and_too_small_and_too_large_boards_are_refused(size: int) -> None:
    with pytest.raises(BadOption, match=r"^A board is an even size from 4 to 26, not"):
        Reversi(size=size)


def test_the_largest_board_has_a_column_for_every_letter() -> None:
    game = Reversi(size=26)
    assert game.parse_move("z26") == Place(25, 25)
    assert game.format_move(Place(25, 25)) == "z26"


@pytest.mark.parametrize("text", ["", "d", "3", "3d", "d0", "d03", "d3 ", "dd3", "d333", "d٣"])
def test_what_is_no_square_is_no_move(text: str) -> None:
    with pytest.raises(BadNotation):
        Reversi().parse_move(text)


def test_letters_are_read_in_any_case() -> None:
    assert Reversi().parse_move("D3") == Reversi().parse_move("d3") == Place(col=3, row=2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "..../.OX./.XO./....",
        "..../.OX./.XO./.... Z",
        "..../.OX./.XO. X",
        "..../.OX./.XO./..... X",
        "..../.OX./.Xo./.... X",
        "..../.O../.XO./.... X",
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(BadPosition):
        Reversi(size=4).parse_position(text)


def test_a_position_where_the_side_to_move_cannot_is_the_other_sides_turn() -> None:
    state = Reversi(size=4).parse_position("..X./OXX./OOXX/OOOO X")
    assert state.turn == WHITE


def test_black_and_white_are_the_seats() -> None:
    assert [Reversi().seat_name(Seat(n)) for n in (0, 1)] == ["black", "white"]


def test_an_opening_is_drawn_from_the_seed_before_the_game() -> None:
    game = Reversi(opening=6)
    starts = [game.start(2, Chance(seed)) for seed in range(20)]
    assert {sum(side.bit_count() for side in start.discs) for start in starts} == {10}
    assert len(set(starts)) > 15
    assert game.start(2, Chance(3)) == starts[3]


def test_an_opening_that_is_too_long_for_its_board_leaves_a_game_to_play() -> None:
    game = Reversi(size=4, opening=20)
    for seed in range(200):
        assert game.to_act(game.start(2, Chance(seed)))


@pytest.mark.parametrize("opening", [-1, 21, True])
def test_an_opening_has_its_bounds(opening: int) -> None:
    with pytest.raises(BadOption):
        Reversi(opening=opening)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_opening_leads_from_the_first_position_to_that_of_the_start(
    size: int, seed: int
) -> None:
    game, plain = Reversi(size=size, opening=12), Reversi(size=size)
    state = plain.start(2, Chance(0))
    for seat, move in game.opening_moves(Chance(seed)):
        state = plain.play(state, seat, move).state
    assert state == game.start(2, Chance(seed))
