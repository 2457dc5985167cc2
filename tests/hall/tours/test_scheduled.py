"""Tours with a time of day: they start by themselves."""

from rookery.core.intents import OpenTour, ShowTour
from rookery.core.messages import Refused, TourShown
from rookery.core.tour_values import Plan
from rookery.hall import limits
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import NOON, SECOND, House

HOUR = 3600 * SECOND


def contest(house: House | None = None, **more: object) -> Contest:
    """A tour that begins an hour after the story does."""
    plan = {"time": "none", "starts": NOON + HOUR, **more}
    return Contest(house or house_of_tours(), Plan(NIM, **plan))  # type: ignore[arg-type]


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


def test_a_tour_whose_time_came_while_the_server_was_away_starts_when_it_is_back() -> None:
    one = contest()
    one.join("ann", "bob")
    one.house.wait(3000)
    one.house.now += 700 * SECOND
    one.house.restart()
    one.house.wait(1)
    shown = one.house.ask(one.house.connect(), ShowTour(one.tour), TourShown)
    assert shown.line.status == "running"


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


def test_a_time_that_is_over_is_none() -> None:
    assert refused(Plan(NIM, starts=NOON - 1))
