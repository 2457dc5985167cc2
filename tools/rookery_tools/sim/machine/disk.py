"""A disk under the real store: slow, full, failing, and what is left of it when the power goes.

The store is SQLite's as always, in a folder in memory. Its connections are watched: a statement can
fail as on a bad disk, or be the last one before the machine dies. The next server gets a copy of
what a dead machine leaves: all bytes written, where only the process died; where the power went,
the safe bytes, and some sectors of those being written.
"""

import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.events import HALL_STREAM, Record
from rookery.server.actor.log_writer import LogWriter, Written
from rookery.server.datadir import LOG_FILE
from rookery.store import Store
from rookery.store.snapshot import ENDING
from rookery.store.sqlite import SqliteStore
from rookery_tools.sim.machine.agenda import MICRO, MILLI, Nanos, WorldAgenda
from rookery_tools.sim.machine.loop import SimLoop
from rookery_tools.sim.snapshots import SnapshotFiles

SECTOR: Final = 512
HEAD: Final = 32  # bytes with which the file beside the log begins
WRITE: Final = (60 * MICRO, 4 * MILLI)  # what a write takes on a good day
QUICK: Final = (60 * MICRO, 600 * MICRO)  # and on a good disk
KEPT_IN: Final = (LOG_FILE, f"{LOG_FILE}-wal", f"{LOG_FILE}{ENDING}")
SYNCS: Final = "PRAGMA synchronous = FULL"  # said by who writes
FULL: Final = "database or disk is full"
BAD: Final = "disk I/O error"


class DiskTrouble(Struct, frozen=True):
    """A trouble of the disk, and until when it lasts."""

    kind: str  # full, write, commit, read, slow, thread
    until: Nanos
    slow: Nanos = 0  # more that a write takes


class WorldDisk:
    """The folder of one server, through all its lives."""

    def __init__(
        self, agenda: WorldAgenda, chance: Chance, place: Path, counts: dict[str, int]
    ) -> None:
        self.agenda = agenda
        self.chance = chance
        self.counts = counts
        self.safe: list[Nanos] = []  # when each record became safe, by its number
        self.last_batch = 1  # records in the last write
        self.running: set[str] = set()  # streams that have no end
        self._ended: set[str] = set()  # those that have; something may be said there still
        self.due: list[tuple[int, Callable[[], None]]] = []  # what happens at so many more writes
        self._syncs = False  # whether a commit is safe when it returns
        self._opened: tuple[bytes, bytes] | None = None  # both files, when they were opened
        self._before: tuple[bytes, bytes] | None = None  # both files, before a write is cut off
        self._place = place
        self._life = 0
        self._troubles: list[DiskTrouble] = []
        self._connections: list[sqlite3.Connection] = []
        self.watched = True
        self.quick = False
        self.checkpoint_every = 1000  # pages beside the file until SQLite puts them into it
        self.snapshots = SnapshotFiles(self)
        self.folder = place / "0"
        self.folder.mkdir()

    # -- faults

    def trouble(self, trouble: DiskTrouble) -> None:
        """Begin a trouble, which ends by itself."""
        self._troubles.append(trouble)
        self.counts[f"disk {trouble.kind}"] += 1

    def mend(self) -> None:
        """End all troubles."""
        self._troubles.clear()

    def has(self, kind: str) -> bool:
        """Whether the disk has a trouble of this kind now."""
        return any(one.kind == kind and one.until > self.agenda.now for one in self._troubles)

    def takes(self) -> Nanos:
        """How long the next write takes; puts down the faults that are due at it."""
        now = self.agenda.now
        self.due = [(more - 1, work) for more, work in self.due]
        for more, work in self.due:
            if more < 0:  # while it is written, while it is told, or soon after
                self.agenda.after(self.chance.below(2 * self._usual()[1]), work)
        self.due = [(more, work) for more, work in self.due if more >= 0]
        slow = [one.slow for one in self._troubles if one.kind == "slow" and one.until > now]
        usual = self.chance.between(*self._usual())
        return usual + sum(self.chance.below(most) for most in slow)

    def _usual(self) -> tuple[Nanos, Nanos]:
        """What a write takes where nothing is wrong, at least and at most."""
        return QUICK if self.quick else WRITE

    def stalled(self) -> Nanos:
        """Until when the thread that writes gets no processor; in the past: it has one."""
        return max((one.until for one in self._troubles if one.kind == "thread"), default=0)

    def judge(self, sql: str) -> None:
        """A statement is about to be done. Raises what a bad disk raises."""
        if sql.startswith("PRAGMA synchronous"):
            self._syncs = sql.endswith(("FULL", "EXTRA"))
        if not self.watched or not self._troubles:
            return
        verb = sql.lstrip()[:6].upper()
        if verb == "INSERT" and self.has("full"):
            raise sqlite3.OperationalError(FULL)
        if verb == "INSERT" and self.has("write"):
            raise sqlite3.OperationalError(BAD)
        if verb == "COMMIT" and self.has("commit"):
            raise sqlite3.OperationalError(BAD)
        if verb in ("SELECT", "WITH R") and self.has("read"):
            raise sqlite3.OperationalError(BAD)

    # -- the store on it

    def kind(self) -> type[sqlite3.Connection]:
        """The class of SQLite connections to files on this disk, which may fail."""
        disk = self

        class Watched(sqlite3.Connection):
            def __init__(self, *args: Any, **kwargs: Any) -> None:  # Any: as sqlite3 has them
                super().__init__(*args, **kwargs)
                disk.keep(self)

            def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
                disk.judge(sql)
                if sql == SYNCS:
                    super().execute(f"PRAGMA wal_autocheckpoint = {disk.checkpoint_every}")
                return super().execute(sql, *args)

            def executemany(self, sql: str, rows: Iterable[Any]) -> sqlite3.Cursor:
                disk.judge(sql)
                return super().executemany(sql, rows)

        return Watched

    def keep(self, connection: sqlite3.Connection) -> None:
        """Remember an open connection, to close it when the machine dies."""
        self._connections.append(connection)

    def open(self, every: int) -> SqliteStore:
        """Open the store as the last server left it. Raises Mistake."""
        store = SqliteStore(self.folder / LOG_FILE, bookmark_every=every, kind=self.kind())
        self.wrote(list(store.read(after=len(self.safe))))
        self._opened = self._files()
        return store

    def wrote(self, records: list[Record]) -> None:
        """Note that these records are safe now."""
        self.last_batch = len(records) or self.last_batch
        self.safe += [self.agenda.now] * len(records)
        for record in records:
            if record.ends:
                self.running.discard(record.stream)
                self._ended.add(record.stream)
            elif record.stream != HALL_STREAM and record.stream not in self._ended:
                self.running.add(record.stream)

    # -- the end of a machine

    def cut_power(self) -> None:
        """Cut the power: of bytes not safe by now, some will be there and some will not."""
        self._before = self._files() if self._syncs else self._opened

    def _files(self) -> tuple[bytes, bytes]:
        """The bytes of the log's file, and of the WAL beside it."""
        wal = self.folder / f"{LOG_FILE}-wal"
        main = (self.folder / LOG_FILE).read_bytes()
        return main, wal.read_bytes() if wal.exists() else b""

    def die(self, store: Store | None) -> None:
        """The process is gone, and the power too where that was cut."""
        self._life += 1
        fresh = self._place / str(self._life)
        fresh.mkdir()
        self.snapshots.leave(self.folder, fresh, power=self._before is not None)
        main, beside = self._files()
        if self._before is not None:
            main, beside = self._cut_off(self._before, (main, beside))
        self._before = None
        (fresh / LOG_FILE).write_bytes(main)
        if beside:
            (fresh / f"{LOG_FILE}-wal").write_bytes(beside)
        self.let_go(store)
        shutil.rmtree(self.folder)
        self.folder = fresh

    def _cut_off(
        self, before: tuple[bytes, bytes], after: tuple[bytes, bytes]
    ) -> tuple[bytes, bytes]:
        """The two files as a power cut leaves them: SQLite writes into the WAL first.

        Only what is safe there is put into the file itself, so one of both is torn.
        """
        if before[0] == after[0]:
            return after[0], self._tear_beside(before[1], after[1])
        self.counts["torn checkpoints"] += 1
        return self._tear(before[0], after[0]), after[1]

    def _tear_beside(self, before: bytes, after: bytes) -> bytes:
        """The WAL as a cut leaves it; SQLite makes the head of a new one safe before its pages.

        Else an old head before new pages would make it believe old ones.
        """
        if not self._syncs or before[:HEAD] == after[:HEAD]:
            return self._tear(before, after)
        begun = after[:HEAD] + before[HEAD:]
        return self.chance.choice((before, begun, *(self._tear(begun, after) for _ in range(2))))

    def flip(self) -> str:
        """Flip a bit of what lies there; where that was."""
        files = [file for file in sorted(self.folder.iterdir()) if file.name in KEPT_IN]
        sizes = [file.stat().st_size for file in files]
        place, which = self.chance.below(sum(sizes)), 0
        while place >= sizes[which]:
            place, which = place - sizes[which], which + 1
        file = files[which]
        content = bytearray(file.read_bytes())
        content[place] ^= 1 << self.chance.below(8)
        file.write_bytes(bytes(content))
        return f"byte {place} of {file.name}"

    def let_go(self, store: Store | None) -> None:
        """Close all that is open, without a word."""
        self.watched = False
        if store is not None:
            store.close()
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self.watched = True

    def _tear(self, before: bytes, after: bytes) -> bytes:
        """The bytes after a cut: of the sectors being written some are there, and some are not."""
        torn = bytearray(after[: len(before)])
        for at in range(0, len(after), SECTOR):
            old, new = before[at : at + SECTOR], after[at : at + SECTOR]
            if old != new:
                torn[at : at + SECTOR] = new if self.chance.below(2) else old.ljust(len(new), b"\0")
        return bytes(torn)


class Slow(Protocol):
    """A disk or database, as the writer that writes to it knows it."""

    agenda: WorldAgenda
    counts: dict[str, int]
    quick: bool  # commits take so little that a server may wait for them in its event loop

    def takes(self) -> Nanos:
        """How long the next write takes."""

    def stalled(self) -> Nanos:
        """Until when the thread that writes gets no processor."""

    def wrote(self, records: list[Record]) -> None:
        """Note that these records are safe now."""


class ProcessGone(BaseException):
    """Unwinds what a process was at when it died in the middle of it."""


class SimLogWriter(LogWriter):
    """The server's own writer on a disk of this world: its thread writes at one moment.

    What the writer waits for in the event loop holds the loop up, and meanwhile the world goes
    on: calls and bytes come, and the process may be killed before what it writes is safe, or
    before it could tell anyone.
    """

    def __init__(
        self,
        disk: Slow,
        loop: SimLoop,
        held: Callable[[], Nanos],
        store: Store,
        written: Written,
        *,
        waited: Callable[[Nanos], None] = lambda _: None,
    ) -> None:
        self.told = written  # the callback that is told of written records
        self._waited = waited  # told since when the loop has waited for the disk
        self._disk, self._here = disk, loop
        self._held = held  # until when the process does nothing
        self._given = deque[tuple[list[Record], Callable[[], None]]]()  # what is being written
        self._latest: list[Record] = []  # what was given last
        super().__init__(store, self._tell, lambda: disk.agenda.now)
        if disk.quick:  # as for a server that has run for a while on this disk
            self._usual = 0

    def write(self, records: list[Record], *, alone: bool = False) -> None:
        """Make these records safe, some time later or before this returns."""
        self._latest = records
        super().write(records, alone=alone)

    def let_go(self) -> None:
        """Write the records given so far, and none later."""
        while self._given and not self._here.dead:
            self._write(late=False)

    def finish(self) -> None:
        """Write the records given, and tell nobody: the process is gone before it could.

        Whether they are there is seen when the log is opened: the power may go, too.
        """
        while self._given:
            _, make_safe = self._given.popleft()
            with suppress(Exception):
                make_safe()

    def _begin(self) -> None:
        """Start no thread: the agenda does what one would."""
        self._loop = self._here

    def _tell(self, records: list[Record], failure: BaseException | None) -> None:
        """Tell the runner, unless its process died while the loop waited for the disk."""
        if self._here.dead:
            raise ProcessGone
        self.told(records, failure)

    def _beside(self, records: list[Record], make_safe: Callable[[], None]) -> None:
        """Have the records made safe at one moment, some time later."""
        self._given.append((records, make_safe))
        takes = self._disk.takes()
        self._disk.agenda.after(takes, partial(self._write, takes))

    def _write(self, took: Nanos = 0, *, late: bool = True) -> None:
        if not self._given or self._here.dead:
            return
        kept = max(self._held(), self._disk.stalled())
        if late and kept > self._disk.agenda.now:
            self._disk.agenda.at(kept, partial(self._write, took))
            return
        records, make_safe = self._given.popleft()
        failure = super()._timed(partial(self._make_safe, records, make_safe))
        self._note(took)
        self._here.call_soon(self._written, records, failure)

    def _timed(self, make_safe: Callable[[], None]) -> BaseException | None:
        """Wait for the disk in the event loop, which does nothing else meanwhile."""
        records = self._latest

        def wait() -> None:
            self._disk.counts["commits in the loop"] += 1
            since = self._disk.agenda.now
            self._given.append((records, make_safe))
            self._here.block(self._disk.takes(), self._held)
            if not self._here.dead:
                self._waited(since)
                self._given.pop()
                self._make_safe(records, make_safe)

        return super()._timed(wait)

    def _make_safe(self, records: list[Record], make_safe: Callable[[], None]) -> None:
        make_safe()
        self._disk.wrote(records)
