"""Laws of pairing, for every format there is: who may meet, when it ends, what it depends on.

The last tests show that the laws bite: a round robin broken on purpose is caught by the
law it breaks.
"""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from rookery.core.tours.values import Field, Match
from rookery.hall.tours.formats import FORMATS, format_text, parse_format
from rookery.hall.tours.formats.base import Format
from rookery.hall.tours.formats.joining import Joining
from rookery.hall.tours.formats.round_robin import RoundRobin
from tests.laws.formats import CASES, FORMS, Case, Crooked, story_of, tell


def legs_of(form: Format) -> int:
    """How often everyone meets everyone; 0 where not everyone does."""
    match form:
        case RoundRobin(legs=legs):
            return legs
        case Joining():
            return 2
        case Crooked():
            return 1
        case _:
            return 0


def has_rounds(case: Case) -> bool:
    """Whether it pairs by what was played; with a time it pairs whoever is free."""
    return case.form.lasts() is None


every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_case_with_rounds = pytest.mark.parametrize(
    "case", [case for case in CASES if has_rounds(case)], ids=str
)
every_round_robin = pytest.mark.parametrize(
    "case", [replace(case, leaving=False) for case in CASES if legs_of(case.form)], ids=str
)


@every_case
def test_only_entrants_are_paired_each_with_others(case: Case) -> None:
    for asked in story_of(case).asked:
        for fixture in asked.fixtures:
            assert set(fixture.sides) <= set(asked.field.entrants)
            assert len(set(fixture.sides)) == len(fixture.sides)


@every_case
def test_a_match_has_as_many_sides_as_the_plan_says_or_is_a_bye(case: Case) -> None:
    fewer = range(2, case.sides) if case.form.smaller else ()
    for fixture in story_of(case).fixtures:
        assert len(fixture.sides) in (1, *fewer, case.sides)
        assert len(fixture.teams) in (0, len(fixture.sides))
        assert fixture.round >= 1


@every_case_with_rounds
def test_what_was_paired_is_not_paired_again(case: Case) -> None:
    for asked in story_of(case).asked:
        more = tuple(Match(fixture) for fixture in asked.fixtures)
        again = case.form.next(replace(asked.field, matches=(*asked.field.matches, *more)))
        assert not asked.fixtures or again == ()


@every_case
def test_a_tour_can_be_taken_up_at_any_point_from_its_results_alone(case: Case) -> None:
    for asked in story_of(case).asked:
        assert case.form.next(rebuilt(asked.field)) == asked.fixtures


@every_case
def test_the_same_seed_gives_the_same_pairings(case: Case) -> None:
    assert tell(case).fixtures == story_of(case).fixtures


@every_case
def test_every_tour_ends(case: Case) -> None:
    assert story_of(case).done


@every_case
def test_something_is_played(case: Case) -> None:
    assert story_of(case).fixtures


@every_case
def test_matches_that_begin_alike_are_between_the_same_entrants(case: Case) -> None:
    sides: dict[int, set[int]] = {}
    for fixture in story_of(case).fixtures:
        if fixture.start:
            assert set(fixture.sides) == sides.setdefault(fixture.start, set(fixture.sides))


@every_case_with_rounds
def test_nobody_meets_different_opponents_in_one_round(case: Case) -> None:
    met: dict[tuple[int, int], frozenset[int]] = {}
    for fixture in story_of(case).fixtures:
        sides = frozenset(fixture.sides)
        for side in sides:
            assert met.setdefault((fixture.round, side), sides) == sides


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.form.fixed and has_rounds(case)], ids=str
)
def test_where_no_result_matters_nobody_plays_twice_in_a_round(case: Case) -> None:
    places = Counter((f.round, side) for f in story_of(case).fixtures for side in f.sides)
    assert set(places.values()) == {1}


@every_round_robin
def test_in_a_round_robin_everyone_meets_everyone_as_often(case: Case) -> None:
    story = story_of(case)
    met = Counter(frozenset(fixture.sides) for fixture in story.fixtures)
    pairs = itertools.combinations(story.end.entrants, 2)
    assert met == {frozenset(pair): legs_of(case.form) for pair in pairs}


@every_round_robin
def test_in_a_round_robin_everyone_has_the_first_move_as_often(case: Case) -> None:
    balance = Counter[int]()
    for fixture in story_of(case).fixtures:
        balance.update({fixture.sides[0]: 1, fixture.sides[1]: -1})
    assert max(map(abs, balance.values())) <= legs_of(case.form) % 2


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_format_is_read_back_as_it_was_written(form: Format) -> None:
    assert parse_format(format_text(form)) == form


def test_every_registered_format_is_tried() -> None:
    assert {form.name for form in FORMS} == set(FORMATS)


def rebuilt(field: Field) -> Field:
    """The field from its pieces: entrants, pairings and results, and no tables."""
    matches = tuple(replace(match, table=None, voided=0) for match in field.matches)
    text = msgspec.json.encode(matches)
    return replace(field, matches=msgspec.json.decode(text, type=tuple[Match, ...]))


CAUGHT: Final[dict[str, Callable[[Case], None]]] = {
    "invites a stranger": test_only_entrants_are_paired_each_with_others,
    "plays with itself": test_only_entrants_are_paired_each_with_others,
    "crowds the table": test_a_match_has_as_many_sides_as_the_plan_says_or_is_a_bye,
    "forgets": test_what_was_paired_is_not_paired_again,
    "peeps": test_a_tour_can_be_taken_up_at_any_point_from_its_results_alone,
    "is moody": test_the_same_seed_gives_the_same_pairings,
    "goes on": test_every_tour_ends,
    "never begins": test_something_is_played,
    "starts alike": test_matches_that_begin_alike_are_between_the_same_entrants,
    "has one round": test_nobody_meets_different_opponents_in_one_round,
    "meets twice": test_where_no_result_matters_nobody_plays_twice_in_a_round,
    "leaves one out": test_in_a_round_robin_everyone_meets_everyone_as_often,
    "likes the low": test_in_a_round_robin_everyone_has_the_first_move_as_often,
}


def crooked(fault: str) -> Case:
    return Case(Crooked(fault), 2, 6, leaving=False)


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_broken_format_is_caught_by_the_law_it_breaks(fault: str) -> None:
    with pytest.raises(AssertionError):
        CAUGHT[fault](crooked(fault))


@pytest.mark.parametrize("law", dict.fromkeys(CAUGHT.values()))
def test_the_same_format_without_a_fault_keeps_the_law(law: Callable[[Case], None]) -> None:
    law(crooked(""))
