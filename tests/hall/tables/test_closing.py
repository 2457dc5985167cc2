"""The organiser closes any table: nobody wins, all who are there are told, the log says why."""

import pytest

from rookery.core.events import Closed, Ended, Left
from rookery.core.ids import Seat, SessionId, Status, TableId
from rookery.core.intents import (
    CloseTable,
    EnterRoom,
    Open,
    Organise,
    Play,
    Rematch,
    Sit,
    VoidMatch,
    Watch,
)
from rookery.core.messages import News, Notice, Past, Roomed
from rookery.core.policy import Begin, Gone, Policy
from rookery.core.tour_values import Plan
from rookery.hall.limits import REASON_MAX
from rookery.hall.tables.replay import replay
from tests.hall.contest import NIM, TOKEN, Contest, house_of_tours
from tests.hall.house import House

REASON = "Both programs hang"
SENTENCE = "The organiser closed the table: Both programs hang."


def organiser(house: House) -> SessionId:
    session = house.connect()
    house.do(session, Organise(TOKEN))
    return session


@pytest.mark.parametrize("gone", list(Gone))
def test_a_game_that_runs_is_over_and_nobody_has_won_it(gone: Gone) -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim", ann, bob, policy=Policy(gone=gone))
    watcher = house.connect()
    house.ask(watcher, Watch(table), Past)
    assert house.do(organiser(house), CloseTable(table, REASON)).table == table
    outcome = house.last(table, Ended).outcome
    assert (outcome.places, outcome.how, outcome.reason) == ((2, 2), "closed", SENTENCE)
    for session in (ann.session, bob.session, watcher):
        assert isinstance(house.news(session)[-1].event, Ended)
    assert house.no(ann, Play(table, "1,1")) == "over"
    assert replay(table, house.events(table)).status is Status.OVER


def test_everyone_gets_up_from_a_table_that_waits_and_is_told_why() -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.do(ann, Open("nim", policy=Policy(begin=Begin.OWNER))).table
    assert table is not None
    house.do(bob, Sit(table))
    house.heard(ann), house.heard(bob)
    house.do(organiser(house), CloseTable(table, REASON))
    assert house.events(table)[-3:] == [
        Left(Seat(0), ann.player),
        Left(Seat(1), bob.player),
        Closed(SENTENCE),
    ]
    for who in (ann, bob):
        heard = house.heard(who)
        assert heard[0] == Notice("closed", f"Table {table}: {SENTENCE}")
        assert [m.happened.event for m in heard if isinstance(m, News)][-1] == Closed(SENTENCE)
    assert replay(table, house.events(table)).status is Status.CLOSED
    house.restart()
    assert house.show(house.connect(), table).line.status == "closed"


def test_a_table_at_which_nobody_sits_goes_too() -> None:
    house = house_of_tours()
    ann = house.enter("ann")
    table = house.do(ann, Open("nim", sit=False)).table
    assert table is not None
    house.do(organiser(house), CloseTable(table))
    assert house.last(table, Closed) == Closed("The organiser closed the table.")


def test_a_game_that_a_restart_put_to_sleep_can_be_closed() -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim", ann, bob, policy=Policy(gone=Gone.HOLD))
    house.restart()
    house.do(organiser(house), CloseTable(table))
    assert house.last(table, Ended).outcome.how == "closed"
    assert house.hall.deadline() is not None
    house.wait(100)
    assert house.hall.deadline() is None


def test_only_the_organiser_closes_tables() -> None:
    house = house_of_tours()
    ann = house.enter("ann")
    table = house.do(ann, Open("nim")).table
    assert table is not None
    assert house.no(ann, CloseTable(table)) == "not_organiser"
    assert house.no(house.connect(), CloseTable(table)) == "not_organiser"


def test_what_is_over_or_never_was_cannot_be_closed() -> None:
    house = house_of_tours()
    ann = house.enter("ann")
    table = house.do(ann, Open("nim")).table
    assert table is not None
    session = organiser(house)
    house.do(session, CloseTable(table))
    assert house.no(session, CloseTable(table)) == "over"
    assert house.no(session, CloseTable(TableId(99))) == "no_table"


def test_reason_max() -> None:
    house = house_of_tours()
    table = house.game("nim", house.enter("ann"), house.enter("bob"))
    session = organiser(house)
    assert house.no(session, CloseTable(table, "x" * (REASON_MAX + 1))) == "bad_reason"
    assert house.no(session, CloseTable(table, "line\nbreak")) == "bad_reason"
    house.do(session, CloseTable(table, "x" * REASON_MAX))


@pytest.mark.parametrize(("given", "said"), [("Why not?", "Why not?"), ("Late", "Late.")])
def test_a_reason_is_a_sentence(given: str, said: str) -> None:
    house = house_of_tours()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim", ann, bob)
    house.do(organiser(house), CloseTable(table, given))
    assert house.last(table, Ended).outcome.reason == f"The organiser closed the table: {said}"


# -- in tours and rooms


@pytest.mark.parametrize("form", ["round_robin", "swiss rounds=3", "knockout"])
def test_a_match_comes_out_without_a_winner_and_the_tour_goes_on_to_its_end(form: str) -> None:
    house = house_of_tours()
    one = Contest(house, Plan(NIM, form))
    one.join("ann", "bob", "cid", "dan")
    one.start()
    closed = one.running()[0]
    house.do(one.organiser, CloseTable(closed, REASON))
    match = next(m for m in one.matches() if m.table == closed)
    assert match.result is not None
    assert (match.result.places, match.result.how) == ((2, 2), "closed")
    assert match.result.reason == SENTENCE
    one.play_on()
    assert one.status == "ended"


def test_a_match_that_was_closed_can_be_played_again() -> None:
    house = house_of_tours()
    one = Contest(house, Plan(NIM, "round_robin"))
    one.join("ann", "bob", "cid")
    one.start()
    (closed,) = one.running()
    house.do(one.organiser, CloseTable(closed))
    number = next(m.match for m in one.matches() if m.table == closed)
    house.do(one.organiser, VoidMatch(one.tour, number))
    one.play_on()
    again = one.matches()[number - 1]
    assert again.result is not None
    assert again.result.how != "closed"
    assert one.status == "ended"


def test_in_a_room_another_game_is_played_when_the_players_wish_for_it() -> None:
    house = house_of_tours()
    sessions = [house.connect() for _ in range(2)]
    for n, session in enumerate(sessions):
        house.ask(session, EnterRoom("den", "nim", name=f"g{n}"), Roomed)
    table = TableId(1)
    house.do(organiser(house), CloseTable(table))
    for session in sessions:
        house.do(session, Rematch(table))
    assert house.show(sessions[0], TableId(2)).line.status == "playing"
