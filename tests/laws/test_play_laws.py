"""Laws of playing: turns, legal moves, refusals and the end, for every game there is.

`legal_moves` and `play` are two accounts of the same rules, and are held against each
other from both sides: what is listed is accepted, what is not listed is refused.
"""

from typing import Any

import pytest

from rookery.core.chance import Chance
from rookery.core.errors import GAME_OVER, NOT_YOUR_TURN, IllegalMove
from rookery.core.game import OVER
from rookery.core.ids import Seat
from tests.laws.variants import CASES, Case
from tests.laws.walks import (
    MOVES,
    all_seats,
    is_sentence,
    legal,
    positions,
    seats_to_act,
    some_moves,
    spread,
    walk,
    walks,
)

pytestmark = pytest.mark.parametrize("case", CASES, ids=str)


def refusal(case: Case, state: Any, seat: Seat, move: Any) -> IllegalMove:
    """How the rules refuse this move."""
    with pytest.raises(IllegalMove) as caught:
        case.game.play(state, seat, move)
    return caught.value


def test_the_same_seed_starts_the_same_game(case: Case) -> None:
    for seed in range(20):
        starts = [case.game.start(case.seats, Chance(seed)) for _ in range(2)]
        assert starts[0] == starts[1]


def test_the_same_moves_play_the_same_game(case: Case) -> None:
    for one in walks(case)[:2]:
        assert walk(case, one.seed) == one


def test_playing_does_not_change_the_state_it_is_given(case: Case) -> None:
    for one in walks(case)[:3]:
        for ply in spread(one.plies, 10):
            before = repr(ply.before)
            case.game.play(ply.before, ply.seat, ply.move)
            assert repr(ply.before) == before


def test_somebody_is_to_act_exactly_until_there_is_an_outcome(case: Case) -> None:
    for one in walks(case):
        for state in one.states:
            assert bool(case.game.to_act(state)) == (case.game.outcome(state) is None)


def test_the_phase_is_over_exactly_when_there_is_an_outcome(case: Case) -> None:
    for one in walks(case):
        for state in one.states:
            assert (case.game.phase(state) == OVER) == (case.game.outcome(state) is not None)


def test_a_game_names_every_phase_it_is_in(case: Case) -> None:
    for state in positions(case):
        assert case.game.phase(state) in (*case.game.phases, OVER)


def test_only_seats_of_the_table_are_to_act(case: Case) -> None:
    for state in positions(case):
        assert case.game.to_act(state) <= set(all_seats(case))


def test_somebody_to_act_has_a_move(case: Case) -> None:
    for state in positions(case):
        acting = seats_to_act(case, state)
        assert not acting or any(legal(case, state, seat) for seat in acting)


def test_legal_moves_come_once_each_and_always_in_the_same_order(case: Case) -> None:
    for state in positions(case):
        for seat in seats_to_act(case, state):
            moves = legal(case, state, seat)
            assert moves == legal(case, state, seat)
            assert len(set(moves)) == len(moves)


def test_every_legal_move_is_accepted(case: Case) -> None:
    for state in positions(case):
        for seat in seats_to_act(case, state):
            for move in spread(legal(case, state, seat), MOVES):
                case.game.play(state, seat, move)


def test_a_move_that_is_not_legal_here_is_refused_with_a_code_and_a_sentence(case: Case) -> None:
    for state in positions(case):
        for seat in seats_to_act(case, state):
            moves = set(legal(case, state, seat))
            for move in some_moves(case):
                if move not in moves:
                    refused = refusal(case, state, seat, move)
                    assert refused.code.isidentifier()
                    assert is_sentence(str(refused))


def test_a_refused_move_changes_nothing(case: Case) -> None:
    for state in positions(case):
        before = repr(state)
        for seat in seats_to_act(case, state):
            moves = legal(case, state, seat)
            wrong = [move for move in some_moves(case) if move not in set(moves)]
            for move in spread(wrong, 5):
                refusal(case, state, seat, move)
            assert legal(case, state, seat) == moves
        assert repr(state) == before


def test_a_seat_that_is_not_to_act_has_no_moves_and_is_told_so(case: Case) -> None:
    for state in positions(case):
        if case.game.to_act(state):
            for seat in set(all_seats(case)) - case.game.to_act(state):
                assert legal(case, state, seat) == ()
                for move in spread(some_moves(case), 5):
                    assert refusal(case, state, seat, move).code == NOT_YOUR_TURN


def test_nothing_is_played_after_the_end(case: Case) -> None:
    for one in walks(case):
        for seat in all_seats(case):
            assert legal(case, one.end, seat) == ()
            for move in spread(some_moves(case), 5):
                assert refusal(case, one.end, seat, move).code == GAME_OVER


def test_a_random_game_ends_in_time(case: Case) -> None:
    for one in walks(case):
        assert len(one.plies) <= case.longest
        assert case.game.outcome(one.end) is not None
