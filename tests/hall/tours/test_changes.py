"""Coming late, leaving, being put out, and matches that are played again."""

import pytest

from rookery.core.events import Ended, Out, Withdrawn, tour_stream
from rookery.core.game import Forfeit
from rookery.core.intents import (
    JoinTour,
    PauseTour,
    Play,
    Rename,
    Resign,
    ShowTour,
    StartTour,
    VoidMatch,
    Withdraw,
)
from rookery.core.messages import TourJoined, TourShown
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import Guest

ROBIN = Plan(NIM, time="none")


def contest(form: str = "round_robin", players: int = 3, variant: str = NIM) -> Contest:
    one = Contest(house_of_tours(), Plan(variant, form, time="none"))
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def how_of(one: Contest, number: int) -> str | None:
    result = one.matches()[number - 1].result
    return None if result is None else result.how


def win(one: Contest, winner: int, table: int = 0) -> None:
    """At this of the running tables everyone else resigns."""
    at = one.running()[table]
    seats = one.house.show(one.organiser, at).line.seats
    for seat in seats:
        guest = next(g for g in one.guests if g.player == seat.player)
        if guest is not one.guests[winner - 1]:
            one.house.do(guest, Resign(at))


# -- names


def names(one: Contest) -> list[str]:
    return [row.name for row in one.shown().standing]


def test_a_name_taken_after_joining_is_the_entrants_too() -> None:
    one = contest(players=2)
    one.house.do(one.guests[0], Rename("ann"))
    assert [entrant.name for entrant in one.shown().entrants] == ["ann", "g2"]
    assert "ann" in names(one)
    one.start()
    one.house.do(one.guests[1], Rename("bob"))
    win(one, 2)
    assert one.status == "ended"
    assert one.shown().line.winners == ("bob",)
    one.house.do(one.guests[1], Rename("late"))  # it is over, and stays as it was
    assert names(one) == ["bob", "ann"]


def test_the_same_name_again_is_nothing_that_happened() -> None:
    one = contest(players=2)
    before = one.shown().n
    one.house.do(one.guests[0], Rename("g1"))
    assert one.shown().n == before


def test_a_team_keeps_its_name() -> None:
    one = Contest(house_of_tours(), Plan("bughouse", time="none"))
    guest = one.house.enter("ann")
    one.house.ask(guest, JoinTour(one.tour, team="red"), TourJoined)
    one.house.do(guest, Rename("eve"))
    (team,) = one.shown().entrants
    assert (team.name, team.players[0].name) == ("red", "eve")


# -- coming late


@pytest.mark.parametrize("form", ["joining", "swiss rounds=4", "arena", "gauntlet"])
def test_one_joins_late_where_the_format_can_do_it(form: str) -> None:
    one = contest(form)
    one.start()
    (late,) = one.join("late")
    assert one.house.ask(late, ShowTour(), TourShown).line.entrants == 4
    one.play_on(30)
    assert 4 in {side for match in one.matches() for side in match.sides}


@pytest.mark.parametrize("form", ["round_robin", "knockout", "groups"])
def test_one_does_not_join_late_where_the_format_cannot_do_it(form: str) -> None:
    one = contest(form)
    one.start()
    late = one.house.enter("late")
    assert one.house.no(late, JoinTour(one.tour)) == "too_late"
    one.house.do(one.organiser, PauseTour(one.tour))
    assert one.house.no(late, JoinTour(one.tour)) == "too_late"


def test_one_does_not_join_late_where_the_plan_forbids_it() -> None:
    one = Contest(house_of_tours(), Plan(NIM, "swiss", late=False))
    one.join("ann", "bob")
    one.start()
    assert one.house.no(one.house.enter("late"), JoinTour(one.tour)) == "too_late"


def test_who_joins_in_a_pause_plays_after_it() -> None:
    one = contest("joining", 2)
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    one.join("late")
    one.play_on()
    assert len(one.results()) == 1
    one.start()
    one.play_on()
    assert len(one.results()) == 6


def test_a_swiss_tour_pairs_who_came_late_in_the_next_round() -> None:
    one = contest("swiss rounds=2", 2)
    one.start()
    one.join("late")
    assert len(one.matches()) == 1
    one.play_on()
    assert {side for match in one.matches()[1:] for side in match.sides} == {1, 2, 3}


# -- leaving


def test_who_withdraws_before_the_start_is_not_paired() -> None:
    one = contest(players=4)
    one.house.do(one.guests[1], Withdraw())
    one.start()
    assert {side for match in one.matches() for side in match.sides} == {1, 3, 4}
    assert one.shown().entrants[1].out == "withdrawn"


def test_who_withdraws_loses_what_it_has_not_played_at_once() -> None:
    one = contest(players=3)
    one.start()  # 2 meets 3, and 1 waits
    assert one.matches()[0].sides == (2, 3)
    one.house.do(one.guests[0], Withdraw())
    assert [how_of(one, n) for n in (1, 2, 3)] == [None, "withdrawn", "withdrawn"]
    lost = [m for m in one.matches() if 1 in m.sides]
    assert all(m.result is not None and m.result.places[m.sides.index(1)] == 2 for m in lost)
    one.play_on()
    assert one.status == "ended"


def test_who_withdraws_in_a_running_match_resigns_it() -> None:
    one = contest(players=3)
    one.start()
    (table,) = one.running()
    one.house.do(one.guests[2], Withdraw())
    assert one.house.last(table, Out).why is Forfeit.RESIGNED
    assert one.results()[0] == ((2, 3), (1, 2))
    assert len(one.running()) == 1, "those who stay play on"


def test_nobody_is_left_and_the_tour_is_over() -> None:
    one = contest(players=3)
    one.start()
    for guest in one.guests:
        if one.status == "running":
            one.house.do(guest, Withdraw(one.tour))
    assert one.status == "ended"
    assert all(line.status == "over" for line in one.matches())


def test_the_organiser_puts_somebody_out() -> None:
    one = contest()
    one.start()
    one.house.do(one.organiser, Withdraw(one.tour, 2))
    assert one.shown().entrants[1].out == "removed"
    for number in (0, 4, -1):
        assert one.house.no(one.organiser, Withdraw(one.tour, number)) == "no_entrant"
    assert one.house.no(one.organiser, Withdraw(one.tour, 2)) == "not_in_tour"
    assert one.house.no(one.guests[1], Withdraw(one.tour)) == "not_in_tour"
    assert one.house.no(one.guests[1], JoinTour(one.tour)) == "too_late"
    assert one.house.no(one.house.enter("stranger"), Withdraw(one.tour)) == "not_in_tour"
    assert one.house.no(one.organiser, Withdraw(one.tour)) == "not_in_tour"


def test_who_left_a_tour_is_in_none_and_may_not_come_back_to_it() -> None:
    one = contest()
    one.house.do(one.guests[0], Withdraw())
    assert one.house.no(one.guests[0], JoinTour(one.tour)) == "joined_before"
    assert one.house.no(one.guests[0], ShowTour()) == "not_in_tour"
    other = Contest(one.house, ROBIN)
    one.house.ask(one.guests[0], JoinTour(other.tour), TourJoined)


def test_in_a_knock_out_who_left_does_not_go_on() -> None:
    one = contest("knockout", 4)
    one.start()
    win(one, 1)
    one.house.do(one.guests[0], Withdraw())
    win(one, 2)
    assert one.status == "ended"
    assert one.shown().line.winners == ("g2",)


# -- playing again


def test_a_running_match_is_voided_and_begins_again() -> None:
    one = contest(players=2)
    one.start()
    (table,) = one.running()
    one.move(table)
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert one.house.last(table, Ended).outcome.how == "voided"
    assert one.running() != [table]
    assert one.matches()[0].voided == 1
    one.play_on()
    assert len(one.results()) == 1


def test_a_match_that_is_over_is_voided_and_played_again() -> None:
    one = contest(players=3)
    one.start()
    win(one, 2)
    before = one.shown().standing
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert [row.points for row in one.shown().standing] == [0, 0, 0]
    assert one.shown().standing != before
    one.play_on()
    assert one.status == "ended"
    assert sorted(sides for sides, _ in one.results()) == [(1, 2), (2, 3), (3, 1)]


def test_in_a_pause_a_voided_match_waits() -> None:
    one = contest(players=2)
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert [line.status for line in one.matches()] == ["waiting"]
    one.start()
    assert [line.status for line in one.matches()] == ["playing"]


def test_what_has_not_begun_is_not_voided() -> None:
    one = contest(players=3)
    one.start()
    assert one.house.no(one.organiser, VoidMatch(one.tour, 2)) == "not_begun"
    for number in (0, -1, 4, 10**30):
        assert one.house.no(one.organiser, VoidMatch(one.tour, number)) == "no_match"


def test_a_bye_is_not_voided() -> None:
    one = contest("knockout", 3)
    one.start()
    byes = [line.match for line in one.matches() if len(line.sides) == 1]
    assert byes == [1]
    assert one.house.no(one.organiser, VoidMatch(one.tour, 1)) == "bye"


def test_a_match_of_somebody_who_is_out_is_not_voided() -> None:
    one = contest()
    one.start()
    win(one, 2)
    one.house.do(one.organiser, Withdraw(one.tour, 3))
    assert one.house.no(one.organiser, VoidMatch(one.tour, 1)) == "not_in_tour"


@pytest.mark.parametrize("form", ["swiss", "knockout", "groups"])
def test_a_result_is_not_voided_after_the_next_round_was_paired_by_it(form: str) -> None:
    one = contest(form, 4)
    one.start()
    first = len(one.matches())
    while len(one.matches()) == first:
        one.move(one.running()[0])
    assert one.house.no(one.organiser, VoidMatch(one.tour, 1)) == "too_late"


def test_before_the_next_round_is_paired_a_result_can_be_voided() -> None:
    one = contest("knockout", 4)
    one.start()
    win(one, 4)
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert len(one.running()) == 2
    win(one, 1)
    win(one, 2)
    assert [line.sides for line in one.matches()][2:] == [(1, 2)]


def test_the_play_off_for_third_place_is_voided_while_it_runs_beside_the_final() -> None:
    one = contest("knockout third=true", 4)
    one.start()
    win(one, 1)
    win(one, 2)
    assert [line.round for line in one.matches()] == [1, 1, 2, 3]
    one.house.do(one.organiser, VoidMatch(one.tour, 3))
    one.play_on()
    assert one.status == "ended"


def test_a_walkover_is_voided_and_played_when_both_are_there() -> None:
    one = Contest(house_of_tours(), Plan(NIM, time="none", absent=0, stays=True))
    ann, _ = one.join("ann", "bob")
    one.house.hang_up(ann)
    one.start()
    assert how_of(one, 1) == "absent"
    one.guests[0] = one.house.back(ann)
    one.house.do(one.organiser, VoidMatch(one.tour, 1))
    assert one.matches()[0].status == "playing"


def test_a_level_tie_is_decided_at_once_and_does_not_wait_for_the_others() -> None:
    one = contest("knockout", 4, "tictactoe")
    one.start()
    first, _ = one.running()
    drawn = ["0", "4", "8", "1", "7", "6", "2", "5", "3"]
    for move in drawn:
        shown = one.house.show(one.organiser, first)
        player = shown.line.seats[shown.to_act[0]].player
        guest: Guest = next(g for g in one.guests if g.player == player)
        one.house.do(guest, Play(first, move))
    assert [m.sides for m in one.matches()] == [(1, 4), (2, 3), (4, 1)]
    assert [m.status for m in one.matches()] == ["over", "playing", "playing"]


def test_why_somebody_is_out_is_in_the_log() -> None:
    one = contest()
    one.house.do(one.guests[0], Withdraw())
    one.house.do(one.organiser, Withdraw(one.tour, 2))
    assert one.house.no(one.organiser, StartTour(one.tour)) == "too_few"
    records = one.house.streams[tour_stream(one.tour)]
    gone = [r.event for r in records if isinstance(r.event, Withdrawn)]
    assert gone == [Withdrawn(1, "withdrawn"), Withdrawn(2, "removed")]
