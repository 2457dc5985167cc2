"""Seeking: first come, first served, across dialects, whatever the words."""

from rookery.core.ids import TableId
from rookery.core.intents import Leave, ListTables, Open, Seek, Sit
from rookery.core.messages import Tables
from rookery.core.policy import Begin, Policy
from tests.hall.house import House


def test_two_who_seek_the_same_find_each_other_across_dialects(house: House) -> None:
    ann, bob = house.enter("ann", dialect="fish"), house.enter("bob", dialect="othello")
    first, second = house.do(ann, Seek("nim")), house.do(bob, Seek("nim"))
    assert (first.table, first.seat, second.table, second.seat) == (1, 0, 1, 1)
    assert house.show(bob, TableId(1)).line.status == "playing"


def test_two_who_say_the_same_in_other_words_find_each_other(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Seek("reversi size=8", 2, "60"))
    assert house.do(bob, Seek(" reversi", None, "1m")).table == 1


def test_those_who_seek_something_else_do_not(house: House) -> None:
    house.do(house.enter("ann"), Seek("reversi"))
    others = [
        Seek("reversi size=10"),
        Seek("nim"),
        Seek("reversi", time="1m"),
        Seek("reversi", policy=Policy(begin=Begin.OWNER)),
        Seek("fish", 3),
        Seek("fish", 4),
    ]
    tables = [house.do(house.enter("x"), seek).table for seek in others]
    assert tables == [2, 3, 4, 5, 6, 7]


def test_the_oldest_open_table_is_filled_first(house: House) -> None:
    ann, bob, cleo, dora = (house.enter(name) for name in "abcd")
    house.do(ann, Open("nim"))
    house.do(bob, Open("nim"))
    assert house.do(cleo, Seek("nim")).table == 1
    assert house.do(dora, Seek("nim")).table == 2


def test_a_table_that_was_left_is_not_found(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Seek("nim"))
    house.do(ann, Leave(TableId(1)))
    assert house.do(bob, Seek("nim")).table == 2


def test_who_hung_up_is_not_found(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.do(ann, Seek("nim"))
    house.hang_up(ann)
    assert house.do(bob, Seek("nim")).table == 2


def test_nobody_finds_themselves(house: House) -> None:
    ann = house.enter("ann")
    assert [house.do(ann, Seek("nim")).table for _ in range(2)] == [1, 2]


def test_four_who_seek_fill_one_table_in_order(house: House) -> None:
    found = [house.do(house.enter(name), Seek("bughouse")) for name in "abcd"]
    assert [(done.table, done.seat) for done in found] == [(1, 0), (1, 1), (1, 2), (1, 3)]


def test_a_full_table_that_waits_for_its_owner_is_not_found(house: House) -> None:
    policy = Policy(begin=Begin.OWNER)
    for name in "ab":
        house.do(house.enter(name), Seek("nim", policy=policy))
    cleo = house.enter("cleo")
    assert house.no(cleo, Sit(TableId(1))) == "full"
    assert house.do(cleo, Seek("nim", policy=policy)).table == 2


def test_tables_are_listed_by_what_can_be_done_at_them(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.game("nim", ann, bob)
    house.do(ann, Open("fish"))
    for status, found in (("", [1, 2]), ("open", [2]), ("playing", [1])):
        listed = house.ask(ann, ListTables(status), Tables)
        assert [line.table for line in listed.tables] == found
    assert [line.table for line in house.ask(bob, ListTables("", TableId(1)), Tables).tables] == [2]
    assert house.ask(bob, ListTables("", TableId(10**30)), Tables).tables == ()
    assert len(house.ask(bob, ListTables("", TableId(-1)), Tables).tables) == 2
