"""The index of a tour's matches: what waits there and in which order, and who plays."""

from rookery.core.events import MatchBegun, MatchEnded, MatchVoided, Paired, TourEvent, TourOpened
from rookery.core.ids import TableId, TourId
from rookery.core.tour_values import Fixture, Plan, Result
from rookery.hall.tours.tour import evolve_tour, open_tour
from rookery.hall.tours.tour_book import MatchIndex
from tests.hall.trials import PLANS, Trial

SIDES = ((1, 2), (2, 3), (1, 3), (1, 2))
ALL = Paired(tuple(Fixture(n, sides) for n, sides in enumerate(SIDES, 1)))
WON = Result((1, 2), "line")


def index(*events: TourEvent) -> MatchIndex:
    """The desk of a tour in which these things happened."""
    made, tour = MatchIndex(), open_tour(TourId(1), TourOpened(Plan("nim")))
    for event in events:
        made.note(tour, event)
        tour = evolve_tour(tour, event)
    return made


def waiting(one: MatchIndex, *entrants: int) -> list[int]:
    return [number for number, _ in one.waiting(entrants or None)]


def test_matches_wait_in_their_order_and_each_is_found_once() -> None:
    one = index(ALL)
    assert waiting(one) == waiting(one, 3, 1) == [1, 2, 3, 4]
    assert waiting(one, 3) == [2, 3]
    assert waiting(one, 7) == []


def test_a_match_that_is_voided_waits_where_it_did_before() -> None:
    one = index(ALL, MatchBegun(2, TableId(1)), MatchEnded(3, WON), MatchVoided(2), MatchVoided(3))
    assert waiting(one) == waiting(one, 1, 2, 3) == [1, 2, 3, 4]
    assert (one.undecided, one.running) == (4, 0)


def test_what_begins_or_is_decided_on_the_way_makes_no_difference() -> None:
    made, tour = MatchIndex(), open_tour(TourId(1), TourOpened(Plan("nim")))
    made.note(tour, ALL)
    tour = evolve_tour(tour, ALL)
    seen = []
    for number, fixture in made.waiting():
        seen.append((number, fixture.sides))
        event = MatchEnded(number, WON) if number % 2 else MatchBegun(number, TableId(number))
        made.note(tour, event)
        tour = evolve_tour(tour, event)
    assert seen == list(enumerate(SIDES, 1))
    assert waiting(made) == []


def test_who_plays_as_many_as_it_may_is_engaged() -> None:
    one = index(ALL, MatchBegun(1, TableId(1)), MatchBegun(3, TableId(2)))
    assert set(one.engaged(1)) == {1, 2, 3}
    assert set(one.engaged(2)) == {1}


def test_whatever_happens_the_desk_has_what_the_tour_has() -> None:
    for seed, plan in enumerate(PLANS):
        trial = Trial(plan, 7, seed)
        for _ in range(60):
            trial.step()
        kept, tour = MatchIndex(), open_tour(TourId(1), TourOpened(plan))
        for record in trial.log[1:]:
            assert isinstance(record.event, TourEvent)
            kept.note(tour, record.event)
            tour = evolve_tour(tour, record.event)
            numbered = list(enumerate(tour.matches, 1))
            assert list(kept.waiting()) == [(n, m.fixture) for n, m in numbered if m.waiting]
            assert kept.all_playing() == [n for n, m in numbered if m.running]
            assert kept.running == sum(m.running for _, m in numbered)
            assert kept.undecided == sum(m.result is None for _, m in numbered)
