"""Ratings across tours: per game, when a tour is over, and kept through a restart."""

import pytest

from rookery.core.ids import SessionId
from rookery.core.intents import (
    CancelTour,
    EndTour,
    Enter,
    JoinTour,
    ListRatings,
    Organise,
    PauseTour,
    Rename,
    Resign,
    VoidMatch,
)
from rookery.core.messages import RatingLine, Ratings, TourJoined, Welcome
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, TOKEN, Contest, house_of_tours
from tests.hall.house import Guest, House


def ratings(house: House, game: str = "nim") -> tuple[RatingLine, ...]:
    return house.ask(house.connect(), ListRatings(game), Ratings).ratings


def tour(house: House, guests: list[Guest], plan: Plan | None = None) -> Contest:
    """One more tour of these, which has begun."""
    one = Contest(house, plan or Plan(NIM, time="none"))
    for guest in guests:
        house.ask(guest, JoinTour(one.tour), TourJoined)
    one.guests = guests
    one.start()
    return one


def lose(one: Contest, loser: Guest) -> None:
    """This one resigns whatever it plays, until nothing runs."""
    while tables := one.running():
        one.house.do(loser, Resign(tables[0]))


def two() -> tuple[House, list[Guest]]:
    house = house_of_tours()
    return house, [house.enter("ann"), house.enter("bob")]


def names(found: tuple[RatingLine, ...]) -> list[str]:
    return [line.name for line in found]


def test_a_tours_games_count_when_it_is_over() -> None:
    house, (ann, bob) = two()
    one = tour(house, [ann, bob], Plan(NIM, "round_robin legs=2", time="none"))
    house.do(bob, Resign(one.running()[0]))
    assert ratings(house) == ()
    assert one.shown().standing[0].rating is not None
    house.do(bob, Resign(one.running()[0]))
    first, second = ratings(house)
    assert (first.name, second.name) == ("ann", "bob")
    assert first.rating > 1500 > second.rating
    assert first.games == second.games == 2
    assert first.uncertainty < 250


def test_ratings_go_on_from_tour_to_tour() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    before = ratings(house)
    lose(tour(house, [ann, bob]), bob)
    after = ratings(house)
    assert after[0].rating > before[0].rating
    assert after[0].uncertainty < before[0].uncertainty
    assert [line.games for line in after] == [2, 2]


def test_each_game_has_its_own_ratings() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    lose(tour(house, [ann, bob], Plan("tictactoe", time="none")), ann)
    assert names(ratings(house)) == ["ann", "bob"]
    assert names(ratings(house, "tictactoe")) == ["bob", "ann"]
    assert ratings(house, "fish") == ()
    assert house.no(ann, ListRatings("chess")) == "bad_option"


def test_variants_of_a_game_are_one_game() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    lose(tour(house, [ann, bob], Plan("nim rows=3 misere=true", time="none")), bob)
    assert [line.games for line in ratings(house)] == [2, 2]


@pytest.mark.parametrize("restart", [False, True])
def test_a_tour_that_was_called_off_counts_nothing(restart: bool) -> None:
    house, (ann, bob) = two()
    one = tour(house, [ann, bob], Plan(NIM, "round_robin legs=2", time="none"))
    house.do(bob, Resign(one.running()[0]))
    house.do(one.organiser, CancelTour(one.tour))
    if restart:
        house.restart()
    assert ratings(house) == ()


def test_an_unrated_tour_counts_nothing_and_shows_no_ratings() -> None:
    house, (ann, bob) = two()
    one = tour(house, [ann, bob], Plan(NIM, time="none", rated=False))
    assert one.shown().standing[0].rating is None
    lose(one, bob)
    assert ratings(house) == ()
    assert one.shown().standing[0].rating is None


def test_a_tour_that_its_owner_ended_counts_what_was_played() -> None:
    house, (ann, bob) = two()
    one = tour(house, [ann, bob], Plan(NIM, "round_robin legs=2", time="none"))
    house.do(bob, Resign(one.running()[0]))
    house.do(one.organiser, EndTour(one.tour))
    house.do(bob, Resign(one.running()[0]))
    assert [line.games for line in ratings(house)] == [2, 2]


def test_a_voided_game_and_a_walkover_count_nothing() -> None:
    house, (ann, bob) = two()
    one = tour(house, [ann, bob], Plan(NIM, "round_robin legs=2", time="none", absent=0))
    house.do(ann, Resign(one.running()[0]))
    house.do(one.organiser, PauseTour(one.tour))
    house.do(one.organiser, VoidMatch(one.tour, 1))
    house.do(bob, Resign(one.running()[0]))
    house.hang_up(ann)
    one.start()  # ann has not come to the match that is played again
    assert one.status == "ended"
    assert [(line.name, line.games) for line in ratings(house)] == [("ann", 1), ("bob", 1)]


def test_ratings_survive_a_restart() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    before = ratings(house)
    house.restart()
    assert ratings(house) == before
    ann, bob = house.back(ann), house.back(bob)
    lose(tour(house, [ann, bob]), ann)
    assert [line.games for line in ratings(house)] == [2, 2]


def test_a_restart_in_a_tour_changes_no_rating() -> None:
    found = []
    for restart in (False, True):
        house, guests = two()
        plan = Plan(NIM, "round_robin legs=4", time="none")
        one = tour(house, guests, plan)
        for n in range(4):
            house.do(one.guests[n % 2], Resign(one.running()[0]))
            if restart and n < 3:
                house.restart()
                one.organiser = house.connect()
                one.guests = [house.back(guest) for guest in one.guests]
        assert one.status == "ended"
        found.append(ratings(house))
    assert found[0] == found[1]


def shown_ratings(one: Contest) -> list[tuple[int, float | None, float | None]]:
    rows = sorted(one.shown().standing, key=lambda row: row.entrant)
    return [(row.entrant, row.rating, row.uncertainty) for row in rows]


def test_what_a_running_tour_shows_is_rated_on_from_tours_that_end_meanwhile() -> None:
    house, (ann, bob) = two()
    long = tour(house, [ann, bob], Plan(NIM, "round_robin legs=2", time="none", at_once=2))
    house.do(bob, Resign(long.running()[0]))
    before = shown_ratings(long)
    lose(tour(house, [ann, bob]), bob)
    assert shown_ratings(long) != before
    house.do(bob, Resign(long.running()[0]))
    assert [rating for _, rating, _ in shown_ratings(long)] == [
        line.rating for line in ratings(house)
    ]


def test_what_a_running_tour_shows_is_the_same_after_a_restart() -> None:
    house, guests = two()
    guests += [house.enter("cyd")]
    one = tour(house, guests, Plan(NIM, "round_robin legs=3", time="none", at_once=4))
    for n in range(4):
        table = one.running()[n % 2]
        seats = [seat.player for seat in house.show(one.organiser, table).line.seats]
        sitter = next(guest for guest in one.guests if guest.player in seats)
        house.do(sitter, Resign(table, player=sitter.player))
        if n == 2:
            house.do(one.organiser, VoidMatch(one.tour, 1))
        before = shown_ratings(one)
        house.restart()
        one.organiser = house.connect()
        house.do(one.organiser, Organise(TOKEN))
        assert shown_ratings(one) == before
        one.guests = [house.back(guest) for guest in one.guests]


def test_a_rating_is_a_players_whatever_it_is_called_by_now() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    house.do(ann, Rename("anna"))
    lose(tour(house, [ann, bob]), bob)
    assert names(ratings(house)) == ["anna", "bob"]


def test_without_a_token_a_rating_is_of_a_name_from_a_host() -> None:
    house = house_of_tours()

    def come(name: str, host: str) -> Guest:
        session: SessionId = house.connect(host, "tourney")
        welcome = house.ask(session, Enter(name, "tourney"), Welcome)
        return Guest(session, welcome.player, welcome.token)

    plan = Plan("nim", time="none")
    for host in ("h1", "h1", "h2"):
        ann, bob = come("ann", host), come("bob", host)
        lose(tour(house, [ann, bob], plan), bob)
    found = sorted((line.name, line.games) for line in ratings(house))
    assert found == [("ann", 1), ("ann", 2), ("bob", 1), ("bob", 2)]


@pytest.mark.parametrize("restart", [False, True])
def test_a_rating_says_whose_it_is(restart: bool) -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    if restart:
        house.restart()
    assert [line.player for line in ratings(house)] == [ann.player, bob.player]


def test_without_a_token_a_rating_is_of_the_last_who_came_by_that_name() -> None:
    house = house_of_tours()

    def come(name: str) -> Guest:
        session: SessionId = house.connect("h1", "tourney")
        welcome = house.ask(session, Enter(name, "tourney"), Welcome)
        return Guest(session, welcome.player, welcome.token)

    ann, bob = come("ann"), come("bob")
    lose(tour(house, [ann, bob], Plan("nim", time="none")), bob)
    assert [line.player for line in ratings(house)] == [ann.player, bob.player]
    later = come("ann")
    assert [line.player for line in ratings(house)] == [later.player, bob.player]
    house.do(bob, Rename("rob"))
    assert [line.player for line in ratings(house)] == [later.player, None]


# -- the ratings that entrants come with


def came_with(one: Contest) -> list[int | None]:
    return [entrant.rating for entrant in one.shown().entrants]


def test_a_tour_keeps_the_ratings_that_its_entrants_began_with() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    first, second = (round(line.rating) for line in ratings(house))
    cid = house.enter("cid")
    later = tour(house, [cid, bob, ann])
    assert came_with(later) == [None, second, first]
    lose(tour(house, [ann, bob]), ann)
    assert round(ratings(house)[0].rating) != first
    assert came_with(later) == [None, second, first]


def test_before_the_start_no_rating_is_kept() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    one = Contest(house, Plan(NIM, time="none"))
    house.ask(ann, JoinTour(one.tour), TourJoined)
    assert came_with(one) == [None]


def test_who_joins_late_comes_with_the_rating_of_that_moment() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    one = tour(house, [house.enter("cid"), house.enter("dan")], Plan(NIM, "joining", time="none"))
    house.ask(ann, JoinTour(one.tour), TourJoined)
    assert came_with(one) == [None, None, round(ratings(house)[0].rating)]


def test_the_average_rating_is_the_same_after_later_tours_and_a_restart() -> None:
    house, (ann, bob) = two()
    lose(tour(house, [ann, bob]), bob)
    plan = Plan(NIM, "round_robin legs=2", time="none", ties=("average_rating",))
    one = tour(house, [ann, bob], plan)
    house.do(bob, Resign(one.running()[0]))
    before = [(row.name, row.ties) for row in one.shown().standing]
    lose(tour(house, [ann, bob]), ann)
    assert [(row.name, row.ties) for row in one.shown().standing] == before
    house.restart()
    one.organiser = house.connect()
    assert [(row.name, row.ties) for row in one.shown().standing] == before
    assert before[0][1] > (1000,)
