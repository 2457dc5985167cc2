"""Reading the file, by a connection that cannot write.

It sees what is committed and nothing else, beside a writer in this process or another,
and never checkpoints: that is the writer's alone. One stream is read backwards along
`before`, from its tip (`schema.py` has the reason).
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store import StoreBroken, StoreFailed
from rookery.store.catalogue import Finding, Finished, find_finished, find_tables_of
from rookery.store.codec import decode_event
from rookery.store.schema import MIGRATIONS, check_version

# A name is bound as text or number; `None` stands for no stream.
Values = dict[str, int | str | None]

_ALL: Final = """
SELECT seq, stream, n, at, ends, event FROM records WHERE seq > :after ORDER BY seq
"""

_STREAM: Final = """
WITH RECURSIVE tip(seq) AS (
    SELECT coalesce(
        (SELECT max(seq) FROM young WHERE stream = :stream),
        (SELECT tip FROM finished WHERE stream = :stream),
        (SELECT value FROM bookmark, json_each(running) WHERE key = :stream))
),
chain(seq) AS (
    SELECT seq FROM tip WHERE seq > :after
    UNION ALL
    SELECT before FROM chain JOIN records USING (seq) WHERE before > :after
)
SELECT seq, stream, n, at, ends, event FROM records
WHERE seq IN (SELECT seq FROM chain) ORDER BY seq
"""

_UNFINISHED: Final = """
WITH RECURSIVE chain(seq) AS (
    SELECT value FROM bookmark, json_each(running) WHERE key NOT IN (SELECT stream FROM young)
    UNION ALL
    SELECT max(seq) FROM young GROUP BY stream HAVING NOT max(ends)
        AND NOT EXISTS (SELECT 1 FROM finished WHERE finished.stream = young.stream)
    UNION ALL
    SELECT before FROM chain JOIN records USING (seq) WHERE before > 0
)
SELECT seq, stream, n, at, ends, event FROM records
WHERE seq IN (SELECT seq FROM chain) ORDER BY seq
"""

_LAST_TABLE: Final = """
SELECT max(last_table, coalesce((
    SELECT max(CAST(substr(stream, 7) AS INTEGER)) FROM young WHERE stream GLOB 'table/*'
), 0)) FROM bookmark
"""
_LAST_SEQ: Final = "SELECT coalesce(max(seq), 0) FROM records"
_LAST_AT: Final = "SELECT coalesce((SELECT at FROM records ORDER BY seq DESC LIMIT 1), 0)"


class SqliteLog:
    """The log in this file, to be read. Raises StoreFailed and StoreBroken."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with plainly(path), ExitStack() as opened:
            address = f"{path.as_uri()}?mode=ro"
            self._connection = sqlite3.connect(
                address, uri=True, isolation_level=None, check_same_thread=False
            )
            opened.enter_context(closing(self._connection))
            check_version(self._connection, MIGRATIONS)
            opened.pop_all()

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""
        sql = _ALL if stream is None else _STREAM
        return self._records(sql, {"after": after, "stream": stream})

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All of one stream; empty where there is none."""
        return list(self.read(stream=stream))

    def unfinished(self) -> Iterator[Record]:
        """What a restart needs, in order: every stream that no record has ended."""
        return self._records(_UNFINISHED, {})

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
        with plainly(self._path):
            return find_finished(self._connection, wanted)

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Where a player sat and did not leave before the start, the highest number first."""
        with plainly(self._path):
            return find_tables_of(self._connection, player, below, limit)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _records(self, sql: str, values: Values) -> Iterator[Record]:
        with plainly(self._path):
            rows = self._connection.execute(sql, values)
            for seq, stream, n, at, ends, event in rows:
                yield Record(seq, stream, n, at, decode_event(event, seq), ends != 0)

    def _number(self, sql: str) -> int:
        with plainly(self._path):
            return int(self._connection.execute(sql).fetchone()[0])


def open_for_reading(path: Path) -> SqliteLog:
    """The log in this file, whether or not a server writes to it."""
    if not path.is_file():
        raise StoreFailed(f"There is no log at {path}.")
    return SqliteLog(path.resolve())


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Say what SQLite finds wrong with this file in a sentence of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # our own mistake, such as reading after closing
    except sqlite3.OperationalError as error:
        raise StoreFailed(f"{path} cannot be used: {error}.") from error
    except sqlite3.Error as error:
        raise StoreBroken(f"{path} is damaged, or was never a log: {error}.") from error
