"""Rules that broke: the operator is told, and a game whose rules never end is put out of use.

Such rules would stop everyone again: until the next start nobody plays the game, and all its tables
rest.
"""

from collections.abc import Callable

from rookery import games
from rookery.core.errors import FAILED, RulesFailed, TookTooLong
from rookery.core.ids import NOBODY, Seat, SessionId, Status, TableId
from rookery.core.messages import Faults, Refused
from rookery.hall.batch import Draft
from rookery.hall.tables.registry import TableRegistry
from rookery.hall.tables.ruling import Changes, Ruling, TableChange, break_off
from rookery.hall.tables.table import Table, judge_of, variant_of, without_rules

Commit = Callable[[Draft, Changes], None]
# Which game's rules broke, at which table (0 before there was one), and with what.
Broke = Callable[[str, TableId, BaseException], None]


def unheard(game: str, table: TableId, wrong: BaseException) -> None:  # nobody asks
    """Tell nobody that the rules broke."""


class BrokenRules:
    """Asks rules that may break, and ends the tables where they did."""

    def __init__(self, tables: TableRegistry, broke: Broke, commit: Commit) -> None:
        self.faults: Faults = []  # tables that are to be ended at the next tick
        self._tables = tables
        self._broke = broke
        self._commit = commit

    # -- asking rules where a table cannot be ended at once

    def turns_at(self, table: Table) -> frozenset[Seat]:
        """The seats whose turn it is; nobody where the rules broke, and then the fault is noted."""
        try:
            acts = table.to_act
            if not acts and not table.rests:
                self.faults.append((table.id, ValueError("nobody is to act, and it is not over")))
            for seat in acts:
                if type(seat) is not int:
                    self.faults.append((table.id, TypeError("a seat is a whole number")))
                    return NOBODY
        except RulesFailed as failed:
            self.faults.append((table.id, failed.__cause__ or failed))
            return NOBODY
        return acts

    def phase_at(self, table: Table) -> str:
        """The phase of the game; empty where the rules broke, and then the fault is noted."""
        try:
            return table.phase
        except RulesFailed as failed:
            self.faults.append((table.id, failed.__cause__ or failed))
            return ""

    # -- ending tables

    def tick(self, draft: Draft) -> None:
        """End the tables whose rules have broken since the last tick."""
        taken, self.faults[:] = self.faults[:], []
        for table, wrong in taken:
            failed = RulesFailed(table)
            failed.__cause__ = wrong
            self.break_off(draft, failed)

    def break_off(self, draft: Draft, failed: RulesFailed, asked: SessionId | None = None) -> None:
        """End the table at which the rules broke, after telling the session that asked."""
        table = None if failed.table is None else self._tables.get(TableId(failed.table))
        ruling = Ruling() if table is None else break_off(table, failed.__cause__ or failed)
        refused = ruling.refused or Refused(FAILED, "The rules of that game failed.")
        if asked is not None:
            draft.tell(asked, refused)
        if failed.game:  # before there was a table
            self._noted(failed.game, TableId(0), failed.__cause__ or failed)
        if table is not None and table.id in self._tables:
            self._commit(draft, ruling.changes)
            if not ruling.changes:  # it was over before
                self._tables.put(without_rules(table, refused.sentence))

    def ended(self, change: TableChange) -> None:
        """If the table ended because its rules broke, report that."""
        wrong, name = change.broken, change.table.game.name
        if wrong is not None:
            self._noted(name, change.table.id, wrong)

    def _noted(self, name: str, table: TableId, wrong: BaseException) -> None:
        self._broke(name, table, wrong)
        if isinstance(wrong, TookTooLong):
            self.suspend(name)

    def suspend(self, name: str) -> None:
        """Put the game out of use until the next start, and let all its tables rest."""
        if games.is_suspended(name):
            return
        why = f"The game {name} is out of use: its rules did not come to an end at a table."
        games.suspend(name, why)
        for cached in (judge_of, variant_of):
            cached.cache_clear()
        for number in self._tables.ids((Status.OPEN, Status.PLAYING), name):
            table = self._tables.get(number) if self._tables.living(number) else None
            if table is not None:  # one that sleeps will find that its game is not there
                self._tables.put(without_rules(table, why))
