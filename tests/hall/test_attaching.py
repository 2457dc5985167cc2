"""Clocks of who was connected all the while, at an edge that no hall could hear."""

from rookery.core.events import Played
from rookery.core.ids import SessionId, TableId, Wall
from rookery.core.intents import Play
from rookery.core.policy import Policy
from rookery.core.visitors.doorway import Attachment
from tests.hall.house import SECOND, Guest, House

PATIENT = Policy(grace=5 * SECOND)


def begun() -> tuple[House, Guest, Guest, TableId]:
    """Ann has a turn, and the server is started again."""
    house = House()
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("nim sticks=2,2", ann, bob, time="20s", policy=PATIENT)
    house.restart()
    return house, ann, bob, table


def attach(house: House, guest: Guest) -> SessionId:
    """The edge that kept this one's connection is heard again."""
    session = house.connect()
    before = Attachment((guest.player,))
    house.take(house.hall.attach(session, before, house.now, Wall(house.now)))
    return session


def charged(house: House, session: SessionId, table: TableId) -> float:
    """Play, and be charged so many seconds."""
    house.do(session, Play(table, "0,1"))
    event = house.log[-1].event
    assert isinstance(event, Played)
    return event.spent / SECOND


def test_who_was_told_that_no_clock_runs_is_not_charged_though_its_edge_was_late() -> None:
    house, ann, _, table = begun()
    house.wait(7)  # the grace, in which no clock runs, and two seconds in which hers does
    session = attach(house, ann)
    house.wait(1)
    assert charged(house, session, table) == 1


def test_who_called_again_so_late_is_charged_from_the_end_of_the_grace() -> None:
    house, ann, _, table = begun()
    house.wait(7)
    session = house.back(ann).session
    house.wait(1)
    assert charged(house, session, table) == 3


def test_who_thinks_is_charged_on_when_another_is_attached() -> None:
    house, ann, bob, table = begun()
    session = house.back(ann).session
    house.wait(2)
    attach(house, bob)
    house.wait(1)
    assert charged(house, session, table) == 3
