"""Numbers on the wire: each dialect counts players, tables and tours for itself.

An old client expects the first player it hears of to be 1. So a dialect that names things
by number has a count of its own, kept in the log; connections, bots and other dialects
use none of it up. A dialect looks numbers up here, and never gives one.
"""

from typing import Protocol

from rookery.core.ids import PlayerId, TableId, TourId


class Directory(Protocol):
    """Knows which player, table or tour has which number in which dialect."""

    @property
    def sure(self) -> bool:
        """Whether all numbers are known now; if not, they are once the hall answers a question."""
        ...

    def player_number(self, dialect: str, player: PlayerId) -> int | None:
        """The number this dialect has for a player, once it had to name that player."""
        ...

    def player_at(self, dialect: str, number: int) -> PlayerId | None:
        """The player whom this dialect calls by this number."""
        ...

    def table_number(self, dialect: str, table: TableId) -> int | None:
        """The number this dialect has for a table, once it had to name that table."""
        ...

    def table_at(self, dialect: str, number: int) -> TableId | None:
        """The table that this dialect calls by this number."""
        ...

    def tour_number(self, dialect: str, tour: TourId) -> int | None:
        """The number this dialect has for a tour that its players can join."""
        ...

    def tour_at(self, dialect: str, number: int) -> TourId | None:
        """The tour that this dialect calls by this number."""
        ...

    def name_of(self, player: PlayerId) -> str | None:
        """The player's name."""
        ...
