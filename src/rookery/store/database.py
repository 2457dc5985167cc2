"""The database: connections to it, what can go wrong with them, and the tables in it.

No sentence has a password in it. A connection that was cut is made again when it is next needed;
while the database cannot be reached at all, nobody waits for it twice in a moment. And nobody waits
for ever: a database may hang with its lines open, and then says nothing at all. So there is a limit
to every statement, after which its connection is cut, and that is a failure.

All tables are in a schema of their own, `rookery`, so that a database may have other things in it.
Several halls share the tables; the first column says whose a row is. Other than in a file, one
stream is found by an index: PostgreSQL keeps it with less waiting than we could keep tips and
bookmarks. What runs has a row in `running`, from its first record to the one that ends it, so that
a restart reads nothing else.
"""

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Final, LiteralString, TypeVar

from msgspec import Struct

from rookery.store.address import HERE, LogAddress, Reach
from rookery.store.log import StoreBroken, StoreFailed, StoreForeign

try:
    import psycopg  # it is not installed with Rookery unless it is wanted
    from psycopg import errors
except ImportError as wrong:  # pragma: no cover
    raise StoreFailed(
        "A log in PostgreSQL needs one thing more: pip install 'rookery[postgres]'."
    ) from wrong

log = logging.getLogger(__name__)

# Here, so that only this module imports what may not be there.
BadContent = errors.DataError  # which the database refuses: our own mistake

CONNECT_PATIENCE: Final = 5  # seconds to make a connection; libpq takes none under 2
ANSWER: Final = 5.0  # seconds for a statement: a commit takes milliseconds
LONG_ANSWER: Final = 600.0  # seconds for one that changes tables, or copies or looks through a log
DEAF: Final = 10_000  # milliseconds until a peer that acknowledges nothing counts as gone
REST: Final = 0.5  # seconds after a connection that could not be made, until the next

# A server that does not sync, or not before it says so, is set right where we may.
_SET: Final = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
"""
_CHECK: Final = "SELECT current_setting('server_encoding'), current_setting('fsync')"

Values = Sequence[object] | Mapping[str, object]
Row = tuple[Any, ...]  # Any: rows, as the database has them
Waits = Generator[Any, Any, Any]  # Any: psycopg's own business
Found = TypeVar("Found")


class PatientConnection(psycopg.Connection[Row]):
    """A connection that waits for no answer longer than `patience`, in seconds."""

    patience = ANSWER
    shown = "of the log"  # the database, in words

    def __init__(self, *given: Any, **named: Any) -> None:  # Any: as psycopg has them
        super().__init__(*given, **named)
        self._said: list[object] = []  # notifications that came with other answers
        self.add_notify_handler(self._said.append)

    def wait(self, gen: Waits, *given: Any, **named: Any) -> Any:  # Any: as psycopg has them
        """Wait for an answer. Cuts the connection and raises StoreFailed if none comes."""
        try:
            return super().wait(_limited(gen, time.monotonic() + self.patience), *given, **named)
        except TimeoutError:
            self.close()
            raise StoreFailed(
                f"The database {self.shown} does not answer: nothing for {self.patience:g} seconds."
            ) from None

    def said(self, seconds: float) -> bool:
        """Wait up to so many seconds for a notification; return whether one came.

        psycopg's own way to wait for one costs ten times as much. Raises psycopg.Error.
        """
        if not self._said:
            with DefaultSelector() as selector:
                selector.register(self.fileno(), EVENT_READ)
                ready = selector.select(seconds)
            if ready:
                self.pgconn.consume_input()
            while (one := self.pgconn.notifies()) is not None:
                self._said.append(one)
        heard = bool(self._said)
        self._said.clear()
        return heard


def _limited(gen: Waits, until: float) -> Waits:
    """Run this generator of psycopg's, but raise TimeoutError once nothing comes by `until`."""
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() >= until:
                raise TimeoutError
            wanted = gen.send(ready)
    except StopIteration as done:
        return done.value


def connect(
    address: LogAddress, name: str, patience: float = ANSWER, reach: Reach = HERE
) -> PatientConnection:
    """Make a new connection, on which every statement is a transaction. Raises StoreFailed."""
    dial = reach.dial or PatientConnection.connect
    try:
        connection: PatientConnection = dial(
            address.secret,
            autocommit=True,
            client_encoding="UTF8",
            application_name=f"rookery {name} {address.hall}",
            **_patience(address),
        )
    except (psycopg.Error, UnicodeError) as wrong:
        raise StoreFailed(_unreachable(address, wrong)) from None
    connection.patience, connection.shown = patience, str(address)
    try:
        connection.execute(_SET)
        (encoding, fsync) = connection.execute(_CHECK).fetchone() or ("", "")
    except psycopg.Error as wrong:
        connection.close()
        raise StoreFailed(failed(address, wrong)) from None
    if encoding != "UTF8":
        connection.close()
        raise StoreFailed(f"{address} has the encoding {encoding}: a log needs one with UTF8.")
    if fsync != "on":
        log.warning(
            "%s does not sync (fsync = off): a power cut can lose or break the log", address
        )
    return connection


class DatabaseLine:
    """One connection that is made when it is needed, and anew when it was cut."""

    def __init__(
        self,
        address: LogAddress,
        name: str,
        reach: Reach = HERE,
        *,
        patience: float = ANSWER,
    ) -> None:
        self.address = address
        self.reach = reach
        self._patience = patience
        self._name = name
        self._connection: PatientConnection | None = None
        self._asking = threading.Lock()  # several threads may ask
        self._failed: tuple[float, StoreFailed] | None = None  # when, and how
        self._listener: PatientConnection | None = None  # which listens to a channel

    def get(self) -> PatientConnection:
        """The connection, made if there is none. Raises StoreFailed."""
        if self._connection is not None and not self._connection.closed:
            return self._connection
        self._connection = None
        if self._failed is not None and self.reach.clock() - self._failed[0] < REST:
            raise self._failed[1]
        try:
            self._connection = connect(self.address, self._name, self._patience, self.reach)
        except StoreFailed as wrong:
            self._failed = self.reach.clock(), wrong
            raise
        self._failed = None
        return self._connection

    def is_cut(self) -> bool:
        """Whether the connection must be made before it is used."""
        return self._connection is None or self._connection.closed

    def twice(self, work: Callable[[PatientConnection], Found]) -> Found:
        """Do this, and once more on a new connection if the old one was cut. Raises StoreFailed.

        What the database refuses for its content is our own mistake, and raises BadContent.
        """
        cut = self.is_cut()
        try:
            return work(self.get())
        except errors.DataError:
            raise
        except psycopg.Error as wrong:
            if cut or not self.is_cut():
                raise StoreFailed(failed(self.address, wrong)) from wrong
        with failing(self.address):
            return work(self.get())

    def ask(self, sql: LiteralString, values: Values = ()) -> list[Row]:
        """Return the rows of this statement, which may be sent twice. Raises StoreFailed."""
        with self._asking:
            return self.twice(lambda connection: connection.execute(sql, values).fetchall())

    def do(self, sql: LiteralString, values: Values = ()) -> None:
        """Do this statement, which finds no rows, and may be done twice. Raises StoreFailed."""
        with failing(self.address):
            self.get().execute(sql, values)

    def listen(self, sql: LiteralString) -> None:
        """Listen to a channel by this statement, unless the connection does already.

        Raises StoreFailed.
        """
        if self.listener is None:
            self.do(sql)
            self._listener = self._connection

    def unlisten(self, sql: LiteralString) -> None:
        """Stop listening, by this statement. Raises StoreFailed."""
        self._listener = None
        self.do(sql)

    @property
    def listener(self) -> object | None:
        """The connection, if it listens; None if it does not, or was cut."""
        return None if self.is_cut() or self._listener is not self._connection else self._listener

    def hear(self, seconds: float) -> bool:
        """Wait up to so many seconds for a notification; True if one came, or we were cut."""
        listener = self._listener
        if self.listener is None or listener is None:
            time.sleep(seconds)
            return False
        try:
            return listener.said(seconds)
        except psycopg.Error:
            listener.close()
            return True

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
        self._connection = None


@contextmanager
def failing(address: LogAddress) -> Iterator[None]:
    """Raise StoreFailed for what PostgreSQL finds wrong."""
    try:
        yield
    except psycopg.Error as wrong:
        raise StoreFailed(failed(address, wrong)) from wrong


def failed(address: LogAddress, wrong: psycopg.Error) -> str:
    """What PostgreSQL found wrong, in one sentence."""
    match wrong:
        case errors.InsufficientPrivilege():
            why = f"its user may not: {_first_line(address, wrong)}"
        case errors.DiskFull():
            why = f"its disk is full: {_first_line(address, wrong)}"
        case errors.ReadOnlySqlTransaction():
            why = "it is a copy that can only be read"
        case _:
            why = _first_line(address, wrong)
    return f"The database {address} cannot be used: {why}."


def _unreachable(address: LogAddress, wrong: Exception) -> str:
    """Why there is no connection, in one sentence."""
    words = str(wrong)
    if "password authentication failed" in words or "no password supplied" in words:
        return f"{address} refuses the password, or wants one: PGPASSWORD can have it."
    if "does not exist" in words and "database" in words:
        return f"There is no database at {address}: make it first, with `createdb`, say."
    if "does not exist" in words and "role" in words:
        return f"{address} knows no such user."
    return f"The database {address} cannot be reached: {_first_line(address, wrong)}."


def _first_line(address: LogAddress, wrong: Exception) -> str:
    """The first line of libpq's words, without a password and the usual beginning."""
    lines = [line.strip() for line in str(wrong).splitlines() if line.strip()] or [repr(wrong)]
    return address.scrubbed(lines[0].removeprefix("connection failed: ")).rstrip(".")


def _patience(address: LogAddress) -> dict[str, Any]:  # Any: numbers and words for libpq
    """How long to wait for the network, where the address does not say so itself."""
    wanted = {
        "connect_timeout": CONNECT_PATIENCE,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 3,
        "tcp_user_timeout": DEAF,
    }
    return {name: value for name, value in wanted.items() if f"{name}=" not in address.secret}


class Pause(Struct, frozen=True):
    """A wish to wait for so many seconds; or less, if a notification comes on `line` before.

    Work that takes its time is a generator of pauses, so that nothing in it waits: a caller with a
    thread just waits (`wait`), and a made-up machine goes on when its own time has come.
    """

    seconds: float
    line: DatabaseLine | None = None  # where a notification may come


# After a pause it is sent whether a notification came.
Waiting = Generator[Pause, bool | None, Found]


def wait(waiting: Waiting[Found]) -> Found:
    """Run this to its end, with all its pauses, and return what it found."""
    try:
        pause = next(waiting)
        while True:
            if pause.line is None:
                time.sleep(pause.seconds)
                pause = next(waiting)
            else:
                pause = waiting.send(pause.line.hear(pause.seconds))
    except StopIteration as end:
        found: Found = end.value
        return found


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
-- The snapshot of a hall (`postgres.py`), in pieces: one that is being read may be replaced.
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


_KEEP: Final = """
UPDATE rookery.halls SET organiser = %s WHERE hall = %s AND organiser = '' RETURNING organiser
"""
_READ: Final = "SELECT organiser FROM rookery.halls WHERE hall = %s"


def keep_organiser(line: DatabaseLine, fresh: str) -> str:
    """The organiser's token of this hall; it is `fresh` if there was none. Raises StoreFailed.

    It is kept with the hall, whose servers may be on any machine.
    """
    hall = line.address.hall
    line.ask(_KEEP, (fresh, hall))
    return str(line.ask(_READ, (hall,))[0][0])


def read_organiser(address: LogAddress) -> str:
    """The token of this hall; empty if it has none. Raises StoreFailed."""
    with closing(DatabaseLine(address, "organiser")) as line:
        rows = line.ask(_READ, (address.hall,))
        return str(rows[0][0]) if rows else ""
