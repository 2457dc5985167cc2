"""Snapshots: what the hall's own stream led to up to some record, so that a start reads on there.

A snapshot says nothing that the log does not, and may be deleted at any time. What is in it is
its maker's business, told by a version; here it is parts of bytes, under one checksum, and the
record it reaches to, with that record's seal. So one that is damaged, of another version, or of
another log is known as such, and is not used.
"""

import struct
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from msgspec import Struct

from rookery.core.events import HALL_STREAM
from rookery.store import StoreBroken

MAGIC: Final = b"ROOKSNAP"
FORM: Final = 1  # of what is written here; the parts have a version of their own
_HEAD: Final = struct.Struct("<8sIIQQQI")  # magic, form, version, seq, n, seal, parts
_LENGTH: Final = struct.Struct("<I")
_SUM: Final = struct.Struct("<I")


class LastRecord(Struct, frozen=True):
    """The last record that a snapshot reaches to: its number, its place and its seal."""

    seq: int
    n: int
    sum: int


class Snapshot(Struct, frozen=True):
    """What was kept, and the record up to which it reaches."""

    version: int
    mark: LastRecord
    parts: Sequence[bytes | memoryview]


def write_snapshot(snapshot: Snapshot) -> list[bytes | memoryview]:
    """Write the snapshot as pieces of bytes, the checksum last."""
    mark, parts = snapshot.mark, snapshot.parts
    head = (MAGIC, FORM, snapshot.version, mark.seq, mark.n, mark.sum, len(parts))
    pieces: list[bytes | memoryview] = [_HEAD.pack(*head)]
    for part in parts:
        pieces += (_LENGTH.pack(len(part)), part)
    sealed = 0
    for piece in pieces:
        sealed = crc32(piece, sealed)
    return [*pieces, _SUM.pack(sealed)]


def read_snapshot(content: bytes, version: int) -> Snapshot:
    """Read a snapshot. Raises StoreBroken if it is damaged, or of another version.

    Its parts are views of the same bytes: it may be long.
    """
    whole = memoryview(content)
    body, end = whole[: -_SUM.size], whole[-_SUM.size :]
    if len(content) < _HEAD.size + _SUM.size or content[: len(MAGIC)] != MAGIC:
        raise StoreBroken("The snapshot is damaged, or is none.")
    _, form, its, seq, n, sealed, count = _HEAD.unpack_from(body)
    if form != FORM or its != version:
        raise StoreBroken(f"The snapshot is of version {form}.{its}, and not {FORM}.{version}.")
    if (crc32(body),) != _SUM.unpack(end):
        raise StoreBroken("The snapshot is damaged: its checksum is wrong.")
    parts: list[memoryview] = []
    at = _HEAD.size
    for _ in range(count):
        (length,) = _LENGTH.unpack_from(body, at)
        at += _LENGTH.size
        parts.append(body[at : at + length])
        at += length
    return Snapshot(its, LastRecord(seq, n, sealed), parts)


def see_it_fits(snapshot: Snapshot, found: tuple[object, object, object] | None) -> None:
    """Check that a snapshot is of this log; `found` is what the log has at its last record.

    That is the stream, the place and the seal. Raises StoreBroken.
    """
    mark = snapshot.mark
    if found is None:
        raise StoreBroken(f"The snapshot reaches to record {mark.seq}, which the log has not.")
    if found != (HALL_STREAM, mark.n, mark.sum):
        raise StoreBroken(f"The snapshot is of another log: record {mark.seq} differs.")
