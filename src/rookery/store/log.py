"""What a log is made of: records as rows, each sealed, and what can go wrong with it.

The text of an event is for ever: JSON, a `type` and the event's own fields. `core/events.py` may
add a field with a default; the golden texts in the tests say when something else happened to it.

A record's seal is a checksum over what it says and over the seal before it in its stream. So a
flipped bit shows, and a record that is missing, twice there or in another's place shows too: its
seal follows from no other. A stream's first seal follows from its name. It is a CRC-32, which finds
damage and not forgery, and takes 0.7 µs a record.

A damaged row may hold anything: a text that is none, a number where a text was. So rows are read as
bytes and numbers, and are a record only when their seal says so.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Final
from zlib import crc32

import msgspec
from msgspec import Struct

from rookery.core.errors import Damaged, Mistake
from rookery.core.events import LogEvent, Record


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


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[LogEvent]] = msgspec.json.Decoder(LogEvent)
decode: Final = _DECODER.decode
# What `decode` raises if a text is no event's.
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeError, TypeError, RecursionError)


def encode_event(event: LogEvent) -> bytes:
    """Write this event as the text that the log keeps."""
    return _ENCODER.encode(event)


def decode_event(text: str | bytes, seq: int) -> LogEvent:
    """Read the event in the text of record number `seq`. Raises StoreBroken."""
    try:
        return decode(text)
    except UNREADABLE as error:
        raise StoreBroken(f"Record {seq} of the log cannot be read: {error}.") from error


numbers: Final = struct.Struct("<QQQQQ").pack


def first_seal(stream: str) -> int:
    """The seal before a stream's first record, made from the stream's name."""
    return crc32(stream.encode())


def seal_bookmark(seq: int, last_table: int, running: bytes) -> int:
    """The seal of the bookmark."""
    return crc32(running, crc32(numbers(seq, last_table, 0, 0, 0)))


FIRST: Final = 1  # the place of a record in its stream that nothing is before
GONE: Final = -1  # in place of a record: nothing follows it

Raw = tuple[int, bytes, int, int, int, int, bytes, int]  # if it is not damaged


Row = tuple[int, str, int, int, int, int, str, int]  # as it is written


class Link(Struct, frozen=True, gc=False):
    """The last record of a stream: what the next one must know of it."""

    seq: int
    sum: int
    ended: bool = False  # it, or one before it, ended the stream


def link(
    records: Iterable[Record], find: Callable[[str], Link]
) -> tuple[list[Row], dict[str, Link]]:
    """These records as rows, each naming the one before it; and what comes last in their streams.

    `find` has what came last in a stream before these.
    """
    rows: list[Row] = []
    tips: dict[str, Link] = {}
    for record in records:
        seq, stream, n, at = record.seq, record.stream, record.n, record.at
        last = tips.get(stream)
        if last is None:
            last = Link(0, first_seal(stream)) if n == FIRST else find(stream)
        ends = 1 if record.ends else 0  # sqlite3 is slow to see that a bool is an int
        event = encode_event(record.event)
        sealed = crc32(event, crc32(numbers(seq, n, at, ends, last.seq), last.sum))
        tips[stream] = Link(seq, sealed, record.ends or last.ended)
        rows.append((seq, stream, n, at, ends, last.seq, event.decode(), sealed))
    return rows, tips


class Last:
    """The last record of a stream that was read so far: a `Link` that moves on.

    A new link for each record of a restart would be a tenth of reading it: with 10,000 tables
    everything that is touched has to be fetched from afar.
    """

    __slots__ = ("seq", "stream", "sum")

    def __init__(self, seq: int, sealed: int, stream: str) -> None:
        self.seq = seq
        self.sum = sealed
        self.stream = stream  # one text for all its records


Mark = tuple[object, object, object]  # a record's stream, place and seal, whatever they are
Find = Callable[[int], Mark | None]  # by its number


class Follower:
    """Follows the streams of one log from wherever their rows begin."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._last: dict[bytes, Last] = {}

    def take(self, row: Raw) -> Record:
        """Return the record in this row. Raises StoreBroken if it is damaged or does not follow."""
        seq, stream, n, at, ends, before, event, said = row
        last = self._last.get(stream)
        if last is None:
            last = self._last[stream] = self._begin(seq, stream, before)
        follows, sealed = last.seq, last.sum
        last.seq, last.sum = seq, said
        try:
            sound = crc32(event, crc32(numbers(seq, n, at, ends, before), sealed)) == said
        except (struct.error, TypeError):
            sound = False
        if not sound:
            raise _damaged(seq, "its checksum is wrong")
        if before != follows:
            raise _damaged(seq, f"it follows record {before}, and {follows} comes before it")
        return Record(seq, last.stream, n, at, decode_event(event, seq), ends != 0)

    def follow(
        self, rows: Iterable[Raw], names: dict[bytes, str], damaged: dict[str, str]
    ) -> Iterator[Record]:
        """Yield what `take` makes of rows of these streams, as far as each stream is whole.

        A stream that is not whole goes from `names` to `damaged`. `take` is written out for a row
        that follows, as this is asked of every record of a restart: a call for each, and looking at
        what can be wrong with it, would be a third of the time.
        """
        known = self._last
        for stream in known.keys() - names.keys():
            known[stream].seq = GONE
        for row in rows:
            seq, stream, n, at, ends, before, event, said = row
            last, record = known.get(stream), None
            if last is not None and last.seq == before:
                try:
                    if crc32(event, crc32(numbers(seq, n, at, ends, before), last.sum)) == said:
                        record = Record(seq, last.stream, n, at, decode(event), ends != 0)
                        last.seq, last.sum = seq, said
                except (struct.error, TypeError, *UNREADABLE):
                    pass  # `take` says what is wrong with it
            if record is not None:
                yield record
            elif stream in names:
                try:
                    yield self.take(row)
                except StoreBroken as wrong:
                    damaged[names.pop(stream)] = str(wrong)
                    if stream in known:
                        known[stream].seq = GONE

    def resume(self, stream: str, seq: int) -> None:
        """Go on with this stream after record `seq`, taken before. Raises StoreBroken."""
        self._last[stream.encode()] = self._begin(seq + 1, stream.encode(), seq)

    def reached(self, stream: str) -> int:
        """The last record of this stream that was taken; 0 without any."""
        last = self._last.get(stream.encode())
        return 0 if last is None else last.seq

    def _begin(self, seq: int, stream: object, before: object) -> Last:
        """What the first row that is seen of a stream must follow. Raises StoreBroken."""
        if not isinstance(stream, bytes):
            raise _damaged(seq, "it is in no stream")
        name = name_of(stream)
        if before == 0:
            return Last(0, first_seal(name), name)
        if not isinstance(before, int) or not 0 < before < seq:
            raise _damaged(seq, "it follows no record that can be")
        found = self._find(before)
        if found is None or found[0] != stream or not isinstance(found[2], int):
            raise _damaged(seq, f"record {before}, which it follows, is missing or damaged")
        return Last(before, found[2], name)


def name_of(stream: object) -> str:
    """A stream's name as text, whatever the row holds in its place."""
    return stream.decode(errors="replace") if isinstance(stream, bytes) else ""


def _damaged(seq: int, why: str) -> StoreBroken:
    return StoreBroken(f"Record {seq} of the log is damaged: {why}.")
