"""Who looks on: counted, listed, told now and then, and never more than anyone may know."""

from rookery.core.ids import SessionId, TableId
from rookery.core.intents import EnterRoom, Open, Rename, Unwatch, Watch
from rookery.core.messages import Past, Roomed
from rookery.core.people.community_intents import ListOnlookers
from rookery.core.people.community_messages import Onlookers, OnlookersChanged
from rookery.core.visitors.hosts import HOUSE
from rookery.hall.limits import (
    ONLOOKERS_EACH,
    ONLOOKERS_EVERY,
    ONLOOKERS_NAMED,
    ONLOOKERS_SOON,
)
from tests.hall.house import SECOND, Guest, House


def playing(house: House) -> tuple[TableId, Guest, Guest]:
    ann, bob = house.enter("Ann"), house.enter("Bob")
    return house.game("tictactoe", ann, bob), ann, bob


def looking(house: House, table: TableId, name: str = "") -> Guest | SessionId:
    if not name:
        session = house.connect()
        house.ask(session, Watch(table), Past)
        return session
    guest = house.enter(name)
    house.ask(guest, Watch(table), Past)
    return guest


def told(house: House, who: Guest) -> list[tuple[int, list[str]]]:
    news = (one for one in house.heard(who) if isinstance(one, OnlookersChanged))
    return [(one.count, [each.name for each in one.named]) for one in news]


def wait(house: House, time: int = ONLOOKERS_SOON) -> None:
    house.now += time
    house.tick()


def test_players_are_listed_by_name_others_counted_and_who_sits_is_neither(house: House) -> None:
    table, ann, _ = playing(house)
    house.ask(ann, Watch(table), Past)  # she sits there
    looking(house, table, "Eve")
    looking(house, table)
    house.ask(house.connect(HOUSE), Watch(table), Past)  # the server's own
    found = house.ask(house.connect(), ListOnlookers(table), Onlookers)
    assert (found.table, found.count, [one.name for one in found.named]) == (table, 2, ["Eve"])


def test_who_only_glances_at_one_board_of_many_does_not_look_on_until_it_does(house: House) -> None:
    table, _, _ = playing(house)
    eve = house.enter("Eve")
    for glance, count in ((True, 0), (False, 1), (True, 0)):
        house.ask(eve, Watch(table, glance=glance), Past)
        assert house.ask(house.connect(), ListOnlookers(table), Onlookers).count == count
    house.do(eve, Unwatch(table))
    house.ask(eve, Watch(table), Past)
    assert house.ask(house.connect(), ListOnlookers(table), Onlookers).count == 1


def test_onlookers_named(house: House) -> None:
    table, _, _ = playing(house)
    for n in range(ONLOOKERS_NAMED + 3):
        looking(house, table, f"g{n}")
    found = house.ask(house.connect(), ListOnlookers(table), Onlookers)
    assert (found.count, len(found.named)) == (ONLOOKERS_NAMED + 3, ONLOOKERS_NAMED)


def test_who_is_in_a_room_looks_on_there(house: House) -> None:
    guests = [
        house.ask(
            house.connect(f"10.1.{n}.1"), EnterRoom("den", "reversi size=10", name=f"g{n}"), Roomed
        )
        for n in range(3)
    ]
    table = guests[-1].table
    assert table is not None
    found = house.ask(house.connect(), ListOnlookers(table), Onlookers)
    assert [one.name for one in found.named] == ["g2"]


def test_onlookers_soon(house: House) -> None:
    """Who follows is told a moment after somebody comes, goes or takes another name."""
    table, ann, bob = playing(house)
    house.ask(ann, ListOnlookers(table, follow=True), Onlookers)
    eve = looking(house, table, "Eve")
    assert isinstance(eve, Guest)
    house.now += ONLOOKERS_SOON - 1
    house.tick()
    assert told(house, ann) == []
    wait(house, 1)
    assert (told(house, ann), told(house, bob)) == ([(1, ["Eve"])], [])
    house.do(eve, Rename("Eva"))
    wait(house, 2 * SECOND)
    wait(house, 2 * SECOND)
    assert told(house, ann) == [(1, ["Eva"])]
    house.do(eve, Unwatch(table))
    wait(house, 2 * SECOND)
    assert told(house, ann) == [(0, [])]


def test_what_changes_and_changes_back_is_not_told(house: House) -> None:
    table, ann, _ = playing(house)
    house.ask(ann, ListOnlookers(table, follow=True), Onlookers)
    looking(house, table, "Eve")
    wait(house)
    told(house, ann)
    wait(house, 5 * SECOND)
    house.hang_up(looking(house, table, "Bea"))
    wait(house)
    assert told(house, ann) == []


def test_onlookers_every(house: House) -> None:
    table, ann, _ = playing(house)
    house.ask(ann, ListOnlookers(table, follow=True), Onlookers)
    looking(house, table, "Eve")
    wait(house)
    looking(house, table, "Bea")
    wait(house, ONLOOKERS_EVERY + ONLOOKERS_EACH - 1)
    assert told(house, ann) == [(1, ["Eve"])]
    wait(house, 1)
    assert told(house, ann) == [(2, ["Eve", "Bea"])]


def test_onlookers_each(house: House) -> None:
    """The more are told, the longer they wait for the next."""
    table, ann, bob = playing(house)
    for one in (ann, bob):
        house.ask(one, ListOnlookers(table, follow=True), Onlookers)
    looking(house, table, "Eve")
    wait(house)
    looking(house, table, "Bea")
    wait(house, ONLOOKERS_EVERY + ONLOOKERS_EACH)
    assert told(house, ann) == [(1, ["Eve"])]
    wait(house, ONLOOKERS_EACH)
    assert told(house, ann) == [(2, ["Eve", "Bea"])]


def test_a_thousand_who_come_and_go_cost_few_messages(house: House) -> None:
    """Each follows, too: without a rest between it would be a million messages."""
    table, ann, _ = playing(house)
    house.ask(ann, ListOnlookers(table, follow=True), Onlookers)
    messages = 0
    for _ in range(1_000):
        session = house.connect()
        house.ask(session, Watch(table), Past)
        house.ask(session, ListOnlookers(table, follow=True), Onlookers)
        house.now += SECOND // 2_000
        messages += len(house.tick().deliveries)
        if session % 2:
            house.hang_up(session)
        house.now += SECOND // 2_000
    house.now += 3 * (ONLOOKERS_EVERY + 1_000 * ONLOOKERS_EACH)
    messages += len(house.tick().deliveries)
    assert 1 <= messages <= 1_000
    assert told(house, ann)[-1][0] == 500
    assert house.hall.deadline() is None or house.tick().deliveries == ()


def test_a_private_table_is_as_if_it_were_not_there_but_for_who_has_the_code(house: House) -> None:
    ann, eve = house.enter("Ann"), house.enter("Eve")
    table = house.do(ann, Open("nim", code="wonderland7")).table
    assert table is not None
    assert house.no(eve, ListOnlookers(table)) == "no_table"
    assert house.no(eve, ListOnlookers(table, follow=True)) == "no_table"
    found = house.ask(eve, ListOnlookers(table, code="wonderland7"), Onlookers)
    assert found.count == 0


def test_only_who_sits_or_watches_follows_and_is_forgotten_when_it_does_no_more(
    house: House,
) -> None:
    table, ann, _ = playing(house)
    eve = house.enter("Eve")
    assert house.no(eve, ListOnlookers(table, follow=True)) == "not_there"
    house.ask(eve, Watch(table), Past)
    house.ask(eve, ListOnlookers(table, follow=True), Onlookers)
    house.do(eve, Unwatch(table))
    looking(house, table, "Bea")
    wait(house)
    house.heard(ann)
    assert told(house, eve) == []
    assert house.hall.community.onlookers.followed_by(eve.session) == ()
