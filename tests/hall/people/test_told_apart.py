"""Two of one name are told apart by a raised number, which the same person has for good."""

from rookery.core.events import ToldApart
from rookery.core.ids import Seat
from rookery.core.intents import Enter, ListPlayers, Open, Reclaim, Rename, Say, Sit
from rookery.core.messages import Done, Players, Welcome
from tests.hall.house import Guest, House

TABLE = "tictactoe"


def met(*names: str) -> tuple[House, list[Guest]]:
    house = House()
    guests = [house.enter(name) for name in names]
    house.game(TABLE, *guests)
    return house, guests


def at(house: House, who: Guest, table: int = 1) -> list[str]:
    return [seat.player_name for seat in house.show(who, table).line.seats]  # type: ignore[arg-type]


def listed(house: House) -> list[str]:
    return [one.name for one in house.ask(house.connect(), ListPlayers(), Players).players]


def test_the_second_of_a_name_at_a_table_has_a_raised_number() -> None:
    house, (ann, _) = met("Ann", "Ann")
    assert at(house, ann) == ["Ann", "Ann²"]
    assert listed(house) == ["Ann", "Ann²"]


def test_so_has_who_looks_like_another() -> None:
    house, (ann, _) = met("Ann", "Аnn")  # the second is Cyrillic
    assert at(house, ann)[1] == "Аnn²"


def test_who_never_met_one_of_its_name_needs_no_number(house: House) -> None:
    house.enter("Ann"), house.enter("Ann")
    assert listed(house) == ["Ann", "Ann"]
    assert [r.event for r in house.log if isinstance(r.event, ToldApart)] == []


def test_the_number_stays_everywhere_and_after_a_restart() -> None:
    house, (_, too) = met("Ann", "Ann")
    bob = house.enter("Bob")
    house.game(TABLE, too, bob)
    assert at(house, bob, 2) == ["Ann²", "Bob"]
    house.restart()
    welcome = house.ask(house.connect(), Reclaim(too.player, too.token), Welcome)
    assert welcome.name == "Ann²"


def test_a_third_has_a_third_number_though_the_second_is_not_there() -> None:
    house, (ann, _) = met("Ann", "Ann")
    third = house.enter("Ann")
    house.game(TABLE, ann, third)
    assert at(house, ann, 2) == ["Ann", "Ann³"]


def test_what_is_said_at_the_table_has_the_number_too() -> None:
    house, (_, too) = met("Ann", "Ann")
    house.do(too, Say(house.hall._floor.tables.ids()[0], "hello"))  # noqa: SLF001
    assert house.log[-1].event.name == "Ann²"  # type: ignore[union-attr]


def test_another_name_has_its_own_number_and_the_first_is_not_forgotten() -> None:
    house, (_, too) = met("Ann", "Ann")
    house.do(too, Rename("Bea"))
    assert listed(house) == ["Ann", "Bea"]
    house.do(too, Rename("ann"))
    assert listed(house) == ["Ann", "ann²"]


def test_nobody_takes_a_number_by_its_name(house: House) -> None:
    assert house.ask(house.connect(), Enter("Ann²"), Welcome).name == "Ann"


def test_an_old_client_that_calls_again_is_the_same_person(house: House) -> None:
    ann = house.enter("ann")
    for table in (1, 2):
        old = house.enter("ann", house.connect("10.9.9.9", "fish"), "fish")
        house.game("fish", ann, old)
        assert at(house, ann, table) == ["ann", "ann²"]
        house.hang_up(old)


def test_two_old_clients_of_one_host_and_name_are_told_apart_by_the_same_two_numbers(
    house: House,
) -> None:
    for table in range(1, 5):
        pair = [house.enter("bot", house.connect("10.9.9.9", "fish"), "fish") for _ in "ab"]
        house.game("fish", *pair)
        assert len(set(at(house, pair[0], table))) == 2
        for one in pair:
            house.hang_up(one)
    assert sum(isinstance(r.event, ToldApart) for r in house.log) == 4
    assert max(r.event.number for r in house.log if isinstance(r.event, ToldApart)) == 3


def test_a_seat_that_is_refused_gives_no_number() -> None:
    house, (ann, _) = met("Ann", "Ann")
    late = house.enter("Ann")
    assert house.no(late, Sit(house.hall._floor.tables.ids()[0])) != ""  # noqa: SLF001
    assert house.ask(ann, Open(TABLE), Done).seat == Seat(0)
