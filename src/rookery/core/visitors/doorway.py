"""By which port a session came, and how, as far as the hall must know; and what it is there.

What a session is in the hall is not in the log. The edge that keeps the connection is told, so
that it can attach the session to the next hall when this one goes.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import PlayerId, TableId, TourId
from rookery.core.policy import Return


class Doorway(Struct, frozen=True):
    """What holds for every session that came by this port."""

    tour: str = ""  # the code of the tour they are bound for
    by: Return = Return.HOST  # how they come back
    private: bool = True  # whether nobody on the way need hear what is said


TOLD_MAX: Final = 256  # tables of which it is known how far a session has been told: the last ones
SHOWN: Final = -1  # how far, where a session knows of a table and was told of no event there
GAME, TOUR = "game", "tour"  # what one may wait for
FRONT: Final = Doorway()  # where nothing is special


class Attachment(Struct, frozen=True, array_like=True):
    """All that a session is in the hall, besides its host and its dialect."""

    players: tuple[PlayerId, ...] = ()
    tables: tuple[TableId, ...] = ()  # that it watches
    lobbies: tuple[str, ...] = ()  # by the game's name
    tours: tuple[TourId, ...] = ()  # that it watches
    rooms: tuple[tuple[PlayerId, str, str], ...] = ()  # who is in which, and of which game
    organiser: bool = False
    waits: str = ""  # for a game or a tour to gather; no other hall knows of that
    glances: tuple[TableId, ...] = ()  # of those it watches, where it does not look on
    lobby: bool = False  # whether it hears the lobby
    starts: tuple[tuple[PlayerId, TourId], ...] = ()  # starts of tours that players have taken
    asks: tuple[PlayerId, ...] = ()  # who has asked for a match of its tour, and waits for it
    voided: tuple[tuple[PlayerId, int], ...] = ()  # whose tokens were made void before, how often
    told: dict[TableId, int] = {}  # up to which event, of tables; known where the connection is
    seats: tuple[TableId, ...] = ()  # tables where it has one, and the game has not begun
    views: tuple[PlayerId, ...] = ()  # who is in its room for viewing only
