"""Fish bots: the course's standard player to the letter, and stronger ones on small ice."""

from collections.abc import Sequence

import pytest

from rookery.bots.base import Bot, Level, Sight
from rookery.bots.fish import LEVELS, FishGreedy, FishMaximin, FishSampler
from rookery.bots.fish.sampling import hopes
from rookery.bots.fish.sea import Sea, Slip, Spot, after, look, moves_of, text_of
from rookery.core.chance import Chance
from rookery.core.game import Forfeit
from rookery.core.ids import Seat
from rookery.games.fish import Fish
from rookery.games.fish.state import State
from tests.games.fish_pictures import drawn

PLENTY = 1_000_000  # nodes


def seen(game: Fish, state: State) -> Sight:
    """What the seat on turn sees."""
    seat = state.turn
    assert seat is not None, "the game is not over"
    moves = tuple(map(game.format_move, game.legal_moves(state, seat)))
    return Sight(game, seat, game.view(state, seat), moves)


def answer(bot: Bot, game: Fish, state: State, nodes: int = 2000, seed: int = 1) -> str | None:
    return bot.choose(seen(game, state), Chance(seed), nodes, lambda: False)


def some_way_in(game: Fish, seats: int, seed: int, plies: int) -> State:
    """The state after so many moves by chance, or fewer if the game ends before."""
    chance = Chance(seed)
    state = game.start(seats, chance)
    for _ in range(plies):
        if state.turn is None:
            break
        move = chance.choice(tuple(game.legal_moves(state, state.turn)))
        after_it = game.play(state, state.turn, move).state
        if after_it.turn is None:
            break
        state = after_it
    return state


def full_game(game: Fish, levels: Sequence[Level], state: State) -> State:
    """The end of the game when these levels play it, with a quarter of a second's nodes."""
    chances = [Chance(seat) for seat in range(len(levels))]
    while state.turn is not None:
        sight, level = seen(game, state), levels[state.turn]
        text = level.bot.choose(sight, chances[state.turn], min(level.nodes, 600), lambda: False)
        assert text in sight.moves
        state = game.play(state, state.turn, game.parse_move(text)).state
    return state


@pytest.mark.parametrize("bot", [FishGreedy(), FishMaximin()])
def test_the_course_places_on_the_first_free_tile_going_through_the_rows(bot: Bot) -> None:
    # "first free tile": a hole, then red's penguin, then white's come before it.
    game, state = drawn(
        """
        0 1 1
         1 1 1
        1 1 1
        """,
        "red:0@0,1 white:0@0,2 red",
    )
    assert answer(bot, game, state) == "1,0"


def test_maximin_goes_where_it_can_eat_the_most_next_time() -> None:
    game, state = drawn(
        """
        1 1 1 1
         1 1 1 1
        1 1 5 1
         1 1 1 1
        1 1 1 1
        """,
        "red:0@0,2@4,3@4,0@4,1 white:0@0,0@1,0@0,1@3,0 red",
    )
    assert answer(FishMaximin(turns=2), game, state) == "0,2-2,2"


def test_maximin_takes_the_lowest_start_and_then_the_lowest_end_of_equal_moves() -> None:
    game, state = drawn(
        """
        2 2 2
         2 2 2
        2 2 2
         2 2 2
        2 2 2
        """,
        "red:0@4,2@4,1@4,0@3,2 white:0@0,0@0,1@0,2@1,2 red",
    )
    assert answer(FishMaximin(turns=2), game, state) == "3,2-1,1"


@pytest.mark.parametrize(
    ("game", "seats", "turns"),
    [(Fish(rows=6, cols=3), 2, 2), (Fish(rows=4, cols=3), 2, 3), (Fish(rows=5, cols=3), 3, 2)],
)
@pytest.mark.parametrize("seed", range(6))
def test_maximin_answers_as_a_search_without_shortcuts_does(
    game: Fish, seats: int, turns: int, seed: int
) -> None:
    state = some_way_in(game, seats, seed, (6 - seats) * seats + seed)
    bot = FishMaximin(turns=turns)
    assert answer(bot, game, state, nodes=PLENTY) == plain_maximin(seen(game, state), turns)


def plain_maximin(sight: Sight, turns: int) -> str:
    """The course's words as code, with nothing left out."""
    sea, spot = look(sight)

    def gain(spot: Spot, move: Slip, turns: int) -> int:
        eaten = sea.fish[move[0]]
        return eaten if turns == 1 else eaten + later(after(sea, spot, move), turns - 1)

    def later(spot: Spot, turns: int) -> int:
        if spot.turn < 0:
            return 0
        if spot.turn == sight.seat:
            return max(gain(spot, move, turns) for move in moves_of(sea, spot))
        return min(later(after(sea, spot, move), turns) for move in moves_of(sea, spot))

    best = min(moves_of(sea, spot), key=lambda move: (-gain(spot, move, turns), move))
    return text_of(sea, best)


def test_the_sampler_goes_where_the_fish_are() -> None:
    # A way of three rich tiles to the north, one to the south.
    game = Fish(rows=18, cols=1)
    state = game.parse_position(
        "3/0/3/0/3/0/1/0/3/0/0/1/1/1/1/1/1/1"
        " red:0@6,0@11,0@12,0@13,0 white:0@14,0@15,0@16,0@17,0 red"
    )
    assert answer(FishSampler(), game, state) == "6,0-4,0"


def test_a_tile_is_hoped_for_by_whoever_is_nearer_and_shared_at_equal_slides() -> None:
    game = Fish(rows=17, cols=1)
    text = (
        "1/0/2/0/0/0/3/0/1/0/0/1/1/1/1/1/1 red:4@0,0@11,0@12,0@13,0 white:5@8,0@14,0@15,0@16,0 red"
    )
    state = game.parse_position(text)
    sea, spot = look(seen(game, state))
    assert hopes(sea, spot) == [6, 8]
    sea, spot = look(seen(game, game.parse_position(text.replace("2/0/0", "2/0/3"))))
    assert hopes(sea, spot) == [8, 9]


@pytest.mark.parametrize(("rows", "cols", "seats"), [(15, 4, 2), (5, 5, 4), (7, 3, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_the_quick_ice_moves_as_the_rules_do(rows: int, cols: int, seats: int, seed: int) -> None:
    game, chance = Fish(rows=rows, cols=cols, holes=2), Chance(seed)
    state = game.start(seats, chance)
    sea, spot = look(seen(game, state))
    while state.turn is not None:
        texts = [text_of(sea, move) for move in moves_of(sea, spot)]
        assert texts == list(seen(game, state).moves)
        text = chance.choice(texts)
        spot = after(sea, spot, moves_of(sea, spot)[texts.index(text)])
        state = game.play(state, state.turn, game.parse_move(text)).state
        assert (spot.free, spot.penguins, spot.scores) == (state.free, state.penguins, state.scores)
    assert spot.turn == -1


@pytest.mark.parametrize("nth", range(5))
@pytest.mark.parametrize("plies", [0, 12])
def test_the_same_seed_and_nodes_give_the_same_move(nth: int, plies: int) -> None:
    game, level = Fish(), LEVELS[nth]
    state = some_way_in(game, 2, 3, plies)
    nodes = min(level.nodes, 3000)
    assert answer(level.bot, game, state, nodes, 7) == answer(level.bot, game, state, nodes, 7)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("plies", [0, 14])
def test_one_who_is_halted_at_once_still_moves(level: Level, plies: int) -> None:
    sight = seen(Fish(), some_way_in(Fish(), 3, 1, plies))
    assert level.bot.choose(sight, Chance(1), level.nodes, lambda: True) in sight.moves


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        (Fish(rows=5, cols=5, fish=2), 4),
        (Fish(rows=9, cols=3, holes=3), 3),
        (Fish(rows=1, cols=8), 2),
        (Fish(rows=8, cols=1, fish=5), 2),
        (Fish(), 2),
    ],
)
def test_all_levels_play_whole_games_by_the_rules(game: Fish, seats: int) -> None:
    for first in range(5):
        levels = [LEVELS[(first + seat) % 5] for seat in range(seats)]
        assert full_game(game, levels, game.start(seats, Chance(first))).turn is None


@pytest.mark.parametrize("when", [2, 9])
def test_they_play_on_when_one_of_three_is_removed(when: int) -> None:
    game = Fish(rows=6, cols=4)
    state = some_way_in(game, 3, 2, when)
    state = game.forfeit(state, Seat(1), Forfeit.GONE).state
    assert full_game(game, LEVELS[2:], state).turn is None


@pytest.mark.parametrize("level", LEVELS[1:])
def test_the_largest_ice_is_no_trouble(level: Level) -> None:
    game = Fish(rows=40, cols=40, fish=5)
    state = some_way_in(game, 2, 1, 10)
    assert answer(level.bot, game, state, nodes=100) in seen(game, state).moves


def test_a_large_lead_is_a_number_and_no_mistake() -> None:
    game = Fish(rows=2, cols=4)
    state = game.parse_position("1111/1111 red:0@0,0@0,1@0,2 white:99999@1,1@1,2@1,3 red")
    assert answer(FishSampler(), game, state) in seen(game, state).moves


def test_a_sea_counts_the_fish_of_any_tiles() -> None:
    sea: Sea
    sea, spot = look(seen(Fish(), Fish().start(2, Chance(4))))
    assert sea.worth(spot.free) == sum(sea.fish)
