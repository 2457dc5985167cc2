"""Reading the file, by a connection that cannot write.

It sees what is committed and nothing else, beside a writer in this process or another,
and never checkpoints: that is the writer's alone. One stream is read backwards along
`before`, from its tip (`schema.py` has the reason), and every record is checked to follow.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from rookery.core.errors import Mistake
from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import StoreBroken, StoreFailed
from rookery.store.catalogue import Finding, Finished, find_finished, find_tables_of
from rookery.store.file.snapshot_file import OWN, FileCalls, snapshot_of, steps
from rookery.store.rows import COLUMNS, Follower, find_in, name_of
from rookery.store.snapshot import LastRecord, Snapshot, read_snapshot, see_it_fits, write_snapshot
from rookery.store.sqlite.bookmark import read_bookmark
from rookery.store.sqlite.restart import Restart
from rookery.store.sqlite.schema import check_schema, distrust

_ALL: Final = f"SELECT {COLUMNS} FROM records WHERE seq > :after ORDER BY seq"  # noqa: S608

# The text of a name is asked for, because a damaged one may be no text.
_TIPS: Final = """
SELECT (SELECT max(seq) FROM young WHERE CAST(stream AS TEXT) = :stream), tip, sum
FROM (SELECT 1) LEFT JOIN finished ON stream = :stream
"""
# A damaged `before` could lead on and not back, and then round for ever.
_STREAM: Final = f"""
WITH RECURSIVE chain(seq) AS (
    SELECT :tip
    UNION ALL
    SELECT before FROM chain JOIN records USING (seq) WHERE before > :after AND before < seq
)
SELECT {COLUMNS} FROM records WHERE seq IN (SELECT seq FROM chain) ORDER BY seq
"""  # noqa: S608

_LAST_TABLE: Final = """
SELECT max(last_table, coalesce((
    SELECT max(CAST(substr(stream, 7) AS INTEGER)) FROM young WHERE stream GLOB 'table/*'
), 0)) FROM bookmark
"""
_ONE: Final = f"SELECT {COLUMNS} FROM records WHERE seq = ?"  # noqa: S608
_MARK: Final = "SELECT CAST(stream AS BLOB), n, sum FROM records WHERE seq = ?"
_LAST_SEQ: Final = "SELECT coalesce(max(seq), 0) FROM records"
_LAST_AT: Final = "SELECT coalesce((SELECT at FROM records ORDER BY seq DESC LIMIT 1), 0)"


class SqliteLog:
    """The log in this file, to be read. Raises StoreFailed and StoreBroken."""

    def __init__(self, path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> None:
        self._path = path
        self._damaged: dict[str, str] = {}
        with plainly(path), ExitStack() as opened:
            address = f"{path.as_uri()}?mode=ro"
            self._connection = sqlite3.connect(
                address, uri=True, isolation_level=None, check_same_thread=False, factory=kind
            )
            opened.enter_context(closing(self._connection))
            distrust(self._connection)
            check_schema(self._connection)
            opened.pop_all()

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        with reading(self._path):
            if stream is None:
                yield from self._records(_ALL, {"after": after})
                return
            tip = self._tip(stream)
            if tip > after:
                follower = Follower(find_in(self._connection))
                yield from self._records(_STREAM, {"after": after, "tip": tip}, follower)
                if follower.reached(stream) != tip:
                    raise StoreBroken(f"Record {tip} of the log, the last of {stream}, is missing.")

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""
        return list(self.read(stream=stream))

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""
        with reading(self._path):
            row = self._connection.execute(_ONE, (seq,)).fetchone()
            return None if row is None else Follower(find_in(self._connection)).take(row)

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: streams that no record has ended."""
        with reading(self._path):
            restart = Restart(self._connection, known)
            self._damaged = restart.damaged
            yield from restart.records()

    def damaged(self) -> Mapping[str, str]:
        """The streams that `unfinished` found damaged when it was last read, and how."""
        return self._damaged

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""
        return self._number(_LAST_SEQ)

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""
        return self._number(_LAST_TABLE)

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""
        return self._number(_LAST_AT)

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""
        with reading(self._path):
            return find_finished(self._connection, wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start, the highest first."""
        with reading(self._path):
            return find_tables_of(self._connection, player, below, limit)

    def snapshot(self, version: int) -> Snapshot | None:
        """The snapshot that is kept with this log; None where there is none."""
        try:
            content = snapshot_of(self._path).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as wrong:
            raise StoreBroken(f"The snapshot cannot be read: {wrong.strerror}.") from wrong
        found = read_snapshot(content, version)
        see_it_fits(found, self._mark(found.mark.seq))
        return found

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before."""
        for _ in self.snapshot_steps(version, seq, parts):
            pass

    def snapshot_steps(
        self, version: int, seq: int, parts: Sequence[bytes], files: FileCalls = OWN
    ) -> Iterator[None]:
        """As `keep_snapshot`, pausing after each step."""
        marked = self._mark(seq)
        assert marked is not None, "a snapshot reaches to a record that is there"
        pieces = write_snapshot(Snapshot(version, LastRecord(seq, *marked[1:]), parts))
        try:
            yield from steps(self._path, pieces, files)
        except OSError as wrong:
            raise StoreFailed(f"The snapshot cannot be written: {wrong.strerror}.") from wrong

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _records(
        self, sql: str, values: dict[str, int], follower: Follower | None = None
    ) -> Iterator[Record]:
        follower = follower or Follower(find_in(self._connection))
        for row in self._connection.execute(sql, values):
            yield follower.take(row)

    def _tip(self, stream: str) -> int:
        """The last record of this stream; 0 if there is none. Raises StoreBroken."""
        young, tip, said = self._connection.execute(_TIPS, {"stream": stream}).fetchone()
        if young is not None:
            return int(young)
        if tip is None:
            return read_bookmark(self._connection).running.get(stream, 0)
        found = self._connection.execute("SELECT sum FROM records WHERE seq = ?", (tip,)).fetchone()
        if found is None or found[0] != said:
            raise StoreBroken(f"Where {stream} ends in the log is damaged.")
        return int(tip)

    def _mark(self, seq: int) -> tuple[str, int, int] | None:
        """The stream of a record, its place there and its seal; None if it is missing."""
        with reading(self._path):
            row = self._connection.execute(_MARK, (seq,)).fetchone()
            return None if row is None else (name_of(row[0]), row[1], row[2])

    def _number(self, sql: str) -> int:
        with reading(self._path):
            return int(self._connection.execute(sql).fetchone()[0])


def open_for_reading(path: Path, kind: type[sqlite3.Connection] = sqlite3.Connection) -> SqliteLog:
    """The log in this file, whether or not a server writes to it."""
    if not path.is_file():
        raise StoreFailed(f"There is no log at {path}.")
    return SqliteLog(path.resolve(), kind)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise StoreBroken for what SQLite cannot read, be it the file's or the disk's fault."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except (sqlite3.Error, TypeError, ValueError) as error:
        if isinstance(error, Mistake):
            raise
        raise StoreBroken(f"{path} is damaged, or cannot be read: {error}.") from error


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Raise what SQLite finds wrong with this file as a sentence of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except sqlite3.OperationalError as error:
        raise StoreFailed(f"{path} cannot be used: {error}.") from error
    except (sqlite3.Error, UnicodeError) as error:  # damage may be in the words of an error too
        raise StoreBroken(f"{path} is damaged, or was never a log: {error}.") from error
