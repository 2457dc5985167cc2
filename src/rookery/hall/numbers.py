"""The numbers each dialect has for players and tables; a count a dialect, in the log.

A number is given when a session of that dialect is first told of the thing. `Numbers`
mutates, and the hall owns it.
"""

from typing import Final

from rookery.core.events import Numbered
from rookery.core.ids import PlayerId, TableId
from rookery.hall.players import Players

NUMBERED: Final = frozenset({"bughouse", "tourney"})  # the dialects that name things by number
PLAYER: Final = "player"
TABLE: Final = "table"

Count = tuple[str, str]  # a dialect, and what it counts


class Numbers:
    """Every number given so far."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._numbers: dict[Count, dict[int, int]] = {}  # by id
        self._ids: dict[Count, dict[int, int]] = {}  # by number

    def player_number(self, dialect: str, player: PlayerId) -> int | None:
        """The number this dialect has for a player."""
        return self._numbers.get((dialect, PLAYER), {}).get(player)

    def player_at(self, dialect: str, number: int) -> PlayerId | None:
        """Whom this dialect calls so."""
        found = self._ids.get((dialect, PLAYER), {}).get(number)
        return None if found is None else PlayerId(found)

    def table_number(self, dialect: str, table: TableId) -> int | None:
        """The number this dialect has for a table."""
        return self._numbers.get((dialect, TABLE), {}).get(table)

    def table_at(self, dialect: str, number: int) -> TableId | None:
        """Which table this dialect calls so."""
        found = self._ids.get((dialect, TABLE), {}).get(number)
        return None if found is None else TableId(found)

    def name_of(self, player: PlayerId) -> str | None:
        """What a player goes by."""
        found = self._players.get(player)
        return None if found is None else found.name

    def missing(self, dialect: str, kind: str, thing: int) -> Numbered | None:
        """The event that gives this thing its number; None if it has one."""
        if thing in self._numbers.get((dialect, kind), {}):
            return None
        return Numbered(dialect, kind, thing, len(self._ids.get((dialect, kind), {})) + 1)

    def evolve(self, event: Numbered) -> None:
        """Take this event in; live and from the log alike."""
        count = (event.dialect, event.kind)
        self._numbers.setdefault(count, {})[event.thing] = event.number
        self._ids.setdefault(count, {})[event.number] = event.thing
