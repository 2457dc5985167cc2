"""Gauntlet: champions meet challengers, and nobody else meets."""

import pytest

from rookery.core.errors import BadOption
from rookery.core.tour_values import Field, Fixture, Match
from rookery.hall.tours.formats.round_robin import Gauntlet


def ask(
    form: Gauntlet, entrants: tuple[int, ...], before: tuple[Fixture, ...] = ()
) -> tuple[Fixture, ...]:
    matches = tuple(Match(fixture) for fixture in before)
    return form.next(Field(entrants, matches, sides=2, seed=1))


def drawn(fixtures: tuple[Fixture, ...]) -> str:
    return " ".join(f"{f.sides[0]}-{f.sides[1]}" for f in fixtures)


def test_the_first_to_join_meets_all_others_twice() -> None:
    assert drawn(ask(Gauntlet(), (1, 2, 3, 4))) == "1-2 2-1 1-3 3-1 1-4 4-1"


def test_champions_do_not_meet_and_neither_do_challengers() -> None:
    form = Gauntlet(champions=2)
    assert drawn(ask(form, (1, 2, 3, 4))) == "1-3 3-1 2-3 3-2 1-4 4-1 2-4 4-2"


def test_single_legs_go_by_turns() -> None:
    form = Gauntlet(champions=2, legs=1)
    assert drawn(ask(form, (1, 2, 3, 4))) == "1-3 3-2 4-1 2-4"


def test_both_legs_of_a_pair_have_one_start_and_a_third_none() -> None:
    fixtures = ask(Gauntlet(legs=3), (1, 2, 3))
    assert [fixture.start for fixture in fixtures] == [1, 1, 0, 4, 4, 0]


def test_champions_play_side_by_side() -> None:
    fixtures = ask(Gauntlet(champions=2, legs=1), (1, 2, 3, 4))
    assert [(f.round, f.sides) for f in fixtures] == [
        (1, (1, 3)),
        (2, (3, 2)),
        (2, (4, 1)),
        (1, (2, 4)),
    ]


def test_a_late_challenger_meets_the_champions() -> None:
    form = Gauntlet(champions=2)
    late = ask(form, (1, 2, 3, 4), ask(form, (1, 2, 3)))
    assert drawn(late) == "1-4 4-1 2-4 4-2"
    assert [fixture.start for fixture in late] == [5, 5, 7, 7]


def test_a_late_challenger_meets_no_champion_who_left() -> None:
    form = Gauntlet(champions=2)
    assert drawn(ask(form, (2, 3, 4), ask(form, (1, 2, 3)))) == "2-4 4-2"


def test_a_champion_who_leaves_has_no_heir() -> None:
    assert ask(Gauntlet(), (2, 3, 4), ask(Gauntlet(), (1, 2, 3))) == ()


def test_it_needs_its_champions_and_one_more() -> None:
    assert Gauntlet(champions=3).least(2) == 4
    assert ask(Gauntlet(champions=3), (1, 2, 3)) == ()


@pytest.mark.parametrize(("champions", "legs"), [(0, 2), (17, 2), (1, 0), (1, 17)])
def test_options_out_of_bounds_are_refused(champions: int, legs: int) -> None:
    with pytest.raises(BadOption):
        Gauntlet(champions=champions, legs=legs)
