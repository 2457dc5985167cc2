"""Who would win a tour as it stands, and who is first in its standing: the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.core.events import Joined, MatchEnded, TourEvent, TourOpened, TourStarted, Withdrawn
from rookery.core.ids import PlayerId, TourId, Wall
from rookery.core.tour_values import BYE, Plan, Result
from rookery.hall.tours import director
from rookery.hall.tours.lines import leaders, standing_of
from rookery.hall.tours.tour import Tour, evolve_tour, open_tour
from tests.hall.trials import PLANS, Trial

PAIRS = Plan("fish", "groups", seats=2)


def groups(plan: Plan, count: int) -> Tour:
    """A tour of so many that has just begun."""
    tour = open_tour(TourId(1), TourOpened(plan))
    for number in range(1, count + 1):
        tour = evolve_tour(tour, Joined(number, f"e{number}", PlayerId(number)))
    return paired(evolve_tour(tour, TourStarted()))


def paired(tour: Tour) -> Tour:
    """The tour with its next round, and without byes to be played."""
    event = director.pair(tour, frozenset(), Wall(0))
    assert event is not None
    tour = evolve_tour(tour, event)
    for number, match in enumerate(tour.matches, 1):
        if match.waiting and len(match.fixture.sides) == 1:
            tour = evolve_tour(tour, MatchEnded(number, Result((1,), BYE)))
    return tour


def after(tour: Tour, *events: TourEvent) -> Tour:
    for event in events:
        tour = evolve_tour(tour, event)
    return tour


def ended(match: int, *places: int) -> MatchEnded:
    return MatchEnded(match, Result(places, "played"))


def places(tour: Tour) -> dict[int, int]:
    return {row.entrant: row.place for row in standing_of(tour)}


def test_a_bye_is_not_ahead_of_a_draw_where_both_go_on() -> None:
    tour = paired(after(groups(PAIRS, 3), ended(1, 1, 1)))
    tour = after(tour, ended(3, 1, 1))
    assert tour.format.done(tour.field())
    assert leaders(tour) == (1, 2, 3)
    assert places(tour) == {1: 1, 2: 1, 3: 1}


def test_who_won_a_table_and_left_is_behind_those_who_are_still_in() -> None:
    tour = after(groups(PAIRS, 4), ended(1, 1, 2), Withdrawn(1, "removed"), ended(2, 2, 1))
    assert leaders(tour) == (4,)
    assert places(tour) == {4: 1, 1: 2, 2: 3, 3: 3}


def test_who_has_yet_to_play_its_table_is_as_far_as_who_has_won_one() -> None:
    tour = after(groups(PAIRS, 4), ended(1, 1, 2))
    assert leaders(tour) == (1, 3, 4)
    assert places(tour) == {1: 1, 3: 1, 4: 1, 2: 4}


def test_where_all_who_went_on_are_gone_nobody_wins() -> None:
    tour = after(groups(PAIRS, 2), ended(1, 1, 2), Withdrawn(1, "removed"))
    assert leaders(tour) == ()
    assert places(tour) == {1: 1, 2: 2}


@settings(max_examples=40)
@given(st.sampled_from(PLANS), st.booleans(), st.integers(2, 8), st.integers(0, 1 << 32))
def test_whoever_would_win_stands_first_and_nobody_else_does(
    plan: Plan, strict: bool, count: int, seed: int
) -> None:
    trial = Trial(plan, count, seed, strict=strict)
    for _ in range(40):
        trial.step()
        tour = trial.tour
        first = [row for row in standing_of(tour) if row.place == 1]
        winners = leaders(tour)
        if winners:
            assert set(winners) == {r.entrant for r in first if not (r.out and strict)}
