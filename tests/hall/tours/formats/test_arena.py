"""Arena: who is paired with whom as they become free, and what holds in a whole one."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, Micros, TableId
from rookery.core.tour_values import Field, Fixture, Match, Result
from rookery.hall.tours.formats.arena import Arena, cards_of

MINUTE = 60 * MICROS_A_SECOND
ARENA = Arena()


def field_of(
    entrants: Iterable[int],
    matches: Iterable[Match] = (),
    *,
    sides: int = 2,
    elapsed: Micros = MINUTE,
) -> Field:
    """A field in which everyone who does not play is free."""
    there, paired = tuple(entrants), tuple(matches)
    busy = {side for match in paired if match.result is None for side in match.fixture.sides}
    return Field(there, paired, sides, seed=7, free=frozenset(there) - busy, elapsed=elapsed)


def played(*sides: int, places: tuple[int, ...] = (1, 2), of_round: int = 1) -> Match:
    """A match that came out so; the first side won, unless it is said otherwise."""
    return Match(Fixture(of_round, sides), TableId(1), Result(places, "won"))


def running(*sides: int) -> Match:
    return Match(Fixture(1, sides), TableId(1))


def sides_of(field: Field) -> list[tuple[int, ...]]:
    return [fixture.sides for fixture in ARENA.next(field)]


def pairs_of(field: Field) -> list[set[int]]:
    return [set(sides) for sides in sides_of(field)]


def whole_arena(count: int, sides: int, seed: int, matches: int) -> Field:
    """So many matches, of which any that runs may end next, with any result."""
    lots = random.Random(seed)
    field = field_of(range(1, count + 1), sides=sides)
    while len(field.matches) < matches:
        new = tuple(Match(fixture, TableId(1)) for fixture in ARENA.next(field))
        now = [*field.matches, *new]
        on = [at for at, match in enumerate(now) if match.result is None]
        assert on, "somebody always plays"
        ends = lots.choice(on)
        places = tuple(lots.choices((1, 2), k=sides))
        now[ends] = replace(now[ends], result=Result(places, "won"))
        field = field_of(field.entrants, now, sides=sides)
    return field


SIZES = [(2, 2), (3, 2), (4, 2), (7, 2), (12, 2), (3, 3), (5, 3), (4, 4), (5, 4), (9, 4)]


def test_at_the_start_neighbours_are_paired() -> None:
    assert sides_of(field_of(range(1, 6))) == [(1, 2), (3, 4)]


def test_those_of_equal_points_meet() -> None:
    field = field_of(range(1, 5), [played(1, 2), played(3, 4)])
    assert pairs_of(field) == [{1, 3}, {2, 4}]


def test_the_nearest_points_are_taken_where_none_are_equal() -> None:
    # 1 has waited longest and has two points, 5 has one and 4 a half.
    matches = [played(1, 2), played(1, 3), played(4, 6, places=(1, 1)), played(5, 6)]
    assert pairs_of(field_of([1, 4, 5], matches)) == [{1, 5}]


def test_a_match_nobody_won_gives_no_points() -> None:
    # Both 1 and 3 have nothing; a draw would have put 1 between 3 and 5.
    matches = [played(1, 2, places=(2, 2)), played(4, 3), played(5, 6, places=(1, 1))]
    assert pairs_of(field_of([1, 3, 5], matches)) == [{1, 3}]


def test_who_has_waited_longest_is_paired_first() -> None:
    matches = [played(1, 5), played(2, 3), played(2, 4)]
    # 5 played in the first match and has no points; 3 is the nearest to it.
    assert pairs_of(field_of([2, 3, 5], matches)) == [{3, 5}]


def test_two_who_have_just_played_wait_while_others_are_playing() -> None:
    assert sides_of(field_of(range(1, 5), [played(1, 2), running(3, 4)])) == []


def test_two_who_have_just_played_wait_when_others_begin() -> None:
    matches = [played(1, 2), played(3, 4), played(5, 6)]
    assert pairs_of(field_of(range(1, 7), matches)) == [{1, 3}, {2, 4}]


def test_two_who_have_just_played_do_so_again_if_nothing_else_is_on() -> None:
    matches = [played(3, 4), played(1, 2)]
    field = replace(field_of(range(1, 5), matches), free=frozenset({1, 2}))
    assert pairs_of(field) == [{1, 2}]


def test_two_alone_play_again_and_take_turns_to_be_first() -> None:
    field = whole_arena(2, 2, seed=1, matches=6)
    firsts = [match.fixture.sides[0] for match in field.matches]
    assert firsts == [1, 2, 1, 2, 1, 2]


def test_of_three_the_one_who_waited_plays_next() -> None:
    for seed in range(5):
        field = whole_arena(3, 2, seed, matches=20)
        left_out = [({1, 2, 3} - set(match.fixture.sides)).pop() for match in field.matches]
        assert all(one != other for one, other in pairwise(left_out))


def test_who_was_first_less_often_is_first() -> None:
    field = field_of([1, 2], [played(1, 3), played(1, 4), played(2, 5)])
    assert sides_of(field) == [(2, 1)]


def test_of_equals_who_was_second_last_time_is_first() -> None:
    matches = [played(2, 3), played(4, 2), played(5, 1), played(1, 6)]
    assert sides_of(field_of([1, 2], matches)) == [(2, 1)]


def test_the_round_is_one_more_than_the_more_experienced_has_played() -> None:
    field = field_of([1, 2], [played(1, 3), played(1, 4), played(2, 5)])
    assert [fixture.round for fixture in ARENA.next(field)] == [3]


def test_four_a_table_are_of_nearest_points() -> None:
    matches = [
        played(1, 2, 3, 4, places=(1, 1, 3, 3)),
        played(5, 6, 7, 8, places=(1, 1, 3, 3)),
        played(9, 10, 11, 12, places=(1, 1, 3, 3)),
    ]
    first, *_ = pairs_of(field_of(range(1, 13), matches, sides=4))
    assert first == {1, 5, 6, 9}


def test_the_very_same_four_do_not_meet_again_while_others_play() -> None:
    one, other = played(1, 2, 3, 4, places=(1, 2, 3, 4)), running(5, 6, 7, 8)
    assert sides_of(field_of(range(1, 9), [one, other], sides=4)) == []


def test_too_few_for_a_match_wait() -> None:
    assert sides_of(field_of([1])) == []
    assert sides_of(field_of([1, 2], sides=3)) == []


def test_only_who_is_free_and_in_the_tour_is_paired() -> None:
    field = replace(field_of([1, 2, 3]), free=frozenset({2, 3, 4}))
    assert sides_of(field) == [(2, 3)]


def test_who_joins_late_is_paired_at_once() -> None:
    matches = [played(1, 2), played(3, 2), running(3, 4)]
    assert pairs_of(field_of(range(1, 6), matches)) == [{5, 2}]


def test_what_was_said_is_not_said_again() -> None:
    field = field_of(range(1, 5))
    paired = tuple(Match(fixture) for fixture in ARENA.next(field))
    assert sides_of(replace(field, matches=paired)) == []


def test_a_voided_match_keeps_its_sides() -> None:
    voided = Match(Fixture(1, (1, 2)), voided=1)
    everyone = replace(field_of(range(1, 5), [voided]), free=frozenset({1, 2, 3, 4}))
    assert pairs_of(everyone) == [{3, 4}]


def test_nothing_begins_once_the_time_is_up() -> None:
    arena = Arena(minutes=2)
    before = field_of([1, 2], elapsed=2 * MINUTE - 1)
    after = field_of([1, 2], elapsed=2 * MINUTE)
    assert arena.lasts() == 2 * MINUTE
    assert len(arena.next(before)) == 1
    assert not arena.done(before)
    assert arena.next(after) == ()
    assert arena.done(after)


@pytest.mark.parametrize(("count", "sides"), SIZES)
def test_nobody_is_left_out_for_good(count: int, sides: int) -> None:
    for seed in range(5):
        field = whole_arena(count, sides, seed, matches=15 * count)
        games = [
            sum(entrant in match.fixture.sides for match in field.matches)
            for entrant in field.entrants
        ]
        assert min(games) >= 5


@pytest.mark.parametrize(("count", "sides"), SIZES)
def test_nobody_plays_two_matches_at_once_or_meets_itself(count: int, sides: int) -> None:
    lots = random.Random(count)
    field = field_of(range(1, count + 1), sides=sides)
    for _ in range(60):
        new = tuple(Match(fixture, TableId(1)) for fixture in ARENA.next(field))
        on = [match for match in (*field.matches, *new) if match.result is None]
        busy = [side for match in on for side in match.fixture.sides]
        assert len(busy) == len(set(busy)) == sides * len(on)
        ends = lots.choice(on)
        over = replace(ends, result=Result((1,) * sides, "drawn"))
        now = [over if match is ends else match for match in (*field.matches, *new)]
        field = field_of(field.entrants, now, sides=sides)


@pytest.mark.parametrize("count", [2, 3, 4, 7, 12])
def test_first_and_second_stay_in_balance(count: int) -> None:
    for seed in range(5):
        field = whole_arena(count, 2, seed, matches=15 * count)
        for entrant in field.entrants:
            firsts = sum(match.fixture.sides[0] == entrant for match in field.matches)
            seconds = sum(match.fixture.sides[1] == entrant for match in field.matches)
            assert abs(firsts - seconds) <= 3


def test_enough_entrants_never_play_the_same_twice_running() -> None:
    for seed in range(5):
        field = whole_arena(12, 2, seed, matches=150)
        for entrant in field.entrants:
            had = [m.fixture.sides for m in field.matches if entrant in m.fixture.sides]
            assert all(set(one) != set(other) for one, other in pairwise(had))


@pytest.mark.parametrize("minutes", [0, 10081])
def test_minutes_have_bounds(minutes: int) -> None:
    with pytest.raises(BadOption, match="from 1 to 10080"):
        Arena(minutes)


class Sealed:
    """Matches that nobody may look at."""

    def __len__(self) -> int:
        raise AssertionError("counted up again")

    def __iter__(self) -> Iterator[Match]:
        raise AssertionError("looked at again")

    def __getitem__(self, at: int) -> Match:
        raise AssertionError("looked at again")


def test_pairing_looks_at_no_match_again_where_the_cards_are_kept() -> None:
    field = whole_arena(8, 2, seed=3, matches=40)
    sealed = replace(field, matches=Sealed(), cards=cards_of(field.matches))
    assert ARENA.next(sealed) == ARENA.next(field)
