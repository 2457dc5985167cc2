"""Moves taken back, where both agree: the position is what it was, the time is not."""

import pytest

from rookery.core.events import Opened, TakebackDeclined, TakenBack
from rookery.core.ids import MICROS_A_SECOND, Seat, TableId
from rookery.core.intents import DeclineTakeBack, Open, Play, Rematch, Resign, Sit, TakeBack
from rookery.hall.limits import EARLIER_MAX, TAKEBACKS_A_TABLE
from tests.hall.house import Guest, House

SECOND = MICROS_A_SECOND


def at_a_table(
    variant: str = "tictactoe", time: str = "none"
) -> tuple[House, Guest, Guest, TableId]:
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.do(ann, Open(variant, time=time, takebacks=True)).table
    assert table is not None
    house.do(bob, Sit(table))
    return house, ann, bob, table


def test_a_move_that_was_not_answered_is_taken_back_alone() -> None:
    house, ann, bob, table = at_a_table()
    before = house.show(ann, table).view
    house.do(ann, Play(table, "4"))
    house.do(ann, TakeBack(table))
    assert house.show(ann, table).to_act == (1,), "it is only asked for"
    house.do(bob, TakeBack(table))
    shown = house.show(ann, table)
    assert (shown.view, shown.to_act) == (before, (0,))
    assert house.last(table, TakenBack) == TakenBack(Seat(0), 1, (0, 0))
    house.do(ann, Play(table, "0"))


def test_where_the_other_has_answered_both_moves_go() -> None:
    house, ann, bob, table = at_a_table()
    before = house.show(ann, table).view
    house.do(ann, Play(table, "4"))
    house.do(bob, Play(table, "0"))
    house.do(ann, TakeBack(table))
    house.do(bob, TakeBack(table))
    assert house.last(table, TakenBack).plies == 2
    shown = house.show(bob, table)
    assert (shown.view, shown.to_act) == (before, (0,))


def test_who_is_asked_may_decline_and_playing_on_says_so_too() -> None:
    house, ann, bob, table = at_a_table()
    assert house.no(bob, DeclineTakeBack(table)) == "no_request"
    house.do(ann, Play(table, "4"))
    house.do(ann, TakeBack(table))
    house.do(bob, DeclineTakeBack(table))
    assert house.last(table, TakebackDeclined).seat == 1
    assert house.no(ann, TakeBack(table)) == "asked_before"
    house.do(bob, Play(table, "0"))
    house.do(ann, TakeBack(table))
    house.do(ann, Play(table, "8"))
    assert house.no(bob, DeclineTakeBack(table)) == "no_request"


def test_there_must_be_a_move_a_game_and_a_table_that_allows_it() -> None:
    house, ann, bob, table = at_a_table()
    assert house.no(ann, TakeBack(table)) == "nothing_played"
    house.do(ann, Play(table, "4"))
    assert house.no(bob, TakeBack(table)) == "nothing_played"
    house.do(bob, Resign(table))
    assert house.no(ann, TakeBack(table)) == "over"
    strict = house.game("tictactoe", ann, bob)
    house.do(ann, Play(strict, "4"))
    assert house.no(ann, TakeBack(strict)) == "no_takebacks"


@pytest.mark.parametrize("variant", ["bughouse", "fish"])
def test_moves_are_taken_back_in_games_of_two_alone(house: House, variant: str) -> None:
    seats = 4 if variant == "bughouse" else 3
    assert house.no(house.enter("ann"), Open(variant, seats, takebacks=True)) == "bad_option"


def test_thinking_is_charged_and_nothing_is_given_back() -> None:
    house, ann, bob, table = at_a_table(time="60s+5s")
    house.wait(10)
    house.do(ann, Play(table, "4"))  # 55 s and one increment
    house.wait(7)
    house.do(ann, TakeBack(table))
    house.do(bob, TakeBack(table))
    assert house.last(table, TakenBack).thought == (0, 7 * SECOND)
    assert house.show(ann, table).left == (55 * SECOND, 53 * SECOND)
    house.wait(56)
    assert house.show(ann, table).line.status == "over", "the clock of who moves again runs"


def test_a_move_played_anew_earns_no_second_increment() -> None:
    house, ann, bob, table = at_a_table(time="60s+5s")
    for _ in range(20):
        house.do(ann, Play(table, "4"))
        house.do(bob, Play(table, "0"))
        house.do(ann, TakeBack(table))
        house.do(bob, TakeBack(table))
    house.do(ann, Play(table, "4"))
    house.do(bob, Play(table, "0"))
    assert house.show(ann, table).left == (65 * SECOND, 65 * SECOND)
    house.do(ann, Play(table, "8"))
    assert house.show(ann, table).left == (70 * SECOND, 65 * SECOND), "a new one earns as ever"


def test_who_takes_back_several_moves_has_each_increment_once_after_a_restart_too() -> None:
    house, ann, bob, table = at_a_table(time="60s+5s")
    for cell in ("4", "0", "8"):
        house.do(ann if cell != "0" else bob, Play(table, cell))
    for _ in range(2):
        house.do(ann, TakeBack(table))
        house.do(bob, TakeBack(table))
    assert house.show(ann, table).left == (70 * SECOND, 65 * SECOND)
    house.restart()
    ann, bob = house.back(ann), house.back(bob)
    for cell in ("4", "0", "8"):
        house.do(ann if cell != "0" else bob, Play(table, cell))
    assert house.show(ann, table).left == (70 * SECOND, 65 * SECOND)


def test_a_move_has_its_whole_time_again_where_every_move_has_its_own() -> None:
    house, ann, bob, table = at_a_table(time="10s/move")
    house.do(ann, Play(table, "4"))
    house.wait(9)
    house.do(ann, TakeBack(table))
    house.do(bob, TakeBack(table))
    house.wait(9)
    house.do(ann, Play(table, "0"))
    house.wait(9)
    house.do(bob, Play(table, "4"))


def test_a_table_taken_back_comes_back_from_the_log_as_it_was() -> None:
    house, ann, bob, table = at_a_table("reversi size=4")
    house.do(ann, Play(table, "b1"))
    house.do(ann, TakeBack(table))
    house.do(bob, TakeBack(table))
    view = house.show(ann, table).view
    house.restart()
    assert house.show(house.connect(), table).view == view


def test_takebacks_a_table() -> None:
    house, ann, bob, table = at_a_table()
    for _ in range(TAKEBACKS_A_TABLE):
        house.do(ann, Play(table, "4"))
        house.do(ann, TakeBack(table))
        house.do(bob, TakeBack(table))
    house.do(ann, Play(table, "4"))
    assert house.no(ann, TakeBack(table)) == "too_many"


def test_earlier_max() -> None:
    """A table remembers as many moves as can be taken back by asking as often as one may."""
    house, ann, bob, table = at_a_table(f"nim sticks={EARLIER_MAX + 10}")
    for ply in range(EARLIER_MAX + 2):
        house.do((ann, bob)[ply % 2], Play(table, "0,1"))
    for _ in range(EARLIER_MAX // 2):
        house.do(ann, TakeBack(table))
        house.do(bob, TakeBack(table))
    assert house.no(ann, TakeBack(table)) == "nothing_played"


def test_a_rematch_is_as_lenient() -> None:
    house, ann, bob, table = at_a_table()
    house.do(ann, Resign(table))
    for guest in (ann, bob):
        house.do(guest, Rematch(table))
    assert house.last(TableId(table + 1), Opened).takebacks
