"""Numbers on the wire: what a dialect calls players, tables and tours: its own count.

An old client expects the first player it hears of to be 1. So a dialect that names things
by number has a count of its own, kept in the log; connections, bots and other dialects
use none of it up. A dialect looks numbers up here, and never gives one.
"""

from typing import Protocol

from rookery.core.ids import PlayerId, TableId, TourId


class Directory(Protocol):
    """Who has which number in which dialect."""

    @property
    def sure(self) -> bool:
        """Whether it is known now; where it is not, it is when any question was answered."""
        ...

    def player_number(self, dialect: str, player: PlayerId) -> int | None:
        """The number this dialect has for a player, once it had to name it."""
        ...

    def player_at(self, dialect: str, number: int) -> PlayerId | None:
        """Whom this dialect calls so."""
        ...

    def table_number(self, dialect: str, table: TableId) -> int | None:
        """The number this dialect has for a table, once it had to name it."""
        ...

    def table_at(self, dialect: str, number: int) -> TableId | None:
        """Which table this dialect calls so."""
        ...

    def tour_number(self, dialect: str, tour: TourId) -> int | None:
        """The number this dialect has for a tour that its players can join."""
        ...

    def tour_at(self, dialect: str, number: int) -> TourId | None:
        """Which tour this dialect calls so."""
        ...

    def name_of(self, player: PlayerId) -> str | None:
        """What a player goes by."""
        ...
