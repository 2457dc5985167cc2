"""The lease: which process leads a hall, until when, and how often that changed hands.

It is a row of the database. The process that takes it counts its `epoch` up, and writes under
that number: the log takes records of the newest epoch only, so even a leader that slept through
the end of its lease can write nothing. The lease is there so that it does not come to that: it
is renewed every third of its length, in a thread and a transaction of its own, and a leader that
could not renew it in time knows so by its own clock before the database's clock says so. A
leader that gives it back notifies others in the same transaction, so those who wait for it need
not look all the time.

A leader that is cut off from the broker alone leads nobody. So a stand-by says in the database that
it has heard the broker for a while, and a leader that has not makes way for it; where no stand-by
says so the leader keeps the lease, and a stand-by that is cut off itself takes none.

Three things may be true of a lease. It is `held`. It is in doubt: it could not be renewed in
time; its holder must stand still until it was, for another may have taken it. Or it is lost:
the database says that another process has it, and those who want to know are told.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from msgspec import Struct

from rookery.store.database import DatabaseLine, Pause, Waiting, failing
from rookery.store.log import StoreFailed, StoreLocked, StoreTaken

log = logging.getLogger(__name__)

SECONDS: Final = 6.0  # that a lease lasts, from its last renewal
RENEWALS: Final = 3  # in that time
AGAIN: Final = 0.25  # seconds until a renewal that failed is tried again
LOOKS: Final = 10  # in a lease's length, at another's lease: a notification may get lost
STIR: Final = 0.1  # seconds between asking `waits` whether to go on
SAID_EVERY: Final = 0.5  # seconds between two times that a stand-by says that it hears the broker
LOOK_EVERY: Final = (
    0.5  # seconds between two looks of a leader, at what it hears itself and at that
)
LEAST: Final = 0.001  # seconds of a pause

_MAKE: Final = """
INSERT INTO rookery.halls (hall) VALUES (%s) ON CONFLICT DO NOTHING RETURNING 1
"""
_TAKE: Final = """
UPDATE rookery.halls SET epoch = epoch + 1, holder = %(holder)s,
    until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE hall = %(hall)s AND (until IS NULL OR until <= clock_timestamp())
RETURNING epoch
"""
_LOOK: Final = """
SELECT holder, epoch, extract(epoch FROM until - clock_timestamp())::float8
FROM rookery.halls WHERE hall = %s
"""
_RENEW: Final = """
UPDATE rookery.halls SET until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE hall = %(hall)s AND epoch = %(epoch)s RETURNING epoch
"""
_GIVE_BACK: Final = """
WITH given AS (
    UPDATE rookery.halls SET until = NULL, holder = ''
    WHERE hall = %(hall)s AND epoch = %(epoch)s RETURNING hall
)
SELECT pg_notify('rookery_lease', hall) FROM given
"""
_SAY_HEARS: Final = """
INSERT INTO rookery.standbys AS said (hall, standby, heard)
VALUES (%(hall)s, %(standby)s, clock_timestamp() - make_interval(secs => %(ago)s))
ON CONFLICT (hall) DO UPDATE SET standby = excluded.standby, heard = excluded.heard
"""
_HEARS: Final = """
SELECT standby FROM rookery.standbys
WHERE hall = %(hall)s AND heard > clock_timestamp() - make_interval(secs => %(seconds)s)
"""
_LISTEN: Final = "LISTEN rookery_lease"  # leases of all halls: there are few
_UNLISTEN: Final = "UNLISTEN rookery_lease"


class HearsBroker(Protocol):
    """Whether a stand-by hears the broker, by which alone a leader can be heard."""

    def is_deaf(self) -> bool:
        """Whether it does not hear the broker now: it should not lead."""

    def is_steady(self) -> bool:
        """Whether it has heard the broker for long enough that a leader may make way for it."""

    def silent_for(self) -> float:
        """Seconds since the broker was heard last."""


class Led(Struct, frozen=True):
    """The leader of a hall, as the database has it; `left`: seconds of its lease, 0 if over."""

    holder: str
    epoch: int
    left: float


class Lease:
    """The lease of one hall, taken; made by `take_lease` and `await_lease`."""

    def __init__(self, line: DatabaseLine, epoch: int, asked: float, seconds: float) -> None:
        self.epoch = epoch
        self.seconds = seconds
        self.reach = line.reach
        self._told: Callable[[StoreTaken], None] = lambda _: None
        self._line = line
        self._clock = line.reach.clock
        self._until = asked + seconds  # counted from when we asked, not from the answer
        self._taken: StoreTaken | None = None
        self._failing = False  # it could not be renewed when that was last tried
        self._end_looking: Callable[[], None] = lambda: None
        self._end = self.reach.beside(seconds / RENEWALS, self._keep)

    def when_lost(self, told: Callable[[StoreTaken], None]) -> None:
        """Call this once, in the lease's thread, when another leads; now, if one does."""
        self._told = told
        if self._taken is not None:
            told(self._taken)

    def when_deaf(
        self, deaf: Callable[[], bool], fresh: float, make_way: Callable[[str], None]
    ) -> None:
        """Call `make_way` for a stand-by that has heard the broker, once `deaf` says we do not.

        It must have heard the broker in the last `fresh` seconds. In a thread, perhaps more than
        once.
        """
        values = {"hall": self._line.address.hall, "seconds": fresh}

        def look() -> float:
            with suppress(StoreFailed):
                for (standby,) in self._line.ask(_HEARS, values) if deaf() else ():
                    make_way(standby)
            return LOOK_EVERY

        self._end_looking = self.reach.beside(LOOK_EVERY, look)

    def held(self) -> bool:
        """Whether nobody else can lead yet: to be asked before anything is told."""
        return self._taken is None and self._clock() < self._until

    def renew(self) -> bool:
        """Renew the lease now; return whether it is held then. Raises StoreFailed, StoreTaken.

        The lease's own thread does so by itself.
        """
        asked = self._clock()
        values = {"hall": self._line.address.hall, "epoch": self.epoch, "seconds": self.seconds}
        if not self._line.ask(_RENEW, values):
            self._taken = self._taken or taken(self._line)
            raise self._taken
        self._until = max(self._until, asked + self.seconds)
        return self.held()

    def release(self) -> None:
        """Give the lease back, if the database can be reached: another may lead at once."""
        self._end_looking()
        self._end()
        if self._taken is None:
            try:
                values = {"hall": self._line.address.hall, "epoch": self.epoch}
                self._line.ask(_GIVE_BACK, values)
            except StoreFailed as wrong:
                log.warning("the lease could not be given back, and will run out: %s", wrong)
        self._line.close()

    def _keep(self) -> float | None:
        """Renew the lease, in its thread; return seconds until the next time, or None: no more."""
        try:
            self.renew()
        except StoreTaken as wrong:
            self._told(wrong)
            return None
        except StoreFailed as wrong:
            if not self._failing:
                log.warning("the lease cannot be renewed now: %s", wrong)
            self._failing = True
            return AGAIN
        self._failing = False
        return self.seconds / RENEWALS


def look_at_lease(line: DatabaseLine) -> Led | None:
    """Find out who leads this hall; None if there is no such hall. Raises StoreFailed."""
    rows = line.ask(_LOOK, (line.address.hall,))
    if not rows:
        return None
    holder, epoch, left = rows[0]
    return Led(holder, epoch, max(0.0, left or 0.0))


def take_lease(line: DatabaseLine, *, seconds: float = SECONDS, holder: str = "") -> Lease | Led:
    """Take the lease if nobody has it; else return who leads. Raises StoreFailed.

    The lease keeps the line. The tables must be there (`database.make_tables`).
    """
    hall, reach = line.address.hall, line.reach
    line.ask(_MAKE, (hall,))
    asked = reach.clock()
    values = {"hall": hall, "holder": holder or reach.name(), "seconds": seconds}
    with failing(line.address):
        # Not `ask`, which may ask twice: the second time it would be taken, by ourselves.
        row = line.get().execute(_TAKE, values).fetchone()
    if row is not None:
        return Lease(line, row[0], asked, seconds)
    return look_at_lease(line) or Led("", 0, 0.0)


def await_lease(
    line: DatabaseLine,
    *,
    seconds: float = SECONDS,
    holder: str = "",
    waits: Callable[[Led], bool] = lambda _: True,
    broker: HearsBroker | None = None,
) -> Waiting[Lease | None]:
    """Take the lease as soon as it can be had; None once `waits`, told who leads, says no.

    It can be had when it is given back, or over by the database's clock, and we hear the broker.
    Raises StoreFailed.
    """
    clock, said = line.reach.clock, line.reach.clock()
    while True:
        line.listen(_LISTEN)
        led = look_at_lease(line)
        if (led is None or led.left <= 0) and not (broker and broker.is_deaf()):
            found = take_lease(line, seconds=seconds, holder=holder)
            if isinstance(found, Lease):
                with suppress(StoreFailed):  # then nothing is heard on it either
                    line.unlisten(_UNLISTEN)
                return found
            led = found
        led = led or Led("", 0, 0.0)
        told, until = False, clock() + max(LEAST, min(led.left or STIR, seconds / LOOKS))
        while not told and (left := until - clock()) > 0:
            if not waits(led):
                return None
            if broker and clock() >= said and broker.is_steady():
                said = clock() + SAID_EVERY
                _say_hears(line, holder, broker.silent_for())
            told = (yield Pause(max(LEAST, min(left, STIR)), line)) or False


def _say_hears(line: DatabaseLine, holder: str, ago: float) -> None:
    """Say that we heard the broker so many seconds ago. Raises StoreFailed."""
    standby = holder or line.reach.name()
    line.do(_SAY_HEARS, {"hall": line.address.hall, "standby": standby, "ago": ago})


def claim(line: DatabaseLine, *, seconds: float = SECONDS) -> Waiting[Lease]:
    """Take the lease, also of a leader that died without giving it back. Raises StoreLocked.

    A dead leader does not renew its lease: so we wait until that would show.
    """
    seen: list[Led] = []

    def waits(led: Led) -> bool:
        if not seen:
            log.info("%s has the lease of %s: waiting for it to end", led.holder, line.address)
        renewed = bool(seen) and (led.epoch != seen[-1].epoch or led.left > seen[-1].left)
        seen.append(led)
        return not renewed

    lease = yield from await_lease(line, seconds=seconds, waits=waits)
    if lease is None:
        raise StoreLocked(f"Another process, {seen[-1].holder}, is writing to {line.address}.")
    return lease


def taken(line: DatabaseLine) -> StoreTaken:
    """The error that the hall is not ours any more. Raises StoreFailed."""
    led = look_at_lease(line)
    if led is None:
        return StoreTaken(f"The hall was deleted from {line.address} under the server.")
    holder = led.holder or "somebody"
    return StoreTaken(f"{holder} has taken over {line.address}: this server writes no more.")
