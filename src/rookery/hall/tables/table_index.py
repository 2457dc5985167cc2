"""An index of tables by kind: their status, and which game is played there.

Lists of tables are asked for again and again, and in a large hall to look at each of them
takes milliseconds. A list that was sorted once is kept until a table of its kind comes or goes.
"""

from collections.abc import Sequence

from rookery.core.ids import Status, TableId

Kind = tuple[Status, str]  # with the game's name
Wanted = tuple[tuple[Status, ...], str]  # statuses, and the game or every game


class TableIndex:
    """Every table in memory, under its kind."""

    def __init__(self) -> None:
        self._kinds: dict[Kind, dict[TableId, None]] = {}
        self._kind: dict[TableId, Kind] = {}
        self._sorted: dict[Kind, list[TableId]] = {}
        self._found: dict[Wanted, list[TableId]] = {}

    def put(self, table: TableId, status: Status, game: str) -> None:
        """Note that the table has this status and game from now on."""
        kind = (status, game)
        if self._kind.get(table) != kind:
            self.drop(table)
            self._kind[table] = kind
            self._kinds.setdefault(kind, {})[table] = None
            self._change(kind)

    def drop(self, table: TableId) -> None:
        """Forget the table, which leaves memory."""
        kind = self._kind.pop(table, None)
        if kind is not None:
            del self._kinds[kind][table]
            if not self._kinds[kind]:
                del self._kinds[kind]
            self._change(kind)

    def ids(self, statuses: tuple[Status, ...], game: str = "") -> Sequence[TableId]:
        """The tables with one of these statuses, of this game or of all, in order."""
        wanted = (statuses, game)
        found = self._found.get(wanted)
        if found is None:
            found = []
            for kind in self._kinds:
                if kind[0] in statuses and game in ("", kind[1]):
                    found += self._in_order(kind)
            found.sort()  # a few runs that are in order already
            self._found[wanted] = found
        return found

    def _in_order(self, kind: Kind) -> list[TableId]:
        known = self._sorted.get(kind)
        if known is None:
            known = self._sorted[kind] = sorted(self._kinds[kind])
        return known

    def _change(self, kind: Kind) -> None:
        self._sorted.pop(kind, None)
        self._found.clear()
