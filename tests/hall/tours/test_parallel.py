"""How many games run at once: in a tour, for a player, in two tours, beside casual ones."""

import pytest

from rookery.core.events import MatchBegun, MatchEnded
from rookery.core.intents import Enter, JoinTour, Leave, Open, OpenTour, Resign, Sit, Withdraw
from rookery.core.messages import TourJoined, TourMade, Welcome
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import Guest

ROBIN = Plan(NIM, "round_robin legs=2", time="none")


def contest(plan: Plan, players: int) -> Contest:
    one = Contest(house_of_tours(), plan)
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def come(one: Contest, dialect: str, name: str = "null") -> Guest:
    """A player of an old dialect who joins."""
    house = one.house
    session = house.connect(dialect=dialect)
    welcome = house.ask(session, Enter(name, dialect), Welcome)
    house.ask(session, JoinTour(one.tour, one.code), TourJoined)
    guest = Guest(session, welcome.player, welcome.token)
    one.guests.append(guest)
    return guest


def busy(one: Contest, guest: Guest) -> int:
    """At how many running tables of the tour this one sits."""
    lines = [one.house.show(one.organiser, table).line for table in one.running()]
    return sum(any(seat.player == guest.player for seat in line.seats) for line in lines)


def test_every_match_begins_the_moment_its_players_are_free() -> None:
    one = contest(Plan(NIM, time="none"), 8)
    one.start()
    assert len(one.running()) == 4
    one.play_on()
    assert one.status == "ended"


@pytest.mark.parametrize("parallel", [1, 2, 3])
def test_no_more_games_run_at_once_than_the_plan_says(parallel: int) -> None:
    one = contest(Plan(NIM, time="none", parallel=parallel), 8)
    one.start()
    most = []
    while one.running():
        most.append(len(one.running()))
        one.play_on(1)
    assert max(most) == parallel
    assert len(one.results()) == 28


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_a_native_player_has_as_many_games_at_once_as_the_plan_says(at_once: int) -> None:
    one = contest(Plan(NIM, "round_robin", time="none", at_once=at_once), 4)
    one.start()
    assert [busy(one, guest) for guest in one.guests] == [at_once] * 4
    one.play_on()
    assert len(one.results()) == 6


def test_a_tourney_player_has_one_game_at_a_time_whatever_the_plan_says() -> None:
    one = contest(Plan("nim", "joining", time="none", at_once=5), 2)
    old = come(one, "tourney")
    one.start()
    assert busy(one, old) == 1
    assert sum(busy(one, guest) for guest in one.guests[:2]) > 2


def test_a_player_is_in_two_tours_at_once_and_plays_in_both() -> None:
    one = contest(ROBIN, 2)
    other = Contest(one.house, ROBIN)
    for guest in one.guests:
        one.house.ask(guest, JoinTour(other.tour), TourJoined)
    other.guests = one.guests
    one.start()
    other.start()
    assert one.running() != other.running()
    assert len(one.running()) == len(other.running()) == 1
    one.play_on()
    assert (one.status, other.status) == ("ended", "running")
    other.play_on()
    assert other.status == "ended"


def test_a_tourney_player_is_in_one_tour_or_owns_one() -> None:
    one = contest(Plan("nim", "joining"), 0)
    house = one.house
    owner = house.connect(dialect="tourney")
    house.ask(owner, Enter("null", "tourney"), Welcome)
    mine = house.ask(owner, OpenTour(Plan("nim", "joining"), ""), TourMade).tour
    assert house.no(owner, JoinTour(one.tour)) == "in_tour"
    assert house.no(owner, JoinTour(mine)) == "in_tour"
    old = come(one, "tourney")
    assert house.no(old, JoinTour(mine)) == "in_tour"
    house.do(old, Withdraw())
    house.ask(old, JoinTour(mine), TourJoined)


def test_a_player_whose_dialect_has_no_words_for_the_game_does_not_join() -> None:
    one = contest(Plan("fish", "joining"), 0)
    session = one.house.connect(dialect="tourney")
    one.house.ask(session, Enter("null", "tourney"), Welcome)
    assert one.house.no(session, JoinTour(one.tour)) == "wrong_dialect"
    assert one.house.no(session, JoinTour()) == "no_tour"


# -- beside casual games


def test_a_native_player_plays_casual_games_beside_a_tour() -> None:
    one = contest(ROBIN, 2)
    ann, bob = one.guests
    table = one.house.game("tictactoe", ann, bob)
    one.start()
    assert one.running() not in ([], [table])


def test_who_can_play_one_game_is_given_a_match_when_its_casual_game_is_over() -> None:
    one = contest(ROBIN, 1)
    old, rival = come(one, "tourney"), one.house.enter("rival")
    table = one.house.game("nim", rival, old)
    one.start()
    assert one.running() == []
    one.house.do(old, Resign(table))
    assert len(one.running()) == 1


@pytest.mark.parametrize("owner", [True, False])
def test_who_gets_up_from_an_open_table_is_given_its_match(owner: bool) -> None:
    one = contest(ROBIN, 1)
    old = come(one, "tourney")
    table = one.house.do(old if owner else one.guests[0], Open("bughouse")).table
    assert table is not None
    if not owner:
        one.house.do(old, Sit(table))
    one.start()
    assert one.running() == []
    one.house.do(old, Leave(table))
    assert len(one.running()) == 1


def test_a_casual_game_changes_nothing_in_the_tour() -> None:
    one = contest(ROBIN, 2)
    ann, bob = one.guests
    one.start()
    table = one.house.game("tictactoe", ann, bob)
    one.house.do(bob, Resign(table))
    assert one.results() == []
    assert len(one.running()) == 1


def test_of_games_that_end_at_once_all_results_are_written_before_the_next_match_begins() -> None:
    one = contest(Plan("nim", "joining", time="10s"), 0)
    for _ in range(4):
        come(one, "tourney")
    one.start()
    assert len(one.running()) == 2
    one.house.wait(10)
    fell = next(b for b in one.house.batches if any(isinstance(r.event, MatchEnded) for r in b))
    kinds = [type(r.event) for r in fell if isinstance(r.event, MatchEnded | MatchBegun)]
    assert kinds == [MatchEnded, MatchEnded, MatchBegun, MatchBegun]
