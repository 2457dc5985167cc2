"""What is arranged by hand for rounds to come: who meets, who must not, who sits out."""

import pytest

from rookery.core.intents import Resign
from rookery.core.tours.arrangements import AnyArrangement, Apart, Meet, Rest, Worth
from rookery.core.tours.tour_events import tour_stream
from rookery.core.tours.tour_intents import Arrange, OpenTour, Organise, PauseTour, Withdraw
from rookery.core.tours.tour_messages import TourMade
from rookery.core.tours.values import Plan
from rookery.doctor.replaying import check_log
from rookery.hall import limits
from rookery.hall.tours.tour import replay_tour
from tests.hall.contest import NIM, TOKEN, Contest, house_of_tours


def contest(form: str = "swiss rounds=3", players: int = 6, **terms: object) -> Contest:
    plan = Plan(NIM, form, time="none", **terms)  # type: ignore[arg-type]  # a plan's fields
    one = Contest(house_of_tours(), plan)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def arrange(one: Contest, what: AnyArrangement, *, off: bool = False) -> None:
    one.house.do(one.organiser, Arrange(one.tour, what, off))


def refused(one: Contest, what: AnyArrangement, *, off: bool = False) -> str:
    before = len(one.house.log)
    code = one.house.no(one.organiser, Arrange(one.tour, what, off))
    assert len(one.house.log) == before
    return code


def round_of(one: Contest, number: int) -> list[tuple[int, ...]]:
    return [line.sides for line in one.matches() if line.round == number]


def points(one: Contest) -> dict[int, float]:
    return {row.entrant: row.points for row in one.shown().standing}


def play_round(one: Contest) -> None:
    """Whoever moves second in a game gives it up."""
    last = max(line.round for line in one.matches())
    for line in one.matches():
        if line.round == last and line.table is not None and line.result is None:
            one.house.do(one.guests[line.sides[1] - 1], Resign(line.table))


def is_sound(one: Contest) -> bool:
    """Whether the log can be read out to what is shown, and nobody objects to it."""
    log = one.house.log
    again = replay_tour(one.tour, one.house.streams[tour_stream(one.tour)])
    return not list(check_log(log)) and again.arranged == one.shown().arranged


def test_two_meet_by_hand_and_the_others_are_paired_around_them() -> None:
    one = contest()
    arrange(one, Meet(1, (2, 1)))
    one.start()
    assert round_of(one, 1) == [(2, 1), (3, 5), (6, 4)]
    arrange(one, Meet(2, (6, 1)))
    play_round(one)
    assert (6, 1) in round_of(one, 2)
    assert sorted(side for sides in round_of(one, 2) for side in sides) == [1, 2, 3, 4, 5, 6]
    one.play_on()
    assert one.status == "ended"
    assert is_sound(one)


def test_who_are_to_meet_later_do_not_meet_before() -> None:
    one = contest(players=4)
    arrange(one, Meet(3, (1, 3)))  # whom the first round would pair
    one.start()
    assert (1, 3) not in round_of(one, 1)
    play_round(one)
    play_round(one)
    assert (1, 3) in round_of(one, 3)


def test_who_are_kept_apart_do_not_meet_in_any_round() -> None:
    one = contest("swiss rounds=3", players=10)
    for pair in ((1, 4), (2, 5), (1, 2)):
        arrange(one, Apart(pair))
    one.start()
    one.play_on()
    assert one.status == "ended"
    met = {frozenset(line.sides) for line in one.matches()}
    assert met.isdisjoint({frozenset({1, 4}), frozenset({2, 5}), frozenset({1, 2})})
    assert is_sound(one)


@pytest.mark.parametrize(("worth", "gets"), [(Worth.FULL, 3), (Worth.HALF, 1), (Worth.ZERO, 0)])
def test_one_sits_out_a_round_for_points(worth: Worth, gets: float) -> None:
    one = contest(players=5, points="3-1-0", stays=True)
    arrange(one, Rest(1, 1, worth))
    one.start()
    assert (1,) in round_of(one, 1)
    assert len(round_of(one, 1)) == 3
    assert points(one)[1] == gets
    (row,) = (row for row in one.shown().standing if row.entrant == 1)
    assert (row.byes, row.played) == (1, 0)
    one.play_on()
    assert is_sound(one)


def test_who_sat_out_may_have_the_bye_of_an_odd_round_later() -> None:
    one = contest(players=3, form="swiss rounds=2")
    arrange(one, Rest(1, 3, Worth.ZERO))
    one.start()
    play_round(one)
    assert len(round_of(one, 2)) == 2
    one.play_on()
    assert one.status == "ended"


def test_everyone_may_sit_out_a_round() -> None:
    one = contest(players=2, form="swiss rounds=2")
    arrange(one, Rest(1, 1))
    arrange(one, Rest(1, 2, Worth.ZERO))
    one.start()
    assert round_of(one, 1) == [(1,), (2,)]
    assert round_of(one, 2) == [(1, 2)]


def test_what_was_arranged_for_one_who_is_out_holds_no_more() -> None:
    one = contest(players=4)
    arrange(one, Meet(1, (1, 2)))
    one.house.do(one.organiser, Withdraw(one.tour, 2))
    one.start()
    assert (1, 2) not in round_of(one, 1)
    assert sorted(side for sides in round_of(one, 1) for side in sides) == [1, 3, 4]


def test_what_is_taken_back_is_not_arranged() -> None:
    one = contest(players=4)
    for what in (Meet(1, (2, 1)), Apart((1, 3)), Rest(1, 4)):
        arrange(one, what)
        assert one.shown().arranged == (what,)
        arrange(one, what, off=True)
        assert one.shown().arranged == ()
    one.start()
    assert round_of(one, 1) == [(1, 3), (4, 2)]
    assert is_sound(one)


def test_a_round_that_cannot_be_so_pauses_the_tour_until_something_is_taken_back() -> None:
    one = contest(players=4)
    for other in (2, 3, 4):
        arrange(one, Apart((1, other)))
    one.start()
    assert one.status == "paused"
    assert one.matches() == ()
    one.start()
    assert one.status == "paused"  # nothing has changed
    arrange(one, Apart((3, 1)), off=True)
    one.start()
    assert (1, 3) in round_of(one, 1)
    assert is_sound(one)


def test_a_restart_knows_what_was_arranged() -> None:
    one = contest(players=4)
    arrange(one, Meet(1, (2, 1)))
    one.house.restart()
    one.guests = [one.house.back(guest) for guest in one.guests]
    one.organiser = one.house.connect()
    one.house.do(one.organiser, Organise(TOKEN))
    one.start()
    assert round_of(one, 1) == [(2, 1), (3, 4)]


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    one = contest(players=6)
    arrange(one, Meet(2, (1, 2)))
    arrange(one, Apart((3, 4)))
    arrange(one, Rest(2, 5))
    assert refused(one, Meet(2, (1, 9))) == "no_entrant"
    assert refused(one, Rest(2, 0)) == "no_entrant"
    assert refused(one, Meet(2, (3, 3))) == "bad_arrangement"
    assert refused(one, Meet(2, (3, 1))) == "bad_arrangement"  # 1 meets 2
    assert refused(one, Meet(2, (3, 5))) == "bad_arrangement"  # 5 sits out
    assert refused(one, Meet(2, (4, 3))) == "bad_arrangement"  # they are kept apart
    assert refused(one, Meet(3, (2, 1))) == "bad_arrangement"  # they meet before
    assert refused(one, Apart((2, 1))) == "bad_arrangement"  # they are to meet
    assert refused(one, Apart((4, 3))) == "bad_arrangement"  # they are already
    assert refused(one, Rest(2, 1)) == "bad_arrangement"  # it is to meet
    assert refused(one, Rest(2, 5, Worth.FULL)) == "bad_arrangement"
    assert refused(one, Rest(4, 6)) == "bad_arrangement"  # there are three rounds
    assert refused(one, Rest(0, 6)) == "too_late"
    assert refused(one, Rest(3, 6), off=True) == "bad_arrangement"
    one.start()
    assert refused(one, Meet(1, (3, 5))) == "too_late"
    first, second = round_of(one, 1)[0]
    assert refused(one, Meet(3, (second, first))) == "bad_arrangement"  # they have met
    one.house.do(one.organiser, Withdraw(one.tour, 6))
    assert refused(one, Rest(3, 6)) == "not_in_tour"


@pytest.mark.parametrize("form", ["round_robin", "knockout", "arena", "joining", "groups"])
def test_other_formats_have_nothing_to_arrange(form: str) -> None:
    one = contest(form, players=4)
    assert refused(one, Meet(1, (1, 2))) == "bad_arrangement"


def test_only_the_owner_and_the_organiser_arrange() -> None:
    house = house_of_tours()
    owner, other = house.enter("ann"), house.enter("bob")
    made = house.ask(owner, OpenTour(Plan(NIM, "swiss"), ""), TourMade)
    assert house.no(other, Arrange(made.tour, Apart((1, 2)))) == "not_owner"
    assert house.no(owner, Arrange(made.tour, Apart((1, 2)))) == "no_entrant"


def test_arranged_max() -> None:
    one = contest("swiss", players=80)
    some = [Apart((a, b)) for a in range(1, 81) for b in range(1, a)]
    for what in some[: limits.ARRANGED_MAX]:
        arrange(one, what)
    assert refused(one, some[limits.ARRANGED_MAX]) == "too_many"


def test_it_can_be_arranged_while_it_is_paused() -> None:
    one = contest(players=4)
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    arrange(one, Rest(2, 1))
    play_round(one)
    one.start()
    assert (1,) in round_of(one, 2)
