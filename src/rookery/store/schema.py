"""What the file looks like inside, and how an older one becomes a newer one.

Each version of the schema is the script that makes it from the one before; `migrate`
runs those a file lacks, in one transaction. A script is never changed once released.

An index over all records would cost more than the records: neighbours in the log are of
different streams, so each would touch a page of its own (measured with 10,000 tables: 7 µs
a record more). Instead every record names the one `before` it in its stream. Where a
stream's chain begins is kept as of the `bookmark`, which is moved now and then; what is
younger than the bookmark is found by looking through it.
"""

import sqlite3
from collections.abc import Sequence
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

MIGRATIONS: Final = (_VERSION_1,)


def migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Bring the schema up to the last of these: all that are missing, or none."""
    version = version_of(connection, len(migrations))
    if version == len(migrations):
        return
    script = "\n".join(migrations[version:])
    try:
        connection.executescript(
            f"BEGIN IMMEDIATE; {script}; PRAGMA application_id = {APPLICATION}; "
            f"PRAGMA user_version = {len(migrations)}; COMMIT;"
        )
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise


def check_version(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """See that a reader, who changes nothing, can read this schema."""
    version = version_of(connection, len(migrations))
    if version == 0:
        raise StoreBroken(f"There is nothing in {file_of(connection)} yet.")
    if version < len(migrations):
        raise StoreFailed(
            f"An earlier version of Rookery wrote {file_of(connection)}: let a server of this "
            "version open it once."
        )


def version_of(connection: sqlite3.Connection, newest: int) -> int:
    """The file's version, 0 for an empty one. Raises StoreBroken where it is not ours."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (application or version or tables):
        raise StoreBroken(f"{file_of(connection)} is a database, but not one of Rookery's.")
    if version > newest:
        raise StoreTooNew(
            f"A later version of Rookery wrote {file_of(connection)}: its schema is {version}, "
            f"and this version knows those up to {newest}."
        )
    return int(version)


def file_of(connection: sqlite3.Connection) -> str:
    """Where this database is kept."""
    return str(connection.execute("PRAGMA database_list").fetchone()[2])
