"""Who hears what of a tour: entrants what concerns them, its owner and who watches all."""

from rookery.core.events import TourKeyed, tour_stream
from rookery.core.ids import SessionId, TourId
from rookery.core.intents import (
    CancelTour,
    JoinTour,
    OpenTour,
    PauseTour,
    Resign,
    StartTour,
    UnwatchTour,
    VoidMatch,
    WatchTour,
    Withdraw,
)
from rookery.core.messages import TourJoined, TourMade, TourNews, TourShown
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import Guest, House

ROBIN = Plan(NIM, time="none")


def contest(players: int = 3, code: str | None = "") -> Contest:
    one = Contest(house_of_tours(), ROBIN, code)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def heard(house: House, who: Guest | SessionId) -> list[str]:
    """The news of tours since it was last asked, by name."""
    return [type(m.event).__name__ for m in house.heard(who) if isinstance(m, TourNews)]


def test_who_watches_hears_everything_in_order_and_not_twice() -> None:
    one = contest(0)
    watcher = one.house.connect()
    shown = one.house.ask(watcher, WatchTour(one.tour), TourShown)
    one.house.ask(watcher, WatchTour(one.tour), TourShown)
    one.join("ann", "bob", "cyd")
    one.start()
    one.play_on()
    news = [m for m in one.house.heard(watcher) if isinstance(m, TourNews)]
    records = one.house.streams[tour_stream(one.tour)]
    assert [(m.n, m.event) for m in news] == [
        (r.n, r.event) for r in records[shown.n :] if not isinstance(r.event, TourKeyed)
    ]
    assert all(m.tour == one.tour for m in news)


def test_who_watches_no_more_hears_no_more() -> None:
    one = contest(2)
    watcher = one.house.connect()
    one.house.ask(watcher, WatchTour(one.tour), TourShown)
    one.house.do(watcher, UnwatchTour(one.tour))
    one.start()
    assert heard(one.house, watcher) == []
    one.house.do(watcher, UnwatchTour(TourId(77)))


def test_a_player_who_owns_a_tour_hears_everything() -> None:
    house = house_of_tours()
    owner, ann, bob = (house.enter(name) for name in ("owner", "ann", "bob"))
    tour = house.ask(owner, OpenTour(ROBIN), TourMade)
    for guest in (ann, bob):
        house.ask(guest, JoinTour(tour.tour, tour.code), TourJoined)
    house.do(owner, StartTour())
    assert heard(house, owner) == ["Joined", "Joined", "TourStarted", "Paired", "MatchBegun"]


def test_an_entrant_hears_what_concerns_it_and_the_tours_fate() -> None:
    one = contest(3)
    first, second, third = one.guests
    assert heard(one.house, first) == ["Joined"]
    one.start()  # 2 meets 3
    assert heard(one.house, first) == ["TourStarted"]
    assert heard(one.house, second) == ["Joined", "TourStarted", "MatchBegun"]
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.do(third, Resign(one.running()[0]))
    assert heard(one.house, first) == ["TourPaused"]
    assert heard(one.house, second) == ["TourPaused", "MatchEnded"]
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    one.house.do(first, Withdraw())
    assert heard(one.house, first) == ["Withdrawn"]
    assert heard(one.house, second) == ["MatchVoided"]
    one.house.do(one.organiser, CancelTour(one.tour))
    assert heard(one.house, first) == []
    assert heard(one.house, second) == ["TourClosing", "TourEnded"]


def test_the_reply_to_joining_comes_before_its_news() -> None:
    one = contest(0)
    (ann,) = one.join("ann")
    kinds = [type(message) for message in one.house.heard(ann)]
    assert kinds.index(TourJoined) < kinds.index(TourNews)


def test_a_stranger_hears_nothing() -> None:
    one = contest(2)
    stranger = one.house.enter("stranger")
    one.start()
    one.play_on()
    assert heard(one.house, stranger) == []


def test_the_organiser_hears_nothing_it_does_not_watch() -> None:
    one = contest(2)
    one.start()
    assert heard(one.house, one.organiser) == []


def test_a_tour_that_is_over_is_shown_and_nothing_more_is_heard_of_it() -> None:
    one = contest(2)
    one.start()
    one.play_on()
    watcher = one.house.connect()
    shown = one.house.ask(watcher, WatchTour(one.tour), TourShown)
    assert shown.line.status == "ended"
    assert heard(one.house, watcher) == []


def test_neither_code_nor_seed_is_heard_by_anyone_but_its_owner() -> None:
    """The house looks at every message of every test; here is one with much to tell."""
    one = contest(3, None)
    assert one.code in one.house.codes.values()
    watcher = one.house.connect()
    one.house.ask(watcher, WatchTour(one.tour), TourShown)
    one.start()
    one.play_on()
    one.house.restart()
    texts = [str(m) for inbox in one.house.inboxes.values() for m in inbox]
    told = [text for text in texts if one.code in text]
    assert all(text.startswith(("TourMade", "TourShown")) for text in told)


def test_a_line_is_what_the_tour_is() -> None:
    one = contest(2)
    one.start()
    shown = one.shown()
    assert (shown.line.entrants, shown.line.matches, shown.line.running) == (2, 1, 1)
    assert shown.line.owner is None
