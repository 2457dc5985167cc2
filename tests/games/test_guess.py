"""Guess: the answers, rounds and their ends, what stays secret, and the options."""

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import BadNotation, BadOption, IllegalMove
from rookery.core.game import Forfeit, draw, win
from rookery.core.ids import Seat
from rookery.games.guess import AWAY, HOME, Answered, Guess, Guessed, GuessView, State

game = Guess()


def play(secret: int, *numbers: int, of: Guess = game) -> State:
    """The state after these guesses, home's first."""
    state = State(secret)
    for number in numbers:
        state = of.play(state, state.turn, number).state
    return state


# The page of tourney says: secret 1–100, from the table's seed.
def test_any_number_of_the_range_can_be_hidden_and_no_other() -> None:
    hidden = {game.start(2, Chance(seed)).secret for seed in range(2000)}
    assert hidden == set(range(1, 101))


def test_the_same_seed_hides_what_it_always_hid() -> None:
    assert [game.start(2, Chance(seed)).secret for seed in range(4)] == [36, 66, 11, 54]


@pytest.mark.parametrize(
    ("number", "answer"), [(41, "L"), (42, "C"), (43, "H"), (0, "L"), (101, "H")]
)
def test_everyone_hears_the_answer_and_not_the_number(number: int, answer: str) -> None:
    assert game.play(State(42), HOME, number).effects == (Answered(HOME, answer),)


def test_home_guesses_and_then_away() -> None:
    assert game.to_act(play(42)) == {HOME}
    assert game.to_act(play(42, 1)) == {AWAY}
    assert game.to_act(play(42, 1, 2)) == {HOME}


def test_away_may_still_guess_after_home_was_right() -> None:
    assert game.outcome(play(42, 42)) is None
    assert game.to_act(play(42, 42)) == {AWAY}


def test_only_home_right_wins_for_home() -> None:
    assert game.outcome(play(42, 42, 7)) == win(2, HOME, "found", "Home found the number 42.")


def test_only_away_right_wins_for_away() -> None:
    assert game.outcome(play(42, 7, 42)) == win(2, AWAY, "found", "Away found the number 42.")


def test_both_right_in_one_round_is_a_draw() -> None:
    assert game.outcome(play(42, 1, 1, 42, 42)) == draw(
        2, "both", "Both found the number 42 in the same round."
    )


# Tourney: "after 1,000 rounds a tie".
def test_a_thousand_rounds_without_the_number_are_a_draw() -> None:
    assert game.outcome(play(42, *[7] * 1999)) is None
    assert game.outcome(play(42, *[7] * 2000)) == draw(
        2, "rounds", "Nobody found the number 42 in 1000 rounds."
    )


def test_the_number_found_in_the_last_round_still_wins() -> None:
    short = Guess(rounds=2)
    outcome = short.outcome(play(42, 1, 1, 1, 42, of=short))
    assert outcome is not None
    assert outcome.winners == (AWAY,)


# Tourney: "Any 32-bit integer is taken; the rules see 0 for all below 1 and 101 for all
# above 100 (legal moves 0–101)".
@pytest.mark.parametrize(
    ("text", "move"),
    [("1", 1), ("100", 100), ("0", 0), ("-1", 0), ("-2147483648", 0), ("101", 101),
     ("2147483647", 101), ("+50", 50)],
)  # fmt: skip
def test_numbers_off_the_range_are_read_as_just_outside_it(text: str, move: int) -> None:
    assert game.parse_move(text) == move


@pytest.mark.parametrize("text", ["", "x", " 5", "5 ", "5.0", "2147483648", "٥"])
def test_what_is_no_number_is_no_move(text: str) -> None:
    with pytest.raises(BadNotation):
        game.parse_move(text)


def test_legal_moves_are_the_range_and_one_more_at_either_end() -> None:
    assert list(game.legal_moves(State(42), HOME)) == list(range(102))
    for number in (-1, 102):
        with pytest.raises(IllegalMove) as caught:
            game.play(State(42), HOME, number)
        assert caught.value.code == "out_of_range"


def test_a_seat_sees_its_own_guesses_and_both_last_answers() -> None:
    assert game.view(play(42, 50, 20, 30), HOME) == GuessView(
        low=1,
        high=100,
        turn=AWAY,
        round=2,
        answers=("L", "L"),
        own=(Guessed(50, "H"), Guessed(30, "L")),
        secret=None,
    )


def test_before_the_first_guess_there_are_no_answers() -> None:
    view = game.view(play(42), AWAY)
    assert view.answers == ("-", "-")
    assert view.round == 1


def test_who_watches_sees_no_guesses() -> None:
    assert game.view(play(42, 50, 20, 30), None).own == ()


@pytest.mark.parametrize("viewer", [None, HOME, AWAY])
def test_worlds_with_other_secrets_and_the_same_answers_look_the_same(viewer: Seat | None) -> None:
    """The viewer makes the same guesses in both, the others make others."""
    mine, here, there = (50, 10), (60, 20), (70, 25)
    home_here, away_here = (mine if viewer == seat else here for seat in (HOME, AWAY))
    home_there, away_there = (mine if viewer == seat else there for seat in (HOME, AWAY))
    one = play(30, home_here[0], away_here[0], home_here[1], away_here[1])
    two = play(40, home_there[0], away_there[0], home_there[1], away_there[1])
    assert one != two
    assert game.view(one, viewer) == game.view(two, viewer)
    assert game.view(one, viewer).answers == ("L", "L")


@pytest.mark.parametrize("viewer", [None, HOME, AWAY])
def test_everyone_sees_the_number_at_the_end_and_not_before(viewer: Seat | None) -> None:
    assert game.view(play(42, 42), viewer).secret is None
    assert game.view(play(42, 42, 7), viewer).secret == 42
    resigned = game.forfeit(play(42, 7), HOME, Forfeit.RESIGNED).state
    assert game.view(resigned, viewer).secret == 42


def test_the_round_at_the_end_is_the_last_one() -> None:
    assert game.view(play(42, 1, 1, 42, 42), None).round == 2
    resigned = game.forfeit(play(42, 1, 1), HOME, Forfeit.RESIGNED).state
    assert game.view(resigned, None).round == 2


@pytest.mark.parametrize(
    ("low", "high", "rounds"),
    [
        (2, 1, 1),
        (1, 1_000_001, 1),
        (1, 2**31 - 1, 1),
        (2**31 - 1, 2**31 - 1, 1),
        (-(2**31), -(2**31), 1),
        (1, 100, 0),
        (1, 100, 10_001),
    ],
)
def test_options_out_of_bounds_are_refused(low: int, high: int, rounds: int) -> None:
    with pytest.raises(BadOption, match=r"\.$"):
        Guess(low=low, high=high, rounds=rounds)


@pytest.mark.parametrize(
    ("low", "high"), [(5, 5), (1, 1_000_000), (2**31 - 2, 2**31 - 2), (2 - 2**31, 2 - 2**31)]
)
def test_the_bounds_themselves_are_allowed_and_every_move_has_32_bits(low: int, high: int) -> None:
    wide = Guess(low=low, high=high)
    moves = wide.legal_moves(State(low), HOME)
    for move in (min(moves), max(moves)):
        assert wide.parse_move(wide.format_move(move)) == move
