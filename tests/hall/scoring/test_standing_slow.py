"""The standing that is kept up as matches come out is the one worked out from all of them."""

from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.core.events import TourEvent
from rookery.core.tour_values import Plan
from rookery.hall.scoring.standing import TIE_BREAKS
from rookery.hall.tours.formats import FORMATS
from rookery.hall.tours.formats.knockout import Groups
from rookery.hall.tours.lines import standing_of
from rookery.hall.tours.tour import Tour, evolve_tour, replay_tour
from tests.hall.scoring.slow_standing import slow_standing
from tests.hall.trials import PLANS, Trial
from tests.laws.tour_stories import CASES, Case, Season

STEPS = 60

plans = st.builds(
    lambda plan, points, ties, strict: msgspec.structs.replace(
        plan, points=points, ties=tuple(ties), strict=strict
    ),
    st.sampled_from(PLANS),
    st.sampled_from(["1-0.5-0", "3-1-0", "2.5-1.5-0.5"]),
    st.permutations(list(TIE_BREAKS)),
    st.booleans(),
)


def agrees(tour: Tour) -> None:
    """Both ways give the same rows, to the last byte of what is told."""
    matches, form = tuple(tour.matches), tour.format
    slow = slow_standing(
        tour.entrants,
        matches,
        tour.plan,
        by_rounds=form.by_rounds,
        unbeaten=form.survivors(tour.field()) if isinstance(form, Groups) else (),
    )
    assert standing_of(tour) == slow
    assert msgspec.json.encode(standing_of(tour)) == msgspec.json.encode(slow)
    assert tour.decided == sum(match.result is not None for match in matches)


@given(plans, st.integers(2, 8), st.integers(0, 1 << 32))
def test_whatever_happens_in_a_tour_both_ways_agree(plan: Plan, count: int, seed: int) -> None:
    trial = Trial(plan, count, seed)
    for _ in range(STEPS):
        agrees(trial.tour)
        trial.step()
    agrees(trial.tour)


@settings(max_examples=30)
@given(plans, st.integers(2, 8), st.integers(0, 1 << 32))
def test_a_tour_read_back_has_the_sums_it_had(plan: Plan, count: int, seed: int) -> None:
    trial = Trial(plan, count, seed)
    for _ in range(STEPS):
        trial.step()
    assert trial.again() == trial.tour


@cache
def trials() -> tuple[Trial, ...]:
    """One of each plan."""
    made = tuple(Trial(plan, 7, seed) for seed, plan in enumerate(PLANS))
    for trial in made:
        for _ in range(2 * STEPS):
            trial.step()
    return made


def test_every_format_is_tried() -> None:
    assert {trial.tour.format.name for trial in trials()} == set(FORMATS)


def test_everything_that_changes_a_standing_is_tried() -> None:
    kinds = {type(record.event).__name__ for trial in trials() for record in trial.log}
    assert kinds >= {"Joined", "Withdrawn", "Paired", "MatchBegun", "MatchEnded", "MatchVoided"}
    results = [m.result for t in trials() for m in t.tour.matches if m.result is not None]
    assert {"bye", "absent", "withdrawn", "drawn", "nobody"} <= {result.how for result in results}
    assert any(result.forfeits for result in results)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_in_a_hall_that_dies_now_and_then_both_ways_agree(case: Case) -> None:
    season = Season(case, 9).live()
    assert season.restarts
    tour = replay_tour(season.tour, season.records[:1])
    for record in season.records[1:]:
        assert isinstance(record.event, TourEvent)
        tour = evolve_tour(tour, record.event)
        agrees(tour)
