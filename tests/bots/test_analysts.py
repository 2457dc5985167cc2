"""Analysts: what they find is so, in the time they have."""

from itertools import count

import pytest

from rookery.bots.answering import study
from rookery.bots.asking import write
from rookery.bots.base import Halt, Sight
from rookery.bots.reversi.endgame import Endgame, OutOfTime
from rookery.bots.reversi.lines import lines_of, look
from rookery.bots.reversi.search import Search
from rookery.bots.studying import Done, Studied, Study, read_studied, read_study
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.games import GAMES, parse_variant


def halting(after: int) -> Halt:
    """A halt that is called when it was asked about so often."""
    asked = count()
    return lambda: next(asked) > after


def played(variant: str, plies: int, seed: int) -> Study:
    """A game of these, so far, by chance; and who is to move."""
    game, chance = parse_variant(variant), Chance(seed)
    seats = game.seat_counts[0]
    state = game.start(seats, Chance(seed))
    done: list[Done] = []
    while game.outcome(state) is None and len(done) < plies:
        seat = min(game.to_act(state))
        move = chance.choice(tuple(game.legal_moves(state, seat)))
        state = game.play(state, seat, move).state
        done.append(Done(seat, game.format_move(move)))
    return Study(variant, seats, seed, tuple(done), min(game.to_act(state)), 1000)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_studied_and_what_is_named_can_be_played(name: str) -> None:
    wanted = read_study(write(played(name, 3, 7)))
    found = read_studied(write(study(wanted, halting(20))))
    game = parse_variant(name)
    state = game.start(wanted.seats, Chance(wanted.seed))
    for one in wanted.done:
        state = game.play(state, one.seat, game.parse_move(one.move)).state
    assert found.choices
    worths = [choice.worth for choice in found.choices]
    assert all(0 <= worth <= 1 for worth in worths)
    for choice in found.choices:
        game.play(state, wanted.seat, game.parse_move(choice.move))


@pytest.mark.parametrize("seed", range(6))
def test_the_end_of_reversi_is_solved_as_a_plain_search_does(seed: int) -> None:
    wanted = played("reversi size=6", 22, seed)  # ten squares are free, or the game is over
    game = parse_variant(wanted.variant)
    state = game.start(2, Chance(seed))
    for one in wanted.done:
        state = game.play(state, one.seat, game.parse_move(one.move)).state
    lines, own, theirs = look(Sight(game, wanted.seat, game.view(state, wanted.seat), ()))
    plain = Search(lines, 10**9, lambda: False).value(own, theirs, 40, -(10**8), 10**8)
    margin = plain - 10**6 if plain > 0 else plain + 10**6 if plain else 0
    assert Endgame(lines, lambda: False).margin(own, theirs) == margin
    found = study(wanted, lambda: False)
    assert (found.exact, found.choices[0].score) == (True, f"{margin:+d} discs")


def test_a_solver_that_is_stopped_says_so() -> None:
    lines = lines_of(8)
    own, theirs = lines.marks[28] | lines.marks[35], lines.marks[27] | lines.marks[36]
    with pytest.raises(OutOfTime):
        Endgame(lines, halting(3)).margin(own, theirs)


def test_nim_is_won_or_lost() -> None:
    def of(sticks: str) -> Studied:
        return study(Study(f"nim sticks={sticks}", 2, 0, (), Seat(0), 100), lambda: False)

    assert of("3,4,5").choices[0].score == "wins"
    assert of("1,2,3").choices[0].score == "loses"


def test_a_line_in_tictactoe_is_completed() -> None:
    moves = ("0", "3", "1", "4")  # two in the first row, and it is the first seat's turn
    done = tuple(Done(Seat(n % 2), move) for n, move in enumerate(moves))
    found = study(Study("tictactoe", 2, 0, done, Seat(0), 1000), lambda: False)
    assert (found.choices[0].move, round(found.choices[0].worth)) == ("2", 1)
    assert found.tried
