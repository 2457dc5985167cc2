"""Reversi bots: corners, greed, exact ends, budgets and halts, on boards of every size."""

import pytest

from rookery.bots.base import Bot, Level, Sight
from rookery.bots.reversi import LEVELS
from rookery.bots.reversi.alphabeta import AlphaBetaBot
from rookery.bots.reversi.lines import look
from rookery.bots.reversi.simple import GreedyBot, PositionalBot
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games.reversi import Place, Reversi, State
from rookery.games.reversi.effects import Flipped

SEARCHING = AlphaBetaBot(exact_from=14)


def position(board: str) -> tuple[Reversi, State]:
    rows, _, mark = board.strip().rpartition(" ")
    game = Reversi(size=len(rows.split()))
    return game, game.parse_position("/".join(rows.split()) + " " + mark)


def sight(game: Reversi, state: State) -> Sight:
    moves = tuple(game.format_move(move) for move in game.legal_moves(state, state.turn))
    return Sight(game, state.turn, game.view(state, state.turn), moves)


def play(game: Reversi, levels: tuple[Level, Level], seed: int) -> State:
    """The end of a game between these two; every move is judged by the rules on the way."""
    state, chance = game.start(2, Chance(seed)), Chance(seed)
    while game.outcome(state) is None:
        level = levels[state.turn]
        text = level.bot.choose(sight(game, state), chance, level.nodes, lambda: False)
        assert text is not None
        state = game.play(state, state.turn, game.parse_move(text)).state
    return state


def random_states(game: Reversi, seed: int) -> list[State]:
    """All positions of a game in which both sides move at random."""
    state, chance = game.start(2, Chance(seed)), Chance(seed)
    states = []
    while game.outcome(state) is None:
        states.append(state)
        moves = tuple(game.legal_moves(state, state.turn))
        state = game.play(state, state.turn, chance.choice(moves)).state
    return states


def best_lead(game: Reversi, state: State, seat: Seat) -> int:
    """By how many discs this seat wins when both play perfectly, by trying everything."""
    outcome = game.outcome(state)
    if outcome is not None:
        assert outcome.scores is not None
        return outcome.scores[seat] - outcome.scores[1 - seat]
    after = [game.play(state, state.turn, m).state for m in game.legal_moves(state, state.turn)]
    leads = [best_lead(game, later, seat) for later in after]
    return max(leads) if state.turn == seat else min(leads)


@pytest.mark.parametrize("size", [4, 6, 8, 10, 26])
def test_the_lines_know_the_same_moves_and_flips_as_the_rules(size: int) -> None:
    game = Reversi(size=size)
    for state in random_states(game, seed=size)[:: max(1, size // 4)]:
        lines, own, theirs = look(sight(game, state))
        told = {}
        for move in game.legal_moves(state, state.turn):
            effects = game.play(state, state.turn, move).effects
            told[move] = {(e.col, e.row) for e in effects if isinstance(e, Flipped)}
        found = {
            Place(at % size, at // size): {
                (n % size, n // size) for n, mark in enumerate(lines.marks) if mark & flips
            }
            for at, flips in lines.moves(own, theirs).items()
        }
        assert found == told


def test_greed_turns_over_the_most() -> None:
    game, state = position("""
        ......
        ......
        ..OX..
        ..XO..
        ..XOOO
        ...... O
    """)
    after = {
        text: game.play(state, state.turn, game.parse_move(text)).state.discs[1].bit_count()
        for text in sight(game, state).moves
    }
    chosen = GreedyBot().choose(sight(game, state), Chance(1), 1, lambda: False)
    assert after[chosen] == max(after.values()) > min(after.values())


@pytest.mark.parametrize(
    "bot", [GreedyBot(), PositionalBot(), SEARCHING, AlphaBetaBot(exact_from=0)]
)
def test_a_free_corner_is_taken(bot: Bot) -> None:
    game, state = position("""
        .OX.....
        ..OX....
        ..OOX...
        .OOOX...
        ..OXO...
        ...OO...
        ........
        ........ X
    """)
    assert bot.choose(sight(game, state), Chance(1), 3000, lambda: False) == "a1"


def test_squares_count_for_more_than_discs() -> None:
    game, state = position("""
        ........
        ..O.....
        ..OX....
        ..OOX...
        ...XO...
        ........
        ........
        ........ X
    """)
    chosen = PositionalBot().choose(sight(game, state), Chance(1), 1, lambda: False)
    assert "b1" in sight(game, state).moves
    assert chosen != "b1"


@pytest.mark.parametrize("seed", range(12))
def test_the_end_is_played_perfectly(seed: int) -> None:
    game = Reversi(size=4 if seed % 2 else 6)
    state = random_states(game, seed)[-6]
    seen = sight(game, state)
    after = {
        text: best_lead(game, game.play(state, state.turn, game.parse_move(text)).state, state.turn)
        for text in seen.moves
    }
    chosen = SEARCHING.choose(seen, Chance(1), 100_000, lambda: False)
    assert after[chosen] == max(after.values())


# The small game is solved: whoever moves second wins by 11 discs to 3.
def test_on_4_by_4_the_second_player_wins_by_eight() -> None:
    game, best = Reversi(size=4), Level(SEARCHING, 1_000_000)
    end = play(game, (best, best), seed=1)
    outcome = game.outcome(end)
    assert outcome is not None
    assert outcome.scores == (3, 11)


@pytest.mark.parametrize("size", [4, 8, 26])
def test_a_halt_from_the_beginning_still_gives_a_legal_move(size: int) -> None:
    game = Reversi(size=size, opening=6)
    seen = sight(game, game.start(2, Chance(1)))
    assert SEARCHING.choose(seen, Chance(1), 10**9, lambda: True) in seen.moves


def test_a_halt_is_asked_for_every_few_hundred_nodes() -> None:
    game = Reversi(opening=10)
    asked = []

    def halt() -> bool:
        asked.append(1)
        return len(asked) > 10

    SEARCHING.choose(sight(game, game.start(2, Chance(1))), Chance(1), 10**9, halt)
    assert len(asked) == 11


@pytest.mark.parametrize("nodes", [0, 1, 7, 100])
def test_few_nodes_still_give_a_legal_move(nodes: int) -> None:
    seen = sight(Reversi(), Reversi().start(2, Chance(1)))
    assert SEARCHING.choose(seen, Chance(1), nodes, lambda: False) in seen.moves


@pytest.mark.parametrize("level", LEVELS[:4])
def test_the_same_seed_and_nodes_give_the_same_game(level: Level) -> None:
    game = Reversi(size=6)
    assert play(game, (level, level), seed=5) == play(game, (level, level), seed=5)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_every_level_plays_legally_to_the_end(size: int, level: Level) -> None:
    brief = Level(level.bot, min(level.nodes, 300))
    play(Reversi(size=size, opening=2), (brief, brief), seed=size)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_moves_on_the_largest_board(level: Level) -> None:
    game = Reversi(size=26)
    for state in random_states(game, seed=2)[10::150]:
        seen = sight(game, state)
        assert (
            level.bot.choose(seen, Chance(1), min(level.nodes, 2000), lambda: False) in seen.moves
        )


def test_searching_beats_looking_at_squares() -> None:
    game = Reversi(opening=4)
    search, squares = Level(SEARCHING, 500), LEVELS[2]
    won = 0
    for seed in range(4):
        for seat, pair in enumerate([(search, squares), (squares, search)]):
            outcome = game.outcome(play(game, pair, seed))
            assert outcome is not None
            won += outcome.winners == (seat,)
    assert won >= 6


def test_there_are_five_levels() -> None:
    assert len(LEVELS) == 5
