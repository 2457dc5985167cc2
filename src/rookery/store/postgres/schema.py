"""What the database looks like inside.

All is in a schema of its own, `rookery`, so that a database may have other things in it.
Several halls share the tables; the first column says whose a row is.

Other than in a file, one stream is found by an index: PostgreSQL keeps it with less waiting
than we could keep tips and bookmarks. What runs has a row in `running`, from its first record
to the one that ends it, so that a restart reads nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, LiteralString

from rookery.store import StoreBroken, StoreFailed, StoreForeign
from rookery.store.address import LogAddress
from rookery.store.postgres.connecting import LONG_ANSWER, PatientConnection

_LOCK: Final = 0x524F4F4B  # "ROOK": the lock under which tables are made

VERSION: Final = 1  # of the tables; raised when they change

_TABLES: Final[LiteralString] = """
CREATE TABLE rookery.version (version integer NOT NULL);
CREATE TABLE rookery.halls (
    hall text PRIMARY KEY,
    seq bigint NOT NULL DEFAULT 0, -- how many records there are
    last_table bigint NOT NULL DEFAULT 0, -- the highest number a table ever had
    epoch bigint NOT NULL DEFAULT 0, -- how often the lease was taken: whose it is may write
    holder text NOT NULL DEFAULT '',
    until timestamptz, -- when the lease ends; NULL: nobody has it
    organiser text NOT NULL DEFAULT '' -- the organiser's token
) WITH (fillfactor = 10); -- one row is written at every commit, and has room to be
CREATE TABLE rookery.records (
    hall text NOT NULL,
    seq bigint NOT NULL,
    stream text NOT NULL,
    n bigint NOT NULL,
    at bigint NOT NULL,
    ends boolean NOT NULL,
    before bigint NOT NULL, -- the stream's record before this one; 0 for its first
    event text NOT NULL,
    sum bigint NOT NULL,
    PRIMARY KEY (hall, seq)
);
CREATE INDEX records_by_stream ON rookery.records (hall, stream, seq);
CREATE TABLE rookery.running (
    hall text NOT NULL,
    stream text NOT NULL,
    PRIMARY KEY (hall, stream)
);
CREATE TABLE rookery.catalogue (
    hall text NOT NULL,
    number bigint NOT NULL, -- the table's
    game text NOT NULL,
    tour bigint, -- whose match it was, where it was one
    status text NOT NULL, -- over or closed; empty until then
    ended bigint NOT NULL, -- the record that ended it; 0 until then
    PRIMARY KEY (hall, number)
);
CREATE INDEX catalogue_by_end ON rookery.catalogue (hall, status, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_game ON rookery.catalogue (hall, status, game, ended) WHERE ended > 0;
CREATE INDEX catalogue_by_tour ON rookery.catalogue (hall, tour, status, ended) WHERE ended > 0;
CREATE TABLE rookery.sitters (
    hall text NOT NULL,
    player bigint NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (hall, player, number)
);
-- The snapshot of a hall (`snapshots.py`), in pieces: one that is being read may be replaced.
CREATE TABLE rookery.snapshots (
    hall text NOT NULL,
    seq bigint NOT NULL, -- the record that it reaches to
    piece integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (hall, seq, piece)
);
-- Which stand-by says that it hears the broker (`lease.py`). It is worth nothing after a crash.
CREATE UNLOGGED TABLE rookery.standbys (
    hall text PRIMARY KEY,
    standby text NOT NULL,
    heard timestamptz NOT NULL -- when it last said so
);
"""


def make_tables(connection: PatientConnection, address: LogAddress) -> None:
    """Make the tables if there are none, all or none. Raises StoreForeign and StoreBroken."""
    if _are_there(connection, address):
        return
    with _alone(connection), connection.transaction():
        if _are_there(connection, address):
            return  # somebody else has just done it
        made = connection.execute("SELECT to_regnamespace('rookery')").fetchone()
        if made == (None,):  # else by somebody who may, for a user who may not
            connection.execute("CREATE SCHEMA rookery")
        connection.execute(_TABLES)
        connection.execute("INSERT INTO rookery.version VALUES (%s)", (VERSION,))


@contextmanager
def _alone(connection: PatientConnection) -> Iterator[None]:
    """Hold the lock under which alone tables are made; waiting for it may take long.

    The lock is had before the transaction begins: a transaction that has begun may not see,
    after it waited, what others made meanwhile.
    """
    usual, connection.patience = connection.patience, LONG_ANSWER
    try:
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        yield
    finally:
        if not connection.closed:
            connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
        connection.patience = usual


def check_tables(connection: PatientConnection, address: LogAddress) -> None:
    """Check that a reader can read these tables. Raises StoreFailed where there are none."""
    if not _are_there(connection, address):
        raise StoreFailed(f"There is no log at {address} yet.")


def _are_there(connection: PatientConnection, address: LogAddress) -> bool:
    """Whether there are tables. Raises StoreForeign and StoreBroken where they are not these."""
    if connection.execute("SELECT to_regclass('rookery.version')").fetchone() in (None, (None,)):
        return False
    row = connection.execute("SELECT version FROM rookery.version").fetchone()
    if row is None:
        raise StoreBroken(f"The tables of Rookery in {address} are not those that it made.")
    if row[0] != VERSION:
        raise StoreForeign(
            f"Another version of Rookery wrote {address}: its schema is {row[0]}, and this version "
            f"knows {VERSION}."
        )
    return True
