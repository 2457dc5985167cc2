"""Guess bots: halving, drawing, forgetting, and nothing known that the seat may not know."""

import pytest

from rookery.bots.base import Level, Sight
from rookery.bots.guess import LEVELS, GuessBot
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.guess import AWAY, HOME, Guess, State

HALVING = GuessBot(halves=True, errs=0)
DRAWING = GuessBot(halves=False, errs=0)
FORGETFUL = GuessBot(halves=False, errs=100)


def sight(game: Guess, state: State, seat: Seat = HOME) -> Sight:
    moves = tuple(map(str, game.legal_moves(state, seat)))
    return Sight(game, seat, game.view(state, seat), moves)


def choice(game: Guess, state: State, bot: GuessBot = HALVING, seed: int = 1) -> int:
    text = bot.choose(sight(game, state, state.turn), Chance(seed), 1, lambda: False)
    return game.parse_move(text)


def rounds(game: Guess, bot: GuessBot, secret: int, seed: int = 1) -> int:
    """How many rounds home needs while away only says 0."""
    state, chance = State(secret), Chance(seed)
    while game.outcome(state) is None:
        text = bot.choose(sight(game, state), chance, 1, lambda: False)
        state = game.play(state, HOME, game.parse_move(text)).state
        state = game.play(state, AWAY, game.low - 1).state
    return len(state.guesses[HOME])


def test_it_begins_in_the_middle() -> None:
    assert choice(Guess(), State(80)) == 50


def test_it_halves_what_its_own_answers_leave() -> None:
    assert choice(Guess(), State(80, ((50, 75), (1, 2)))) == 88


def test_a_wrong_guess_later_does_not_widen_what_is_left() -> None:
    assert choice(Guess(), State(80, ((75, 10, 99, 101), (1, 2, 3, 4)))) == 87


def test_halving_finds_every_number_of_a_hundred_in_seven_rounds() -> None:
    game = Guess()
    assert max(rounds(game, HALVING, secret) for secret in range(1, 101)) == 7


def test_halving_finds_one_of_a_million_in_twenty_rounds() -> None:
    game = Guess(low=-500_000, high=499_999)
    state, chance = State(-500_000), Chance(1)
    for _ in range(20):
        view = game.view(state, HOME)
        text = HALVING.choose(Sight(game, HOME, view, ("0",)), chance, 1, lambda: False)
        state = game.play(state, HOME, game.parse_move(text)).state
        state = game.play(state, AWAY, game.high + 1).state
        if game.outcome(state) is not None:
            break
    assert game.outcome(state) is not None


def test_drawing_stays_in_what_is_left() -> None:
    state = State(80, ((50, 90), (1, 2)))
    drawn = {choice(Guess(), state, DRAWING, seed) for seed in range(1000)}
    assert drawn == set(range(51, 90))


def test_the_forgetful_draw_from_the_whole_range() -> None:
    state = State(80, ((50, 90), (1, 2)))
    drawn = {choice(Guess(), state, FORGETFUL, seed) for seed in range(3000)}
    assert drawn == set(range(1, 101))


@pytest.mark.parametrize("level", LEVELS)
def test_the_hidden_number_and_the_others_guesses_change_nothing(level: Level) -> None:
    here = sight(Guess(), State(80, ((50,), (60,))))
    there = sight(Guess(), State(99, ((50,), (3,))))
    for seed in range(20):
        assert level.bot.choose(here, Chance(seed), 1, lambda: False) == level.bot.choose(
            there, Chance(seed), 1, lambda: False
        )


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_gives_the_same_guess(level: Level) -> None:
    seen = sight(Guess(), State(80, ((50,), (60,))))
    first, again = (
        [level.bot.choose(seen, Chance(seed), 1, lambda: True) for seed in range(20)]
        for _ in range(2)
    )
    assert first == again


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", [Guess(), Guess(5, 5), Guess(-3, -2), Guess(-40, 40, 7)])
def test_every_level_guesses_legally_to_the_end(game: Guess, level: Level) -> None:
    state, chance = game.start(2, Chance(3)), Chance(4)
    while game.outcome(state) is None:
        seen = sight(game, state, state.turn)
        text = level.bot.choose(seen, chance, 1, lambda: False)
        assert text in seen.moves
        state = game.play(state, state.turn, game.parse_move(text)).state


def test_halving_needs_fewer_rounds_than_drawing() -> None:
    game = Guess()
    halving, drawing = (
        sum(rounds(game, bot, secret, secret) for secret in range(1, 101))
        for bot in (HALVING, DRAWING)
    )
    assert halving == 580
    assert drawing > 650


def test_there_are_five_levels() -> None:
    assert len(LEVELS) == 5
    assert LEVELS[-1].bot == HALVING
