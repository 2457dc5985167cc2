"""Rooms for tests: people who come in, and what one sees of their tables."""

from rookery.core.ids import PlayerId, SessionId, TableId
from rookery.core.intents import EnterRoom
from rookery.core.messages import Roomed
from rookery.core.policy import Policy
from tests.hall.house import SECOND, Guest, House

NIM = "nim sticks=3,4,5"
GRACE = Policy(grace=30 * SECOND)


def come(house: House, *guests: Guest, room: str = "den") -> list[Roomed]:
    """These come into the room, in this order."""
    asked = [EnterRoom(room, NIM, player=guest.player) for guest in guests]
    return [house.ask(g, intent, Roomed) for g, intent in zip(guests, asked, strict=True)]


def old(house: House, name: str, host: str = "10.0.0.1") -> tuple[SessionId, Roomed]:
    """Somebody of a dialect without tokens comes in by name."""
    session = house.connect(host, "blackwhite")
    return session, house.ask(session, EnterRoom("den", NIM, policy=GRACE, name=name), Roomed)


def crowd(house: House, names: str = "abcd") -> list[Guest]:
    """These are in the room; the first two play at table 1."""
    guests = [house.enter(name) for name in names]
    come(house, *guests)
    for guest in guests:
        house.heard(guest)
    return guests


def seats(house: House, table: int) -> tuple[PlayerId | None, ...]:
    return tuple(s.player for s in house.show(house.connect(), TableId(table)).line.seats)


def status(house: House, table: int) -> str:
    return house.show(house.connect(), TableId(table)).line.status
