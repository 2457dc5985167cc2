"""What waits for players, as those who fill empty seats are told."""

from rookery.core.ids import TableId
from rookery.core.intents import EnterRoom, Gather, Open, Resign, Seek, Sit, Start
from rookery.core.messages import Done, Roomed
from rookery.core.policy import Begin, Policy
from rookery.hall.lobby.vacancies import Vacancy
from tests.hall.house import NOON, SECOND, House

ONLY = Policy(only="native")


def test_an_empty_hall_waits_for_nobody() -> None:
    assert House().hall.vacancies("bot") == ()


def test_a_seek_waits_for_one_more(house: House) -> None:
    ann = house.enter("ann")
    table = house.ask(ann, Seek("nim"), Done).table
    assert table is not None
    waits = Vacancy("nim", NOON, 1, (ann.player,), (ann.session,), Sit(table))
    assert house.hall.vacancies("bot") == (waits,)


def test_who_sits_down_makes_the_wait_begin_anew(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.ask(ann, Open("bughouse"), Done).table
    assert table is not None
    house.now += SECOND
    house.ask(bob, Sit(table), Done)
    (waits,) = house.hall.vacancies("bot")
    assert (waits.since, waits.missing) == (NOON + SECOND, 2)
    assert waits.players == (ann.player, bob.player)


def test_a_full_table_waits_for_nobody_even_before_its_owner_starts_it(house: House) -> None:
    table = house.ask(house.enter("ann"), Open("nim", policy=Policy(begin=Begin.OWNER)), Done).table
    assert table is not None
    house.ask(house.enter("bob"), Sit(table), Done)
    assert house.hall.vacancies("bot") == ()


def test_a_running_table_waits_for_nobody(house: House) -> None:
    ann = house.enter("ann")
    table = house.ask(ann, Open("nim", policy=Policy(begin=Begin.OWNER)), Done).table
    assert table is not None
    house.ask(house.enter("bob"), Sit(table), Done)
    house.ask(ann, Start(table), Done)
    assert house.hall.vacancies("bot") == ()


def test_what_is_for_one_dialect_is_nobody_else_s_to_fill(house: House) -> None:
    ann, bob, cid = (house.enter(name) for name in ("ann", "bob", "cid"))
    house.ask(ann, Seek("nim", policy=ONLY), Done)
    house.ask(bob, Gather("fish", 2, 4, policy=ONLY), Done)
    house.ask(cid, EnterRoom("den", "nim", policy=ONLY), Roomed)
    assert house.hall.vacancies("bot") == ()
    assert len(house.hall.vacancies("native")) == 3


def test_a_gathering_waits_for_the_least_it_needs_and_whoever_fills_it_sits_last(
    house: House,
) -> None:
    ann = house.enter("ann")
    house.ask(ann, Gather("fish", 3, 4, 5 * SECOND, rank=30, time="1m"), Done)
    (waits,) = house.hall.vacancies("bot")
    assert (waits.missing, waits.since, waits.players) == (2, NOON, (ann.player,))
    assert waits.fill == Gather("fish", 3, 4, 5 * SECOND, rank=30, time="1m")
    for name in ("bob", "cid"):
        house.ask(house.enter(name), waits.fill, Done)
    assert house.hall.vacancies("bot") == ()


def test_a_room_waits_until_enough_are_there_to_play(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    house.ask(ann, EnterRoom("den", "nim"), Roomed)
    (waits,) = house.hall.vacancies("bot")
    assert (waits.missing, waits.players) == (1, (ann.player,))
    house.now += SECOND
    house.ask(bob, waits.fill, Roomed)
    assert house.hall.vacancies("bot") == ()


def test_a_room_whose_players_may_play_again_waits_for_nobody(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    for guest in (ann, bob):
        house.ask(guest, EnterRoom("den", "nim"), Roomed)
    house.ask(ann, Resign(TableId(1)), Done)
    assert house.hall.vacancies("bot") == ()
    house.now += SECOND
    house.hang_up(ann)
    (waits,) = house.hall.vacancies("bot")
    assert (waits.since, waits.players) == (NOON + SECOND, (bob.player,))
