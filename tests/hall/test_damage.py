"""What the hall does when the log cannot give back what was kept there."""

import pytest
from msgspec.structs import replace

from rookery.core.errors import Damaged
from rookery.core.events import HALL_STREAM, Played, table_stream, tour_stream
from rookery.core.ids import TableId
from rookery.core.intents import (
    History,
    JoinTour,
    ListMatches,
    Open,
    Organise,
    Play,
    Resign,
    Show,
    ShowTour,
    Sit,
    VoidMatch,
    Watch,
    WatchTour,
)
from rookery.core.messages import Past
from rookery.core.tour_values import Plan
from rookery.hall.limits import LINGER
from tests.hall.contest import NIM, TOKEN, Contest
from tests.hall.house import House

SECOND = 1_000_000


def contest() -> Contest:
    """A tour of four, which has begun."""
    made = Contest(House(organiser=TOKEN), Plan(NIM, "round_robin"))
    made.join("ann", "bob", "cid", "dan")
    made.start()
    return made


def test_a_finished_table_that_cannot_be_read_back_is_refused_in_a_sentence(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table, other = house.game("tictactoe", ann, bob), house.game("tictactoe", ann, bob)
    for one in (table, other):
        house.do(ann, Resign(one))
    house.wait(2 * LINGER / SECOND)
    house.rotten.add(table_stream(table))
    for intent in (History(table), Show(table), Watch(table), Play(table, "0"), Sit(table)):
        assert house.no(ann, intent) == "damaged"
    assert house.ask(ann, History(other), Past).events
    house.rotten.clear()  # the disk is well again
    assert house.ask(ann, History(table), Past).events


def test_a_running_table_that_is_damaged_is_set_aside_and_the_others_go_on(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table, other = house.game("tictactoe", ann, bob), house.game("tictactoe", ann, bob)
    house.rotten.add(table_stream(table))
    house.restart()
    ann, bob = house.back(ann), house.back(bob)
    assert house.no(ann, Play(table, "0")) == "damaged"
    assert list(house.hall.restoring.aside) == [table_stream(table)]
    house.do(ann, Play(other, "0"))
    assert house.do(ann, Open("nim")).table == other + 1


def test_a_record_that_the_rules_do_not_allow_is_damage_too(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "0"))
    for n, record in enumerate(house.log):
        if isinstance(record.event, Played):
            house.log[n] = replace(record, event=replace(record.event, move="9"))
    house.streams[table_stream(table)] = [r for r in house.log if r.stream == table_stream(table)]
    house.restart()
    ann, bob = house.back(ann), house.back(bob)
    for intent in (Show(table), Play(table, "1"), History(table)):
        assert house.no(ann, intent) == "damaged"
    house.wait(1000)
    assert house.do(ann, Open("nim")).table == table + 1


def test_the_hall_cannot_go_on_without_its_own_record(house: House) -> None:
    house.enter("ann")
    house.rotten.add(HALL_STREAM)
    with pytest.raises(Damaged, match="record of who the players are is damaged"):
        house.restart()


def test_a_tour_that_is_over_and_cannot_be_read_back_is_refused_in_a_sentence() -> None:
    tour = contest()
    while tour.running():
        for table in tour.running():
            tour.move(table)
    house = tour.house
    house.restart()
    house.rotten.add(tour_stream(tour.tour))
    who = house.connect()
    for intent in (ShowTour(tour.tour), ListMatches(tour.tour), WatchTour(tour.tour)):
        assert house.no(who, intent) == "damaged"
    assert house.no(house.enter("eve"), JoinTour(tour.tour)) == "damaged"


def test_a_tour_that_runs_and_is_damaged_is_set_aside_and_its_games_go_on() -> None:
    tour = contest()
    house, tables = tour.house, tour.running()
    house.rotten.add(tour_stream(tour.tour))
    house.restart()
    who = house.connect()
    assert house.no(who, ShowTour(tour.tour)) == "damaged"
    guests = [house.back(guest) for guest in tour.guests]
    assert tables
    for guest in guests:
        for table in house.hall._floor.tables.of_player(guest.player):  # noqa: SLF001 - all of them
            house.do(guest, Resign(table, player=guest.player))
    after = Contest(house, Plan(NIM, "round_robin"))
    assert after.tour == tour.tour + 1


def test_a_match_whose_table_is_damaged_can_be_voided() -> None:
    tour = contest()
    house, table = tour.house, tour.running()[0]
    house.rotten.add(table_stream(TableId(table)))
    house.restart()
    for guest in tour.guests:
        house.back(guest)
    tour.organiser = house.connect()
    house.do(tour.organiser, Organise(TOKEN))
    number = next(match.match for match in tour.matches() if match.table == table)
    house.do(tour.organiser, VoidMatch(tour.tour, number))
    assert table not in tour.running()
