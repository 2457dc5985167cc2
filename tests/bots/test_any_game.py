"""Bots that play any game by its rules alone: what they find, and what they do not know."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rookery.bots import thinking_of
from rookery.bots.any_game import LEVELS, TreeSearch, looks_ahead
from rookery.bots.any_game.tree import shares
from rookery.bots.base import Level, Sight
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import GAMES, AnyGame
from rookery.games.fish import Fish
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe
from rookery.plugins import load
from tests.laws.broken import Pile
from tests.plugins.toys import own_registries, toy

BEST = LEVELS[-1]


def sight_of(game: AnyGame, state: Any, seat: int, played: Iterable[Any] | None = None) -> Sight:
    moves = tuple(map(game.format_move, game.legal_moves(state, Seat(seat))))
    past = None if played is None else tuple(played)
    return Sight(game, Seat(seat), game.view(state, Seat(seat)), moves, played=past)


def chosen(sight: Sight, level: Level = BEST, seed: int = 1) -> str | None:
    return level.bot.choose(sight, Chance(seed), level.nodes, lambda: False)


@pytest.mark.parametrize("level", LEVELS[1:])
@pytest.mark.parametrize(
    ("cells", "move"),
    [("XX.OO....", "2"), ("XOXOO.X..", "5")],
)
def test_a_win_is_taken_at_once(level: Level, cells: str, move: str) -> None:
    game = Tictactoe()
    state = game.parse_position(cells)
    assert chosen(sight_of(game, state, state.turn), level) == move


@pytest.mark.parametrize("seed", range(5))
def test_the_best_stops_a_line(seed: int) -> None:
    game = Tictactoe()
    state = game.parse_position("X..XO....")
    assert chosen(sight_of(game, state, 1), seed=seed) == "6"


@pytest.mark.parametrize(
    ("sticks", "misere"), [((1, 2), False), ((2, 1, 1), True), ((3, 1), False)]
)
def test_the_best_plays_small_nim_as_theory_says(sticks: tuple[int, ...], misere: bool) -> None:
    game = Nim(sticks=sticks, misere=misere)
    state = game.start(2, Chance(0))
    expected = {(1, 2): "1,1", (3, 1): "0,2", (2, 1, 1): "0,1"}[sticks]
    assert chosen(sight_of(game, state, 0)) == expected


def test_a_game_that_cannot_make_up_a_state_is_played_again_from_its_start() -> None:
    game = Reversi(size=4)
    state = game.start(2, Chance(0))
    first = next(iter(game.legal_moves(state, Seat(0))))
    after = game.play(state, Seat(0), first).state
    sight = sight_of(game, after, 1, [(Seat(0), game.format_move(first))])
    drawn = {chosen(sight, Level(TreeSearch(), 2_000), seed) for seed in range(6)}
    assert len(drawn) == 1


def test_what_chance_might_have_hidden_is_not_taken_for_what_it_did() -> None:
    game = Guess(low=1, high=3)
    sight = sight_of(game, game.start(2, Chance(0)), 0, ())
    assert len({chosen(sight, seed=seed) for seed in range(40)}) == 5


def test_secrets_are_made_up_and_never_seen() -> None:
    """The lucky number is hidden, and the move does not depend on it."""
    game = Pile()
    states = [game.start(2, Chance(seed)) for seed in range(6)]
    assert len({state.lucky for state in states}) > 1
    assert len({chosen(sight_of(game, state, 0), LEVELS[2]) for state in states}) == 1


def test_several_seats_each_look_for_their_own_good() -> None:
    game = Fish(rows=3, cols=4, fish=1)
    state = game.start(3, Chance(1))
    assert chosen(sight_of(game, state, 0, ()), LEVELS[2]) is not None


@pytest.mark.parametrize("name", ["fish", "bughouse", "reversi"])
def test_a_halt_ends_it_with_the_best_so_far(name: str) -> None:
    game = GAMES[name]()
    state = game.start(game.seat_counts[0], Chance(0))
    sight = sight_of(game, state, min(game.to_act(state)), ())
    asked = []

    def halt() -> bool:
        asked.append(1)
        return len(asked) > 40

    assert BEST.bot.choose(sight, Chance(1), 10**9, halt) in sight.moves


def test_a_place_is_worth_the_part_of_the_others_that_one_is_ahead_of() -> None:
    assert shares((1, 2), (0, 1)) == [1.0, 0.0]
    assert shares((1, 1), (0, 1)) == [0.5, 0.5]
    assert shares((1, 2, 2), (0, 1, 2)) == [1.0, 0.25, 0.25]
    assert shares((1, 2, 2, 1), (0, 1, 1, 0)) == [1.0, 0.0, 0.0, 1.0]


def test_which_games_can_be_searched_is_known_beforehand() -> None:
    assert looks_ahead(Tictactoe())
    assert looks_ahead(Nim())
    assert looks_ahead(Pile())
    assert not looks_ahead(Guess())


def test_the_catalogue_says_where_bots_move_at_random(tmp_path: Path) -> None:
    secret = toy(tmp_path, ("secret_moves: ClassVar = False", "secret_moves: ClassVar = True"))
    with own_registries():
        load([secret])
        assert [thinking_of(name) for name in ("heap", "nim")] == ["random", "own"]
    with own_registries():
        load([toy(tmp_path)])
        assert thinking_of("heap") == "search"
