"""Joining a running Swiss: what the rounds are worth that one missed."""

import pytest

from rookery.core.intents import Resign
from rookery.core.tour_values import Plan
from rookery.verify.log import check_log
from tests.hall.contest import NIM, Contest, house_of_tours


def contest(form: str) -> Contest:
    one = Contest(house_of_tours(), Plan(NIM, form, time="none", points="3-1-0"))
    one.join("g1", "g2", "g3", "g4")
    one.start()
    return one


def play_round(one: Contest) -> None:
    for table in one.running():
        seats = one.house.show(one.organiser, table).line.seats
        loser = next(g for g in one.guests if g.player == seats[1].player)
        one.house.do(loser, Resign(table))


def points(one: Contest, entrant: int) -> float:
    return next(row.points for row in one.shown().standing if row.entrant == entrant)


@pytest.mark.parametrize(("form", "gets"), [("", 0), (" late_byes=1", 1), (" late_byes=2", 2)])
def test_missed_rounds_are_worth_a_draw_up_to_a_bound(form: str, gets: float) -> None:
    one = contest(f"swiss rounds=4{form}")
    play_round(one)
    one.join("g5", "g6")
    assert points(one, 5) == 0  # it waits for the next round
    play_round(one)
    assert points(one, 5) == gets  # the second round ran already when it joined
    one.join("g7", "g8")
    play_round(one)
    assert (points(one, 7), points(one, 8)) == (gets, gets)
    byes = [(m.round, m.sides) for m in one.matches() if len(m.sides) == 1]
    assert byes == [
        (n, (e,)) for some in ((5, 6), (7, 8)) for n in range(1, int(gets) + 1) for e in some
    ]
    one.play_on()
    assert one.status == "ended"
    assert not list(check_log(one.house.log))


def test_a_round_that_runs_is_missed() -> None:
    one = contest("swiss rounds=2 late_byes=9")
    one.join("late")
    play_round(one)
    assert [m.sides for m in one.matches() if m.round == 1][-1] == (5,)
    assert 5 in {side for m in one.matches() if m.round == 2 for side in m.sides}
