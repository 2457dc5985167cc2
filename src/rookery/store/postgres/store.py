"""The store in a database: the leader of a hall writes here, through the fence.

`append` sends one statement and waits for its commit. When the connection is lost on the
way, nobody knows whether it was made: then the same statement is sent on a new connection.
It inserts nothing if the first had done it, for the hall's count has moved on; so whether
the count stands where this batch ends, under our own epoch, is the answer. A batch that is in
doubt must be the next that is tried: it is settled, or tried again, and never guessed at.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Final, LiteralString

import psycopg
from psycopg import errors

from rookery.core.events import Record
from rookery.store import StoreBroken, StoreFailed, StoreTaken, follow
from rookery.store.address import LogAddress
from rookery.store.postgres.connecting import ANSWER, DatabaseLine, failed
from rookery.store.postgres.lease import (
    AGAIN,
    NO_BROKER,
    SECONDS,
    HearsBroker,
    Lease,
    Led,
    await_lease,
    claim,
    taken,
)
from rookery.store.postgres.organiser import keep_organiser
from rookery.store.postgres.pausing import Pause, Waiting, wait
from rookery.store.postgres.reading import PostgresLog
from rookery.store.postgres.schema import make_tables
from rookery.store.postgres.statement import Statement, make_statement
from rookery.store.reach import HERE, Reach
from rookery.store.reading_through import ReadingThrough
from rookery.store.rows import Link
from rookery.store.seal import first_seal

log = logging.getLogger(__name__)

STAGED_MAX: Final = 256  # records that are made ready while others wait: a millisecond
NOBODY: Final = Led("", 0, 0.0)
ENDED_MAX: Final = 10_000  # ended streams that are remembered: in some there is still talk

_COUNT: Final = "SELECT epoch, seq FROM rookery.halls WHERE hall = %s"
_LAST: Final = """
SELECT seq, sum FROM rookery.records WHERE hall = %s AND stream = %s ORDER BY seq DESC LIMIT 1
"""
_RUNNING: Final[LiteralString] = """
SELECT stream, seq, sum FROM rookery.running AS r CROSS JOIN LATERAL (
    SELECT seq, sum FROM rookery.records
    WHERE hall = r.hall AND stream = r.stream ORDER BY seq DESC LIMIT 1
) AS last WHERE r.hall = %s
"""


class Lines:
    """The connections that a store writes and reads by; a stand-by makes them ahead.

    Each is made anew when it is needed, if it was cut meanwhile. Raises StoreFailed.
    """

    def __init__(self, address: LogAddress, reach: Reach, seconds: float) -> None:
        # A leader that has waited for longer than its lease must stand still anyway.
        self.writing = DatabaseLine(address, "writing", reach, patience=min(ANSWER, seconds))
        with ExitStack() as opened:
            opened.callback(self.writing.close)
            self.writing.get()
            self.log = PostgresLog(address, reach)
            opened.pop_all()

    def close(self) -> None:
        """Hang up both."""
        self.log.close()
        self.writing.close()


class PostgresStore(ReadingThrough):
    """The one writer of a hall in a database, for as long as it has this lease. It mutates."""

    def __init__(self, address: LogAddress, lease: Lease, lines: Lines | None = None) -> None:
        self.lease = lease
        self._address = address
        self._hall = {"hall": address.hall, "epoch": str(lease.epoch)}
        self._doubt: Statement | None = None  # a batch of which nobody knows whether it is there
        self._staged: Statement | None = None
        self._appending = threading.Lock()
        self._closed = False
        with ExitStack() as opened:
            opened.callback(lease.release)
            lines = lines or Lines(address, lease.reach, lease.seconds)
            opened.enter_context(closing(lines))
            self._line, self._log = lines.writing, lines.log
            self._last = self._log.last_seq()
            rows = self._line.ask(_RUNNING, (address.hall,))
            self._tips = {stream: Link(seq, sum_) for stream, seq, sum_ in rows}
            self._ended: dict[str, Link] = {}
            self._opened = opened.pop_all()

    @property
    def epoch(self) -> int:
        """The number under which this process leads."""
        return self.lease.epoch

    def leads(self) -> bool:
        """Whether nobody can have taken the hall over."""
        return self.lease.held()

    def when_taken(self, told: Callable[[StoreTaken], None]) -> None:
        """Call this once, in a thread of the store's own, when another process leads."""
        self.lease.when_lost(told)

    def when_deaf(
        self, deaf: Callable[[], bool], fresh: float, make_way: Callable[[str], None]
    ) -> None:
        """Call `make_way` in a thread of the store's own, once `deaf` and a stand-by is not."""
        self.lease.when_deaf(deaf, fresh, make_way)

    def organiser(self, fresh: str) -> str:
        """The organiser's token; it is `fresh` if the hall had none. Raises StoreFailed."""
        return keep_organiser(self._line, fresh)

    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; try the same again.

        Raises StoreTaken if another process leads. With no records it only finds out that, and
        whether the database answers.
        """
        assert not self._closed, "a closed store takes no records"
        alone = self._appending.acquire(blocking=False)
        assert alone, "one append at a time"
        try:
            if not records:
                self._look()
                return
            assert follow(records, self._last), "records are numbered without a gap"
            self._write(make_statement(records, self._look_up))
        finally:
            self._appending.release()

    def stage(self, records: Sequence[Record]) -> bool:
        """Take these records up for `commit`, without waiting; False: `append` must do it.

        False if there are many, or something must be asked of the database, or a batch is in doubt.
        """
        assert not self._closed, "a closed store takes no records"
        if self._doubt is not None or not 0 < len(records) <= STAGED_MAX:
            return False
        if not self._appending.acquire(blocking=False):
            return False
        try:
            assert follow(records, self._last), "records are numbered without a gap"
            self._staged = make_statement(records, self._tip)
        except LookupError:
            return False
        finally:
            if self._staged is None:
                self._appending.release()
        return True

    def commit(self) -> None:
        """Make safe what was staged, all or none. Raises as `append` does; nothing is staged."""
        assert self._staged is not None, "something was staged before"
        batch, self._staged = self._staged, None
        try:
            self._write(batch)
        finally:
            self._appending.release()

    def close(self) -> None:
        """Give the lease back, so that another process can lead."""
        if not self._closed:
            self._closed = True
            self._opened.close()

    def _write(self, batch: Statement) -> None:
        doubted = self._doubt
        assert doubted is None or doubted.records == batch.records, "a batch in doubt goes first"
        self._doubt = batch
        self._send(batch)
        self._doubt = None
        self._last = batch.records[-1].seq
        self._tips.update(batch.tips)
        for stream in batch.tips.keys() & (self._ended.keys() | set(batch.ended)):
            self._ended[stream] = self._tips.pop(stream)
        if len(self._ended) > ENDED_MAX:
            self._ended.clear()

    def _send(self, batch: Statement) -> None:
        """Send this batch, and once more on a new connection if the old one was cut."""
        cut = self._line.is_cut()
        try:
            self._insert(batch)
        except errors.DataError:
            self._doubt = None  # the database refused its content, which is our own mistake
            raise
        except psycopg.Error as wrong:
            if cut or not self._line.is_cut():
                raise StoreFailed(failed(self._address, wrong)) from wrong
            try:
                self._insert(batch)
            except psycopg.Error as again:
                raise StoreFailed(failed(self._address, again)) from again

    def _look(self) -> None:
        """Find out whether the database answers, and we lead. Raises StoreFailed, StoreTaken."""
        rows = self._line.ask(_COUNT, (self._address.hall,)) if self.lease.held() else []
        if not rows or rows[0][0] != self.lease.epoch:
            self.lease.renew()

    def _insert(self, batch: Statement) -> None:
        connection = self._line.get()
        done = connection.execute(batch.sql, batch.values | self._hall, prepare=True)
        if done.rowcount == 0:
            self._explain(batch)

    def _explain(self, batch: Statement) -> None:
        """Find out why nothing was inserted: it was there, or raises StoreTaken."""
        row = self._line.get().execute(_COUNT, (self._address.hall,)).fetchone()
        epoch, seq = row or (0, 0)
        if epoch != self.lease.epoch:
            raise taken(self._line)
        if seq == batch.records[-1].seq:
            return
        raise StoreBroken(
            f"{self._address} has {seq} records, and {self._last} were safe there before: if it is "
            "another copy of the database, it has not all that this one had."
        )

    def _tip(self, stream: str) -> Link:
        """The last record of a stream, if we know it. Raises LookupError if we do not."""
        return self._tips.get(stream) or self._ended[stream]

    def _look_up(self, stream: str) -> Link:
        """The last record of a stream, if need be from the database. Raises StoreFailed."""
        try:
            return self._tip(stream)
        except LookupError:
            rows = self._line.ask(_LAST, (self._address.hall, stream))
            return Link(*rows[0]) if rows else Link(0, first_seal(stream))


def open_postgres(
    address: LogAddress,
    *,
    seconds: float = SECONDS,
    kind: type[PostgresStore] = PostgresStore,
    patience: float = 0.0,
) -> PostgresStore:
    """Lead the hall at this address, which is made if there is none.

    The database may be away for `patience` seconds. Raises StoreLocked if another process leads,
    StoreForeign, StoreBroken and StoreFailed.
    """
    start = _Start(patience, HERE)
    while True:
        try:
            return wait(opening(address, HERE, seconds=seconds, kind=kind))
        except StoreFailed as wrong:
            start.failed(wrong)
            time.sleep(AGAIN)


def opening(
    address: LogAddress,
    reach: Reach,
    *,
    seconds: float = SECONDS,
    kind: type[PostgresStore] = PostgresStore,
) -> Waiting[PostgresStore]:
    """As `open_postgres`, by this reach and as a generator of pauses."""
    with _lease_line(address, seconds, reach) as line:
        lease = yield from claim(line, seconds=seconds)
        return kind(address, lease)


def stand_by(
    address: LogAddress,
    *,
    seconds: float = SECONDS,
    waits: Callable[[Led], bool],
    patience: float = 0.0,
    broker: HearsBroker = NO_BROKER,
) -> PostgresStore | None:
    """Lead the hall at this address as soon as nobody else does; None once `waits` says no.

    `waits` hears every so often who leads. A database may be away for `patience` seconds at first,
    and for any while once it was there. Raises what `open_postgres` does, but for StoreLocked.
    """
    return wait(
        standing_by(address, HERE, seconds=seconds, waits=waits, patience=patience, broker=broker)
    )


def standing_by(
    address: LogAddress,
    reach: Reach,
    *,
    seconds: float = SECONDS,
    waits: Callable[[Led], bool],
    patience: float = 0.0,
    broker: HearsBroker = NO_BROKER,
) -> Waiting[PostgresStore | None]:
    """As `stand_by`, by this reach and as a generator of pauses."""
    found = [NOBODY]  # who led when we last knew
    start: _Start | None = _Start(patience, reach)  # until the database was there once
    failing = False

    def looks(led: Led) -> bool:
        nonlocal failing, start
        failing, start = False, None
        found[0] = led
        made.make()
        return waits(led)

    while True:
        try:
            with (
                _lease_line(address, seconds, reach) as line,
                closing(_LinesAhead(address, reach, seconds)) as made,
            ):
                lease = yield from await_lease(line, seconds=seconds, waits=looks, broker=broker)
                return None if lease is None else PostgresStore(address, lease, made.take())
        except StoreFailed as wrong:
            if start is not None:
                start.failed(wrong)
            elif not failing:
                log.warning("standing by without a database: %s", wrong)
            failing = True
            if not waits(found[0]):
                return None
            yield Pause(AGAIN)


class _LinesAhead:
    """Connections that a stand-by makes ahead, while another leads. It mutates."""

    def __init__(self, address: LogAddress, reach: Reach, seconds: float) -> None:
        self._made: Lines | None = None
        self._how = address, reach, seconds
        self._tried = False

    def make(self) -> None:
        """Make the connections, once; if that fails, it will show when we take over."""
        if not self._tried:
            self._tried = True
            with suppress(StoreFailed):
                self._made = Lines(*self._how)

    def take(self) -> Lines | None:
        """Hand over the connections, if they were made."""
        made, self._made = self._made, None
        return made

    def close(self) -> None:
        """Hang up, unless the connections were handed over."""
        if self._made is not None:
            self._made.close()


class _Start:
    """A start without a database, for which we wait a while. It mutates."""

    def __init__(self, patience: float, reach: Reach) -> None:
        self._clock, self._until = reach.clock, reach.clock() + patience
        self._noted = False

    def failed(self, wrong: StoreFailed) -> None:
        """Log the failure, once; raise it if we have waited long enough."""
        left = self._until - self._clock()
        if left <= 0:
            raise wrong
        if not self._noted:
            log.warning("%s Trying again for %.0f seconds.", wrong, left)
        self._noted = True


@contextmanager
def _lease_line(address: LogAddress, seconds: float, reach: Reach) -> Iterator[DatabaseLine]:
    """Open a line for the lease, and make the tables if need be. Raises StoreFailed.

    The lease keeps the line, which is closed here only if something goes wrong.
    """
    line = DatabaseLine(address, "lease", reach, patience=min(ANSWER, seconds))
    try:
        make_tables(line.get(), address)
        yield line
    except psycopg.Error as wrong:
        line.close()
        raise StoreFailed(failed(address, wrong)) from wrong
    except BaseException:
        line.close()
        raise
