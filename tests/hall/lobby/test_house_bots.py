"""Asking for house bots: which level, none, or no word about it; what becomes of the word."""

import pytest

from rookery.bots import BEST
from rookery.core.events import Opened, Rematched
from rookery.core.ids import TableId
from rookery.core.intents import Leave, Open, Rematch, Resign, Seek, Sit
from rookery.core.messages import Refused
from rookery.core.policy import Begin, Gone, Policy
from rookery.games import GAMES
from rookery.hall.limits import LEVEL_MAX
from tests.hall.house import SECOND, Guest, House

ALL = frozenset(GAMES)


def asked(house: House) -> list[int | None]:
    """What is asked for at everything that waits."""
    return [vacancy.house for vacancy in house.hall.vacancies("bot")]


# -- asking


@pytest.mark.parametrize("level", [None, 0, 1, 5])
def test_what_was_asked_for_is_in_the_log_and_told_to_who_fills_seats(level: int | None) -> None:
    house = House(bots=ALL)
    house.do(house.enter("ann"), Open("nim", house=level))
    house.do(house.enter("bob"), Seek("reversi", house=level))
    for table in (TableId(1), TableId(2)):
        assert house.last(table, Opened).house == level
    assert asked(house) == [level, level]


@pytest.mark.parametrize("level", [-1, 6, 10**30])
def test_there_are_no_other_levels(level: int) -> None:
    house = House(bots=ALL)
    ann = house.enter("ann")
    assert house.no(ann, Open("nim", house=level)) == "bad_option"
    assert house.no(ann, Seek("nim", house=level)) == "bad_option"


def test_the_refusal_of_a_level_says_which_there_are() -> None:
    house = House(bots=ALL)
    refused = house.ask(house.enter("ann"), Open("nim", house=9), Refused)
    assert refused.sentence == "A house bot's level is 1 to 5, or 0 for no bots, not 9."


def test_the_hall_knows_how_many_levels_there_are() -> None:
    assert LEVEL_MAX == BEST


def test_who_asks_for_bots_that_the_server_does_not_have_is_told_so() -> None:
    house = House(bots=frozenset({"reversi"}))
    ann = house.enter("ann")
    assert house.no(ann, Open("nim misere=true", house=2)) == "no_bots"
    assert house.no(ann, Seek("nim", house=2)) == "no_bots"
    house.do(ann, Open("reversi size=10", house=2))


def test_a_table_without_bots_can_be_had_at_a_server_without_bots(house: House) -> None:
    house.do(house.enter("ann"), Open("nim", house=0))
    assert asked(house) == [0]


def test_bots_cannot_be_asked_for_where_only_one_dialect_may_sit() -> None:
    house = House(bots=ALL)
    ann, policy = house.enter("ann"), Policy(only="native")
    assert house.no(ann, Open("nim", policy=policy, house=2)) == "bad_option"
    house.do(ann, Open("nim", policy=policy, house=0))


# -- seeking


@pytest.mark.parametrize(("one", "other"), [(0, 2), (2, 0), (2, None), (None, 2), (2, 3)])
def test_two_who_seek_with_other_bots_in_mind_do_not_meet(
    one: int | None, other: int | None
) -> None:
    house = House(bots=ALL)
    house.do(house.enter("ann"), Seek("nim", house=one))
    assert house.do(house.enter("bob"), Seek("nim", house=other)).table == 2


@pytest.mark.parametrize(("one", "other"), [(None, 0), (0, None)])
def test_who_wants_people_and_who_leaves_it_to_the_server_meet(
    one: int | None, other: int | None
) -> None:
    house = House(bots=ALL)
    house.do(house.enter("ann"), Seek("nim", house=one))
    assert house.do(house.enter("bob"), Seek("nim", house=other)).table == 1


def test_who_wants_people_alone_does_not_sit_where_bots_may_still_come() -> None:
    house = House(bots=ALL)
    house.do(house.enter("ann"), Seek("fish", 3))
    assert house.do(house.enter("bob"), Seek("fish", 3, house=0)).table == 2
    assert house.do(house.enter("cid"), Seek("fish", 3)).table == 1
    assert house.do(house.enter("dee"), Seek("fish", 3, house=0)).table == 1


@pytest.mark.parametrize("level", [None, 0, 2])
def test_two_who_seek_with_the_same_bots_in_mind_meet(level: int | None) -> None:
    house = House(bots=ALL)
    house.do(house.enter("ann"), Seek("nim", house=level))
    assert house.do(house.enter("bob"), Seek("nim", house=level)).table == 1


def test_whoever_knows_the_table_may_sit_there_whatever_its_bots() -> None:
    house = House(bots=ALL)
    house.do(house.enter("ann"), Open("fish", 3, house=2))
    house.do(house.enter("bob"), Sit(TableId(1)))
    (vacancy,) = house.hall.vacancies("bot")
    assert (vacancy.missing, vacancy.house) == (1, 2)


# -- what becomes of it


def played(house: House, level: int) -> tuple[Guest, Guest]:
    """Two who have played at table 1, for which this was asked."""
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Open("nim", house=level))
    house.do(bob, Sit(TableId(1)))
    house.do(ann, Resign(TableId(1)))
    return ann, bob


@pytest.mark.parametrize("level", [0, 4])
def test_a_return_game_keeps_it(level: int) -> None:
    house = House(bots=ALL)
    ann, bob = played(house, level)
    house.do(ann, Rematch(TableId(1)))
    house.do(bob, Rematch(TableId(1)))
    again = house.last(TableId(1), Rematched).table
    assert house.last(again, Opened).house == level


@pytest.mark.parametrize("level", [0, 4])
def test_a_restart_keeps_it_for_the_return_game(level: int) -> None:
    house = House(bots=ALL)
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Open("nim", house=level))
    house.do(bob, Sit(TableId(1)))
    house.restart()
    ann, bob = house.back(ann), house.back(bob)
    house.do(ann, Resign(TableId(1)))
    house.do(ann, Rematch(TableId(1)))
    house.do(bob, Rematch(TableId(1)))
    assert house.last(TableId(2), Opened).house == level


@pytest.mark.parametrize("level", [0, 4])
def test_a_restart_keeps_it_for_a_seat_that_is_to_be_taken_over(level: int) -> None:
    house = House(bots=ALL)
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Open("nim", policy=Policy(gone=Gone.TAKEOVER, grace=SECOND), house=level))
    house.do(bob, Sit(TableId(1)))
    house.restart()
    house.back(ann)
    house.wait(1)
    assert asked(house) == [level]


def test_a_seat_that_was_left_is_to_be_filled_again() -> None:
    house = House(bots=ALL)
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Open("nim", policy=Policy(begin=Begin.OWNER), house=3))
    house.do(bob, Sit(TableId(1)))
    assert asked(house) == []
    house.do(bob, Leave(TableId(1)))
    assert asked(house) == [3]
