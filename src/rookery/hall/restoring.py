"""Restoring the hall from its log after a restart, and setting aside what is damaged in it.

A damaged table or tour is no reason to leave the others where they are. A record that does not
follow, or cannot be, makes its stream one that is set aside: nothing more happens there, and anyone
who asks is told.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping

from rookery.core import events
from rookery.core.errors import Damaged
from rookery.core.events import TourEvent, tour_of
from rookery.core.ids import TableId, TourId
from rookery.hall.hall_memory import AnyPart, TourOver, recall
from rookery.hall.lobby.casual_ratings import CasualBook
from rookery.hall.people.register import Register
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.registry import STIRRING
from rookery.hall.tours.running.endings import Endings
from rookery.hall.tours.tour_book import Book


class Restoring:
    """Takes records in; `aside` has the streams that were too damaged, and how."""

    def __init__(
        self,
        register: Register,
        floor: Floor,
        casual: CasualBook,
        book: Book,
        endings: Endings,
    ) -> None:
        self._register = register
        self._floor = floor
        self._casual = casual
        self._book = book
        self._endings = endings
        self._over: deque[TourOver] = deque()  # ends of tours from the memory
        self._known = 0  # the record up to which the memory reaches
        self.aside: dict[str, str] = {}

    @property
    def own_records(self) -> int:
        """How many records the hall's own stream has so far, as far as is decided."""
        return self._register.own_records

    def recall(self, parts: Iterable[AnyPart], seq: int) -> None:
        """Begin with a memory of the hall's own stream up to this record, instead of reading it."""
        self._known = seq
        self._over.extend(recall(parts, self._register, self._casual))

    def take(
        self, records: Iterable[events.Record], damaged: Callable[[], Mapping[str, str]]
    ) -> int:
        """Take these records in; the number of the last. Raises Damaged if the hall's own are."""
        last = 0
        asleep: dict[str, list[events.Record]] = {}  # where those of each table are put
        for record in records:
            if record.seq > last:  # noqa: PLR1730 # a call would be a tenth of all this
                last = record.seq
            # Nearly all are moves, which nobody looks at before somebody comes back to them.
            past = asleep.get(record.stream)
            if past is not None and type(record.event) not in STIRRING:
                past.append(record)
            elif record.stream not in self.aside:
                try:
                    past = self._take(record)
                    if past is not None:
                        asleep[record.stream] = past
                except Exception as wrong:  # noqa: BLE001 # as damaged as what is not whole
                    asleep.pop(record.stream, None)
                    self.aside[record.stream] = f"Record {record.seq} cannot be: {wrong!r}."
        self._end_tours()
        last, self._known = max(last, self._known), 0
        self._floor.restored(last)
        self.aside |= damaged()
        self._put_aside()
        return last

    def _take(self, record: events.Record) -> list[events.Record] | None:
        """Take a record in; the past of its table, if it is of one."""
        table = events.table_of(record.stream)
        if table is not None:
            return self._floor.tables.sleep(record, table)
        if isinstance(record.event, events.HallEvent):
            self._register.restore(record, record.event)
            if isinstance(record.event, events.TourDone):
                self._end_tours()
                self._endings.done(record.event, record.at)
            elif isinstance(record.event, events.GameRated):
                self._casual.take(record.event, record.seq)
        elif isinstance(record.event, TourEvent) and (tour := tour_of(record.stream)):
            self._end_tours(record.seq)
            self._book.restore(tour, record, record.event)
        return None

    def _end_tours(self, before: int | None = None) -> None:
        """Take in the remembered ends of tours from before this record, in the log's order."""
        while self._over and (before is None or self._over[0].seq < before):
            over = self._over.popleft()
            self._endings.done(over.event, over.at)

    def _put_aside(self) -> None:
        why = self.aside.get(events.HALL_STREAM)
        if why is not None:
            raise Damaged(
                f"The log's record of who the players are is damaged: {why} "
                "`rookery salvage` saves what can be saved into a new log."
            )
        for stream in self.aside:
            kind, _, number = stream.partition("/")
            if kind == "table" and number.isdecimal():
                self._floor.tables.set_aside(TableId(int(number)))
            elif kind == "tour" and number.isdecimal():
                self._book.set_aside(TourId(int(number)))
