"""Rounds that are paired elsewhere: the hall wishes for them, goes on, and is told."""

import pytest
from msgspec.structs import replace

from rookery.core.events import Paired, TourPaused
from rookery.core.intents import PauseTour, StartTour, Withdraw
from rookery.core.messages import Notice
from rookery.core.tour_values import Plan
from rookery.hall.tours.running.rounds import LONG, NOT_PAIRED, PAIRING
from rookery.verify.log import check_log
from tests.hall.contest import NIM, TOKEN, Contest
from tests.hall.house import House
from tests.laws.tour_stories import CASES, SEEDS, Season

PLAN = Plan(NIM, "swiss rounds=3", time="none")
SWISS = next(case for case in CASES if case.title == "swiss")


def contest(count: int = 6, *, pairs_away: bool = True) -> Contest:
    """A tour that has been started."""
    made = Contest(House(organiser=TOKEN, pairs_away=pairs_away), PLAN)
    made.join(*(f"p{n}" for n in range(count)))
    made.start()
    return made


def pairings(made: Contest) -> list[Paired]:
    records = made.house.streams[f"tour/{made.tour}"]
    return [record.event for record in records if isinstance(record.event, Paired)]


def play_out(made: Contest) -> None:
    for _ in range(10):
        made.play_on()
        if not made.house.pair():
            return


def test_the_hall_goes_on_and_nothing_begins_before_it_is_told() -> None:
    made = contest()
    (wish,) = made.house.wishes
    assert wish.puzzle.entrants == (1, 2, 3, 4, 5, 6)
    assert (made.running(), made.status) == ([], "running")
    made.house.pair()
    assert len(made.running()) == 3


def test_a_tour_paired_elsewhere_is_the_tour_paired_in_place() -> None:
    away, here = contest(), contest(pairs_away=False)
    play_out(away)
    here.play_on()
    assert away.status == here.status == "ended"
    assert pairings(away) == pairings(here)
    assert len(pairings(here)) == 3


@pytest.mark.parametrize("seed", range(2 * SEEDS))
def test_a_season_whose_rounds_come_late_comes_to_its_end(seed: int) -> None:
    assert Season(SWISS, seed, away=True).live().over


@pytest.mark.parametrize("seed", range(SEEDS))
def test_restarts_while_a_round_is_paired_change_nothing(seed: int) -> None:
    case = replace(SWISS, dialects=("native",))
    died = Season(case, seed, calm=True, away=True).live()
    lived = Season(case, seed, calm=True, away=True, dies=False).live()
    assert died.restarts
    assert died.value.matches == lived.value.matches


def test_a_restart_wishes_again() -> None:
    made = contest()
    (wish,) = made.house.wishes
    made.house.restart()
    assert made.house.wishes == [wish]
    for guest in made.guests:
        made.house.back(guest)
    assert made.house.wishes == [wish], "once is enough"


def test_an_answer_to_what_has_changed_is_of_no_use() -> None:
    made = contest()
    (late,) = made.house.wishes
    made.house.do(made.guests[5], Withdraw(made.tour, player=made.guests[5].player))
    made.house.pair(late)
    assert pairings(made) == []
    assert [wish.puzzle.entrants for wish in made.house.wishes[1:]] == [(1, 2, 3, 4, 5)]
    made.house.pair(made.house.wishes[-1])
    assert len(pairings(made)) == 1


def test_a_round_that_comes_while_the_tour_is_paused_begins_when_it_goes_on() -> None:
    made = contest()
    made.house.do(made.organiser, PauseTour(made.tour))
    made.house.pair()
    assert pairings(made) == []
    made.house.do(made.organiser, StartTour(made.tour))
    assert len(made.running()) == 3
    assert made.house.wishes == []


def test_a_round_that_nobody_can_pair_pauses_the_tour_in_a_sentence() -> None:
    made = contest()
    made.house.heard(made.guests[0])
    made.house.pair(failed=True)
    (notice,) = [m for m in made.house.heard(made.guests[0]) if isinstance(m, Notice)]
    assert notice.code == NOT_PAIRED
    assert notice.sentence.startswith(f"The next round of tour {made.tour} could not be paired")
    assert isinstance(made.house.streams[f"tour/{made.tour}"][-1].event, TourPaused)
    made.house.do(made.organiser, StartTour(made.tour))
    made.house.pair()
    assert len(made.running()) == 3


@pytest.mark.parametrize(("count", "told"), [(LONG, 0), (LONG + 1, 1)])
def test_many_are_told_that_their_round_is_being_paired(count: int, told: int) -> None:
    made = contest(count)
    heard = [m for m in made.house.heard(made.guests[0]) if isinstance(m, Notice)]
    assert [notice.code for notice in heard] == [PAIRING] * told


def test_a_tour_that_is_over_needs_no_pairing() -> None:
    made = contest(2)
    (wish,) = made.house.wishes
    made.house.do(made.guests[0], Withdraw(made.tour, player=made.guests[0].player))
    made.house.pair(wish)
    assert made.status == "ended"


@pytest.mark.parametrize("pairs_away", [False, True])
def test_a_tour_in_which_no_round_can_be_paired_any_more_ends_as_it_stands(
    *, pairs_away: bool
) -> None:
    made = contest(2, pairs_away=pairs_away)
    play_out(made)
    assert made.status == "ended", "it waits for nobody"
    assert len(pairings(made)) == 1, "of three rounds"
    assert sum(row.points for row in made.shown().standing) == 1
    assert not list(check_log(made.house.log))
