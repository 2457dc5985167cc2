"""Bughouse with changing partners: who plays with and against whom, with which colour, who rests.

Seats 0 and 3 are partners, white on board 1 and black on board 2, and so are 1 and 2.
"""

from collections import Counter
from itertools import combinations

import pytest

from rookery.core.errors import BadOption
from rookery.core.tour_values import Field, Fixture
from rookery.games.bughouse.rules import TEAMS
from rookery.hall.tours.formats.rotating import Rotating

SIZES = (4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 18, 21, 22, 23, 64)


def paired(count: int, rounds: int = 0, seed: int = 1) -> tuple[Fixture, ...]:
    return Rotating(rounds).next(Field(tuple(range(1, count + 1)), (), sides=4, seed=seed))


def partners(fixtures: tuple[Fixture, ...]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset((f.sides[a], f.sides[b])) for f in fixtures for a, b in ((0, 3), (1, 2))
    )


def opponents(fixtures: tuple[Fixture, ...]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset((f.sides[a], f.sides[b])) for f in fixtures for a in (0, 3) for b in (1, 2)
    )


def everyone_twice(count: int) -> dict[frozenset[int], int]:
    return {frozenset(pair): 2 for pair in combinations(range(1, count + 1), 2)}


def test_sides_sit_as_bughouse_seats_them() -> None:
    assert {fixture.teams for fixture in paired(9)} == {TEAMS}


def test_four_play_three_rounds_each_with_another_partner() -> None:
    fixtures = paired(4)
    assert [fixture.round for fixture in fixtures] == [1, 2, 3]
    assert len(partners(fixtures)) == 6


@pytest.mark.parametrize("count", [4, 5, 8, 9, 12, 13, 64])
def test_with_nobody_or_one_resting_all_are_partners_of_all_once(count: int) -> None:
    found = partners(paired(count))
    assert (len(found), set(found.values())) == (count * (count - 1) // 2, {1})


@pytest.mark.parametrize("count", SIZES)
def test_nobody_has_the_same_partner_twice_in_a_cycle(count: int) -> None:
    assert set(partners(paired(count)).values()) == {1}


@pytest.mark.parametrize("count", [4, 5, 8, 16, 32, 64])
def test_some_numbers_make_everyone_an_opponent_of_everyone_twice(count: int) -> None:
    assert opponents(paired(count)) == everyone_twice(count)


@pytest.mark.parametrize("count", SIZES)
def test_nobody_has_the_same_opponent_more_than_four_times_in_a_cycle(count: int) -> None:
    assert max(opponents(paired(count)).values()) <= 4


@pytest.mark.parametrize("count", SIZES)
def test_as_many_tables_are_played_in_a_round_as_can_be(count: int) -> None:
    assert set(Counter(f.round for f in paired(count)).values()) == {count // 4}


@pytest.mark.parametrize("count", SIZES)
def test_at_any_time_all_have_rested_as_often_give_or_take_one(count: int) -> None:
    played = Counter(dict.fromkeys(range(1, count + 1), 0))
    tables = count // 4
    fixtures = paired(count)
    for first in range(0, len(fixtures), tables):
        for fixture in fixtures[first : first + tables]:
            played.update(fixture.sides)
        assert max(played.values()) - min(played.values()) <= 1


@pytest.mark.parametrize("count", SIZES)
def test_after_a_cycle_all_had_white_as_often_as_black_give_or_take_one(count: int) -> None:
    whites = Counter[int]()
    for fixture in paired(count):
        whites.update({side: 1 - 2 * (seat % 2) for seat, side in enumerate(fixture.sides)})
    assert max(map(abs, whites.values())) <= 1


def test_fewer_rounds_than_a_cycle_are_played() -> None:
    assert max(fixture.round for fixture in paired(8, rounds=3)) == 3


def test_after_a_cycle_the_next_begins() -> None:
    found = partners(paired(4, rounds=9))
    assert (len(found), set(found.values())) == (6, {3})


def test_another_seed_mixes_them_otherwise() -> None:
    assert paired(8, seed=1) != paired(8, seed=2)


def test_three_are_too_few() -> None:
    assert paired(3) == ()
    assert Rotating().least(4) == 4


@pytest.mark.parametrize("rounds", [-1, 256])
def test_a_number_of_rounds_out_of_bounds_is_refused(rounds: int) -> None:
    with pytest.raises(BadOption):
        Rotating(rounds=rounds)
