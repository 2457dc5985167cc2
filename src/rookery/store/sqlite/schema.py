"""What the file looks like inside, and how an older one becomes a newer one.

Each version of the schema is the script that makes it from the one before; `migrate`
runs those a file lacks, in one transaction. A script is never changed once released.

An index over all records would cost more than the records: neighbours in the log are of
different streams, so each would touch a page of its own (measured with 10,000 tables: 7 µs
a record more). Instead every record names the one `before` it in its stream. Where a
stream's chain begins is kept as of the `bookmark`, which is moved now and then; what is
younger than the bookmark is found by looking through it.

A file comes from anywhere: from a disk that failed, or from somebody who wishes us ill. A view
in place of a table runs for ever when it is read, and so can a trigger, a generated column or a
constraint. So before anything is read, the schema is compared with the one that our scripts
make, word for word; a file with anything more, less or else is refused.
"""

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from rookery.store import StoreBroken, StoreFailed, StoreTooNew

APPLICATION: Final = 0x524F4F4B  # "ROOK": tells our files from other people's

_VERSION_1: Final = """
CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    before INTEGER NOT NULL, -- the stream's record before this one; 0 for its first
    event TEXT NOT NULL
);
CREATE TABLE finished (
    stream TEXT PRIMARY KEY,
    tip INTEGER NOT NULL -- the stream's last record
) WITHOUT ROWID;
CREATE TABLE bookmark (
    seq INTEGER NOT NULL,
    last_table INTEGER NOT NULL, -- the highest number of a table up to there
    running TEXT NOT NULL -- {"stream": tip, ...} of all streams that no record has ended
);
INSERT INTO bookmark VALUES (0, 0, '{}');
CREATE VIEW young AS SELECT * FROM records WHERE seq > (SELECT seq FROM bookmark);
"""

# What the tables of an older log say is filed once (`catalogue.py`). An event's text begins
# with its type, so that nothing anybody said is taken for one.
_VERSION_2: Final = """
CREATE TABLE catalogue (
    number INTEGER PRIMARY KEY, -- the table's
    game TEXT NOT NULL,
    tour INTEGER, -- whose match it was, where it was one
    status TEXT NOT NULL, -- over or closed; empty until then
    ended INTEGER NOT NULL -- the record that ended it; 0 until then
);
CREATE TABLE sitters (
    player INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (player, number)
) WITHOUT ROWID;
INSERT OR IGNORE INTO catalogue
WITH ends AS (
    SELECT stream, min(seq) AS seq,
        CASE WHEN event GLOB '{"type":"ended"*' THEN 'over' ELSE 'closed' END AS status
    FROM records
    WHERE event GLOB '{"type":"ended"*' OR event GLOB '{"type":"closed"*'
    GROUP BY stream
)
SELECT
    CAST(substr(stream, 7) AS INTEGER),
    substr(variant, 1, instr(variant || ' ', ' ') - 1),
    tour,
    coalesce(status, ''),
    coalesce(ends.seq, 0)
FROM (
    SELECT seq, stream, json_extract(event, '$.variant') AS variant,
        json_extract(event, '$.tour') AS tour
    FROM records WHERE event GLOB '{"type":"opened"*'
) AS opened LEFT JOIN ends USING (stream)
ORDER BY opened.seq;
INSERT INTO sitters
SELECT player, number FROM (
    SELECT json_extract(event, '$.player') AS player,
        CAST(substr(stream, 7) AS INTEGER) AS number,
        max(seq),
        event GLOB '{"type":"left"*' AS went
    FROM records
    WHERE event GLOB '{"type":"sat"*' OR event GLOB '{"type":"taken_over"*'
        OR event GLOB '{"type":"left"*'
    GROUP BY player, number
) WHERE player IS NOT NULL AND NOT went;
CREATE INDEX catalogue_by_end ON catalogue (status, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_game ON catalogue (status, game, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_tour ON catalogue (tour, status, ended) WHERE ended > 0;
"""

# Seals (`seal.py`): those of older records are made by `seal_old_logs.py`, in the same transaction.
_VERSION_3: Final = """
ALTER TABLE records ADD COLUMN sum INTEGER NOT NULL DEFAULT -1;
ALTER TABLE finished ADD COLUMN sum INTEGER NOT NULL DEFAULT -1; -- of the record at the tip
ALTER TABLE bookmark ADD COLUMN sum INTEGER NOT NULL DEFAULT -1;
"""
SEALED: Final = 3  # from this version on everything is sealed

MIGRATIONS: Final = (_VERSION_1, _VERSION_2, _VERSION_3)

# Bytes of the longest value that is read or written. The longest we have is the bookmark of
# 50,000 running tables, with 1.6 megabytes.
VALUE_MAX: Final = 16 << 20

# As bytes: in a damaged file they may be no text.
_SCHEMA: Final = """
SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
FROM sqlite_master LIMIT ?
"""

Made = tuple[bytes | None, ...]  # what SQLite writes down of a table, an index or a view


def migrate(
    connection: sqlite3.Connection,
    migrations: Sequence[str],
    seal_all: Callable[[sqlite3.Connection], None] = lambda _: None,
) -> None:
    """Bring the schema up to the last of these: all scripts that are missing, or none.

    If records were not sealed before, `seal_all` seals them.
    """
    version = version_of(connection, len(migrations))
    check_schema(connection, migrations[:version])
    if version == len(migrations):
        return
    script = "\n".join(migrations[version:])
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {script};")
        if version < SEALED <= len(migrations):
            seal_all(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.rollback()
        raise


def check_version(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Check that a reader, who changes nothing, can read this schema."""
    version = version_of(connection, len(migrations))
    if version == 0:
        raise StoreBroken(f"There is nothing in {file_of(connection)} yet.")
    if version < len(migrations):
        raise StoreFailed(
            f"An earlier version of Rookery wrote {file_of(connection)}: let a server of this "
            "version open it once."
        )
    check_schema(connection, migrations)


def distrust(connection: sqlite3.Connection) -> None:
    """Let nothing that stands in the file do more than be read, and that only up to a size."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX)
    connection.execute("PRAGMA trusted_schema = OFF")


def check_schema(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Check that these scripts made all that is in the file. Raises StoreBroken."""
    made = _made(tuple(migrations))
    found = _found(connection, len(made) + 1)
    strange = [one for one in found if one not in made]
    if strange:
        kind, name = ((one or b"").decode(errors="replace") for one in strange[0][:2])
        what = f"the {kind[:40]} {name[:40]!r} in it is not one that Rookery makes"
    elif len(found) < len(made):
        what = "some of its tables are missing"
    elif made and connection.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
        what = "its texts are not in UTF-8"
    else:
        return
    raise StoreBroken(f"{file_of(connection)} is damaged, or no log of Rookery's: {what}.")


def _found(connection: sqlite3.Connection, most: int) -> list[Made]:
    """What is in the file, or so much of it."""
    return connection.execute(_SCHEMA, (most,)).fetchall()


@cache
def _made(migrations: tuple[str, ...]) -> frozenset[Made]:
    """What these scripts put into an empty file."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript("\n".join(migrations))
        return frozenset(connection.execute(_SCHEMA, (-1,)))
    finally:
        connection.close()


def version_of(connection: sqlite3.Connection, newest: int) -> int:
    """The file's version, 0 for an empty file. Raises StoreBroken if the file is not ours."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (application or version or tables):
        raise StoreBroken(f"{file_of(connection)} is a database, but not one of Rookery's.")
    if version < 0:
        raise StoreBroken(f"{file_of(connection)} is damaged: its schema has the number {version}.")
    if version > newest:
        raise StoreTooNew(
            f"A later version of Rookery wrote {file_of(connection)}: its schema is {version}, "
            f"and this version knows those up to {newest}."
        )
    return int(version)


def file_of(connection: sqlite3.Connection) -> str:
    """The path of this database's file."""
    return str(connection.execute("PRAGMA database_list").fetchone()[2])
