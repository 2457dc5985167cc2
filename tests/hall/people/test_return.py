"""Ports that nobody comes back to by its host alone: in rooms, at tables and in tours."""

import pytest

from rookery.core.ids import PlayerId, SessionId, TableId
from rookery.core.intents import Enter, EnterRoom, Open, OpenTour, Sit, StartTour, TakeUp
from rookery.core.messages import Done, Roomed, TourMade, Welcome
from rookery.core.policy import Return
from rookery.core.tour_values import Plan
from tests.hall.contest import NIM
from tests.hall.house import House

HOST = "10.0.0.7"
HOST_ALONE, NEVER = Return.HOST, Return.NEVER

# By which port the player came, by which somebody calls who wants to be it, and whether it is.
WAYS = pytest.mark.parametrize(
    ("came", "calls", "found"),
    [
        (HOST_ALONE, HOST_ALONE, True),
        (NEVER, HOST_ALONE, False),
        (HOST_ALONE, NEVER, False),
        (NEVER, NEVER, False),
    ],
)


def enter(house: House, name: str, by: Return, dialect: str) -> tuple[SessionId, PlayerId]:
    session = house.connect(HOST, dialect, by=by)
    return session, house.ask(session, Enter(name, dialect), Welcome).player


@WAYS
@pytest.mark.parametrize("restarted", [False, True])
def test_a_seat_at_a_table(
    house: House, came: Return, calls: Return, found: bool, restarted: bool
) -> None:
    (ann, player), (bob, _) = (enter(house, name, came, "othello") for name in ("ann", "bob"))
    house.ask(ann, Open(NIM), Done)
    house.do(bob, Sit(TableId(1)))
    if restarted:
        house.restart()
    else:
        house.hang_up(ann)
    again = house.connect(HOST, "othello", by=calls)
    wish = TakeUp("ann", restarted=restarted)
    if found:
        assert house.ask(again, wish, Welcome).player == player
    else:
        assert house.no(again, wish) == "nothing_lost"


@WAYS
def test_a_place_in_a_room(house: House, came: Return, calls: Return, found: bool) -> None:
    wishes = {name: EnterRoom("den", NIM, name=name) for name in ("ann", "bob")}
    sessions = {name: house.connect(HOST, "blackwhite", by=came) for name in wishes}
    player = house.ask(sessions["ann"], wishes["ann"], Roomed).player
    house.ask(sessions["bob"], wishes["bob"], Roomed)
    house.hang_up(sessions["ann"])
    again = house.connect(HOST, "blackwhite", by=calls)
    if found:
        assert house.ask(again, wishes["ann"], Roomed).player == player
    else:
        assert house.no(again, wishes["ann"]) == "name_taken"


@WAYS
def test_a_place_in_a_tour(house: House, came: Return, calls: Return, found: bool) -> None:
    eve = house.enter("eve")
    house.ask(eve, OpenTour(Plan("reversi"), code="CLASS"), TourMade)
    (ann, _), _ = (enter(house, f"{name}#CLASS", came, "othello") for name in ("ann", "bob"))
    house.do(eve, StartTour())
    house.hang_up(ann)
    again = house.connect(HOST, "othello", by=calls)
    if found:
        house.ask(again, Enter("ann#CLASS", "othello"), Welcome)
    else:
        assert house.no(again, Enter("ann#CLASS", "othello")) == "too_late"
