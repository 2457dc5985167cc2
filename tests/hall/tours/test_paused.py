"""A player who is away for too long is paused: what that costs, what waits, and how it ends."""

import pytest
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import EntrantPaused, EntrantResumed, TourEvent, tour_stream
from rookery.core.ids import TableId
from rookery.core.intents import (
    EndTour,
    EnterResult,
    JoinTour,
    Organise,
    PauseTour,
    Resign,
    VoidMatch,
    WatchTour,
    Withdraw,
)
from rookery.core.messages import TourJoined, TourNews, TourShown
from rookery.core.policy import Gone, Policy
from rookery.core.tour_values import Plan
from rookery.hall.tours.tour import replay_tour
from tests.hall.contest import NIM, TOKEN, Contest, house_of_tours
from tests.hall.house import SECOND, House

ABSENT = 60  # seconds
FLASH = Policy(grace=5 * SECOND)


def plan(form: str = "round_robin", **terms: object) -> Plan:
    kept = {"time": "none", "absent": ABSENT * SECOND, "policy": FLASH} | terms
    return Plan(NIM, form, **kept)  # type: ignore[arg-type]  # terms are fields of a plan


def contest(players: int, one: Plan | None = None) -> Contest:
    made = Contest(house_of_tours(), one or plan())
    made.join(*[f"g{n}" for n in range(1, players + 1)])
    return made


def away(one: Contest, *numbers: int) -> None:
    for number in numbers:
        one.house.hang_up(one.guests[number - 1])


def back(one: Contest, *numbers: int) -> None:
    for number in numbers:
        one.guests[number - 1] = one.house.back(one.guests[number - 1])


def restart(one: Contest) -> None:
    one.house.restart()
    one.organiser = one.house.connect()
    one.house.do(one.organiser, Organise(TOKEN))


def paused(one: Contest) -> list[int]:
    """Who is paused, as the standing has it."""
    shown = one.shown()
    rows = sorted(row.entrant for row in shown.standing if row.paused)
    assert rows == [entrant.entrant for entrant in shown.entrants if entrant.paused]
    return rows


def fallen(one: Contest) -> list[tuple[int, ...]]:
    """The matches that came out because somebody was absent."""
    lines = one.matches()
    return [m.sides for m in lines if m.result is not None and m.result.how == "absent"]


def forfeits(one: Contest, number: int) -> int:
    return next(row.forfeits for row in one.shown().standing if row.entrant == number)


def events(one: Contest, *kinds: type[TourEvent]) -> list[TourEvent]:
    records = one.house.streams[tour_stream(one.tour)]
    return [record.event for record in records if isinstance(record.event, kinds)]


def resign(one: Contest, table: int) -> None:
    """The player to move resigns, wherever it is."""
    shown = one.house.show(one.organiser, one.running()[table])
    player = shown.line.seats[shown.to_act[0]].player
    guest = next(guest for guest in one.guests if guest.player == player)
    one.house.do(guest, Resign(one.running()[table], player=guest.player))


# -- one match in each `absent`, and the others wait


def test_one_match_is_lost_in_each_absence_and_the_others_wait_while_others_play() -> None:
    one = contest(5)
    away(one, 1)
    one.start()  # somebody always plays: nobody moves
    one.house.wait(ABSENT - 1)
    assert (paused(one), fallen(one)) == ([], [])
    one.house.wait(1)
    assert paused(one) == [1]
    resign(one, 0)
    resign(one, 0)
    assert len(one.running()) == 2
    assert len(fallen(one)) == 1
    one.house.wait(ABSENT - 1)
    resign(one, 0)
    assert len(fallen(one)) == 1
    one.house.wait(2)
    resign(one, 0)
    assert len(fallen(one)) == 2


def test_what_waits_begins_the_moment_the_player_is_back() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    while len(one.matches()) - len(one.results()) > 3:
        resign(one, 0)
    # 2, 3 and 4 have one game left among themselves.
    assert len(one.running()) == 1
    before = len(fallen(one))
    back(one, 1)
    assert paused(one) == []
    assert len(one.running()) == 2
    one.play_on()
    assert len(fallen(one)) == before <= 1
    assert one.status == "ended"


def test_what_waits_is_lost_when_nothing_else_is_left_to_play() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    one.play_on()
    assert one.status == "ended"
    assert sorted(fallen(one)) == sorted(m.sides for m in one.matches() if 1 in m.sides)
    assert forfeits(one, 1) == 3
    assert paused(one) == [1]


def test_a_match_of_somebody_who_is_away_for_a_moment_is_left_to_play() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT - 10)
    away(one, 4)
    one.house.wait(10)
    one.play_on()  # 2 and 3 have met; 4 may come
    assert len(fallen(one)) <= 1
    back(one, 4)
    one.play_on()
    assert one.status == "ended"
    assert forfeits(one, 4) == 0


def test_a_crash_costs_a_double_round_robin_of_eighteen_three_matches() -> None:
    """One is away for two and a half times `absent`; every move takes a second."""
    one = contest(18, plan("round_robin legs=2", parallel=4))
    one.start()
    chance = Chance(5)
    for second in range(10_000):
        if second == 60:
            away(one, 7)
        if second == 60 + 5 * ABSENT // 2:
            back(one, 7)
        one.house.wait(1)
        running = one.running()
        gone = 60 <= second < 60 + 5 * ABSENT // 2
        tables = [t for t in running if not (gone and plays(one, 7, t))]
        if tables:
            one.move(chance.choice(tables))
        if one.status == "ended":
            break
    assert one.status == "ended"
    assert forfeits(one, 7) <= 3  # the game it played, and two
    met = [m for m in one.matches() if 7 in m.sides]
    assert len(met) == 34


def plays(one: Contest, number: int, table: TableId) -> bool:
    return any(m.table == table and number in m.sides for m in one.matches())


def test_who_goes_again_has_the_whole_time_again() -> None:
    one = contest(5)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    back(one, 1)
    away(one, 1)
    one.house.wait(ABSENT - 1)
    assert paused(one) == []
    one.house.wait(1)
    assert paused(one) == [1]
    kinds = [type(event) for event in events(one, EntrantPaused, EntrantResumed)]
    assert kinds == [EntrantPaused, EntrantResumed, EntrantPaused]


# -- nobody is there


@pytest.mark.parametrize("form", ["round_robin legs=2", "joining", "gauntlet", "knockout", "swiss"])
def test_where_everybody_is_gone_each_loses_one_match_at_a_time_and_the_tour_ends(
    form: str,
) -> None:
    one = contest(5, plan(form))
    away(one, 1, 2, 3, 4, 5)
    one.start()
    one.house.wait(ABSENT)
    assert paused(one) == [1, 2, 3, 4, 5]
    sides = [side for match in fallen(one) for side in match]
    assert len(sides) == len(set(sides))
    assert one.status == "running"
    one.house.wait(60 * ABSENT)
    assert one.status == "ended"


def test_a_network_that_is_gone_for_a_while_does_not_cost_everybody_everything() -> None:
    one = contest(6, plan("round_robin legs=2"))
    one.start()
    away(one, 1, 2, 3, 4, 5, 6)
    one.house.wait(ABSENT * 3 // 2)
    back(one, 1, 2, 3, 4, 5, 6)
    assert paused(one) == []
    one.play_on()
    assert one.status == "ended"
    assert all(row.forfeits <= 2 for row in one.shown().standing)


def test_somebody_alone_does_not_wait_for_those_who_are_gone() -> None:
    one = contest(4)
    away(one, 2, 3, 4)
    one.start()
    one.house.wait(ABSENT)
    assert one.status == "ended"
    assert one.shown().standing[0].points == 3


# -- formats


def test_a_swiss_round_is_paired_without_who_is_paused() -> None:
    one = contest(6, plan("swiss rounds=3 late_byes=3"))
    one.start()
    away(one, 6)
    one.house.wait(ABSENT)
    one.play_on()
    second = {m.sides: m for m in one.matches() if m.round == 2}
    assert (6,) in second
    assert second[6,].result is not None
    assert second[6,].points == (0.0,)
    assert sum(6 in sides for sides in second) == 1
    back(one, 6)  # while the third is played, or it is over
    one.play_on()
    assert one.status == "ended"


def test_who_comes_back_is_in_the_next_round_of_a_swiss_and_has_nothing_for_those_missed() -> None:
    one = contest(6, plan("swiss rounds=4 late_byes=4"))
    away(one, 6)
    one.house.wait(ABSENT)
    one.start()
    assert paused(one) == [6]
    assert fallen(one) == []
    back(one, 6)
    assert all(m.result is not None for m in one.matches() if m.sides == (6,))
    one.play_on()
    rounds = [(m.round, len(m.sides), sum(m.points)) for m in one.matches() if 6 in m.sides]
    assert rounds[0] == (1, 1, 0.0)
    assert [sides for _, sides, _ in rounds[1:]] == [2, 2, 2]
    assert one.status == "ended"


def test_a_swiss_whose_only_two_have_met_pairs_the_paused_rather_than_end() -> None:
    one = contest(4, plan("swiss rounds=3"))
    one.start()
    first = next(m.sides for m in one.matches())
    away(one, *(n for n in (1, 2, 3, 4) if n not in first))
    one.house.wait(ABSENT)
    one.play_on()
    assert one.status == "ended"
    assert len({m.round for m in one.matches()}) == 3


def test_a_swiss_that_is_paired_elsewhere_leaves_out_the_paused_too() -> None:
    one = Contest(House(organiser=TOKEN, pairs_away=True), plan("swiss rounds=3"))
    one.join(*[f"g{n}" for n in range(1, 7)])
    one.start()
    one.house.pair()
    away(one, 6)
    one.house.wait(ABSENT)
    one.play_on()
    one.house.pair()
    assert (6,) in [m.sides for m in one.matches() if m.round == 2]


@pytest.mark.parametrize("form", ["knockout", "knockout legs=2 third=true"])
def test_a_knock_out_goes_on_without_the_paused(form: str) -> None:
    one = contest(8, plan(form))
    one.start()
    away(one, 5)
    one.house.wait(ABSENT)
    one.play_on()
    assert one.status == "ended"
    assert 5 not in [row.entrant for row in one.shown().standing if row.place == 1]


def test_groups_go_on_without_the_paused() -> None:
    fish = "fish rows=4 cols=3 fish=1"
    one = contest(7, replace(plan("groups", seats=3), variant=fish))
    one.start()
    away(one, 2)
    one.house.wait(ABSENT)
    one.play_on()
    assert one.status == "ended"


def test_an_arena_does_not_pair_the_paused_until_they_are_back() -> None:
    one = contest(4, plan("arena minutes=30"))
    one.start()
    away(one, 4)
    one.house.wait(ABSENT)
    before = forfeits(one, 4)
    met = sum(4 in m.sides for m in one.matches())
    for _ in range(20):
        one.move(one.running()[0])
        one.house.wait(10)
    assert paused(one) == [4]
    assert sum(4 in m.sides for m in one.matches()) == met
    assert forfeits(one, 4) == before
    back(one, 4)
    one.play_on(20)
    assert sum(4 in m.sides for m in one.matches()) > met


def test_a_team_is_paused_for_one_player_and_back_with_the_last() -> None:
    one = Contest(house_of_tours(), replace(plan(), variant="bughouse"))
    for n in range(1, 7):
        guest = one.house.enter(f"g{n}")
        one.house.ask(guest, JoinTour(one.tour, team=f"t{(n + 1) // 2}"), TourJoined)
        one.guests.append(guest)
    away(one, 1, 2)
    one.start()
    one.house.wait(ABSENT)
    assert paused(one) == [1]
    back(one, 2)
    assert paused(one) == [1]
    back(one, 1)
    assert paused(one) == []


def test_a_strict_tour_removes_whoever_is_away_for_too_long() -> None:
    one = contest(4, plan(strict=True))
    one.start()
    away(one, 4)
    one.house.wait(ABSENT)
    assert paused(one) == []
    assert one.shown().entrants[3].out
    assert events(one, EntrantPaused) == []


def test_a_player_on_hold_at_a_table_is_paused_elsewhere() -> None:
    one = contest(4, plan(at_once=3, policy=Policy(gone=Gone.HOLD)))
    one.start()
    away(one, 4)
    one.house.wait(10 * ABSENT)
    assert paused(one) == [4]
    assert fallen(one) == []  # its games run, and wait for it
    back(one, 4)
    one.play_on()
    assert (one.status, fallen(one)) == ("ended", [])


# -- a restart


def test_after_a_restart_the_paused_are_still_paused_and_have_the_whole_time() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    while len(one.matches()) - len(one.results()) > 3:
        resign(one, 0)
    before, now = one.matches(), len(fallen(one))
    restart(one)
    assert paused(one) == [1]
    back(one, 2, 3, 4)
    assert one.matches() == before
    one.play_on()
    one.house.wait(ABSENT - 1)
    assert len(fallen(one)) == now
    back(one, 1)
    one.play_on()
    assert (one.status, len(fallen(one)), paused(one)) == ("ended", now, [])


def test_after_a_restart_what_is_lost_is_lost_after_the_whole_time() -> None:
    one = contest(3)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    restart(one)
    back(one, 2, 3)
    one.play_on()
    one.house.wait(ABSENT - 1)
    assert one.status == "running"
    one.house.wait(1)
    assert one.status == "ended"


def test_the_log_says_who_is_paused() -> None:
    one = contest(4)
    away(one, 1, 3)
    one.start()
    one.house.wait(ABSENT)
    back(one, 3)
    value = replay_tour(one.tour, one.house.streams[tour_stream(one.tour)])
    assert [entrant.number for entrant in value.entrants if entrant.paused] == [1]


# -- the organiser


def test_nobody_is_paused_before_the_start_and_who_has_long_been_away_is_at_it() -> None:
    one = contest(4)
    away(one, 1)
    one.house.wait(10 * ABSENT)
    assert paused(one) == []
    one.start()
    assert paused(one) == [1]
    assert len(fallen(one)) <= 1


def test_a_tour_that_pauses_costs_nobody_a_match() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.wait(10 * ABSENT)
    assert (paused(one), fallen(one)) == ([1], [])
    back(one, 1)
    assert paused(one) == []
    one.start()
    one.play_on()
    assert (one.status, fallen(one)) == ("ended", [])


def test_who_is_put_out_while_paused_is_out_and_paused_no_longer() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    one.house.do(one.organiser, Withdraw(one.tour, 1))
    assert paused(one) == []
    row = next(row for row in one.shown().standing if row.entrant == 1)
    assert row.out == "removed"
    one.play_on()
    assert one.status == "ended"


def test_a_tour_is_ended_with_somebody_paused() -> None:
    one = contest(4)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    one.house.do(one.organiser, EndTour(one.tour))
    back(one, 1)  # while the last games are played
    assert paused(one) == []
    one.play_on()
    assert one.status == "ended"


def test_a_late_entrant_has_its_match_with_the_paused_still_to_come() -> None:
    one = contest(3, plan("joining"))
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    (late,) = one.join("late")
    assert late.player
    assert len([m for m in one.matches() if set(m.sides) == {1, 4}]) == 2
    assert len([sides for sides in fallen(one) if set(sides) == {1, 4}]) <= 1
    back(one, 1)
    one.play_on()
    assert one.status == "ended"


def test_a_lost_match_is_given_back_by_hand() -> None:
    one = contest(5)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    resign(one, 0)
    number = next(m.match for m in one.matches() if m.sides in fallen(one))
    one.house.do(one.organiser, VoidMatch(one.tour, number))
    assert one.matches()[number - 1].status == "waiting"
    one.house.do(one.organiser, EnterResult(one.tour, number, (1, 1)))
    back(one, 1)
    one.play_on()
    assert one.status == "ended"


# -- who is told


def test_those_who_watch_a_tour_are_told_who_is_paused_and_back() -> None:
    one = contest(4)
    watcher = one.house.connect()
    one.house.ask(watcher, WatchTour(one.tour), TourShown)
    away(one, 1)
    one.start()
    one.house.wait(ABSENT)
    back(one, 1)
    heard = [m.event for m in one.house.heard(watcher) if isinstance(m, TourNews)]
    told = [event for event in heard if isinstance(event, EntrantPaused | EntrantResumed)]
    assert told == [EntrantPaused(1), EntrantResumed(1)]
