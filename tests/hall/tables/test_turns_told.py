"""A turn that its connection has not told yet costs nothing; and who dropped is told to some."""

from rookery.core.events import Played
from rookery.core.ids import MICROS_A_SECOND, TableId
from rookery.core.intents import Open, Play, Sit, TurnTold, WatchLobby
from rookery.core.messages import Noted, Notice
from tests.hall.house import Guest, House

SECOND = MICROS_A_SECOND


def begun(house: House) -> tuple[Guest, Guest, TableId]:
    """A game of tictactoe with a clock of ten seconds each."""
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.do(ann, Open("tictactoe", time="10s")).table
    assert table is not None
    house.do(bob, Sit(table))
    return ann, bob, table


def test_a_clock_stands_until_its_turn_is_told(house: House) -> None:
    ann, _, table = begun(house)
    house.ask(ann, TurnTold(table, told=False), Noted)
    house.wait(20)
    house.ask(ann, TurnTold(table, told=True), Noted)
    house.wait(3)
    house.do(ann, Play(table, "0"))
    assert house.last(table, Played).spent == 3 * SECOND


def test_who_moves_before_being_told_is_charged_nothing(house: House) -> None:
    ann, bob, table = begun(house)
    house.ask(ann, TurnTold(table, told=False), Noted)
    house.wait(2)
    house.do(ann, Play(table, "0"))
    assert house.last(table, Played).spent == 0
    house.wait(4)
    house.ask(ann, TurnTold(table, told=True), Noted)  # it comes too late, and starts nothing
    house.do(bob, Play(table, "3"))
    assert house.last(table, Played).spent == 4 * SECOND


def test_nobody_stops_the_clock_of_another(house: House) -> None:
    ann, bob, table = begun(house)
    house.ask(bob, TurnTold(table, told=False), Noted)
    assert house.no(bob, TurnTold(table, told=False, player=ann.player)) == "not_yours"
    house.wait(3)
    house.do(ann, Play(table, "0"))
    assert house.last(table, Played).spent == 3 * SECOND


def test_a_connection_that_goes_does_not_keep_its_clock_standing(house: House) -> None:
    ann, _, table = begun(house)
    house.ask(ann, TurnTold(table, told=False), Noted)
    house.hang_up(ann)
    house.wait(3)
    ann = house.back(ann)
    house.do(ann, Play(table, "0"))
    assert house.last(table, Played).spent == 3 * SECOND


def notices(house: House, who: Guest) -> list[str]:
    return [one.sentence for one in house.heard(who) if isinstance(one, Notice)]


def test_who_dropped_and_came_back_is_told_to_players_who_watch_the_lobby(house: House) -> None:
    ann, bob, table = begun(house)
    house.hang_up(bob)
    bob = house.back(bob)
    assert notices(house, ann) == []
    house.do(ann, WatchLobby("tictactoe"))
    eve = house.enter("eve")
    house.do(eve, WatchLobby("tictactoe"))
    house.hang_up(bob)
    bob = house.back(bob)
    seconds = "The connection of bob is gone; the seat is kept for 60 seconds."
    assert notices(house, ann) == [seconds, "bob is back."]
    assert notices(house, eve) == notices(house, bob) == []
    assert table == 1
