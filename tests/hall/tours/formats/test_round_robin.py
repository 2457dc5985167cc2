"""Round robin: the Berger tables as the FIDE handbook prints them."""

import pytest

from rookery.core.errors import BadOption
from rookery.core.tour_values import Field, Fixture, Match, Result
from rookery.hall.tours.formats.round_robin import RoundRobin

FOUR = """
1-4 2-3
4-3 1-2
2-4 3-1
"""
SIX = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
FIVE = """
2-5 3-4
5-3 1-2
3-1 4-5
1-4 2-3
4-2 5-1
"""
FOUR_TWICE = """
1-4 2-3
4-3 1-2
2-4 3-1
4-1 3-2
3-4 2-1
4-2 1-3
"""


def paired(form: RoundRobin, *entrants: int) -> tuple[Fixture, ...]:
    return form.next(Field(entrants, (), sides=2, seed=1))


def drawn(fixtures: tuple[Fixture, ...]) -> str:
    """The fixtures as a table, a line a round."""
    rounds = range(1, 1 + max(fixture.round for fixture in fixtures))
    lines = [[f.sides for f in fixtures if f.round == number] for number in rounds]
    return "\n" + "".join(" ".join(f"{a}-{b}" for a, b in line) + "\n" for line in lines)


def test_four_play_the_berger_table_for_four() -> None:
    assert drawn(paired(RoundRobin(), 1, 2, 3, 4)) == FOUR


def test_six_play_the_berger_table_for_six() -> None:
    assert drawn(paired(RoundRobin(), 1, 2, 3, 4, 5, 6)) == SIX


def test_five_play_the_table_for_six_and_rest_when_they_would_meet_the_sixth() -> None:
    assert drawn(paired(RoundRobin(), 1, 2, 3, 4, 5)) == FIVE


def test_two_play_one_match() -> None:
    assert drawn(paired(RoundRobin(), 1, 2)) == "\n1-2\n"


def test_the_second_leg_goes_on_with_sides_exchanged() -> None:
    assert drawn(paired(RoundRobin(legs=2), 1, 2, 3, 4)) == FOUR_TWICE


def test_who_left_before_the_start_has_no_place_in_the_table() -> None:
    assert drawn(paired(RoundRobin(), 2, 5, 7, 8)) == "\n2-8 5-7\n8-7 2-5\n5-8 7-2\n"


def test_both_legs_of_a_pair_have_one_start_named_after_the_first() -> None:
    fixtures = paired(RoundRobin(legs=2), 1, 2, 3)
    assert [fixture.start for fixture in fixtures] == [1, 2, 3, 1, 2, 3]


def test_a_single_leg_is_by_itself() -> None:
    fixtures = paired(RoundRobin(legs=3), 1, 2, 3)
    assert [fixture.start for fixture in fixtures] == [1, 2, 3, 1, 2, 3, 0, 0, 0]


def test_four_legs_are_two_pairs_of_legs() -> None:
    fixtures = paired(RoundRobin(legs=4), 1, 2)
    assert [(f.sides, f.start) for f in fixtures] == [
        ((1, 2), 1),
        ((2, 1), 1),
        ((1, 2), 3),
        ((2, 1), 3),
    ]


def test_nothing_is_paired_after_the_start_whoever_leaves() -> None:
    matches = tuple(Match(fixture) for fixture in paired(RoundRobin(), 1, 2, 3))
    assert RoundRobin().next(Field((1, 3), matches, sides=2, seed=1)) == ()


def test_it_is_done_when_the_last_match_has_come_out() -> None:
    (fixture,) = paired(RoundRobin(), 1, 2)
    for result, done in ((None, False), (Result((1, 1), "drawn"), True)):
        field = Field((1, 2), (Match(fixture, result=result),), sides=2, seed=1)
        assert RoundRobin().done(field) is done


def test_it_is_not_done_before_it_began() -> None:
    assert not RoundRobin().done(Field((1, 2), (), sides=2, seed=1))


@pytest.mark.parametrize("legs", [0, 5])
def test_a_number_of_legs_out_of_bounds_is_refused(legs: int) -> None:
    with pytest.raises(BadOption):
        RoundRobin(legs=legs)
