"""A database that can be away, hang, be slow, and be cut off at a commit, whose end nobody knows.

Its connections are as psycopg's, as far as the store uses them, and fail with psycopg's own errors.
A connection is cut before a statement is done, after it, or while it is under way: then it is done
some time later, perhaps after the same was sent again. Or the process that wrote dies right after:
all its records are there, and nobody was told.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

import psycopg

from rookery.core.chance import Chance
from rookery.core.events import HALL_STREAM, Record
from rookery_tools.sim.cluster.tables import LISTEN, RENEW, UNLISTEN, DatabaseTables, Row, Values
from rookery_tools.sim.machine.agenda import MICRO, MILLI, SECOND, Nanos, WorldAgenda

WRITE: Final = (300 * MICRO, 6 * MILLI)  # what a commit takes on a good day
SAID: Final = (50 * MICRO, 2 * MILLI)  # until it is heard on another connection
UNDER_WAY: Final = 2 * SECOND  # what a statement may take that nobody waits for any more
CUT: Final = "server closed the connection unexpectedly"
AWAY: Final = "connection refused"
MAIN: Final = "main"


class Database:
    """The one database of a world."""

    def __init__(self, agenda: WorldAgenda, chance: Chance, counts: dict[str, int]) -> None:
        self.agenda = agenda
        self.chance = chance
        self.counts = counts
        self.quick = False  # it is elsewhere
        self.safe: list[Nanos] = []  # when each record became safe, by its number
        self.due: list[tuple[int, str]] = []  # how a commit is cut off, at so many more
        self._ahead = chance.between(-3600, 3600)  # seconds by which its clock is wrong
        self.tables = DatabaseTables(lambda: agenda.now / SECOND + self._ahead)
        self.tables.notify = self._notify
        self.listening: dict[SimConnection, None] = {}
        self.kill: Callable[[], None] = lambda: None  # ends the process that writes
        self._away: Nanos = 0  # until then
        self._slow: Nanos = 0
        self._hung: Nanos = 0

    # -- what goes wrong

    def go_away(self, until: Nanos) -> None:
        """Let no connection reach the database until then."""
        self._away = max(self._away, until)
        self.listening.clear()

    def slow_down(self, until: Nanos) -> None:
        """Commits take long until then."""
        self._slow = max(self._slow, until)

    def hang(self, until: Nanos) -> None:
        """Answer nothing until then, with all lines open."""
        self._hung = until

    def mend(self) -> None:
        """Let the database be reached again, fast and without cuts."""
        self._away = self._slow = self._hung = 0
        self.due.clear()

    @property
    def away(self) -> bool:
        """Whether the database cannot be reached now."""
        return self.agenda.now < self._away

    # -- who writes and reads

    def takes(self) -> Nanos:
        """How long the next commit takes."""
        slow = self.chance.below(SECOND) if self.agenda.now < self._slow else 0
        return self.chance.between(*WRITE) + slow + max(0, self._hung - self.agenda.now)

    def stalled(self) -> Nanos:
        """Never, as a disk's thread may be: here the writing thread runs when its process does."""
        return 0

    def wrote(self, records: list[Record]) -> None:
        """Do nothing: the database knows itself when records became safe."""

    def running(self) -> list[str]:
        """Streams that have no end."""
        hall = self.tables.halls.get(MAIN)
        return [] if hall is None else [name for name in hall.running if name != HALL_STREAM]

    def dial(self, *_: object, **__: object) -> "SimConnection":
        """A new connection. Raises what psycopg raises."""
        if self.away:
            raise psycopg.OperationalError(AWAY)
        return SimConnection(self)

    def _notify(self) -> None:
        for connection in self.listening:
            self.agenda.after(self.chance.between(*SAID), connection.hear)

    def do(self, sql: str, values: Values) -> tuple[list[Row], int]:
        """Do this statement now; notes when appended records became safe."""
        done = self.tables.do(sql, values)
        if self.tables.is_append(sql):
            self.safe += [self.agenda.now] * done[1]
        return done

    def keeps_waiting(self, sql: str) -> bool:
        """Whether this gets no answer in time; the writer's statements wait until it hangs no more.

        A thread that renews a lease would wait for long, and give up.
        """
        return self.agenda.now < self._hung and sql == RENEW

    def cut_at(self, sql: str) -> str:
        """How the connection is cut at this statement; empty: it is not."""
        if not self.due or not self.tables.is_append(sql):
            return ""
        self.due = [(more - 1, how) for more, how in self.due]
        found = next((how for more, how in self.due if more < 0), "")
        self.due = [(more, how) for more, how in self.due if more >= 0]
        if found:
            self.counts[f"commits cut {found}"] += 1
        return found


class SimCursor:
    """The rows that a statement found."""

    def __init__(self, rows: list[Row], rowcount: int) -> None:
        self._rows = rows
        self.rowcount = rowcount

    def fetchone(self) -> Row | None:
        """The first row."""
        return self._rows[0] if self._rows else None

    def fetchall(self) -> list[Row]:
        """All the rows."""
        return self._rows


class SimConnection:
    """One connection to the database, until it is cut."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.closed = False
        self.told: Callable[[], None] | None = None  # who waits until something is said

    def execute(self, sql: str, values: Any = (), **_: object) -> SimCursor:  # Any: as psycopg's
        """Do this statement, or be cut at it. Raises what psycopg raises."""
        database = self._database
        if self.closed or database.away or database.keeps_waiting(sql):
            self.closed = True
            raise psycopg.OperationalError(CUT)
        match database.cut_at(sql):
            case "":
                if sql == LISTEN:
                    database.listening[self] = None
                elif sql == UNLISTEN:
                    database.listening.pop(self, None)
                return SimCursor(*database.do(sql, values))
            case "last":
                database.agenda.after(0, database.kill)
                return SimCursor(*database.do(sql, values))
            case "after":
                database.do(sql, values)
            case "under way":
                late = database.chance.below(UNDER_WAY)
                database.agenda.after(late, lambda: void(database.do(sql, values)))
            case _:
                pass
        self.closed = True
        raise psycopg.OperationalError(CUT)

    def transaction(self) -> AbstractContextManager[None]:
        """A transaction needs nothing here: no other process runs meanwhile."""
        return nullcontext()

    def hear(self) -> None:
        """Wake the listener on this connection, because the database sent a notification."""
        told, self.told = self.told, None
        if told is not None and not self.closed:
            told()

    def close(self) -> None:
        """Close the connection."""
        self.closed = True
        self._database.listening.pop(self, None)


def void(_: object) -> None:
    """Do nothing: nobody waits for the answer any more."""
