"""Laws of pairing, for every format there is: who may meet, when it ends, what it depends on.

The last tests show that the laws bite: a round robin broken on purpose is caught by the
law it breaks.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from rookery.core.tour_values import Field, Match
from rookery.hall.tours.formats import FORMATS, format_text, parse_format
from rookery.hall.tours.formats.base import Format
from rookery.hall.tours.formats.round_robin import Joining, RoundRobin
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


def only_entrants_are_paired_each_with_others(case: Case) -> None:
    for asked in story_of(case).asked:
        for fixture in asked.fixtures:
            assert set(fixture.sides) <= set(asked.field.entrants)
            assert len(set(fixture.sides)) == len(fixture.sides)


def a_match_has_as_many_sides_as_the_plan_says_or_is_a_bye(case: Case) -> None:
    fewer = range(2, case.sides) if case.form.smaller else ()
    for fixture in story_of(case).fixtures:
        assert len(fixture.sides) in (1, *fewer, case.sides)
        assert len(fixture.teams) in (0, len(fixture.sides))
        assert fixture.round >= 1


def what_was_paired_is_not_paired_again(case: Case) -> None:
    for asked in story_of(case).asked:
        more = tuple(Match(fixture) for fixture in asked.fixtures)
        again = case.form.next(replace(asked.field, matches=(*asked.field.matches, *more)))
        assert not asked.fixtures or again == ()


def a_tour_can_be_taken_up_at_any_point_from_its_results_alone(case: Case) -> None:
    for asked in story_of(case).asked:
        assert case.form.next(rebuilt(asked.field)) == asked.fixtures


def the_same_seed_gives_the_same_pairings(case: Case) -> None:
    assert tell(case).fixtures == story_of(case).fixtures


def every_tour_ends(case: Case) -> None:
    assert story_of(case).done


def something_is_played(case: Case) -> None:
    assert story_of(case).fixtures


def matches_that_begin_alike_are_between_the_same_entrants(case: Case) -> None:
    sides: dict[int, set[int]] = {}
    for fixture in story_of(case).fixtures:
        if fixture.start:
            assert set(fixture.sides) == sides.setdefault(fixture.start, set(fixture.sides))


def nobody_meets_different_opponents_in_one_round(case: Case) -> None:
    met: dict[tuple[int, int], frozenset[int]] = {}
    for fixture in story_of(case).fixtures:
        sides = frozenset(fixture.sides)
        for side in sides:
            assert met.setdefault((fixture.round, side), sides) == sides


def where_no_result_matters_nobody_plays_twice_in_a_round(case: Case) -> None:
    places = Counter((f.round, side) for f in story_of(case).fixtures for side in f.sides)
    assert set(places.values()) == {1}


def in_a_round_robin_everyone_meets_everyone_as_often(case: Case) -> None:
    story = story_of(case)
    met = Counter(frozenset(fixture.sides) for fixture in story.fixtures)
    pairs = itertools.combinations(story.end.entrants, 2)
    assert met == {frozenset(pair): legs_of(case.form) for pair in pairs}


def in_a_round_robin_everyone_has_the_first_move_as_often(case: Case) -> None:
    balance = Counter[int]()
    for fixture in story_of(case).fixtures:
        balance.update({fixture.sides[0]: 1, fixture.sides[1]: -1})
    assert max(map(abs, balance.values())) <= legs_of(case.form) % 2


def always(_: Case) -> bool:
    """For laws of every format."""
    return True


def has_fixed_rounds(case: Case) -> bool:
    """Whether no result matters to who meets whom."""
    return case.form.fixed and has_rounds(case)


# Each law, and for which cases it is.
LAWS: Final[tuple[tuple[Callable[[Case], None], Callable[[Case], bool]], ...]] = (
    (only_entrants_are_paired_each_with_others, always),
    (a_match_has_as_many_sides_as_the_plan_says_or_is_a_bye, always),
    (what_was_paired_is_not_paired_again, has_rounds),
    (a_tour_can_be_taken_up_at_any_point_from_its_results_alone, always),
    (the_same_seed_gives_the_same_pairings, always),
    (every_tour_ends, always),
    (something_is_played, always),
    (matches_that_begin_alike_are_between_the_same_entrants, always),
    (nobody_meets_different_opponents_in_one_round, has_rounds),
    (where_no_result_matters_nobody_plays_twice_in_a_round, has_fixed_rounds),
)
OF_ROUND_ROBINS: Final = (
    in_a_round_robin_everyone_meets_everyone_as_often,
    in_a_round_robin_everyone_has_the_first_move_as_often,
)


def broken(laws: Iterable[Callable[[Case], None]], case: Case) -> list[AssertionError]:
    """The laws that do not hold here, each with its name: a case is told once for all of them."""
    found = []
    for law in laws:
        try:
            law(case)
        except AssertionError as wrong:
            wrong.add_note(f"{law.__name__}: {case}")
            found.append(wrong)
    return found


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_format_keeps_the_laws(case: Case) -> None:
    if found := broken((law for law, is_for in LAWS if is_for(case)), case):
        raise ExceptionGroup(f"{case}", found)


@pytest.mark.parametrize(
    "case", [replace(case, leaving=False) for case in CASES if legs_of(case.form)], ids=str
)
def test_a_round_robin_keeps_its_own_laws(case: Case) -> None:
    if found := broken(OF_ROUND_ROBINS, case):
        raise ExceptionGroup(f"{case}", found)


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
    "invites a stranger": only_entrants_are_paired_each_with_others,
    "plays with itself": only_entrants_are_paired_each_with_others,
    "crowds the table": a_match_has_as_many_sides_as_the_plan_says_or_is_a_bye,
    "forgets": what_was_paired_is_not_paired_again,
    "peeps": a_tour_can_be_taken_up_at_any_point_from_its_results_alone,
    "is moody": the_same_seed_gives_the_same_pairings,
    "goes on": every_tour_ends,
    "never begins": something_is_played,
    "starts alike": matches_that_begin_alike_are_between_the_same_entrants,
    "has one round": nobody_meets_different_opponents_in_one_round,
    "meets twice": where_no_result_matters_nobody_plays_twice_in_a_round,
    "leaves one out": in_a_round_robin_everyone_meets_everyone_as_often,
    "likes the low": in_a_round_robin_everyone_has_the_first_move_as_often,
}


def test_every_law_is_tried_and_known_to_bite() -> None:
    tried = [*(law for law, _ in LAWS), *OF_ROUND_ROBINS]
    assert len(tried) == len(set(tried))
    assert set(tried) == set(CAUGHT.values())


def test_all_that_is_broken_is_told() -> None:
    found = broken((law for law, _ in LAWS), crooked("goes on"))
    assert "every_tour_ends" in str([one.__notes__ for one in found])


def crooked(fault: str) -> Case:
    return Case(Crooked(fault), 2, 6, leaving=False)


@pytest.mark.parametrize("fault", CAUGHT)
def test_a_broken_format_is_caught_by_the_law_it_breaks(fault: str) -> None:
    with pytest.raises(AssertionError):
        CAUGHT[fault](crooked(fault))


@pytest.mark.parametrize("law", dict.fromkeys(CAUGHT.values()))
def test_the_same_format_without_a_fault_keeps_the_law(law: Callable[[Case], None]) -> None:
    law(crooked(""))
