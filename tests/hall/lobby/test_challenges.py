"""Challenges: who is asked hears it, once, and nobody else does."""

from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Challenge, Leave, Open, Sit
from rookery.core.messages import Notice
from tests.hall.house import Guest, House

CODE = "wonderland7"


def notices(house: House, guest: Guest) -> list[str]:
    return [one.sentence for one in house.heard(guest) if isinstance(one, Notice)]


def test_who_is_challenged_hears_of_it_with_the_way_there(house: House) -> None:
    ann, bob, cyd = (house.enter(name) for name in ("ann", "bob", "cyd"))
    table = house.do(ann, Open("nim", time="5m", code=CODE)).table
    assert table is not None
    house.do(ann, Challenge(table, bob.player, CODE))
    assert notices(house, bob) == [f"ann challenges you to nim, 5m: /tables/{table}?code={CODE}"]
    assert notices(house, cyd) == []
    assert house.no(ann, Challenge(table, bob.player, CODE)) == "asked_before"
    house.do(bob, Sit(table, code=CODE))


def test_a_challenge_needs_a_seat_the_code_and_somebody_who_is_there(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.do(ann, Open("nim", code=CODE)).table
    assert table is not None
    assert house.no(ann, Challenge(table, bob.player, "wonderland8")) == "bad_code"
    assert house.no(bob, Challenge(table, ann.player, CODE)) == "no_table"
    assert house.no(ann, Challenge(table, PlayerId(99), CODE)) == "not_there"
    assert house.no(ann, Challenge(table, ann.player, CODE)) == "not_there"
    old = house.enter("old", house.connect(dialect="othello"), "othello")
    assert house.no(ann, Challenge(table, old.player, CODE)) == "wrong_dialect"


def test_a_stranger_does_not_learn_of_a_private_table_by_challenging(house: House) -> None:
    ann, eve = house.enter("ann"), house.enter("eve")
    table = house.do(ann, Open("nim", code=CODE)).table
    assert table is not None
    there = house.no(eve, Challenge(table, ann.player))
    assert there == house.no(eve, Challenge(TableId(table + 1), ann.player)) == "no_table"


def test_nobody_is_asked_again_and_again_by_way_of_other_tables(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    for n in range(20):
        table = house.do(ann, Open("nim")).table
        assert table is not None
        if n:
            assert house.no(ann, Challenge(table, bob.player)) == "asked_before"
        else:
            house.do(ann, Challenge(table, bob.player))
        house.do(ann, Leave(table))
    house.wait(10)
    table = house.do(ann, Open("nim")).table
    assert table is not None
    house.do(ann, Challenge(table, bob.player))
    assert len(notices(house, bob)) == 2
