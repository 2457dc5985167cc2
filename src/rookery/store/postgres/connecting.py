"""Connections to the database, and what can go wrong with them, in sentences of ours.

No sentence has a password in it. A connection that was cut is made anew when it is next
needed; while the database cannot be reached at all, nobody waits for it twice in a moment. And
nobody waits for ever: a database may hang with its lines open, and then says nothing at all. So
there is a limit to every statement, after which its connection is cut, and that is a failure.
"""

import logging
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Final, LiteralString

import psycopg
from psycopg import errors

from rookery.store import StoreFailed
from rookery.store.address import LogAddress
from rookery.store.reach import HERE, Reach

log = logging.getLogger(__name__)

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
    """One connection that is made when it is needed, and anew when it was cut. It mutates."""

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

    def ask(self, sql: LiteralString, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return the rows of this statement, sent again if the connection was cut.

        Only for statements that may be sent twice. Raises StoreFailed.
        """
        with self._asking:
            cut = self.is_cut()
            try:
                return self.get().execute(sql, values).fetchall()
            except psycopg.Error as wrong:
                if cut or not self.is_cut():
                    raise StoreFailed(failed(self.address, wrong)) from wrong
            try:
                return self.get().execute(sql, values).fetchall()
            except psycopg.Error as wrong:
                raise StoreFailed(failed(self.address, wrong)) from wrong

    def do(self, sql: LiteralString, values: Values = ()) -> None:
        """Do this statement, which finds no rows, and may be done twice. Raises StoreFailed."""
        try:
            self.get().execute(sql, values)
        except psycopg.Error as wrong:
            raise StoreFailed(failed(self.address, wrong)) from wrong

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
