"""How many look on at a table."""

from rookery.core.ids import SessionId, TableId
from rookery.core.intents import EnterRoom, Unwatch, Watch
from rookery.core.messages import Past, Roomed
from rookery.core.network import HOUSE
from rookery.hall.tables.audience import count_onlookers
from tests.hall.house import Guest, House


def playing(house: House) -> tuple[TableId, Guest]:
    ann, bob = house.enter("Ann"), house.enter("Bob")
    return house.game("tictactoe", ann, bob), ann


def onlookers(house: House, table: TableId) -> int:
    found = house.hall.tables.get(table)
    assert found is not None
    return count_onlookers(house.hall.presence, found)


def test_who_watches_is_counted_and_who_sits_is_not_nor_the_servers_own(house: House) -> None:
    table, ann = playing(house)
    guests: list[Guest | SessionId] = [ann, house.enter("Eve"), house.connect()]
    for one in (*guests, house.connect(HOUSE)):
        house.ask(one, Watch(table), Past)
    assert onlookers(house, table) == 2
    house.hang_up(guests[2])
    assert onlookers(house, table) == 1


def test_who_only_glances_at_one_board_of_many_does_not_look_on_until_it_does(house: House) -> None:
    table, _ = playing(house)
    eve = house.enter("Eve")
    for glance, count in ((True, 0), (False, 1), (True, 0)):
        house.ask(eve, Watch(table, glance=glance), Past)
        assert onlookers(house, table) == count
    house.do(eve, Unwatch(table))
    house.ask(eve, Watch(table), Past)
    assert onlookers(house, table) == 1


def test_who_is_in_a_room_looks_on_there(house: House) -> None:
    guests = [
        house.ask(
            house.connect(f"10.1.{n}.1"), EnterRoom("den", "reversi size=10", name=f"g{n}"), Roomed
        )
        for n in range(3)
    ]
    table = guests[-1].table
    assert table is not None
    assert onlookers(house, table) == 1
