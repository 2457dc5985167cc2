"""Tic-tac-toe: lines, full boards, refusals, positions, and all games there are."""

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, BadPosition, IllegalMove
from rookery.core.game import draw, win
from rookery.core.ids import Seat
from rookery.games.tictactoe import LINES, State, Tictactoe
from tests.games.counting import ways

X, O = Seat(0), Seat(1)  # noqa: E741
game = Tictactoe()


def play(slots: str) -> State:
    """The state after these slots were taken by turns."""
    state = game.start(2, Chance(1))
    for slot in slots:
        state = game.play(state, state.turn, int(slot)).state
    return state


def test_x_moves_first_and_marks_are_drawn_row_by_row() -> None:
    assert game.to_act(game.start(2, Chance(1))) == {X}
    assert game.view(play("042"), None).rows == ("X.X", ".O.", "...")


@pytest.mark.parametrize("line", LINES)
def test_three_in_a_row_win(line: tuple[int, int, int]) -> None:
    cells = "".join("X" if slot in line else "." for slot in range(9))
    assert game.outcome(State(cells)) == win(2, X, "line", "X has three in a row.")


def test_the_second_seat_can_win_too() -> None:
    assert game.outcome(play("031485")) == win(2, O, "line", "O has three in a row.")


def test_a_full_board_without_a_line_is_a_draw() -> None:
    full = play("012435768")
    assert game.outcome(full) == draw(
        2, "full", "The board is full, and nobody has three in a row."
    )


def test_a_line_on_the_last_slot_is_a_win_and_not_a_draw() -> None:
    outcome = game.outcome(State("XOXOXOOXX"))
    assert outcome is not None
    assert outcome.winners == (X,)


@pytest.mark.parametrize(
    ("slot", "code"), [(9, "out_of_range"), (-1, "out_of_range"), (4, "taken")]
)
def test_each_refusal_has_its_code(slot: int, code: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        game.play(play("4"), O, slot)
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["", "a1", "4.0", " 4", "4 ", "٤"])
def test_what_is_no_number_is_no_move(text: str) -> None:
    with pytest.raises(BadNotation):
        game.parse_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "XO",
        "..........",
        "x........",
        "O........",
        "XX.......",
        "XXXOOO...",
        "XXX.OO.O.",
        "OOOXX.X.X",
    ],
)
def test_what_no_game_can_reach_is_no_position(text: str) -> None:
    with pytest.raises(BadPosition):
        game.parse_position(text)


# Fewer than 9! orders of nine slots, because games stop at a line: 255,168 games.
def test_there_are_as_many_games_as_everyone_counts() -> None:
    assert ways(game, game.start(2, Chance(1)), 9) == 255168
