"""Nim bots: perfect play both ways, stated errors, legal moves to the end."""

import itertools

import pytest

from rookery.bots.base import Level, Sight
from rookery.bots.nim import LEVELS, NimBot
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.nim import Nim, State

PERFECT = NimBot(errs=0)


def sight(game: Nim, state: State) -> Sight:
    moves = tuple(game.format_move(move) for move in game.legal_moves(state, state.turn))
    return Sight(game, state.turn, game.view(state, state.turn), moves)


def choice(game: Nim, state: State, bot: NimBot = PERFECT, seed: int = 1) -> str:
    return bot.choose(sight(game, state), Chance(seed), 1, lambda: False)


def winner(game: Nim, state: State, bots: tuple[NimBot, NimBot], seed: int = 1) -> Seat:
    """Who wins from here; every move is judged by the rules on the way."""
    chance = Chance(seed)
    while (outcome := game.outcome(state)) is None:
        text = bots[state.turn].choose(sight(game, state), chance, 1, lambda: False)
        state = game.play(state, state.turn, game.parse_move(text)).state
    return outcome.winners[0]


def test_it_leaves_rows_that_cancel_out() -> None:
    assert choice(Nim(sticks=(3, 4, 5)), State((3, 4, 5))) == "0,2"


def test_it_takes_the_last_row_whole() -> None:
    assert choice(Nim(sticks=(9, 9)), State((0, 7))) == "1,7"


def test_in_misere_it_leaves_the_last_stick() -> None:
    assert choice(Nim(sticks=(9, 9), misere=True), State((0, 7))) == "1,6"


def test_in_misere_it_leaves_an_odd_number_of_single_sticks() -> None:
    game = Nim(sticks=(5, 5, 5), misere=True)
    assert choice(game, State((1, 4, 0))) == "1,4"
    assert choice(game, State((1, 4, 1))) == "1,3"


def test_a_lost_side_holds_out_as_long_as_it_can() -> None:
    assert choice(Nim(sticks=(6, 6, 6)), State((4, 6, 2))) == "1,1"


def loses(rows: tuple[int, ...], known: dict[tuple[int, ...], bool], *, misere: bool) -> bool:
    """Whether the side to move loses, found by trying everything."""
    if not any(rows):
        return not misere
    if rows not in known:
        after = [(*rows[:n], has - take, *rows[n + 1 :])
                 for n, has in enumerate(rows) for take in range(1, has + 1)]  # fmt: skip
        known[rows] = not any(loses(later, known, misere=misere) for later in after)
    return known[rows]


@pytest.mark.parametrize("misere", [False, True])
def test_from_every_won_position_it_moves_to_a_lost_one(misere: bool) -> None:
    game = Nim(sticks=(4, 5, 6), misere=misere)
    known: dict[tuple[int, ...], bool] = {}
    given_away = []
    for rows in itertools.product(range(5), range(6), range(7)):
        if any(rows) and not loses(rows, known, misere=misere):
            state = State(rows)
            after = game.play(state, state.turn, game.parse_move(choice(game, state))).state
            if not loses(after.rows, known, misere=misere):
                given_away.append(rows)
    assert given_away == []


@pytest.mark.parametrize("misere", [False, True])
def test_whoever_can_win_beats_anyone(misere: bool) -> None:
    game = Nim(sticks=(3, 4, 5), misere=misere)
    bots = (PERFECT, LEVELS[0].bot)
    assert isinstance(bots[1], NimBot)
    assert {winner(game, State((3, 4, 5)), (bots[0], bots[1]), seed) for seed in range(50)} == {0}


def test_it_errs_about_as_often_as_it_says() -> None:
    game, state, bot = Nim(sticks=(90, 4, 5)), State((90, 4, 5)), NimBot(errs=30)
    wrong = sum(choice(game, state, bot, seed) != "0,89" for seed in range(1000))
    assert 240 < wrong < 360


def test_the_same_seed_gives_the_same_move() -> None:
    game, state, bot = Nim(sticks=(90, 4, 5)), State((90, 4, 5)), NimBot(errs=50)
    assert [choice(game, state, bot, seed) for seed in range(50)] == [
        choice(game, state, bot, seed) for seed in range(50)
    ]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", [Nim(), Nim(misere=True), Nim(sticks=(1,)), Nim(30, (7,))])
def test_every_level_plays_legally_to_the_end(game: Nim, level: Level) -> None:
    assert isinstance(level.bot, NimBot)
    for seed in range(3):
        start = game.start(2, Chance(seed))
        assert winner(game, start, (level.bot, level.bot), seed) in {0, 1}


def test_levels_err_less_and_less() -> None:
    bots = [level.bot for level in LEVELS]
    errs = [bot.errs for bot in bots if isinstance(bot, NimBot)]
    assert len(errs) == 5
    assert errs == sorted(errs, reverse=True)
    assert errs[-1] == 0
