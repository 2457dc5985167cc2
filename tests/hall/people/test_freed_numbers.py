"""Numbers that are given again: tourney's players have the lowest that nobody needs."""

from rookery.core.events import Freed, Numbered
from rookery.core.ids import PlayerId, TableId
from rookery.core.intents import Open, Resign, Resume, Show, Sit
from rookery.core.messages import Done, Shown, Welcome
from rookery.core.policy import Gone, Policy
from rookery.hall.limits import NUMBER_KEPT
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from tests.hall.house import Guest, House


def come(house: House) -> Guest:
    return house.enter("null", house.connect(dialect="tourney"), "tourney")


def number(house: House, guest: Guest) -> int | None:
    return house.hall.directory.player_number("tourney", guest.player)


def test_the_lowest_number_of_those_long_gone_is_given_first(house: House) -> None:
    ann, bob, cyd = (come(house) for _ in range(3))
    house.hang_up(bob)
    house.hang_up(ann)
    house.now += NUMBER_KEPT
    assert [number(house, come(house)) for _ in range(3)] == [1, 2, 4]
    assert number(house, cyd) == 3
    assert number(house, ann) is None


def test_a_number_given_again_is_the_new_players_alone(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    house.now += NUMBER_KEPT
    eve = come(house)
    assert house.hall.directory.player_at("tourney", 1) == eve.player
    events = [record.event for record in house.log]
    assert [event for event in events if isinstance(event, Numbered | Freed)] == [
        Numbered("tourney", "player", ann.player, 1),
        Freed("tourney", "player", 1),
        Numbered("tourney", "player", eve.player, 1),
    ]


def test_whoever_came_back_keeps_its_number_and_goes_for_a_whole_hour_again(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    house.now += NUMBER_KEPT - 1
    again = house.connect(dialect="tourney")
    house.ask(again, Resume(ann.player), Welcome)
    house.hang_up(again)
    house.now += NUMBER_KEPT - 1
    assert number(house, come(house)) == 2
    house.now += 1
    assert number(house, come(house)) == 1


def test_whoever_is_late_but_comes_before_anybody_new_has_its_number_still(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    house.now += 10 * NUMBER_KEPT
    house.ask(house.connect(dialect="tourney"), Resume(ann.player), Welcome)
    assert number(house, come(house)) == 2


def test_a_seat_in_a_running_game_keeps_its_players_number(house: House) -> None:
    ann, bob = come(house), come(house)
    table = house.do(ann, Open("nim", policy=Policy(gone=Gone.HOLD))).table
    assert table is not None
    house.do(bob, Sit(table))
    house.hang_up(ann)
    house.now += NUMBER_KEPT
    assert number(house, come(house)) == 3
    house.do(bob, Resign(table))
    house.now += NUMBER_KEPT
    assert number(house, come(house)) == 1


def test_after_a_restart_everyone_has_an_hour_to_come_back(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    house.now += NUMBER_KEPT
    house.restart()
    assert number(house, come(house)) == 2
    house.now += NUMBER_KEPT
    eve = come(house)
    assert number(house, eve) == 1
    house.restart()
    assert house.hall.directory.player_at("tourney", 1) == eve.player
    assert house.hall.directory.player_number("tourney", ann.player) is None


def test_other_dialects_keep_their_numbers_for_ever(house: House) -> None:
    house.hang_up(house.enter("ann", house.connect(dialect="bughouse"), "bughouse"))
    house.now += 10 * NUMBER_KEPT
    bob = house.enter("bob", house.connect(dialect="bughouse"), "bughouse")
    assert house.hall.directory.player_number("bughouse", bob.player) == 2


def test_whoever_comes_and_goes_all_day_is_remembered_once() -> None:
    numbers = Numbers(PlayerRegistry(), freeing=("tourney",))
    numbers.evolve(Numbered("tourney", "player", 7, 1))
    for now in range(1000):
        numbers.went(PlayerId(7), now)
        numbers.went(PlayerId(7), now)
        assert numbers.waiting() == 1
        numbers.came(PlayerId(7))
    assert numbers.waiting() == 0


def test_who_is_shown_a_table_again_has_numbers_for_all_even_if_one_was_given_back(
    house: House,
) -> None:
    ann, bob = come(house), come(house)
    house.ask(ann, Open("nim", player=ann.player), Done)
    house.ask(bob, Sit(TableId(1), player=bob.player), Done)
    house.ask(ann, Resign(TableId(1), player=ann.player), Done)
    first, second = come(house), come(house)
    house.ask(first, Show(TableId(1)), Shown)
    house.hang_up(ann)
    house.now += NUMBER_KEPT
    eve = come(house)
    assert (number(house, eve), number(house, ann)) == (1, None)
    house.ask(second, Show(TableId(1)), Shown)
    assert number(house, ann) is not None
    assert number(house, ann) != number(house, eve)
