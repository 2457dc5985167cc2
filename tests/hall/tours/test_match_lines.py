"""The lines of a tour's matches: kept while nothing happens to them, and never out of date."""

import pytest

from rookery.core.events import (
    Joined,
    MatchBegun,
    MatchEnded,
    MatchVoided,
    Paired,
    TourOpened,
    TourStarted,
)
from rookery.core.ids import PlayerId, TableId, TourId
from rookery.core.tour_values import Fixture, Plan, Result
from rookery.hall.tours.lines import KnownLines, match_lines
from rookery.hall.tours.tour import PAGE, Tour, evolve_tour, open_tour


def tour_of(matches: int) -> Tour:
    tour = open_tour(TourId(1), TourOpened(Plan("nim", "duel games=1000")))
    for number in (1, 2):
        tour = evolve_tour(tour, Joined(number, f"p{number}", PlayerId(number)))
    fixtures = tuple(Fixture(n + 1, (1, 2)) for n in range(matches))
    return evolve_tour(evolve_tour(tour, TourStarted()), Paired(fixtures))


@pytest.mark.parametrize("after", [-5, 0, 1, PAGE - 1, PAGE, 2 * PAGE + 3, 3 * PAGE, 10_000])
@pytest.mark.parametrize("most", [1, PAGE, 2 * PAGE + 1, 1000])
def test_what_is_kept_is_what_there_is(after: int, most: int) -> None:
    tour, known = tour_of(2 * PAGE + 40), KnownLines()
    for number in (1, PAGE, PAGE + 1, 2 * PAGE + 40):
        for event in (
            MatchBegun(number, TableId(number)),
            MatchEnded(number, Result((1, 2), "played")),
            MatchVoided(number),
            Paired((Fixture(999, (2, 1)),)),
        ):
            tour = evolve_tour(tour, event)
            assert known.after(tour, after, most) == match_lines(tour, after, most)


def test_a_line_is_made_once() -> None:
    tour, known = tour_of(3 * PAGE), KnownLines()
    before = known.after(tour, 0, 1000)
    tour = evolve_tour(tour, MatchBegun(1, TableId(1)))
    after = known.after(tour, 0, 1000)
    assert after[0] != before[0]
    assert all(one is other for one, other in zip(before[PAGE:], after[PAGE:], strict=True))
