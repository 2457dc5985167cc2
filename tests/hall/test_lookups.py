"""What is looked up in the hall itself: who anybody is, and what its ratings have been."""

from rookery.core.ids import PlayerId
from rookery.core.intents import Enter, JoinTour, ListRatings, ListTables, Rename, Resign
from rookery.core.messages import PlayerLine, Ratings, Tables, TourJoined, Welcome
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import SECOND, Guest, House

CUP = Plan(NIM, name="Cup", time="none")


def tour(house: House, winner: Guest, loser: Guest) -> Contest:
    """A tour of these two, which this one wins."""
    one = Contest(house, CUP)
    for guest in (winner, loser):
        house.ask(guest, JoinTour(one.tour), TourJoined)
    one.start()
    house.do(loser, Resign(one.running()[0]))
    return one


def rating(house: House, name: str) -> float:
    """As it is listed."""
    found = house.ask(house.connect(), ListRatings("nim"), Ratings).ratings
    return next(line.rating for line in found if line.name == name)


def test_a_player_is_known_by_its_present_name_after_it_is_gone_and_after_a_restart(
    house: House,
) -> None:
    ann = house.enter("ann")
    house.do(ann, Rename("anna"))
    house.hang_up(ann)
    house.restart()
    assert house.hall.player(ann.player) == PlayerLine(ann.player, "anna", "native")
    assert house.hall.player(PlayerId(9)) is None


def test_every_tour_leaves_its_mark_on_a_rating() -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    first = tour(house, ann, bob)
    one, began = rating(house, "ann"), house.now
    house.now += 60 * SECOND
    second = tour(house, bob, ann)
    history = house.hall.ratings_of(ann.player)["nim"]
    assert [mark.tour for mark in history] == [first.tour, second.tour]
    assert [mark.at for mark in history] == [began, house.now]
    assert [mark.rating for mark in history] == [one, rating(house, "ann")]
    assert [mark.games for mark in history] == [1, 2]
    assert {mark.name for mark in history} == {"Cup"}
    house.restart()
    assert house.hall.ratings_of(ann.player)["nim"] == history


def test_a_player_without_rated_games_has_no_ratings(house: House) -> None:
    assert house.hall.ratings_of(house.enter("ann").player) == {}


def test_who_comes_again_without_a_token_has_the_ratings_of_that_name_and_host() -> None:
    house = house_of_tours()
    session = house.connect(dialect="tourney")
    made = house.ask(session, Enter("ann", "tourney"), Welcome)
    tour(house, Guest(session, made.player, made.token), house.enter("bob"))
    house.hang_up(session)
    again = house.ask(house.connect(dialect="tourney"), Enter("ann", "tourney"), Welcome)
    assert again.player != made.player
    assert house.hall.ratings_of(again.player) == house.hall.ratings_of(made.player) != {}


def test_a_match_that_runs_is_listed_with_its_tour() -> None:
    one = Contest(house_of_tours(), CUP)
    one.join("ann", "bob")
    one.start()
    (line,) = one.house.ask(one.organiser, ListTables(), Tables).tables
    assert line.tour == one.tour
    assert one.house.show(one.organiser, line.table).line.tour == one.tour
