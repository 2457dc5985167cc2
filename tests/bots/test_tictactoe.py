"""Tic-tac-toe bots: wins, blocks, traps, mistakes as stated, and never a loss at the top."""

import pytest

from rookery.bots.base import Level, Sight
from rookery.bots.tictactoe import LEVELS, TictactoeBot
from rookery.core.chance import Chance
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.games.tictactoe import State, Tictactoe

GAME = Tictactoe()
PERFECT = TictactoeBot(errs=0)
CARELESS = TictactoeBot(errs=100)


def sight(state: State) -> Sight:
    moves = tuple(map(str, GAME.legal_moves(state, state.turn)))
    return Sight(GAME, state.turn, GAME.view(state, state.turn), moves)


def choices(board: str, bot: TictactoeBot = PERFECT) -> set[str]:
    """All it plays here, whatever chance draws."""
    seen = sight(GAME.parse_position(board.replace(" ", "")))
    return {bot.choose(seen, Chance(seed), 1, lambda: False) for seed in range(60)}


def play(bots: tuple[TictactoeBot, TictactoeBot], seed: int) -> Outcome:
    state, chance = State(), Chance(seed)
    while (outcome := GAME.outcome(state)) is None:
        text = bots[state.turn].choose(sight(state), chance, 1, lambda: False)
        state = GAME.play(state, state.turn, int(text)).state
    return outcome


def test_it_wins_rather_than_blocks() -> None:
    assert choices("XX. OO. ...") == {"2"}


def test_it_blocks() -> None:
    assert choices("XX. O.. ...") == {"2"}


def test_it_makes_a_fork() -> None:
    assert choices("X.. .O. O.X") == {"2"}


def test_against_two_opposite_corners_it_takes_a_side() -> None:
    assert choices("X.. .O. ..X") == {"1", "3", "5", "7"}


def test_it_answers_a_corner_in_the_middle() -> None:
    assert choices("X.. ... ...") == {"4"}


# Every opening draws, but only after one in a corner is just one answer safe.
def test_it_begins_where_most_answers_lose() -> None:
    assert choices("... ... ...") == {"0", "2", "6", "8"}


def test_a_mistake_is_never_the_winning_move() -> None:
    assert choices("XX. OO. ...", CARELESS) == {"5", "6", "7", "8"}


def test_where_nothing_can_be_given_away_a_mistake_is_any_move() -> None:
    assert choices("XOX XXO O.O", CARELESS) == {"7"}


def test_the_perfect_player_never_loses() -> None:
    for seed in range(200):
        assert Seat(0) in play((PERFECT, TictactoeBot(errs=40)), seed).winners
        assert Seat(1) in play((TictactoeBot(errs=40), PERFECT), seed).winners


def test_perfect_players_draw() -> None:
    assert all(play((PERFECT, PERFECT), seed).drawn for seed in range(50))


def test_it_errs_about_as_often_as_it_says() -> None:
    seen, bot = sight(GAME.parse_position("XX.OO....")), TictactoeBot(errs=30)
    missed = sum(bot.choose(seen, Chance(seed), 1, lambda: False) != "2" for seed in range(1000))
    assert 240 < missed < 360


def test_the_same_seed_gives_the_same_game() -> None:
    bots = (TictactoeBot(errs=50), TictactoeBot(errs=50))
    assert [play(bots, seed) for seed in range(50)] == [play(bots, seed) for seed in range(50)]


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legally_to_the_end(level: Level) -> None:
    for seed in range(30):
        state, chance = State(), Chance(seed)
        while GAME.outcome(state) is None:
            seen = sight(state)
            text = level.bot.choose(seen, chance, 1, lambda: True)
            assert text in seen.moves
            state = GAME.play(state, state.turn, int(text or "")).state


def test_levels_err_less_and_less() -> None:
    errs = [level.bot.errs for level in LEVELS if isinstance(level.bot, TictactoeBot)]
    assert len(errs) == 5
    assert errs == sorted(errs, reverse=True)
    assert errs[-1] == 0
