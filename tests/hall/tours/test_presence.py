"""Who is away in a tour: what waits for them, what they lose, and what a restart leaves."""

import pytest

from rookery.core.events import TourClosing, tour_stream
from rookery.core.ids import PlayerId, SessionId, TourId, Wall
from rookery.core.intents import (
    EndTour,
    Enter,
    JoinTour,
    OpenTour,
    Organise,
    PauseTour,
    Resign,
    Resume,
    ShowTour,
    StartTour,
    Withdraw,
)
from rookery.core.messages import TourJoined, TourMade, TourNews, TourShown, Welcome
from rookery.core.network import Attachment
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, TOKEN, Contest, house_of_tours
from tests.hall.house import Guest, House

ROBIN = Plan(NIM, time="none")  # absent is five minutes, and grace one


def contest(players: int = 3, plan: Plan = ROBIN) -> Contest:
    one = Contest(house_of_tours(), plan)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def back(one: Contest, *numbers: int) -> None:
    for number in numbers:
        one.guests[number - 1] = one.house.back(one.guests[number - 1])


def again(one: Contest) -> None:
    """The organiser is there again after a restart."""
    one.organiser = one.house.connect()
    one.house.do(one.organiser, Organise(TOKEN))


def statuses(one: Contest) -> list[str]:
    return [line.status for line in one.matches()]


def hows(one: Contest) -> list[str | None]:
    return [None if m.result is None else m.result.how for m in one.matches()]


def test_a_match_waits_for_a_player_who_is_away_and_begins_when_it_comes() -> None:
    one = contest(2)
    one.house.hang_up(one.guests[0])
    one.start()
    assert statuses(one) == ["waiting"]
    one.house.wait(299)
    assert statuses(one) == ["waiting"]
    back(one, 1)
    assert statuses(one) == ["playing"]


def test_who_is_away_for_too_long_loses_what_it_has_not_played() -> None:
    one = contest(2)
    one.house.hang_up(one.guests[0])
    one.start()
    one.house.wait(300)
    assert hows(one) == ["absent"]
    assert one.results() == [((1, 2), (2, 1))]
    assert one.status == "ended"
    assert one.shown().standing[-1].forfeits == 1


def test_an_absent_player_loses_as_its_opponents_become_free() -> None:
    one = contest(3)
    one.house.hang_up(one.guests[0])
    one.start()  # 2 and 3 play
    one.house.wait(400)
    assert hows(one) == [None, None, None]
    one.house.do(one.guests[1], Resign(one.running()[0]))
    assert hows(one) == ["resigned", "absent", "absent"]
    assert one.status == "ended"


def test_who_comes_back_plays_what_is_not_lost_yet() -> None:
    one = contest(3)
    one.house.hang_up(one.guests[0])
    one.start()
    one.house.wait(400)
    back(one, 1)
    one.house.do(one.guests[1], Resign(one.running()[0]))
    assert "absent" not in hows(one)
    one.play_on()
    assert one.status == "ended"


def test_where_both_are_absent_nobody_wins() -> None:
    one = contest(2)
    for guest in one.guests:
        one.house.hang_up(guest)
    one.start()
    one.house.wait(300)
    assert one.results() == [((1, 2), (2, 2))]
    assert [row.points for row in one.shown().standing] == [0, 0]


def test_somebody_is_absent_only_from_when_it_went() -> None:
    one = contest(2)
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.wait(1000)
    one.house.do(one.guests[1], Resign(one.running()[0]))
    assert hows(one) == ["resigned"]


def test_nobody_loses_by_being_away_in_a_pause_but_after_it() -> None:
    one = contest(2)
    one.house.hang_up(one.guests[0])
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.wait(1000)
    assert hows(one) == [None]
    one.start()
    assert hows(one) == ["absent"]


def test_who_leaves_a_running_match_loses_it_by_its_own_policy() -> None:
    one = contest(2)
    one.start()
    one.house.hang_up(one.guests[0])
    one.house.wait(59)
    assert statuses(one) == ["playing"]
    one.house.wait(1)
    assert hows(one) == ["gone"]


def test_where_everyone_left_a_match_nobody_wins_it() -> None:
    one = contest(2)
    one.start()
    for guest in one.guests:
        one.house.hang_up(guest)
    one.house.wait(60)
    assert hows(one) == ["abandoned"]
    assert one.results() == [((1, 2), (2, 2))]


def test_a_match_on_hold_is_taken_up_at_the_exact_move() -> None:
    one = contest(2, Plan("tictactoe", time="none", policy=Policy(gone=Gone.HOLD)))
    one.start()
    (table,) = one.running()
    one.move(table)
    before = one.house.show(one.organiser, table).view
    one.house.restart()
    one.house.wait(10_000)
    again(one)
    back(one, 1, 2)
    assert one.running() == [table]
    assert one.house.show(one.organiser, table).view == before
    one.play_on()
    assert one.status == "ended"


# -- a restart


@pytest.mark.parametrize("after", range(0, 12, 2))
def test_after_a_restart_everything_goes_on(after: int) -> None:
    one = contest(3, Plan(NIM, "round_robin legs=2", time="none"))
    one.start()
    one.play_on(after)
    before = one.matches()
    one.house.restart()
    again(one)
    assert one.matches() == before
    back(one, 1, 2, 3)
    assert one.matches() == before
    one.play_on()
    assert one.status == "ended"
    assert len(one.results()) == 6


def test_a_restart_before_the_start_keeps_the_entrants_and_the_code() -> None:
    one = Contest(house_of_tours(), ROBIN, None)
    one.join("ann", "bob")
    one.house.restart()
    again(one)
    assert one.shown().code == one.code
    assert [entrant.name for entrant in one.shown().entrants] == ["ann", "bob"]
    one.start()
    back(one, 1, 2)
    assert statuses(one) == ["playing"]


def test_a_restart_in_a_pause_and_while_closing_keeps_both() -> None:
    one = contest(2)
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.restart()
    again(one)
    assert one.status == "paused"
    back(one, 1, 2)
    one.house.do(one.organiser, EndTour(one.tour))
    one.house.restart()
    again(one)
    assert one.status == "closing"
    back(one, 1, 2)
    one.play_on()
    assert one.status == "ended"
    assert len(one.results()) == 1


def test_after_a_restart_everyone_has_the_whole_time_to_come_back() -> None:
    one = contest(3)
    one.start()
    one.house.hang_up(one.guests[0])
    one.house.wait(250)
    one.house.restart()
    again(one)
    back(one, 2, 3)
    one.house.wait(290)
    one.play_on(10)
    assert "absent" not in hows(one)
    one.house.wait(10)
    assert hows(one).count("absent") == 2


def test_nobody_owns_a_tour_less_after_a_restart() -> None:
    house = house_of_tours()
    one = Contest(house, ROBIN)
    ann, _ = one.join("ann", "bob")
    house.restart()
    ann = house.back(ann)
    assert house.ask(ann, ShowTour(), TourShown).line.tour == one.tour
    assert house.no(ann, StartTour()) == "not_owner"


# -- an end that somebody was not there for


def ends_heard(house: House, who: Guest | SessionId) -> list[TourClosing]:
    heard = [m.event for m in house.heard(who) if isinstance(m, TourNews)]
    return [event for event in heard if isinstance(event, TourClosing)]


@pytest.mark.parametrize("restart", [False, True])
def test_who_was_away_at_the_end_is_told_when_it_comes_back(restart: bool) -> None:
    one = contest(3)
    one.house.hang_up(one.guests[0])
    one.start()
    one.play_on()
    one.house.wait(300)
    assert one.status == "ended"
    if restart:
        one.house.restart()
    back(one, 1)
    (closing,) = ends_heard(one.house, one.guests[0])
    records = one.house.streams[tour_stream(one.tour)]
    assert closing == next(r.event for r in records if isinstance(r.event, TourClosing))
    one.house.hang_up(one.guests[0])
    back(one, 1)
    assert ends_heard(one.house, one.guests[0]) == []


def test_who_was_away_when_it_closed_is_told_though_the_server_died_before_its_end() -> None:
    one = contest(3)
    one.start()
    one.house.hang_up(one.guests[0])
    one.house.do(one.organiser, EndTour(one.tour))
    one.house.restart()
    back(one, 1)
    assert len(ends_heard(one.house, one.guests[0])) == 1


def one_tour_after_another() -> tuple[Contest, Contest]:
    """Somebody missed the end of the first, has been told of it, and joined the other."""
    one = contest(3)
    house = one.house
    house.hang_up(one.guests[0])
    house.do(one.organiser, EndTour(one.tour))
    back(one, 1)
    other = Contest(house, ROBIN)
    house.ask(one.guests[0], JoinTour(other.tour), TourJoined)
    return one, other


def test_of_two_ends_that_were_missed_the_last_is_told_after_a_restart() -> None:
    one, other = one_tour_after_another()
    house = one.house
    house.hang_up(one.guests[0])
    house.do(one.organiser, EndTour(other.tour))
    house.restart()
    back(one, 1)
    told = [m for m in house.heard(one.guests[0]) if isinstance(m, TourNews)]
    assert [(news.tour, type(news.event)) for news in told] == [(other.tour, TourClosing)]


def test_who_has_joined_another_tour_since_is_not_told_again_after_a_restart() -> None:
    one, other = one_tour_after_another()
    house = one.house
    house.do(one.guests[0], Withdraw(other.tour))
    house.restart()
    back(one, 1)
    assert ends_heard(house, one.guests[0]) == []


def test_who_is_in_another_tour_by_then_is_told_nothing() -> None:
    one = contest(3)
    other = Contest(one.house, ROBIN)
    one.house.ask(one.guests[0], JoinTour(other.tour), TourJoined)
    one.house.hang_up(one.guests[0])
    one.house.do(one.organiser, EndTour(one.tour))
    back(one, 1)
    assert ends_heard(one.house, one.guests[0]) == []


def test_a_player_known_by_its_number_comes_back_to_its_match() -> None:
    house = house_of_tours()
    one = Contest(house, Plan("nim", "joining", time="none"))

    def come() -> Guest:
        session = house.connect(dialect="tourney")
        welcome = house.ask(session, Enter("null", "tourney"), Welcome)
        house.ask(session, JoinTour(one.tour), TourJoined)
        return Guest(session, welcome.player, welcome.token)

    ann, _ = come(), come()
    one.start()
    house.restart()
    session = house.connect(dialect="tourney")
    welcome = house.ask(session, Resume(PlayerId(ann.player)), Welcome)
    assert welcome.tables == (1,)
    assert house.no(session, JoinTour()) == "in_tour"


# -- joining without a number


def forgotten(house: House) -> tuple[Guest, Guest, TourId]:
    """A tour that is open to all and older than a day; its owner and its entrant are away."""
    owner, entrant = house.enter("owner"), house.enter("entrant", house.connect())
    tour = house.ask(owner, OpenTour(ROBIN, ""), TourMade).tour
    house.ask(entrant, JoinTour(tour), TourJoined)
    house.wait(25 * 3600)
    house.restart()
    return owner, entrant, tour


@pytest.mark.parametrize("which", [0, 1])
def test_a_tour_is_found_while_its_owner_or_an_entrant_is_connected_by_an_edge(which: int) -> None:
    house = house_of_tours()
    *people, tour = forgotten(house)
    assert house.no(house.enter("ann"), JoinTour()) == "no_tour"
    before = Attachment((people[which].player,))
    house.take(house.hall.attach(house.connect(), before, house.now, Wall(house.now)))
    assert house.ask(house.enter("bob"), JoinTour(), TourJoined).tour == tour


def test_an_entrant_who_was_put_out_keeps_no_tour_from_being_forgotten() -> None:
    house = house_of_tours()
    owner, entrant, tour = forgotten(house)
    owner, entrant = house.back(owner), house.back(entrant)
    house.do(owner, Withdraw(tour, 1))
    house.hang_up(owner)
    assert house.no(house.enter("ann"), JoinTour()) == "no_tour"
    assert house.no(entrant, JoinTour()) == "no_tour"


def test_whoever_was_put_out_of_one_tour_joins_the_next() -> None:
    house = house_of_tours()
    owner, ann = house.enter("owner"), house.enter("ann")
    tours = [house.ask(owner, OpenTour(ROBIN, ""), TourMade).tour for _ in range(2)]
    assert house.ask(ann, JoinTour(), TourJoined).tour == tours[0]
    house.do(owner, Withdraw(tours[0], 1))
    assert house.ask(ann, JoinTour(), TourJoined).tour == tours[1]


def test_a_tour_of_nobody_s_is_found_for_a_day_though_it_is_the_organiser_s() -> None:
    one = contest(0)
    one.house.wait(24 * 3600)
    late = one.house.enter("late")
    one.house.wait(1)
    assert one.house.no(late, JoinTour()) == "no_tour"
