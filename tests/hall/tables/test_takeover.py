"""Seats that others play on in: when they can be had, by whom, and what becomes of them."""

import pytest

from rookery.core.events import Out, TakenOver
from rookery.core.game import Forfeit
from rookery.core.ids import Seat, TableId
from rookery.core.intents import EnterRoom, Open, Play, Seek, Show, Sit, TakeOver
from rookery.core.messages import Done, Refused, Roomed, Shown
from rookery.core.policy import Gone, Policy
from rookery.hall.limits import OFFERED
from tests.hall.house import NOON, SECOND, Guest, House

GRACE = 10 * SECOND
POLICY = Policy(gone=Gone.TAKEOVER, grace=GRACE)
TABLE = TableId(1)


def left_alone(policy: Policy = POLICY) -> tuple[House, Guest, Guest]:
    """Ann plays nim with Bob, who has just hung up."""
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    house.ask(ann, Open("nim sticks=5,5", time="1m", policy=policy), Done)
    house.ask(bob, Sit(TABLE), Done)
    house.hang_up(bob)
    return house, ann, bob


def bot(house: House) -> Guest:
    return house.enter("nim-2", house.connect("house", "bot"), "bot")


def test_a_seat_can_be_had_when_its_grace_is_over() -> None:
    house, ann, _ = left_alone()
    (lost,) = house.hall.vacancies("bot")
    assert (lost.since, lost.missing, lost.players) == (NOON + GRACE, 1, (ann.player,))
    assert lost.fill == TakeOver(TABLE, Seat(1))


def test_whoever_takes_it_over_plays_on() -> None:
    house, ann, _ = left_alone()
    house.ask(ann, Play(TABLE, "0,1"), Done)
    house.now += GRACE
    new = bot(house)
    assert house.ask(new, TakeOver(TABLE, Seat(1)), Done) == Done(TABLE, Seat(1))
    assert house.events(TABLE)[-1] == TakenOver(Seat(1), new.player, "Bot, level 2")
    house.ask(new, Play(TABLE, "0,1"), Done)
    seat = house.ask(ann, Show(TABLE), Shown).line.seats[1]
    assert (seat.player, seat.player_name, seat.bot) == (new.player, "Bot, level 2", True)
    assert house.hall.vacancies("bot") == ()


def test_before_the_grace_is_over_it_cannot_be_had() -> None:
    house, _, _ = left_alone()
    house.now += GRACE - 1
    assert house.ask(bot(house), TakeOver(TABLE, Seat(1)), Refused).code == "not_offered"


def test_who_comes_back_in_time_keeps_the_seat() -> None:
    house, _, bob = left_alone()
    house.now += GRACE
    house.back(bob)
    assert house.hall.vacancies("bot") == ()
    assert house.ask(bot(house), TakeOver(TABLE, Seat(1)), Refused).code == "not_offered"


def test_where_nobody_wants_it_the_seat_is_lost() -> None:
    house, _, _ = left_alone()
    house.now += GRACE + OFFERED - 1
    house.tick()
    assert not outs(house)
    house.now += 1
    house.tick()
    assert outs(house) == [Out(Seat(1), Forfeit.GONE)]


def outs(house: House) -> list[Out]:
    return [event for event in house.events(TABLE) if isinstance(event, Out)]


@pytest.mark.parametrize("gone", [Gone.FORFEIT, Gone.HOLD])
def test_at_other_tables_no_seat_can_be_had(gone: Gone) -> None:
    house, _, _ = left_alone(Policy(gone=gone, grace=GRACE))
    house.now += GRACE
    assert house.hall.vacancies("bot") == ()
    assert house.ask(bot(house), TakeOver(TABLE, Seat(1)), Refused).code == "not_offered"


def test_a_seat_in_a_room_is_lost_when_its_grace_is_over(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    for guest in (ann, bob):
        house.ask(guest, EnterRoom("den", "nim", policy=POLICY), Roomed)
    house.hang_up(bob)
    assert house.hall.vacancies("bot") == ()
    house.now += GRACE
    house.tick()
    assert outs(house) == [Out(Seat(1), Forfeit.GONE)]


def test_nobody_takes_over_a_seat_of_its_own_table() -> None:
    house, ann, _ = left_alone()
    house.now += GRACE
    assert house.ask(ann, TakeOver(TABLE, Seat(1)), Refused).code == "not_offered"
    assert house.ask(ann, TakeOver(TableId(7), Seat(1)), Refused).code == "no_table"


def test_after_a_restart_the_seat_is_the_one_s_who_took_it_over() -> None:
    house, ann, bob = left_alone()
    house.ask(ann, Play(TABLE, "0,1"), Done)
    house.now += GRACE
    new = bot(house)
    house.ask(new, TakeOver(TABLE, Seat(1)), Done)
    house.restart()
    assert house.hall.vacancies("bot") == ()
    new = house.back(new)
    house.ask(new, Play(TABLE, "0,1"), Done)
    back = house.back(bob)
    assert house.ask(back, Play(TABLE, "1,1"), Refused).code == "not_seated"
    # And the seat it lost keeps nobody from another.
    house.ask(back, Seek("nim"), Done)


def test_after_a_restart_a_seat_has_its_own_grace_before_it_can_be_had() -> None:
    house, ann, _ = left_alone()
    house.restart()
    house.back(ann)
    house.now += GRACE
    house.tick()
    assert [lost.since for lost in house.hall.vacancies("bot")] == [house.now + GRACE]
