"""Casual ratings in a log: each must name the record that rated the same person before."""

from collections.abc import Container

from rookery.core.events import GameRated
from rookery.core.ids import TableId
from rookery.doctor.objections import Objection


class CasualAudit:
    """Remembers the last record that rated each person. It mutates."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str], int] = {}  # by game and by whose rating it is

    def judge(self, seq: int, event: GameRated, tables: Container[TableId]) -> None:
        """Check that this rating follows from the records before. Raises Objection.

        A salvage may have lost the record before: then none is named, and the past ends there.
        """
        known = [self._last.get((event.game, one.key), 0) for one in event.rated]
        self._last |= {(event.game, one.key): seq for one in event.rated}
        if event.table not in tables:
            raise Objection(f"A game is rated that nobody played, at table {event.table}.")
        if len(event.before) != len(event.rated):
            raise Objection("A game is rated for others than those it follows.")
        for named, last in zip(event.before, known, strict=True):
            if named not in (0, last):
                raise Objection(f"A rating follows record {named}, and the last was {last}.")
