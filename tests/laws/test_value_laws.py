"""Laws of values: they hash, compare, and go to JSON and back."""

from typing import Any

import msgspec
import pytest

from rookery.core.game import Aside, Forfeit, Outcome
from rookery.core.ids import Seat
from tests.laws.variants import CASES, Case
from tests.laws.walks import all_seats, effects_of, positions, some_moves, walks

pytestmark = pytest.mark.parametrize("case", CASES, ids=str)


def is_value(thing: object) -> bool:
    """Whether it is equal to itself, hashes, and differs from everything else."""
    return thing == thing and hash(thing) == hash(thing) and thing != object()  # noqa: PLR0124


# Any: msgspec gives back whatever type it is asked for.
def through_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=type(value))


def outcomes(case: Case) -> list[Outcome | None]:
    """How those games ended, and how they would have by a forfeit."""
    ends = [case.game.outcome(one.end) for one in walks(case)]
    return ends + [
        case.game.outcome(case.game.forfeit(one.start, Seat(0), why).state)
        for one in walks(case)[:1]
        for why in Forfeit
    ]


def test_variants_are_values(case: Case) -> None:
    assert is_value(case.game)


def test_states_are_values_and_differ_after_every_move(case: Case) -> None:
    for one in walks(case):
        for ply in one.plies:
            assert is_value(ply.before)
            assert ply.step.state != ply.before


def test_moves_are_values(case: Case) -> None:
    assert all(is_value(move) for move in some_moves(case))


def test_views_are_values_and_go_to_json_and_back(case: Case) -> None:
    for state in positions(case):
        for viewer in (None, *all_seats(case)):
            view = case.game.view(state, viewer)
            assert is_value(view)
            assert through_json(view) == view


def test_effects_are_values_and_go_to_json_and_back(case: Case) -> None:
    for effect in effects_of(case):
        told = effect.effect if isinstance(effect, Aside) else effect
        assert is_value(effect)
        assert through_json(told) == told


def test_outcomes_are_values_and_go_to_json_and_back(case: Case) -> None:
    for outcome in outcomes(case):
        assert is_value(outcome)
        if outcome is not None:
            assert through_json(outcome) == outcome


def test_asides_are_for_seats_of_the_table(case: Case) -> None:
    for effect in effects_of(case):
        if isinstance(effect, Aside):
            assert effect.seat in all_seats(case)
