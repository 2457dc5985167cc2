"""What the database looks like inside, and how an older one becomes a newer one.

All is in a schema of its own, `rookery`, so that a database may have other things in it.
Each version is the script that makes it from the one before, and is never changed once
released. Several halls share the tables; the first column says whose a row is.

Other than in a file, one stream is found by an index: PostgreSQL keeps it with less waiting
than we could keep tips and bookmarks. What runs has a row in `running`, from its first record
to the one that ends it, so that a restart reads nothing else.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, LiteralString

from rookery.store import StoreBroken, StoreFailed, StoreTooNew
from rookery.store.address import LogAddress
from rookery.store.postgres.connecting import LONG_ANSWER, PatientConnection

_LOCK: Final = 0x524F4F4B  # "ROOK": the lock under which tables are made or changed

_VERSION_1: Final[LiteralString] = """
CREATE TABLE rookery.version (version integer NOT NULL);
INSERT INTO rookery.version VALUES (0);
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
"""

# The snapshot of a hall (`snapshots.py`), in pieces: one that is being read may be replaced.
_VERSION_2: Final[LiteralString] = """
CREATE TABLE rookery.snapshots (
    hall text NOT NULL,
    seq bigint NOT NULL, -- the record that it reaches to
    piece integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (hall, seq, piece)
);
"""

# Which stand-by says that it hears the broker (`lease.py`). It is worth nothing after a crash.
_VERSION_3: Final[LiteralString] = """
CREATE UNLOGGED TABLE rookery.standbys (
    hall text PRIMARY KEY,
    standby text NOT NULL,
    heard timestamptz NOT NULL -- when it last said so
);
"""

MIGRATIONS: Final[tuple[LiteralString, ...]] = (_VERSION_1, _VERSION_2, _VERSION_3)

_LED: Final = """
SELECT hall, holder FROM rookery.halls WHERE until > clock_timestamp() ORDER BY hall LIMIT 1
"""


def migrate(
    connection: PatientConnection,
    address: LogAddress,
    migrations: Sequence[LiteralString] = MIGRATIONS,
) -> None:
    """Bring the tables up to the last of these: all scripts that are missing, or none.

    Not under a server that is running: it knows only the tables that it found.
    """
    if _version(connection, address, len(migrations)) == len(migrations):
        return
    with _alone(connection), connection.transaction():
        version = _version(connection, address, len(migrations))
        if version == len(migrations):
            return  # somebody else has just done it
        if version == 0:
            made = connection.execute("SELECT to_regnamespace('rookery')").fetchone()
            if made == (None,):  # else by somebody who may, for a user who may not
                connection.execute("CREATE SCHEMA rookery")
        elif (found := connection.execute(_LED).fetchone()) is not None:
            raise StoreFailed(
                f"An earlier version of Rookery wrote {address}, and {found[1]} is still running "
                f"hall {found[0]} there: stop every server on it, and start this one again."
            )
        for script in migrations[version:]:
            connection.execute(script)
        connection.execute("UPDATE rookery.version SET version = %s", (len(migrations),))


@contextmanager
def _alone(connection: PatientConnection) -> Iterator[None]:
    """Hold the lock under which alone tables are changed; waiting for it may take long.

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


def check_version(
    connection: PatientConnection,
    address: LogAddress,
    migrations: Sequence[LiteralString] = MIGRATIONS,
) -> None:
    """Check that a reader, who changes nothing, can read these tables."""
    version = _version(connection, address, len(migrations))
    if version == 0:
        raise StoreFailed(f"There is no log at {address} yet.")
    if version < len(migrations):
        raise StoreFailed(
            f"An earlier version of Rookery wrote {address}: let a server of this version open it "
            "once."
        )


def _version(connection: PatientConnection, address: LogAddress, newest: int) -> int:
    """The version of the tables; 0 if there are none. Raises StoreTooNew, StoreBroken."""
    (found,) = connection.execute("SELECT to_regclass('rookery.version')").fetchone() or (None,)
    if found is None:
        return 0
    row = connection.execute("SELECT version FROM rookery.version").fetchone()
    if row is None:
        raise StoreBroken(f"The tables of Rookery in {address} are not those that it made.")
    if row[0] > newest:
        raise StoreTooNew(
            f"A later version of Rookery wrote {address}: its schema is {row[0]}, and this version "
            f"knows those up to {newest}."
        )
    return int(row[0])
