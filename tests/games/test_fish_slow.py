"""The game of fish against a plain second writing of its rules, over whole random games."""

from itertools import product

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import IllegalMove
from rookery.core.game import Forfeit
from rookery.core.ids import Seat
from rookery.games.fish import Fish, Move, Place, Slide
from rookery.games.fish.state import State
from tests.games.slow_fish import SlowFish

VARIANTS = (
    Fish(),
    Fish(rows=5, cols=5, fish=2),
    Fish(rows=6, cols=3, holes=5),
    Fish(rows=4, cols=4, holes=4),
    Fish(rows=9, cols=1),
    Fish(rows=3, cols=11, fish=5, holes=6),
)


def check_equal(game: Fish, state: State, slow: SlowFish) -> None:
    """Fails unless both tell the same of turn, phase, moves, scores, ice and outcome."""
    assert state.turn == slow.turn
    assert state.scores == tuple(slow.score.values())
    view = game.view(state, None)
    assert {
        (r, c): n for r, row in enumerate(view.board) for c, n in enumerate(row) if n
    } == slow.ice
    assert [list(player.places) for player in view.players] == list(slow.penguins.values())
    for seat in map(Seat, range(slow.seats)):
        assert list(game.legal_moves(state, seat)) == slow_moves(slow, seat)
    outcome = game.outcome(state)
    if slow.turn is None:
        assert game.phase(state) == "over"
        assert outcome is not None
        assert list(outcome.places) == slow.places()
        assert set(outcome.winners) == slow.winners()
    else:
        assert game.phase(state) == ("place" if slow.placing() else "move")
        assert outcome is None


def slow_moves(slow: SlowFish, seat: int) -> list[Move]:
    if seat != slow.turn:
        return []
    if slow.placing():
        return [Place(spot) for spot in slow.placements()]
    return [Slide(start, end) for start, end in slow.slides(seat)]


def play_both(game: Fish, seats: int, seed: int, one_in: int) -> None:
    """A random game in which one ply in so many is somebody's removal."""
    chance = Chance(seed)
    state = game.start(seats, chance)
    slow = SlowFish(game.view(state, None).board, seats)
    check_equal(game, state, slow)
    while (seat := state.turn) is not None:
        if chance.below(one_in) == 0:
            out = Seat(chance.choice(slow.inside))
            state = game.forfeit(state, out, Forfeit.GONE).state
            slow.remove(out)
        else:
            move = chance.choice(slow_moves(slow, seat))
            state = game.play(state, seat, game.parse_move(game.format_move(move))).state
            match move:
                case Place(at):
                    slow.place(seat, at)
                case Slide(start, end):
                    slow.slide(seat, start, end)
        check_equal(game, state, slow)
        assert game.parse_position(game.format_position(state)) == state


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", VARIANTS, ids=repr)
def test_random_games_agree_with_the_plain_rules(game: Fish, seats: int) -> None:
    for seed in range(6):
        play_both(game, seats, seed, one_in=1000)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("game", VARIANTS, ids=repr)
def test_random_games_with_removals_agree_with_the_plain_rules(game: Fish, seats: int) -> None:
    for seed in range(20):
        play_both(game, seats, seed, one_in=8)


@pytest.mark.parametrize("seed", range(4))
def test_of_all_pairs_of_tiles_exactly_the_legal_ones_are_accepted(seed: int) -> None:
    game = Fish(rows=6, cols=4, holes=3)
    chance = Chance(seed)
    state = game.start(2, chance)
    while len(state.penguins[1]) < 4:
        seat = Seat(sum(map(len, state.penguins)) % 2)
        move = chance.choice(tuple(game.legal_moves(state, seat)))
        state = game.play(state, seat, move).state
    assert state.turn is not None, "nobody is stuck so early"
    squares = list(product(range(-1, 7), range(-1, 5)))
    accepted = set()
    for start, end in product(squares, squares):
        try:
            game.play(state, state.turn, Slide(start, end))
        except IllegalMove:
            continue
        accepted.add(Slide(start, end))
    assert accepted == set(game.legal_moves(state, state.turn))
