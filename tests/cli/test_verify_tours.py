"""What the doctor says of tours that a hall ran: nothing."""

import pytest

from rookery.core.events import (
    EntrantPaused,
    EntrantResumed,
    MatchEnded,
    Out,
    Paired,
    Record,
    Returned,
    TourEvent,
    TourStarted,
    Withdrawn,
)
from rookery.core.game import Forfeit
from rookery.core.intents import (
    CancelTour,
    EndTour,
    EnterResult,
    Forsake,
    JoinTour,
    PauseTour,
    Resign,
    SeedTour,
    StartTour,
    VoidMatch,
    Withdraw,
)
from rookery.core.messages import TourJoined
from rookery.core.tour_values import Plan, Seeding
from rookery.verify.log import Audit, Census
from tests.cli.tour_logs import contest, judged, played, sentences
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import SECOND
from tests.hall.tours.test_signup import crowd
from tests.laws.tour_stories import CASES, Case, Season


def test_a_tour_that_was_played_is_sound_and_counted() -> None:
    audit = Audit()
    log = played()
    assert [problem for record in log for problem in audit.take(record)] == []
    assert audit.close() == []
    assert audit.tally() == Census(
        records=46, players=3, finished=3, running=0, open=0, closed=0, broken=0, tours_over=1
    )


@pytest.mark.parametrize(
    ("variant", "form"),
    [
        (NIM, "round_robin legs=2"),
        (NIM, "joining"),
        (NIM, "swiss rounds=2"),
        (NIM, "knockout legs=2 third=true"),
        (NIM, "gauntlet"),
        ("fish rows=3 cols=4", "groups"),
    ],
)
def test_every_format_is_sound(variant: str, form: str) -> None:
    tour = contest(Plan(variant, form, fair=True, parallel=2))
    tour.join("dan", "eve")
    tour.start()
    tour.play_on()
    assert tour.status == "ended"
    assert sentences(tour.house.log) == judged(tour.house.log) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_a_whole_season_with_restarts_and_people_who_come_and_go_is_sound(case: Case) -> None:
    log = Season(case, 5).live().house.log
    assert sentences(log) == judged(log) == []


def test_a_pairing_on_more_than_one_page_is_sound() -> None:
    tour = contest(Plan(NIM))
    tour.join(*(f"g{n}" for n in range(45)))
    tour.start()
    pages = [one.event for one in tour.house.log if isinstance(one.event, Paired)]
    assert [len(page.fixtures) for page in pages] == [1_000, 128]
    log = tour.house.log
    assert sentences(log) == judged(log) == []


def test_an_arena_is_sound_until_its_time_is_up() -> None:
    tour = contest(Plan(NIM, "arena minutes=1"))
    tour.start()
    tour.play_on(20)
    tour.house.wait(200)
    assert sentences(tour.house.log) == judged(tour.house.log) == []


def test_teams_of_two_are_sound() -> None:
    tour = Contest(house_of_tours(), Plan("bughouse", "round_robin", time="1m"))
    for name, team in (("ann", "A"), ("bob", "A"), ("cid", "B"), ("dan", "B")):
        guest = tour.house.enter(name)
        tour.house.ask(guest, JoinTour(tour.tour, team=team), TourJoined)
        tour.guests.append(guest)
    tour.start()
    tour.play_on(20)
    tour.house.wait(200)
    assert tour.status == "ended"
    assert sentences(tour.house.log) == judged(tour.house.log) == []


def test_pausing_voiding_leaving_and_coming_late_are_sound() -> None:
    tour = contest(Plan(NIM, "joining", absent=10_000_000))
    house = tour.house
    tour.start()
    tour.play_on(3)
    house.do(tour.organiser, VoidMatch(tour.tour, 1))
    house.do(tour.organiser, PauseTour(tour.tour))
    tour.play_on()
    tour.join("dan")
    house.do(tour.organiser, StartTour(tour.tour))
    house.do(tour.organiser, VoidMatch(tour.tour, tour.matches()[0].match))
    house.do(tour.guests[0], Withdraw(tour.tour))
    house.hang_up(tour.guests[1])
    house.wait(70)
    tour.play_on()
    assert {line.result.how for line in tour.matches() if line.result} >= {"withdrawn", "absent"}
    assert sentences(house.log) == judged(house.log) == []


def test_results_by_hand_are_sound() -> None:
    tour = contest(Plan(NIM, stays=True))
    tour.start()
    for places in ((1, 2), (2, 1)):  # of a game that runs, then of a match that is over
        tour.house.do(tour.organiser, EnterResult(tour.tour, 1, places))
    tour.house.do(tour.organiser, EnterResult(tour.tour, 3, (2, 2), played=False))
    tour.play_on()
    tour.house.do(tour.organiser, EnterResult(tour.tour, 2, (1, 1), reason="Agreed."))
    tour.house.do(tour.organiser, EndTour(tour.tour))
    assert tour.status == "ended"
    assert sentences(tour.house.log) == judged(tour.house.log) == []


def test_who_returns_without_a_token_is_sound() -> None:
    tour = Contest(house_of_tours(), Plan("reversi", "joining"), "DEN")
    house = tour.house
    for name in ("ann#DEN", "bob#DEN"):
        tour.guests.append(house.enter(name, house.connect(dialect="othello"), "othello"))
    house.hang_up(tour.guests[0])
    house.enter("ann#DEN", house.connect(dialect="othello"), "othello")
    assert any(isinstance(record.event, Returned) for record in house.log)
    assert sentences(house.log) == judged(house.log) == []


def test_a_tour_that_was_called_off_while_it_closed_is_sound() -> None:
    tour = contest(Plan(NIM, strict=True, farewell=True))
    tour.start()
    tour.house.do(tour.organiser, EndTour(tour.tour))
    tour.house.do(tour.organiser, CancelTour(tour.tour))
    assert tour.status == "cancelled"
    assert sentences(tour.house.log) == judged(tour.house.log) == []


def test_who_resigns_in_a_strict_tour_is_out_and_that_is_sound() -> None:
    tour = contest(Plan(NIM, strict=True))
    tour.start()
    (table,) = tour.running()
    tour.house.do(tour.guests[1], Resign(table))
    tour.play_on()
    assert any(isinstance(record.event, Withdrawn) for record in tour.house.log)
    assert sentences(tour.house.log) == judged(tour.house.log) == []


@pytest.mark.parametrize("why", [Forfeit.LATE, Forfeit.CHEATED])
def test_who_fails_its_dialect_and_not_the_table_is_out_and_that_is_sound(why: Forfeit) -> None:
    house = house_of_tours()
    guests = crowd(house, 4)
    house.do(guests[0], Forsake(why, player=guests[0].player))
    assert [record.event.why for record in house.log if isinstance(record.event, Out)] == [why]
    assert sentences(house.log) == judged(house.log) == []


def test_seeds_by_hand_are_sound() -> None:
    tour = contest(Plan(NIM, "knockout", seeding=Seeding.HAND))
    tour.house.do(tour.organiser, SeedTour(tour.tour, (3, 1)))
    tour.start()
    tour.play_on()
    assert tour.status == "ended"
    assert sentences(tour.house.log) == judged(tour.house.log) == []


def seeded_by_rating() -> list[Record]:
    """Two tours: the first makes ratings; the second, of two more who have none, is seeded so."""
    one = contest(Plan(NIM, "round_robin legs=2", time="none"))
    house = one.house
    one.start()
    one.play_on()
    two = Contest(house, Plan(NIM, "knockout", time="none", seeding=Seeding.RATING))
    for guest in one.guests:
        house.ask(guest, JoinTour(two.tour), TourJoined)
    two.join("dan", "eve")
    two.start()
    return house.log


def test_seeds_by_rating_are_sound() -> None:
    log = seeded_by_rating()
    started = next(r.event for r in reversed(log) if isinstance(r.event, TourStarted))
    assert len(started.ratings) == 3
    assert sentences(log) == judged(log) == []


# -- who is paused


def paused_for_a_while() -> list[Record]:
    """A tour in which the first was away, lost a match by it, and came back."""
    tour = contest(Plan(NIM, "joining", time="none", absent=10 * SECOND))
    tour.join("dan")
    tour.house.hang_up(tour.guests[0])
    tour.start()
    tour.house.wait(10)
    tour.play_on(4)
    tour.guests[0] = tour.house.back(tour.guests[0])
    tour.play_on()
    return tour.house.log


def test_a_tour_with_somebody_paused_is_sound() -> None:
    log = paused_for_a_while()
    words = [record.event for record in log if isinstance(record.event, TourEvent)]
    assert EntrantPaused(1) in words
    assert EntrantResumed(1) in words
    assert any(isinstance(word, MatchEnded) and word.result.how == "absent" for word in words)
    assert sentences(log) == judged(log) == []
