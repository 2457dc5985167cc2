"""Another player plays for an entrant: results stay with the entrant, ratings with who played."""

import pytest

from rookery.core.ids import PlayerId
from rookery.core.intents import Resign
from rookery.core.tours.tour_events import Replaced, TourEvent, tour_stream
from rookery.core.tours.tour_intents import (
    JoinTour,
    ListRatings,
    OpenTour,
    PauseTour,
    ReplaceEntrant,
    StartTour,
    Withdraw,
)
from rookery.core.tours.tour_messages import Ratings, TourJoined, TourMade, TourNews
from rookery.core.tours.values import Plan
from rookery.doctor.replaying import check_log
from rookery.hall.tours.tour import replay_tour
from tests.hall.contest import NIM, Contest, house_of_tours
from tests.hall.house import Guest


def contest(form: str = "round_robin legs=2", players: int = 2) -> Contest:
    one = Contest(house_of_tours(), Plan(NIM, form, time="none"))
    one.join(*[f"g{n}" for n in range(1, players + 1)])
    return one


def lose(one: Contest, guest: Guest) -> None:
    """This one gives up the game it plays."""
    (table,) = (
        table
        for table in one.running()
        if any(s.player == guest.player for s in one.house.show(one.organiser, table).line.seats)
    )
    one.house.do(guest, Resign(table))


def replace(one: Contest, entrant: int, name: str) -> Guest:
    new = one.house.enter(name)
    one.house.do(one.organiser, ReplaceEntrant(one.tour, entrant, new.player))
    return new


def test_results_stay_with_the_entrant_and_ratings_with_who_played() -> None:
    one = contest()
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    first, second = one.guests
    lose(one, second)  # to the one who is replaced now
    new = replace(one, 1, "new")
    one.house.do(one.organiser, StartTour(one.tour))
    assert [row.points for row in one.shown().standing] == [1, 0]
    lose(one, new)
    assert one.status == "ended"
    assert sorted(row.points for row in one.shown().standing) == [1, 1]
    assert [row.name for row in one.shown().standing] == ["g1", "g2"]
    found = one.house.ask(one.organiser, ListRatings("nim"), Ratings).ratings
    games = {line.player: (line.games, line.rating > 1500) for line in found}
    assert games[first.player] == (1, True)
    assert games[new.player] == (1, False)
    assert games[second.player][0] == 2
    assert not list(check_log(one.house.log))


def test_replay_knows_who_played_when() -> None:
    one = contest()
    one.start()
    one.house.do(one.organiser, PauseTour(one.tour))
    lose(one, one.guests[1])
    new = replace(one, 1, "new")
    records = one.house.streams[tour_stream(one.tour)]
    assert all(isinstance(record.event, TourEvent) for record in records)
    known = replay_tour(one.tour, records).entrant(1)
    assert known.players == (new.player,)
    assert known.at(records[-2].n) == (one.guests[0].player,)
    assert known.at(records[-1].n) == (new.player,)


def test_who_was_replaced_plays_no_more() -> None:
    one = contest(players=3)
    new = replace(one, 1, "new")
    one.start()
    seats = [
        seat.player
        for table in one.running()
        for seat in one.house.show(one.organiser, table).line.seats
    ]
    assert one.guests[0].player not in seats
    one.guests[0] = new
    one.play_on()
    assert one.status == "ended"


def test_what_cannot_be_is_refused() -> None:
    one = contest(players=3)
    other = one.house.enter("other")

    def no(entrant: int, now: PlayerId, was: PlayerId | None = None) -> str:
        return one.house.no(one.organiser, ReplaceEntrant(one.tour, entrant, now, was))

    assert no(9, other.player) == "no_entrant"
    assert no(1, PlayerId(99)) == "no_player"
    assert no(1, one.guests[1].player) == "joined_before"
    assert no(1, other.player, one.guests[1].player) == "cannot_replace"
    one.start()
    playing = one.matches()[0].sides[0]
    assert no(playing, other.player) == "playing"
    one.house.do(one.organiser, Withdraw(one.tour, 3))
    assert no(3, other.player) == "not_in_tour"
    one.play_on()
    assert no(1, other.player) == "over"


def test_an_owner_puts_no_stranger_into_its_tour() -> None:
    house = house_of_tours()
    owner, stranger = house.enter("ann"), house.enter("bob")
    tour = house.ask(owner, OpenTour(Plan(NIM), ""), TourMade).tour
    one = Contest(house, Plan(NIM))
    one.tour, one.code = tour, ""
    one.join("cid")
    assert house.no(owner, ReplaceEntrant(tour, 1, stranger.player)) == "not_owner"
    house.do(owner, ReplaceEntrant(tour, 1, owner.player))


def test_one_of_a_team_is_replaced_and_its_partner_plays_on() -> None:
    one = Contest(house_of_tours(), Plan("bughouse", time="none"))
    for name, team in (("ann", "A"), ("bob", "A"), ("cid", "B"), ("dan", "B")):
        guest = one.house.enter(name)
        one.house.ask(guest, JoinTour(one.tour, team=team), TourJoined)
        one.guests.append(guest)
    ann, bob, cid, _ = one.guests
    new = one.house.enter("new")

    def wish(was: PlayerId | None) -> ReplaceEntrant:
        return ReplaceEntrant(one.tour, 1, new.player, was)

    assert one.house.no(one.organiser, wish(None)) == "cannot_replace"  # which of the two?
    assert one.house.no(one.organiser, wish(cid.player)) == "cannot_replace"  # of the other team
    one.house.do(one.organiser, wish(bob.player))
    players = [member.player for member in one.shown().entrants[0].players]
    assert players == [ann.player, new.player]
    one.start()
    (table,) = one.running()
    seats = {seat.player for seat in one.house.show(one.organiser, table).line.seats}
    assert ann.player in seats
    assert new.player in seats
    assert bob.player not in seats
    one.house.do(new, Resign(table))
    assert not list(check_log(one.house.log))


@pytest.mark.parametrize("dialect", ["tourney", "native"])
def test_a_tourney_client_is_replaced_by_one_that_has_words_for_tours(dialect: str) -> None:
    one = Contest(house_of_tours(), Plan(NIM, time="none"))
    house = one.house
    old = house.enter("old", house.connect(dialect="tourney"), "tourney")
    house.ask(old, JoinTour(one.tour), TourJoined)
    (bob,) = one.join("bob")
    new = house.enter("new", house.connect(dialect=dialect), dialect)
    house.hang_up(old)
    house.do(one.organiser, ReplaceEntrant(one.tour, 1, new.player))
    one.start()
    one.guests = [new, bob]
    one.play_on()
    assert one.status == "ended"
    assert [row.played for row in one.shown().standing] == [1, 1]
    assert not list(check_log(house.log))


def test_a_client_without_words_for_tours_takes_nobodys_place() -> None:
    one = contest()
    stranger = one.house.enter("eve", one.house.connect(dialect="othello"), "othello")
    wish = ReplaceEntrant(one.tour, 1, stranger.player)
    assert one.house.no(one.organiser, wish) == "wrong_dialect"


def test_who_was_replaced_while_away_is_told_when_it_comes_back() -> None:
    one = contest()
    old = one.guests[0]
    one.house.hang_up(old)
    new = replace(one, 1, "new")
    back = one.house.back(old)
    news = [told for told in one.house.heard(back) if isinstance(told, TourNews)]
    assert [told.event for told in news] == [Replaced(1, old.player, new.player)]
