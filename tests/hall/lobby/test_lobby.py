"""Open tables: who hears of them, whose they are, and where one sits."""

import pytest

from rookery.core.events import (
    Closed,
    Ended,
    Event,
    Left,
    Opened,
    Out,
    Owned,
    Sat,
    Started,
    Swapped,
)
from rookery.core.ids import PlayerId, Seat, SessionId, TableId
from rookery.core.intents import Leave, Open, Resign, Sit, Start, Survey, WatchLobby
from rookery.core.messages import Surveyed, SurveyedTable
from rookery.core.policy import Begin, Policy
from tests.hall.house import Guest, House

OWNER = Policy(begin=Begin.OWNER)
WHITE_FIRST = (Seat(0), Seat(3), Seat(2), Seat(1))  # of each team of bughouse


def guests(house: House, count: int) -> list[Guest]:
    return [house.enter(name) for name in "abcdef"[:count]]


def opened(house: House, guest: Guest, variant: str = "bughouse") -> TableId:
    table = house.do(guest, Open(variant, policy=OWNER)).table
    assert table is not None
    return table


def heard(house: House, who: Guest | SessionId) -> list[type[Event]]:
    return [type(happened.event) for happened in house.news(who)]


# -- the lobby


def test_a_lobby_hears_who_comes_and_goes_at_tables_where_it_does_not_sit(house: House) -> None:
    ann, bob, eve = guests(house, 3)
    house.do(eve, WatchLobby("tictactoe"))
    table = opened(house, ann, "tictactoe")
    house.do(bob, Sit(table))
    house.do(bob, Leave(table))
    house.do(ann, Leave(table))
    assert heard(house, eve) == [Opened, Sat, Sat, Left, Left, Closed]


def test_a_lobby_hears_when_a_game_begins_and_how_it_ends_but_not_its_moves(house: House) -> None:
    ann, bob, eve = guests(house, 3)
    house.do(eve, WatchLobby("tictactoe"))
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Resign(table))
    assert heard(house, eve) == [Opened, Sat, Sat, Started, Out, Ended]


def test_a_lobby_is_that_of_one_game(house: House) -> None:
    ann, eve = guests(house, 2)
    house.do(eve, WatchLobby("nim"))
    opened(house, ann, "tictactoe")
    assert heard(house, eve) == []


def test_who_sits_at_a_table_hears_of_it_once(house: House) -> None:
    ann, bob = guests(house, 2)
    house.do(bob, WatchLobby("bughouse"))
    table = opened(house, ann)
    house.heard(bob)
    house.do(bob, Sit(table))
    assert heard(house, bob) == [Sat]


def test_who_hung_up_is_in_no_lobby(house: House) -> None:
    ann, eve = guests(house, 2)
    house.do(eve, WatchLobby("bughouse"))
    house.heard(eve)
    house.hang_up(eve)
    opened(house, ann)
    assert house.heard(eve) == []


# -- whose a table is


def test_an_owner_who_leaves_makes_its_team_mate_the_owner(house: House) -> None:
    ann, bob, cleo = guests(house, 3)
    table = opened(house, ann)
    house.do(bob, Sit(table, Seat(1)))
    house.do(cleo, Sit(table, Seat(3)))
    house.do(ann, Leave(table))
    assert house.events(table)[-2:] == [Left(Seat(0), ann.player), Owned(cleo.player)]
    assert house.no(bob, Start(table)) == "not_owner"
    assert house.no(cleo, Start(table)) == "not_ready"


def test_without_a_team_mate_the_first_who_came_is_the_owner(house: House) -> None:
    ann, bob, cleo = guests(house, 3)
    table = opened(house, ann)
    house.do(bob, Sit(table, Seat(2)))
    house.do(cleo, Sit(table, Seat(1)))
    house.hang_up(ann)
    assert house.last(table, Owned) == Owned(bob.player)


def test_an_owner_who_never_sat_leaves_the_table_to_the_first_who_came(house: House) -> None:
    ann, bob, cleo = guests(house, 3)
    table = house.do(ann, Open("bughouse", policy=OWNER, sit=False)).table
    assert table is not None
    house.do(bob, Sit(table))
    house.do(cleo, Sit(table))
    house.do(bob, Leave(table))
    assert house.events(table)[-1] == Left(Seat(0), bob.player)
    house.hang_up(ann)
    assert house.events(table)[-1] == Owned(cleo.player)


def test_somebody_elses_leaving_changes_no_owner(house: House) -> None:
    ann, bob = guests(house, 2)
    table = opened(house, ann)
    house.do(bob, Sit(table))
    house.do(bob, Leave(table))
    assert house.events(table)[-1] == Left(Seat(1), bob.player)


def test_a_table_that_starts_when_it_is_full_needs_no_new_owner(house: House) -> None:
    ann, bob = guests(house, 2)
    table = house.do(ann, Open("bughouse")).table
    assert table is not None
    house.do(bob, Sit(table))
    house.do(ann, Leave(table))
    assert house.events(table)[-1] == Left(Seat(0), ann.player)


# -- where one sits


def test_one_may_prefer_some_seats_and_gets_the_first_free_of_them(house: House) -> None:
    ann, bob, cleo, dora = guests(house, 4)
    table = opened(house, ann)
    team = (Seat(2), Seat(1))
    assert house.do(bob, Sit(table, prefer=team)).seat == 2
    assert house.do(cleo, Sit(table, prefer=team)).seat == 1
    assert house.no(dora, Sit(table, prefer=team)) == "full"
    assert house.no(dora, Sit(table, prefer=(Seat(9),))) == "no_such_seat"
    assert house.do(dora, Sit(table)).seat == 3


def full_house() -> tuple[House, TableId, list[Guest]]:
    """Ann sat first and left; so of both teams the one on black came first."""
    house = House()
    ann, *four = guests(house, 5)
    table = opened(house, ann)
    for guest, seat in zip(four, (3, 1, 2, 0), strict=True):
        if seat == 0:
            house.do(ann, Leave(table))
        house.do(guest, Sit(table, Seat(seat)))
    return house, table, four


def test_at_the_start_each_team_is_put_in_the_order_it_came() -> None:
    house, table, (bob, cleo, dora, eve) = full_house()
    house.do(bob, Start(table, order=WHITE_FIRST))
    swapped = [event for event in house.events(table) if isinstance(event, Swapped)]
    assert swapped == [Swapped(Seat(0), Seat(3)), Swapped(Seat(2), Seat(1))]
    line = house.show(bob, table).line
    assert [seat.player for seat in line.seats] == [g.player for g in (bob, dora, cleo, eve)]
    assert [seat.player_name for seat in line.seats] == ["b", "d", "c", "e"]


def test_without_an_order_everyone_stays_where_they_sat_down() -> None:
    house, table, (bob, cleo, dora, eve) = full_house()
    house.do(bob, Start(table))
    line = house.show(bob, table).line
    assert [seat.player for seat in line.seats] == [g.player for g in (eve, cleo, dora, bob)]


@pytest.mark.parametrize("order", [(Seat(0),), (Seat(0), Seat(0), Seat(1), Seat(2))])
def test_an_order_names_every_seat_once(order: tuple[Seat, ...]) -> None:
    house, table, (bob, *_) = full_house()
    assert house.no(bob, Start(table, order=order)) == "no_such_seat"


# -- surveys


def test_a_survey_says_who_sits_where_who_came_when_and_whose_it_is(house: House) -> None:
    ann, bob = guests(house, 2)
    table = opened(house, ann)
    house.do(bob, Sit(table, Seat(3)))
    house.do(ann, Leave(table))
    house.do(ann, Sit(table, Seat(2)))
    found = house.ask(ann, Survey("bughouse"), Surveyed).tables
    seats = (None, None, ann.player, bob.player)
    assert found == (SurveyedTable(table, "open", seats, (bob.player, ann.player), bob.player),)


def test_a_survey_is_of_one_game_one_table_or_one_player(house: House) -> None:
    ann, bob = guests(house, 2)
    first, second = opened(house, ann), opened(house, ann)
    opened(house, ann, "tictactoe")
    house.do(bob, Sit(second))

    def tables(survey: Survey) -> list[int]:
        return [standing.table for standing in house.ask(bob, survey, Surveyed).tables]

    assert tables(Survey("bughouse")) == [first, second]
    assert tables(Survey("bughouse", table=first)) == [first]
    assert tables(Survey("nim", table=first)) == []
    assert tables(Survey("bughouse", table=TableId(99))) == []
    assert tables(Survey("bughouse", player=bob.player)) == [second]
    assert tables(Survey("bughouse", player=PlayerId(99))) == []


def test_a_survey_leaves_out_what_is_over(house: House) -> None:
    ann = house.enter("ann")
    house.do(ann, Leave(opened(house, ann)))
    assert house.ask(ann, Survey("bughouse"), Surveyed).tables == ()


def test_a_survey_by_a_dialect_with_numbers_gives_them(house: House) -> None:
    ann = house.enter("ann")
    opened(house, ann, "tictactoe")
    table = opened(house, ann)
    old = house.connect(dialect="bughouse")
    house.ask(old, Survey("bughouse"), Surveyed)
    assert house.hall.directory.table_number("bughouse", table) == 1
    assert house.hall.directory.player_number("bughouse", ann.player) == 1
