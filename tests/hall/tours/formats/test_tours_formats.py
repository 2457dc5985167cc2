"""Each kind of tour in the hall: arenas and their time, rounds, knock-outs, groups, teams."""

import pytest

from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.intents import EndTour, JoinTour, PauseTour, Resign, StartTour, Withdraw
from rookery.core.messages import TourJoined
from rookery.core.tour_values import Plan
from rookery.hall.tours.formats import parse_format
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import Guest

MINUTE = 60
FISH = "fish rows=4 cols=3 fish=1"


def contest(form: str, players: int, variant: str = NIM, **terms: int) -> Contest:
    one = Contest(house_of_tours(), Plan(variant, form, time="none", **terms))  # type: ignore[arg-type]
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def give_up(one: Contest, table: int = 0) -> None:
    """The first seat of this of the running tables resigns."""
    at = one.running()[table]
    player = one.house.show(one.organiser, at).line.seats[0].player
    one.house.do(next(g for g in one.guests if g.player == player), Resign(at))


def test_of_a_format_that_is_none_only_the_beginning_is_quoted() -> None:
    with pytest.raises(BadOption, match=f"There is no format '{40 * 'x'}'; there are "):
        parse_format(50 * "x")


# -- an arena


def test_an_arena_pairs_whoever_is_free_until_its_time_is_up() -> None:
    one = contest("arena minutes=2", 4)
    one.start()
    for _ in range(5):
        give_up(one)
        assert one.running()
    one.house.wait(2 * MINUTE - 1)
    give_up(one)
    assert one.running()
    one.house.wait(1)
    assert one.status == "running"
    one.play_on()
    assert one.status == "ended"
    assert len(one.matches()) == len(one.results())


def test_when_its_time_is_up_and_nothing_runs_an_arena_is_over_at_once() -> None:
    one = contest("arena minutes=1", 2)
    one.start()
    one.house.hang_up(one.guests[0])
    one.house.wait(MINUTE - 0.000001)
    assert one.status == "running"
    one.house.wait(0.000001)
    assert one.status == "ended"


def test_the_minutes_of_an_arena_are_the_walls_however_long_clocks_stood_still() -> None:
    one = contest("arena minutes=2", 2)
    one.start()
    one.house.hang_up(one.guests[0])
    one.house.wait(MINUTE + 1)  # its match is lost meanwhile
    one.house.tick(stalled=59 * MICROS_A_SECOND - 1)
    assert one.status == "running"
    one.house.tick(stalled=59 * MICROS_A_SECOND)
    assert one.status == "ended"


def test_who_lets_its_time_run_out_without_a_move_rests_before_the_next_match() -> None:
    one = Contest(house_of_tours(), Plan(NIM, "arena minutes=60", time="1ms"))
    one.join("ann", "bob", "cid")
    one.start()
    one.house.wait(60 * MINUTE)
    assert one.status == "ended"
    # Each rests 1, 2, 4, … 64 s after it was idle: at most 60 times in an hour.
    assert 100 < len(one.matches()) < 3 * 65


def test_who_moves_before_its_time_is_up_does_not_rest() -> None:
    one = Contest(house_of_tours(), Plan("tictactoe", "arena minutes=60", time="10s"))
    one.join("ann", "bob")
    one.start()
    for _ in range(5):
        one.move(one.running()[0])
        one.move(one.running()[0])
        one.house.wait(10)
        assert one.running()


def test_a_pause_stops_an_arenas_clock() -> None:
    one = contest("arena minutes=2", 2)
    one.start()
    one.house.wait(MINUTE)
    one.house.do(one.organiser, PauseTour(one.tour))
    one.house.wait(10 * MINUTE)
    give_up(one)
    assert one.shown().left == MINUTE * 1_000_000
    one.start()
    assert one.running()
    one.house.wait(MINUTE - 1)
    give_up(one)
    assert one.running()
    one.house.wait(1)
    give_up(one)
    assert one.status == "ended"


def test_an_arena_that_is_ended_before_its_time_has_none_left() -> None:
    one = contest("arena minutes=2", 2)
    one.start()
    assert one.shown().left == 2 * MINUTE * 1_000_000
    one.house.do(one.organiser, EndTour(one.tour))
    give_up(one)
    assert (one.status, one.shown().left) == ("ended", None)


def test_an_arenas_time_goes_on_while_the_server_is_away() -> None:
    one = contest("arena minutes=2", 2)
    one.start()
    one.house.wait(MINUTE)
    one.house.now += 2 * MINUTE * 1_000_000
    one.house.restart()
    one.organiser = one.house.connect()
    assert one.status == "running", "a game runs still"
    one.guests = [one.house.back(guest) for guest in one.guests]
    give_up(one)
    assert one.status == "ended"


def test_who_joins_an_arena_late_plays_as_soon_as_somebody_is_free() -> None:
    one = contest("arena", 3)
    one.start()
    assert len(one.running()) == 1
    one.join("late")
    assert len(one.running()) == 2


def test_no_match_of_an_arena_begins_after_its_time() -> None:
    one = contest("arena minutes=1", 6, parallel=1)
    one.start()
    assert [line.status for line in one.matches()] == ["playing", "waiting", "waiting"]
    one.house.wait(MINUTE)
    give_up(one)
    assert one.status == "ended"
    assert len(one.results()) == 1
    assert one.shown().line.winners != ()


def test_an_arena_that_everyone_left_ends_at_its_time() -> None:
    one = contest("arena minutes=1", 2)
    one.start()
    for guest in one.guests:
        one.house.do(guest, Withdraw(one.tour))
    assert one.status == "running"
    one.house.wait(MINUTE)
    assert one.status == "ended"


# -- rounds


def test_a_swiss_tour_pairs_a_round_when_the_last_is_over() -> None:
    one = contest("swiss rounds=3", 5)
    one.start()
    assert [line.round for line in one.matches()] == [1, 1, 1]
    give_up(one)
    assert len(one.matches()) == 3
    give_up(one)
    assert [line.round for line in one.matches()] == [1, 1, 1, 2, 2, 2]
    one.play_on()
    assert one.status == "ended"
    assert len(one.matches()) == 9
    byes = [line for line in one.matches() if len(line.sides) == 1]
    assert all(line.result is not None and line.result.how == "bye" for line in byes)
    assert len({line.sides for line in byes}) == 3


@pytest.mark.parametrize("players", [2, 3, 5, 6, 8])
def test_a_knock_out_has_a_winner_and_the_best_have_the_byes(players: int) -> None:
    one = contest("knockout", players)
    one.start()
    byes = [line.sides[0] for line in one.matches() if len(line.sides) == 1]
    assert sorted(byes) == list(range(1, {2: 0, 3: 1, 5: 3, 6: 2, 8: 0}[players] + 1))
    one.play_on()
    assert one.status == "ended"
    assert len(one.shown().line.winners) == 1
    assert len(one.results()) == players - 1 + len(byes)


def test_groups_deal_tables_of_as_many_as_fit_and_the_first_go_on() -> None:
    one = contest("groups", 9, FISH)
    one.start()
    assert [line.sides for line in one.matches()] == [(1, 2, 3, 4), (5, 6, 7), (8, 9)]
    one.play_on()
    assert one.status == "ended"
    last = one.matches()[-1]
    assert last.result is not None
    first = [n for n, place in zip(last.sides, last.result.places, strict=True) if place == 1]
    assert set(one.shown().line.winners) == {f"g{n}" for n in first}


def test_a_gauntlet_is_the_champion_against_all() -> None:
    one = contest("gauntlet legs=1", 4)
    one.start()
    one.play_on()
    assert [set(sides) for sides, _ in one.results()] == [{1, 2}, {1, 3}, {1, 4}]


# -- teams


def teams(*names: str) -> Contest:
    """A bughouse tour of pairs; each name comes once for each player."""
    one = Contest(house_of_tours(), Plan("bughouse", time="none"))
    for n, name in enumerate(names):
        guest = one.house.enter(f"g{n}")
        one.house.ask(guest, JoinTour(one.tour, team=name), TourJoined)
        one.guests.append(guest)
    return one


def seating(one: Contest, table: int = 0) -> list[int]:
    """Which guest sits where at this of the running tables, from 0."""
    players = [guest.player for guest in one.guests]
    at = one.running()[table]
    seats = one.house.show(one.organiser, at).line.seats
    return [players.index(seat.player) for seat in seats if seat.player is not None]


def test_partners_sit_in_one_team() -> None:
    one = teams("red", "blue", "blue", "red")
    one.start()
    # Seats 0 and 3 are a team, and so are 1 and 2.
    assert seating(one) == [0, 1, 2, 3]
    give_up(one)
    assert one.results() == [((1, 2), (2, 1))]
    assert one.shown().line.winners == ("blue",)


def test_a_team_is_named_and_has_two() -> None:
    one = teams("red", "red", "blue")
    house = one.house
    late = house.enter("late")
    assert house.no(late, JoinTour(one.tour)) == "no_team"
    assert house.no(late, JoinTour(one.tour, team="red")) == "full"
    assert house.no(late, JoinTour(one.tour, team="x" * 41)) == "bad_name"
    assert house.no(late, JoinTour(one.tour, team="a\nb")) == "bad_name"
    assert house.no(one.organiser, StartTour(one.tour)) == "too_few"
    house.ask(late, JoinTour(one.tour, team="blue"), TourJoined)
    one.start()
    assert house.no(house.enter("later"), JoinTour(one.tour, team="green")) == "too_late"


def test_a_team_with_one_player_does_not_start() -> None:
    one = teams("red", "red", "blue", "blue", "green")
    assert one.house.no(one.organiser, StartTour(one.tour)) == "too_few"


def test_the_partner_of_the_last_team_that_fits_may_join() -> None:
    one = Contest(house_of_tours(), Plan("bughouse", "round_robin"))
    house = one.house
    guests: list[Guest] = []
    for n in range(129):
        session = house.connect() if n % 16 == 0 else guests[-1].session
        guests.append(house.enter(f"g{n}", session))
    for n, guest in enumerate(guests[:128]):
        house.ask(guest, JoinTour(one.tour, team=f"t{n}", player=guest.player), TourJoined)
    last = guests[128]
    assert house.no(last, JoinTour(one.tour, team="more", player=last.player)) == "full"
    house.ask(last, JoinTour(one.tour, team="t127", player=last.player), TourJoined)


def test_a_match_of_teams_waits_until_all_four_are_there() -> None:
    one = teams("red", "red", "blue", "blue")
    one.house.hang_up(one.guests[3])
    one.start()
    assert one.running() == []
    one.guests[3] = one.house.back(one.guests[3])
    assert len(one.running()) == 1


def test_a_team_is_out_when_one_of_it_withdraws() -> None:
    one = teams("red", "red", "blue", "blue")
    one.start()
    one.house.do(one.guests[1], Withdraw())
    assert one.results() == [((1, 2), (2, 1))]


def test_rotating_partners_sit_together_and_score_alike() -> None:
    one = contest("rotating", 4, "bughouse")
    one.start()
    for number in range(3):
        line = one.matches()[number]
        assert line.teams == (0, 1, 1, 0)
        assert [n + 1 for n in seating(one)] == list(line.sides)
        give_up(one)
        result = one.matches()[number].result
        assert result is not None
        assert result.places == (2, 1, 1, 2)
    assert one.status == "ended"
    pairs = [{m.sides[0], m.sides[3]} for m in one.matches()]
    assert len({frozenset(pair) for pair in pairs}) == 3, "everyone had everyone as partner"
    assert sum(row.points for row in one.shown().standing) == 6
