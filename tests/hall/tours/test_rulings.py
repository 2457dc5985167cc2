"""Results by hand: entered, corrected, refused; and what follows from them."""

import pytest

from rookery.core.events import Ended, MatchRuled, tour_stream
from rookery.core.game import Outcome
from rookery.core.intents import (
    EndTour,
    EnterResult,
    JoinTour,
    OpenTour,
    PauseTour,
    Play,
    Resign,
    StartTour,
)
from rookery.core.messages import TourMade
from rookery.core.tour_values import Plan, Result
from rookery.hall.limits import REASON_MAX
from rookery.notation.tours import csv_matches, json_export, markdown_export
from tests.hall.contest import NIM, Contest, house_of_tours


def contest(form: str = "round_robin", players: int = 3, **terms: object) -> Contest:
    plan = Plan(NIM, form, time="none", **terms)  # type: ignore[arg-type]  # a plan's fields
    one = Contest(house_of_tours(), plan)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def rule(one: Contest, match: int, *places: int, **more: object) -> None:
    one.house.do(one.organiser, EnterResult(one.tour, match, places, **more))  # type: ignore[arg-type]  # its fields


def refused(one: Contest, match: int, *places: int, **more: object) -> str:
    wish = EnterResult(one.tour, match, places, **more)  # type: ignore[arg-type]
    return one.house.no(one.organiser, wish)


def points(one: Contest) -> dict[int, float]:
    return {row.entrant: row.points for row in one.shown().standing}


def resign(one: Contest, loser: int) -> None:
    """The one with this number gives up the game it plays."""
    guest = one.guests[loser - 1]
    for table in one.running():
        if any(s.player == guest.player for s in one.house.show(one.organiser, table).line.seats):
            one.house.do(guest, Resign(table))
            return
    raise AssertionError(f"{loser} plays nowhere")


def test_a_match_that_waits_need_not_be_played() -> None:
    one = contest()
    one.start()
    waiting = next(line for line in one.matches() if line.status == "waiting")
    rule(one, waiting.match, 1, 1)
    assert one.matches()[waiting.match - 1].status == "over"
    assert sorted(points(one).values()) == [0, 0.5, 0.5]
    one.play_on()
    assert one.status == "ended"
    assert one.house.streams[tour_stream(one.tour)][-1].ends


def test_a_running_game_ends_with_what_was_entered_and_its_players_go_on() -> None:
    one = contest()
    one.start()
    (table,) = one.running()
    rule(one, 1, 1, 2, reason="The network was down.")
    ended = one.house.last(table, Ended)
    assert ended.outcome == Outcome((1, 2), "voided", "The network was down.")
    line = one.matches()[0]
    assert line.result == Result((1, 2), "by_hand", "The network was down.", by_hand=True)
    assert line.table is None
    assert len(one.running()) == 1
    one.play_on()
    assert one.status == "ended"


def test_a_correction_takes_back_what_came_out_and_keeps_its_table() -> None:
    one = contest(players=4)
    one.start()
    table = one.matches()[0].table
    first, second = one.matches()[0].sides
    resign(one, first)
    assert points(one)[second] == 1
    rule(one, 1, 1, 2)
    assert (points(one)[first], points(one)[second]) == (1, 0)
    assert one.matches()[0].table == table
    rule(one, 1, 1, 1)
    assert (points(one)[first], points(one)[second]) == (0.5, 0.5)


def test_one_who_did_not_come_forfeits() -> None:
    one = contest(players=2, stays=True)
    one.start()
    rule(one, 1, 1, 2, played=False)
    result = one.matches()[0].result
    assert result is not None
    assert (result.how, result.forfeits, result.by_hand) == ("absent", (1,), True)
    assert [row.forfeits for row in one.shown().standing] == [0, 1]
    rule(one, 1, 2, 2, played=False)
    assert [row.points for row in one.shown().standing] == [0, 0]


def test_a_result_by_hand_makes_nobody_stronger() -> None:
    one = contest(players=2, stays=True)
    one.start()
    before = [row.rating for row in one.shown().standing]
    resign(one, 1)
    assert [row.rating for row in one.shown().standing] != before
    rule(one, 1, 1, 2)
    assert [row.rating for row in one.shown().standing] == before


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    one = contest("knockout", 3)
    assert refused(one, 1, 1, 2) == "no_match"
    one.start()
    before = one.shown().n
    for number in (0, -1, 99, 10**30):
        assert refused(one, number, 1, 2) == "no_match"
    assert refused(one, 1, 1) == "bye"
    for places in ((), (1,), (1, 2, 3), (1, 3), (0, 1), (3, 3), (-1, 1), (2, 3)):
        assert refused(one, 2, *places) == "bad_result"
    assert refused(one, 2, 1, 1, played=False) == "bad_result"
    assert refused(one, 2, 1, 2, reason="x" * (REASON_MAX + 1)) == "bad_result"
    assert refused(one, 2, 1, 2, reason="two\nlines") == "bad_result"
    assert one.house.no(one.guests[0], EnterResult(one.tour, 2, (1, 2))) == "not_owner"
    assert one.shown().n == before
    one.house.do(one.organiser, EndTour(one.tour))
    assert refused(one, 2, 1, 2) == "over"


def test_before_the_start_nothing_comes_out() -> None:
    one = contest("joining", 2)
    assert one.matches()
    assert refused(one, 1, 1, 2) == "not_begun"


@pytest.mark.parametrize("form", ["knockout", "groups"])
def test_who_has_gone_on_has_gone_on(form: str) -> None:
    one = contest(form, 4)
    one.start()
    rule(one, 1, 1, 2)
    rule(one, 1, 2, 1)  # nothing hangs on it yet
    rule(one, 2, 1, 2)
    assert len(one.matches()) == 3
    assert refused(one, 1, 1, 2) == "too_late"


def test_a_swiss_round_is_paired_by_what_was_corrected() -> None:
    one = contest("swiss rounds=3", 4)
    one.start()
    for match in (1, 2):
        rule(one, match, 1, 2)
    winners = [line.sides[0] for line in one.matches()[:2]]
    assert {frozenset(m.sides) for m in one.matches()[2:]} >= {frozenset(winners)}
    for match in (1, 2, 3, 4):  # the first two are corrected, though round 2 was paired by them
        rule(one, match, 2, 1)
    assert one.status == "running"
    assert [line.round for line in one.matches()] == [1, 1, 2, 2, 3, 3]


def test_in_a_pause_results_are_entered_and_nothing_begins() -> None:
    one = contest()
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    for line in one.matches():
        rule(one, line.match, 1, 2)
    assert (one.running(), one.status) == ([], "paused")
    one.house.do(one.organiser, StartTour(one.tour))
    assert one.status == "ended"


def test_the_owner_may_do_it_too() -> None:
    one = contest()
    ann, bob = one.house.enter("ann"), one.house.enter("bob")
    made = one.house.ask(ann, OpenTour(Plan(NIM, time="none", stays=True), ""), TourMade)
    for guest in (ann, bob):
        one.house.reply(guest, JoinTour(made.tour))
    one.house.do(ann, StartTour(made.tour))
    one.house.do(ann, EnterResult(made.tour, 1, (2, 1)))
    assert one.house.no(bob, EnterResult(made.tour, 1, (1, 2))) == "not_owner"


def test_after_a_restart_it_is_as_it_was_entered() -> None:
    one = contest(players=4)
    one.start()
    resign(one, 1)
    rule(one, 1, 1, 1)
    before = one.matches(), points(one)
    one.house.restart()
    session = one.house.connect()
    one.organiser = session
    assert (one.matches(), points(one)) == before
    records = one.house.streams[tour_stream(one.tour)]
    rulings = [r for r in records if isinstance(r.event, MatchRuled)]
    assert len(rulings) == 1


def test_a_move_in_a_game_that_was_called_off_counts_no_more() -> None:
    one = contest(players=2, stays=True)
    one.start()
    (table,) = one.running()
    guest = one.guests[0]
    rule(one, 1, 1, 2)
    assert one.house.no(guest, Play(table, "1")) in ("over", "game_over", "no_table")


def test_exports_say_that_a_result_was_entered_by_hand() -> None:
    one = contest(players=2, stays=True)
    one.start()
    rule(one, 1, 2, 1)
    shown, matches = one.shown(), one.matches()
    assert csv_matches(shown, matches).splitlines()[0].endswith(",by_hand")
    assert csv_matches(shown, matches).splitlines()[1].endswith(",yes")
    assert '"by_hand": true' in json_export(shown, matches)
    assert "by hand" in markdown_export(shown, matches)
