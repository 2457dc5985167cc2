"""Tours with a time of day: they start by themselves, with those who have checked in."""

from rookery.core.messages import Refused
from rookery.core.tours.tour_intents import CheckIn, JoinTour, OpenTour, ShowTour
from rookery.core.tours.tour_messages import TourJoined, TourShown
from rookery.core.tours.values import Plan
from rookery.hall import limits
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import NOON, SECOND, House

HOUR = 3600 * SECOND
MINUTE = 60 * SECOND


def contest(house: House | None = None, **more: object) -> Contest:
    """A tour that begins an hour after the story does."""
    plan = {"time": "none", "starts": NOON + HOUR, **more}
    return Contest(house or house_of_tours(), Plan(NIM, **plan))  # type: ignore[arg-type]


def names(one: Contest) -> list[str]:
    """Who is in it."""
    return [entrant.name for entrant in one.shown().entrants if not entrant.out]


def test_a_tour_starts_by_itself_at_its_time() -> None:
    one = contest()
    one.join("ann", "bob")
    one.house.wait(3599)
    assert one.status == "open"
    assert one.shown().line.starts == NOON + HOUR
    one.house.wait(1)
    assert one.status == "running"
    assert one.running()


def test_a_tour_that_too_few_have_joined_stays_open_and_can_be_started_later() -> None:
    one = contest()
    one.join("ann")
    one.house.wait(3600)
    assert one.status == "open"
    one.join("bob")
    one.start()
    assert one.status == "running"


def test_who_has_not_checked_in_is_out_at_the_start() -> None:
    one = contest(check_in=10 * MINUTE)
    ann, bob, cid = one.join("ann", "bob", "cid")
    assert one.house.no(ann, CheckIn(one.tour)) == "too_early"
    one.house.wait(3000)
    one.house.do(ann, CheckIn(one.tour))
    one.house.do(ann, CheckIn())  # once more does no harm
    one.house.do(bob, CheckIn(one.tour))
    assert [entrant.checked for entrant in one.shown().entrants] == [True, True, False]
    dan = one.house.enter("dan")
    assert one.house.no(dan, CheckIn(one.tour)) == "not_in_tour"
    one.join("eve")  # who joins now is there
    one.house.wait(600)
    assert one.status == "running"
    assert names(one) == ["ann", "bob", "eve"]
    assert one.shown().entrants[2].out == "unchecked"
    assert one.house.no(cid, CheckIn(one.tour)) == "too_late"


def test_nobody_is_put_out_where_too_few_have_checked_in() -> None:
    one = contest(check_in=10 * MINUTE)
    ann, _ = one.join("ann", "bob")
    one.house.wait(3000)
    one.house.do(ann, CheckIn(one.tour))
    one.house.wait(600)
    assert one.status == "open"
    assert names(one) == ["ann", "bob"]


def test_programs_without_a_word_for_it_are_checked_in_while_they_are_there() -> None:
    one = contest(check_in=10 * MINUTE)
    one.join("ann", "bob")
    here, gone = (one.house.enter(name, dialect="tourney") for name in ("cid", "dan"))
    for program in (here, gone):
        one.house.ask(program, JoinTour(one.tour), TourJoined)
    one.house.wait(3000)
    for guest in one.guests:
        one.house.do(guest, CheckIn(one.tour))
    one.house.hang_up(gone)
    one.house.wait(600)
    assert names(one) == ["ann", "bob", "cid"]


def test_a_tour_whose_time_came_while_the_server_was_away_starts_when_it_is_back() -> None:
    one = contest(check_in=10 * MINUTE)
    ann, bob = one.join("ann", "bob")
    one.house.wait(3000)
    for guest in (ann, bob):
        one.house.do(guest, CheckIn(one.tour))
    one.house.now += 700 * SECOND
    one.house.restart()
    one.house.wait(1)
    shown = one.house.ask(one.house.connect(), ShowTour(one.tour), TourShown)
    assert shown.line.status == "running"
    assert [entrant.checked for entrant in shown.entrants] == [True, True]


def test_a_tour_that_is_planned_far_ahead_waits_for_its_time_to_be_joined() -> None:
    one = contest(starts=NOON + 20 * 24 * HOUR)
    one.house.wait(19 * 24 * 3600)
    assert one.status == "open"


def refused(plan: Plan) -> bool:
    house = house_of_tours()
    answer = house.reply(house.enter("ann"), OpenTour(plan))
    assert not isinstance(answer, Refused) or answer.code == "bad_option"
    return isinstance(answer, Refused)


def test_ahead_max() -> None:
    assert not refused(Plan(NIM, starts=NOON + limits.AHEAD_MAX))
    assert refused(Plan(NIM, starts=NOON + limits.AHEAD_MAX + 1))


def test_check_in_max() -> None:
    assert not refused(Plan(NIM, starts=NOON + HOUR, check_in=limits.CHECK_IN_MAX))
    assert refused(Plan(NIM, starts=NOON + HOUR, check_in=limits.CHECK_IN_MAX + 1))


def test_a_time_that_is_over_is_none_and_without_it_nobody_checks_in() -> None:
    assert refused(Plan(NIM, starts=NOON - 1))
    assert refused(Plan(NIM, check_in=MINUTE))
    assert refused(Plan(NIM, starts=NOON + HOUR, check_in=-1))
    house = house_of_tours()
    assert house.no(house.enter("ann"), CheckIn()) == "not_in_tour"


def test_a_tour_without_a_check_in_has_no_word_for_it() -> None:
    one = contest()
    (ann,) = one.join("ann")
    assert one.house.no(ann, CheckIn(one.tour)) == "no_check_in"
