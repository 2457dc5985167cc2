"""The log: every record there ever was, in order, and safe before anyone hears of it.

A store only grows. Records are numbered from 1 without a gap, `append` takes a batch
whole or not at all, and returns when it would survive the power going. `sqlite` keeps
them in a file, `postgres` in a database, `memory.py` nowhere; the same laws are tried on all.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rookery.core.errors import Damaged, Mistake
from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.store.catalogue import Finding, Finished

if TYPE_CHECKING:
    from rookery.store.snapshot import Snapshot


class StoreFailed(Mistake):
    """The disk is full or fails; nothing of the batch is there, and all before it is safe."""


class StoreLocked(Mistake):
    """Another process writes to this store."""


class StoreTaken(Mistake):
    """Another process has taken this store over: what was to be written never will be.

    A server that hears this tells nobody anything more.
    """


class StoreForeign(Mistake):
    """Another version of Rookery wrote this store."""


class StoreBroken(Damaged):
    """This is no store of ours, or it is damaged, or something in it is."""


class Log(Protocol):
    """A log that can be read. Only what is safe is seen; an iterator in use holds its moment still.

    Reading raises StoreBroken at the first record that is damaged or missing.
    """

    def read(self, after: int = 0, stream: str | None = None) -> Iterator[Record]:
        """The records with a higher number than `after`, in order; of one stream, or of all."""

    def read_stream(self, stream: str) -> Sequence[Record]:
        """All records of one stream; empty if there is no such stream."""

    def read_one(self, seq: int) -> Record | None:
        """The record with this number; None where there is none."""

    def unfinished(self, known: int = 0) -> Iterator[Record]:
        """The records that a restart needs, in order: every stream that no record has ended.

        Of the hall's own stream only what comes after record `known`, which is one of it, or 0.
        A damaged stream is read up to its damage; `damaged` names it then.
        """

    def damaged(self) -> Mapping[str, str]:
        """The streams that `unfinished` found damaged when it was last read, and how."""

    def last_seq(self) -> int:
        """The number of the last record, which is how many there are."""

    def last_table(self) -> int:
        """The highest number a table ever had; 0 without any."""

    def last_at(self) -> Micros:
        """When the last record happened; 0 without any."""

    def finished(self, wanted: Finding) -> Sequence[Finished]:
        """Tables that have ended, the one that ended last first."""

    def tables_of(self, player: PlayerId, below: int, limit: int) -> Sequence[TableId]:
        """Tables where a player sat and stayed until the start: numbers under `below` (0: all).

        The highest first, which is the table that was opened last.
        """

    def snapshot(self, version: int) -> "Snapshot | None":
        """The snapshot that is kept with this log; None where there is none.

        Raises StoreBroken where there is one that is of no use, and says why.
        """

    def keep_snapshot(self, version: int, seq: int, parts: Sequence[bytes]) -> None:
        """Keep a snapshot with the log, in place of the one before; `seq`: where it reaches.

        Others may write to the log meanwhile. Raises StoreFailed.
        """

    def close(self) -> None:
        """Let go of the log; it may not be used any more."""


class Store(Log, Protocol):
    """A log that can be written too: by one process, and in it one append at a time."""

    def append(self, records: Sequence[Record]) -> None:
        """Make these records safe, all or none. Raises StoreFailed; the same may be tried again."""


@runtime_checkable
class Staging(Protocol):
    """A store that takes a batch up without waiting, and makes it safe later, in any thread."""

    def stage(self, records: Sequence[Record]) -> bool:
        """Take these records up for `commit`; False: it took none, and `append` must do all."""

    def commit(self) -> None:
        """Make safe what was staged, all or none. Raises StoreFailed; then nothing is staged."""


@runtime_checkable
class Leased(Protocol):
    """A store that another process may take over from this one."""

    def leads(self) -> bool:
        """Whether no other process can lead yet; if False, append no records to find out."""

    @property
    def epoch(self) -> int:
        """How often the store was taken over so far: the process with the highest number leads."""

    def when_taken(self, told: Callable[[StoreTaken], None]) -> None:
        """Call this once, in a thread of the store's own, when another process leads."""


@runtime_checkable
class MakesWay(Protocol):
    """A store that can be given up for a stand-by which hears the broker, where we do not."""

    def when_deaf(
        self, deaf: Callable[[], bool], fresh: float, make_way: Callable[[str], None]
    ) -> None:
        """Call `make_way`, in a thread of the store's own, once `deaf` and a stand-by is not.

        The stand-by has heard the broker in the last `fresh` seconds. `make_way` is told its name,
        perhaps more than once.
        """


def leads_of(store: Store, told: Callable[[StoreTaken], None]) -> Callable[[], bool]:
    """Return how to ask whether this process leads still; `told` hears when another does."""
    if not isinstance(store, Leased):
        return lambda: True
    store.when_taken(told)
    return store.leads


def follow(records: Sequence[Record], last: int) -> bool:
    """Whether these records are numbered on from `last` without a gap."""
    return [record.seq for record in records] == list(range(last + 1, last + 1 + len(records)))
