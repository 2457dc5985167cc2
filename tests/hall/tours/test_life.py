"""A tour from its opening to its end, and everything that is refused on the way."""

from collections.abc import Callable

import pytest

from rookery.core.events import Ended, MatchEnded, TourClosing, TourEnded, tour_stream
from rookery.core.ids import SessionId, TourId
from rookery.core.intents import (
    Abort,
    CancelTour,
    EndTour,
    JoinTour,
    ListMatches,
    ListTours,
    OpenTour,
    Organise,
    PauseTour,
    Rematch,
    Resign,
    ShowTour,
    StartTour,
    VoidMatch,
    WatchTour,
    Withdraw,
)
from rookery.core.messages import Matches, Refused, TourJoined, TourMade, Tours, TourShown
from rookery.core.policy import Errors, Policy
from rookery.core.tour_values import Plan
from rookery.hall.tours.formats import FORMATS
from rookery.hall.tours.tour_book import READ_KEPT
from tests.hall.contest import NIM, TOKEN, Contest, house_of_tours
from tests.hall.house import Guest, House

ROBIN = Plan(NIM, time="none")
TWICE = Plan(NIM, "round_robin legs=2", time="none")


def contest(plan: Plan = ROBIN, players: int = 3) -> Contest:
    one = Contest(house_of_tours(), plan)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def hows(one: Contest) -> list[str]:
    """How each match came out, in the order they did."""
    records = one.house.streams[tour_stream(one.tour)]
    return [r.event.result.how for r in records if isinstance(r.event, MatchEnded)]


def test_a_tour_is_open_then_runs_and_ends_when_all_is_played() -> None:
    one = contest(TWICE)
    assert one.status == "open"
    assert not one.running()
    one.start()
    assert one.status == "running"
    assert len(one.running()) == 1, "three can play one match at a time"
    one.play_on()
    assert one.status == "ended"
    assert len(one.results()) == 6
    shown = one.shown()
    assert (shown.line.matches, shown.line.played, shown.line.running) == (6, 6, 0)
    best = [row.name for row in shown.standing if row.place == 1]
    assert list(shown.line.winners) == best


def test_nothing_begins_in_a_pause_and_what_runs_is_played_out() -> None:
    one = contest(players=5)
    one.start()
    assert len(one.running()) == 2
    one.house.do(one.organiser, PauseTour(one.tour))
    one.play_on()
    assert one.status == "paused"
    assert len(one.results()) == 2
    one.start()
    assert len(one.running()) == 2
    one.play_on()
    assert one.status == "ended"


def test_when_a_tour_is_ended_what_runs_is_played_out_and_counts() -> None:
    one = contest(players=4)
    one.start()
    one.house.do(one.organiser, EndTour(one.tour))
    assert one.status == "closing"
    assert len(one.running()) == 2
    one.play_on()
    assert one.status == "ended"
    assert len(one.results()) == 2
    assert sum(row.points for row in one.shown().standing) == 2


def test_a_tour_that_nobody_started_can_be_ended() -> None:
    one = contest()
    one.house.do(one.organiser, EndTour(one.tour))
    assert one.status == "ended"
    assert one.shown().line.winners == ()


@pytest.mark.parametrize("closing", [False, True])
def test_when_a_tour_is_called_off_what_runs_is_voided(closing: bool) -> None:
    one = contest(players=4)
    one.start()
    tables = one.running()
    if closing:
        one.house.do(one.organiser, EndTour(one.tour))
    one.house.do(one.organiser, CancelTour(one.tour))
    assert one.status == "cancelled"
    assert [one.house.last(t, Ended).outcome.how for t in tables] == ["voided", "voided"]
    assert [one.house.last(t, Ended).outcome.places for t in tables] == [(2, 2), (2, 2)]
    assert one.results() == []
    assert one.shown().line.winners == ()


def test_a_tour_that_stays_waits_for_its_owner_when_all_is_played() -> None:
    one = Contest(house_of_tours(), Plan(NIM, "joining", time="none", stays=True))
    one.start()
    one.join("ann", "bob")
    one.play_on()
    assert one.status == "running"
    assert len(one.results()) == 2
    one.join("cyd")
    one.play_on()
    assert len(one.results()) == 6
    one.house.do(one.organiser, EndTour(one.tour))
    assert one.status == "ended"


def test_closing_is_said_before_the_end_and_both_say_who_won() -> None:
    one = contest()
    one.start()
    one.play_on()
    *_, closing, ended = [r.event for r in one.house.streams[tour_stream(one.tour)]]
    assert isinstance(closing, TourClosing)
    assert isinstance(ended, TourEnded)
    assert closing.how == ended.how == "played"
    assert closing.winners == ended.winners != ()


def test_a_player_opens_a_tour_and_owns_it() -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    made = house.ask(ann, OpenTour(ROBIN, ""), TourMade)
    for guest in (ann, bob):
        house.ask(guest, JoinTour(made.tour), TourJoined)
    assert house.no(bob, StartTour(made.tour)) == "not_owner"
    house.do(ann, StartTour())
    assert house.ask(ann, ShowTour(), TourShown).line.owner == ann.player


def test_the_organiser_may_do_with_every_tour_what_its_owner_may() -> None:
    house = house_of_tours()
    ann, organiser = house.enter("ann"), house.connect()
    tour = house.ask(ann, OpenTour(ROBIN), TourMade).tour
    assert house.no(organiser, EndTour(tour)) == "no_player"
    assert house.no(organiser, Organise("guess")) == "bad_token"
    house.do(organiser, Organise(TOKEN))
    house.do(organiser, EndTour(tour))


def test_without_a_token_nobody_is_the_organiser(house: House) -> None:
    assert house.no(house.connect(), Organise("")) == "bad_token"


def test_tours_are_listed_when_they_are_over_too() -> None:
    one = contest(players=2)
    one.start()
    one.play_on()
    house = one.house
    second = house.ask(one.organiser, OpenTour(ROBIN), TourMade).tour
    lines = house.ask(one.organiser, ListTours(), Tours).tours
    assert [(line.tour, line.status, line.coded) for line in lines] == [
        (one.tour, "ended", False),
        (second, "open", True),
    ]
    house.restart()
    assert house.ask(house.connect(), ListTours(), Tours).tours == lines
    assert house.ask(house.connect(), ListTours(one.tour), Tours).tours == lines[1:]


# -- what is refused


def test_a_second_start_is_refused() -> None:
    one = contest()
    one.start()
    assert one.house.no(one.organiser, StartTour(one.tour)) == "running"


def test_somebody_elses_tour_is_not_run() -> None:
    one = contest()
    guest = one.guests[0]
    for intent in (StartTour, PauseTour, EndTour, CancelTour):
        assert one.house.no(guest, intent(one.tour)) == "not_owner"
    assert one.house.no(guest, VoidMatch(one.tour, 1)) == "not_owner"
    assert one.house.no(guest, Withdraw(one.tour, 2)) == "not_owner"


@pytest.mark.parametrize("name", FORMATS)
def test_too_few_cannot_start(name: str) -> None:
    variant = "bughouse" if name == "rotating" else NIM
    one = Contest(house_of_tours(), Plan(variant, name, time="none"))
    one.join("ann")
    if FORMATS[name].eager:
        one.start()  # whoever comes then is paired
        assert one.status == "running"
    else:
        assert one.house.no(one.organiser, StartTour(one.tour)) == "too_few"


def test_who_withdrew_before_the_start_is_not_counted_for_it() -> None:
    one = contest(players=2)
    one.house.do(one.guests[0], Withdraw(one.tour))
    assert one.house.no(one.organiser, StartTour(one.tour)) == "too_few"


@pytest.mark.parametrize("end", [EndTour, CancelTour])
def test_what_is_over_is_over(end: Callable[[TourId], EndTour | CancelTour]) -> None:
    one = contest()
    one.house.do(one.organiser, end(one.tour))
    for intent in (StartTour, EndTour, CancelTour):
        assert one.house.no(one.organiser, intent(one.tour)) == "over"
    assert one.house.no(one.organiser, PauseTour(one.tour)) == "not_running"
    assert one.house.no(one.organiser, VoidMatch(one.tour, 1)) == "over"
    assert one.house.no(one.organiser, Withdraw(one.tour, 1)) == "over"
    assert one.house.no(one.house.enter("late"), JoinTour(one.tour)) == "over"


def test_only_what_runs_is_paused() -> None:
    one = contest()
    assert one.house.no(one.organiser, PauseTour(one.tour)) == "not_running"
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    assert one.house.no(one.organiser, PauseTour(one.tour)) == "not_running"


def test_there_is_no_tour_that_was_never_opened() -> None:
    one = contest()
    for tour in (0, -1, 2, 10**30):
        none = TourId(tour)
        for intent in (StartTour(none), ShowTour(none), ListMatches(none), WatchTour(none)):
            assert one.house.no(one.organiser, intent) == "no_tour"
        assert one.house.no(one.guests[0], JoinTour(none)) == "no_tour"


def test_who_neither_owns_a_tour_nor_is_in_one_has_none() -> None:
    house = house_of_tours()
    ann = house.enter("ann")
    for intent in (StartTour(), ShowTour(), ListMatches(), Withdraw()):
        assert house.no(ann, intent) == "not_in_tour"
    assert house.no(ann, JoinTour()) == "no_tour"


def test_nobody_in_particular_neither_joins_nor_opens() -> None:
    house = house_of_tours()
    session: SessionId = house.connect()
    assert house.no(session, OpenTour(ROBIN)) == "no_player"
    assert house.no(session, JoinTour(TourId(1))) == "no_player"
    house.do(session, Organise(TOKEN))
    assert house.no(session, JoinTour(TourId(1))) == "no_player"


@pytest.mark.parametrize(
    "plan",
    [
        Plan(""),
        Plan("chess"),
        Plan("nim rows=x"),
        Plan(NIM, ""),
        Plan(NIM, "olympics"),
        Plan(NIM, "swiss rounds=100"),
        Plan(NIM, "swiss legs=2"),
        Plan(NIM, "rotating"),
        Plan("bughouse", "groups", seats=2),
        Plan("fish", "round_robin", seats=3),
        Plan("fish", "knockout", seats=4),
        Plan(NIM, seats=3),
        Plan(NIM, time="soon"),
        Plan(NIM, points="1-2-3"),
        Plan(NIM, points="a lot"),
        Plan(NIM, ties=("luck",)),
        Plan(NIM, ties=("wins", "wins")),
        Plan(NIM, policy=Policy(grace=-1)),
        Plan(NIM, policy=Policy(errors=Errors(-1))),
        Plan(NIM, parallel=-1),
        Plan(NIM, at_once=0),
        Plan(NIM, absent=-1),
        Plan(NIM, name="a\nb"),
    ],
    ids=repr,
)
def test_a_plan_that_cannot_be_is_refused(plan: Plan) -> None:
    house = house_of_tours()
    assert house.no(house.enter("ann"), OpenTour(plan)) == "bad_option"


def test_a_plan_is_kept_in_its_shortest_form() -> None:
    house = house_of_tours()
    plan = Plan("nim  rows=3", "swiss  rounds=0", " spring ", time="300s", points="1-½-0")
    house.ask(house.enter("ann"), OpenTour(plan), TourMade)
    kept = house.ask(house.connect(), ShowTour(TourId(1)), TourShown).plan
    assert (kept.format, kept.name, kept.time, kept.points) == ("swiss", "spring", "5m", "1-0.5-0")
    assert kept.seats == 2


def test_in_a_tour_a_game_is_neither_called_off_nor_played_again_by_its_players() -> None:
    one = contest(players=2)
    one.start()
    (table,) = one.running()
    ann, bob = one.guests
    assert one.house.no(ann, Abort(table)) == "in_tour"
    one.house.do(bob, Resign(table))
    assert one.house.no(ann, Rematch(table)) == "in_tour"
    assert hows(one) == ["resigned"]


def test_matches_are_asked_for_after_a_number() -> None:
    one = contest(TWICE)
    one.start()

    def after(number: int) -> list[int]:
        page = one.house.ask(one.organiser, ListMatches(one.tour, number), Matches)
        return [line.match for line in page.matches]

    assert after(4) == [5, 6]
    assert after(-7) == [1, 2, 3, 4, 5, 6]
    assert after(10**30) == []


def test_one_joins_once() -> None:
    one = contest()
    ann: Guest = one.guests[0]
    assert one.house.no(ann, JoinTour(one.tour)) == "joined_before"
    assert isinstance(one.house.reply(ann, JoinTour(one.tour, team="reds")), Refused)
    assert one.house.no(one.house.enter("dan"), JoinTour(one.tour, team="reds")) == "no_teams"


def test_tours_that_are_over_are_shown_alike_however_many_were_asked_for_between() -> None:
    house = house_of_tours()
    contests = [Contest(house, ROBIN) for _ in range(READ_KEPT + 2)]
    for n, one in enumerate(contests):
        one.join(f"ann of {n}", f"bob of {n}")
        one.start()
        one.play_on()
    shown = [one.shown() for one in contests]
    assert [one.line.tour for one in shown] == [one.tour for one in contests]
    assert [one.shown() for one in contests] == shown


def test_a_tour_is_over_for_all_who_ask_though_its_end_is_still_being_written() -> None:
    one = contest(players=2)
    one.start()
    one.house.slow = True
    one.play_on()
    assert one.status == "ended"
    one.house.catch_up()
    assert one.status == "ended"
    assert one.shown().line.played == 1
