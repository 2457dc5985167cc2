"""What the file looks like inside.

An index over all records would cost more than the records: neighbours in the log are of
different streams, so each would touch a page of its own (measured with 10,000 tables: 7 µs
a record more). Instead every record names the one `before` it in its stream. Where a
stream's chain begins is kept as of the `bookmark`, which is moved now and then; what is
younger than the bookmark is found by looking through it.

A file comes from anywhere: from a disk that failed, or from somebody who wishes us ill. A view
in place of a table runs for ever when it is read, and so can a trigger, a generated column or a
constraint. So before anything is read, the schema is compared with the one that our script
makes, word for word; a file with anything more, less or else is refused.
"""

import sqlite3
from functools import cache
from typing import Final

from rookery.store import StoreBroken, StoreForeign
from rookery.store.seal import seal_bookmark

APPLICATION: Final = 0x524F4F4B  # "ROOK": tells our files from other people's
VERSION: Final = 1  # of the schema; raised when it changes

_SCHEMA: Final = """
CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    before INTEGER NOT NULL, -- the stream's record before this one; 0 for its first
    event TEXT NOT NULL,
    sum INTEGER NOT NULL -- the record's seal (`seal.py`)
);
CREATE TABLE finished (
    stream TEXT PRIMARY KEY,
    tip INTEGER NOT NULL, -- the stream's last record
    sum INTEGER NOT NULL -- of that record
) WITHOUT ROWID;
CREATE TABLE bookmark (
    seq INTEGER NOT NULL,
    last_table INTEGER NOT NULL, -- the highest number of a table up to there
    running TEXT NOT NULL, -- {"stream": tip, ...} of all streams that no record has ended
    sum INTEGER NOT NULL -- the seal of all this
);
CREATE VIEW young AS SELECT * FROM records WHERE seq > (SELECT seq FROM bookmark);
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
CREATE INDEX catalogue_by_end ON catalogue (status, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_game ON catalogue (status, game, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_tour ON catalogue (tour, status, ended) WHERE ended > 0;
"""
_START: Final = f"INSERT INTO bookmark VALUES (0, 0, '{{}}', {seal_bookmark(0, 0, b'{}')})"  # noqa: S608

# Bytes of the longest value that is read or written. The longest we have is the bookmark of
# 50,000 running tables, with 1.6 megabytes.
VALUE_MAX: Final = 16 << 20

# As bytes: in a damaged file they may be no text.
_FOUND: Final = """
SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB)
FROM sqlite_master LIMIT ?
"""

Made = tuple[bytes | None, ...]  # what SQLite writes down of a table, an index or a view


def make_schema(connection: sqlite3.Connection) -> None:
    """Put the schema of an empty log into this file, which has none, whole or not at all."""
    try:
        connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} {_START};")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.rollback()
        raise


def distrust(connection: sqlite3.Connection) -> None:
    """Let nothing that stands in the file do more than be read, and that only up to a size."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX)
    connection.execute("PRAGMA trusted_schema = OFF")


def check_schema(connection: sqlite3.Connection) -> None:
    """Check that our script made all that is in the file. Raises StoreBroken and StoreForeign."""
    _check_version(connection)
    made = _made()
    found = _read(connection, len(made) + 1)
    strange = [one for one in found if one not in made]
    if strange:
        kind, name = ((one or b"").decode(errors="replace") for one in strange[0][:2])
        what = f"the {kind[:40]} {name[:40]!r} in it is not one that Rookery makes"
    elif len(found) < len(made):
        what = "some of its tables are missing"
    elif connection.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
        what = "its texts are not in UTF-8"
    else:
        return
    raise StoreBroken(f"{_file_of(connection)} is damaged, or no log of Rookery's: {what}.")


def _check_version(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    file = _file_of(connection)
    if not (application or version or tables):  # SQLite takes a few bytes for a new database too
        raise StoreBroken(
            f"{file} is empty, which no log is: put a copy of the log in its place, or delete the "
            "file to begin a new log."
        )
    if application != APPLICATION:
        raise StoreBroken(f"{file} is a database, but not one of Rookery's.")
    if version != VERSION:
        raise StoreForeign(
            f"Another version of Rookery wrote {file}: its schema is {version}, and this version "
            f"knows {VERSION}."
        )


def _read(connection: sqlite3.Connection, most: int) -> list[Made]:
    """What is in the file, or so much of it."""
    return connection.execute(_FOUND, (most,)).fetchall()


@cache
def _made() -> frozenset[Made]:
    """What our script puts into an empty file."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript(_SCHEMA)
        return frozenset(_read(connection, -1))
    finally:
        connection.close()


def _file_of(connection: sqlite3.Connection) -> str:
    """The path of this database's file."""
    return str(connection.execute("PRAGMA database_list").fetchone()[2])
