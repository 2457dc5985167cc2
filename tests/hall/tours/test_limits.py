"""Every bound of tours, tried at the bound as in `test_limits.py`, which counts these too."""

from rookery.core.events import Paired
from rookery.core.ids import TourId
from rookery.core.intents import (
    EndTour,
    JoinTour,
    ListMatches,
    ListTours,
    Open,
    OpenTour,
    Organise,
    SignUp,
    StartTour,
    Survey,
    UnwatchTour,
    WatchTour,
)
from rookery.core.messages import Matches, Surveyed, TourJoined, TourMade, Tours, TourShown
from rookery.core.tour_values import Plan
from rookery.hall import limits
from rookery.hall.tours.tour_book import LETTERS
from tests.hall.house import SECOND, Guest, House


def two(house: House) -> tuple[Guest, Guest]:
    return house.enter("ann"), house.enter("bob")


def test_tour_name_max(house: House) -> None:
    ann = house.enter("ann")
    house.ask(ann, OpenTour(Plan("nim", name="é" * limits.TOUR_NAME_MAX)), TourMade)
    assert house.no(ann, OpenTour(Plan("nim", name="é" * (limits.TOUR_NAME_MAX + 1)))) == (
        "bad_option"
    )


def test_tours_max() -> None:
    house = House(organiser="t")
    organiser = house.connect()
    house.do(organiser, Organise("t"))
    for _ in range(limits.TOURS_MAX):
        house.ask(organiser, OpenTour(Plan("nim")), TourMade)
    assert house.no(organiser, OpenTour(Plan("nim"))) == "too_many"
    house.do(organiser, EndTour(TourId(1)))
    house.ask(organiser, OpenTour(Plan("nim")), TourMade)


def test_tours_reserved() -> None:
    """Where nobody else finds room for a tour, the organiser does."""
    house = House(organiser="t")
    organiser = house.connect()
    house.do(organiser, Organise("t"))
    for _ in range(limits.TOURS_MAX - limits.TOURS_RESERVED):
        house.ask(organiser, OpenTour(Plan("nim")), TourMade)
    ann = house.enter("ann")
    assert house.no(ann, OpenTour(Plan("nim"))) == "too_many"
    house.ask(organiser, OpenTour(Plan("nim")), TourMade)


def test_unjoined(house: House) -> None:
    """A tour that nobody joined within a day goes, also when it was started."""
    ann, bob = two(house)
    for tour, plan in enumerate((Plan("nim"), Plan("nim", "joining"), Plan("nim")), 1):
        assert house.ask(ann, OpenTour(plan, ""), TourMade).tour == tour
    house.do(ann, StartTour(TourId(2)))
    house.ask(bob, JoinTour(TourId(3)), TourJoined)
    house.wait(limits.UNJOINED / SECOND - 1)
    assert statuses(house) == ["open", "running", "open"]
    house.wait(1)
    assert statuses(house) == ["cancelled", "cancelled", "open"]
    house.restart()
    assert statuses(house) == ["cancelled", "cancelled", "open"]


def test_unjoined_tours_go_after_a_day_whether_there_was_a_restart_or_not(house: House) -> None:
    house.ask(house.enter("ann"), OpenTour(Plan("nim")), TourMade)
    for _ in range(4):
        house.wait(limits.UNJOINED / SECOND / 4)
        house.restart()
        house.wait(1)
    assert statuses(house) == ["cancelled"]


def test_unjoined_official() -> None:
    """The organiser opens a tour for a class to come."""
    house = House(organiser="t")
    organiser = house.connect()
    house.do(organiser, Organise("t"))
    house.ask(organiser, OpenTour(Plan("nim")), TourMade)
    house.wait(limits.UNJOINED_OFFICIAL / SECOND - 1)
    assert statuses(house) == ["open"]
    house.wait(1)
    assert statuses(house) == ["cancelled"]


def statuses(house: House) -> list[str]:
    return [line.status for line in house.ask(house.connect(), ListTours(), Tours).tours]


def test_code_length(house: House) -> None:
    code = house.ask(house.enter("ann"), OpenTour(Plan("nim")), TourMade).code
    assert len(code) == limits.CODE_LENGTH
    tries = len(LETTERS) ** limits.CODE_LENGTH
    every = max(limits.A_HOST.guesses.every, limits.A_LOOPBACK.guesses.every)
    assert tries * every > 100 * 365 * 24 * 3600 * SECOND, "nobody lives to try them all"


def test_tours_a_player(house: House) -> None:
    ann, bob = two(house)
    for _ in range(limits.TOURS_A_PLAYER):
        house.ask(ann, OpenTour(Plan("nim")), TourMade)
    assert house.no(ann, OpenTour(Plan("nim"))) == "too_many"
    house.ask(bob, OpenTour(Plan("nim")), TourMade)
    house.do(ann, EndTour(TourId(1)))
    house.ask(ann, OpenTour(Plan("nim")), TourMade)


def test_code_max(house: House) -> None:
    ann = house.enter("ann")
    house.ask(ann, OpenTour(Plan("nim"), "X" * limits.CODE_MAX), TourMade)
    assert house.no(ann, OpenTour(Plan("nim"), "X" * (limits.CODE_MAX + 1))) == "bad_code"


def test_match_page(house: House) -> None:
    plan = Plan("nim sticks=1,2", "round_robin legs=4", time="none")
    guests = [house.enter(f"p{n}", house.connect()) for n in range(23)]
    tour = house.ask(guests[0], OpenTour(plan, ""), TourMade).tour
    for guest in guests:
        house.ask(guest, JoinTour(tour), TourJoined)
    house.do(guests[0], StartTour())
    page = house.ask(guests[0], ListMatches(tour), Matches)
    assert (len(page.matches), page.more) == (limits.MATCH_PAGE, True)
    rest = house.ask(guests[0], ListMatches(tour, page.matches[-1].match), Matches)
    assert (len(rest.matches), rest.more) == (12, False)
    paired = [record.event for record in house.log if isinstance(record.event, Paired)]
    assert [len(event.fixtures) for event in paired] == [limits.MATCH_PAGE, 12]


def test_tour_fresh(house: House) -> None:
    ann = house.enter("ann")
    house.ask(ann, OpenTour(Plan("nim"), ""), TourMade)
    house.hang_up(ann)
    house.now += limits.TOUR_FRESH
    house.restart()
    house.ask(house.enter("cyd"), JoinTour(), TourJoined)
    house.restart()
    house.now += 1
    assert house.no(house.enter("dan"), JoinTour()) == "no_tour"
    house.back(ann)
    house.ask(house.enter("eve"), JoinTour(), TourJoined)


def test_sign_up_max(house: House) -> None:
    ann = house.enter("ann")
    for over in (0, -1, limits.SIGN_UP_MAX + 1, 10**30):
        assert house.no(ann, SignUp(Plan("nim"), 2, 3, over)) == "bad_option"
    house.do(ann, SignUp(Plan("nim"), 2, 3, limits.SIGN_UP_MAX))
    assert house.hall.deadline() == house.now + limits.SIGN_UP_MAX


def test_watched_a_session_holds_for_tours_too() -> None:
    house = House(organiser="t")
    organiser = house.connect()
    house.do(organiser, Organise("t"))
    for _ in range(limits.WATCHED_A_SESSION + 1):
        house.ask(organiser, OpenTour(Plan("nim")), TourMade)
    for n in range(limits.WATCHED_A_SESSION):
        house.ask(organiser, WatchTour(TourId(n + 1)), TourShown)
    more = TourId(limits.WATCHED_A_SESSION + 1)
    assert house.no(organiser, WatchTour(more)) == "too_many"
    house.ask(organiser, WatchTour(TourId(1)), TourShown)  # which it watches already
    house.do(organiser, UnwatchTour(TourId(1)))
    house.ask(organiser, WatchTour(more), TourShown)


def test_survey_max(house: House) -> None:
    for n in range(limits.SURVEY_MAX + 1):
        if n % limits.PLAYERS_A_SESSION == 0:
            session = house.connect()
        guest = house.enter(f"p{n}", session)
        house.do(guest, Open("nim", player=guest.player))
    assert len(house.ask(session, Survey("nim"), Surveyed).tables) == limits.SURVEY_MAX
