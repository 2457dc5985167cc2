"""What a connection is in the hall: for whom it acts, and what it is told of.

None of it is in the log. Whoever keeps the connection is told, so that it can be attached to
the next hall when this one goes.
"""

from msgspec import Struct

from rookery.core.ids import PlayerId, TableId, TourId


class Attachment(Struct, frozen=True, array_like=True):
    """All that a session is, beside where it comes from and what it speaks."""

    players: tuple[PlayerId, ...] = ()
    tables: tuple[TableId, ...] = ()  # that it watches
    lobbies: tuple[str, ...] = ()  # by the game's name
    tours: tuple[TourId, ...] = ()  # that it watches
    rooms: tuple[tuple[str, str], ...] = ()  # its players are in
    organiser: bool = False
    waits: bool = False  # for a game or a tour with whoever comes; no other hall knows of that
    told: dict[TableId, int] = {}  # up to which event, of tables; known where the connection is
