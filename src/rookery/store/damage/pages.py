"""Records found in the bare pages of a file, where SQLite itself is at a loss.

A record is never changed once it is written, so every copy of its row is as good as any
other, on whichever page it stands and whether or not that page is still in use. Its seal
says whether it is one. So nothing of the file's structure is needed but the layout of a
page with rows on it (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2.1).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rookery.store.rows import Raw
from rookery.store.sqlite.schema import VALUE_MAX

PAGE: Final = 4096
PASSES: Final = 16  # over the pages of the file, for rows that are longer than a page
_LEAF: Final = 0x0D  # the first byte of a page with rows of a table
_COLUMNS: Final = 8
_WAL_HEAD, _FRAME_HEAD = 32, 24
_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes, by the number of the type
_TEXT: Final = 13  # from here on every odd type is a text

Value = int | bytes | None


def rows_in(path: Path) -> Iterator[Raw]:
    """Yield every row in this file, and in its write-ahead log, that may be a record."""
    main = path.read_bytes()
    pages = [main[at : at + PAGE] for at in range(0, len(main), PAGE)]
    frames = list(_frames(path.with_name(f"{path.name}-wal")))
    overflow = _Overflow(dict(enumerate(pages, 1)) | dict(frames))
    for number, page in [*enumerate(pages, 1), *frames]:
        yield from _rows(page, 100 if number == 1 else 0, overflow)


class _Overflow:
    """The pages on which long rows go on. It mutates: each may be read so many times.

    A sound row leads to pages of its own, and its copies on other pages are like it. Thousands
    that lead to the same ones were made to keep us busy.
    """

    def __init__(self, pages: dict[int, bytes]) -> None:
        self._pages = pages
        self._left = PASSES * len(pages)
        self._begun: set[bytes] = set()

    def is_new(self, beginning: bytes) -> bool:
        """Whether no row began so yet; another would go on on the same pages."""
        new = beginning not in self._begun
        self._begun.add(beginning)
        return new

    def follow(self, number: int) -> bytes:
        """The page with this number. Raises KeyError where there is none, or too many were read."""
        self._left -= 1
        if self._left < 0:
            raise KeyError(number)
        return self._pages[number]


def _frames(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the pages in the write-ahead log, up to the end of the last whole transaction."""
    try:
        content = path.read_bytes()
    except OSError:
        return
    salt = content[16:24]
    found: list[tuple[int, bytes]] = []
    for at in range(_WAL_HEAD, len(content) - _FRAME_HEAD - PAGE + 1, _FRAME_HEAD + PAGE):
        head = content[at : at + _FRAME_HEAD]
        if head[8:16] != salt:
            return  # what was there before the log was begun anew
        found.append((_number(head[:4]), content[at + _FRAME_HEAD : at + _FRAME_HEAD + PAGE]))
        if _number(head[4:8]):  # the last of a transaction
            yield from found
            found = []


def _rows(page: bytes, head: int, pages: "_Overflow") -> Iterator[Raw]:
    if len(page) < PAGE or page[head] != _LEAF:
        return
    for n in range(_number(page[head + 3 : head + 5])):
        at = head + 8 + 2 * n
        try:
            row = _row(page, _number(page[at : at + 2]), pages)
        except (IndexError, KeyError):
            continue  # it is no row
        if row is not None:
            yield row


def _row(page: bytes, at: int, pages: "_Overflow") -> Raw | None:
    start = at
    size, at = _varint(page, at)
    seq, at = _varint(page, at)
    payload = _payload(page, start, at, size, pages)
    length, at = _varint(payload, 0)
    kinds: list[int] = []
    while at < length and len(kinds) <= _COLUMNS:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if len(kinds) != _COLUMNS:
        return None
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    _, stream, n, when, ends, before, event, sealed = values
    if not isinstance(stream, bytes) or not isinstance(event, bytes):
        return None
    numbers = [one for one in (n, when, ends, before, sealed) if isinstance(one, int)]
    if len(numbers) != _COLUMNS - 3:
        return None
    n, when, ends, before, sealed = numbers
    return seq, stream, n, when, ends, before, event, sealed


def _payload(page: bytes, start: int, at: int, size: int, pages: "_Overflow") -> bytes:
    """What a row holds that starts here: on its own page, and on others if that has no room."""
    if size > VALUE_MAX:
        raise IndexError(size)
    if size <= PAGE - 35:
        return page[at : at + size]
    least = (PAGE - 12) * 32 // 255 - 23
    here = least + (size - least) % (PAGE - 4)
    if here > PAGE - 35:
        here = least
    found = [page[at : at + here]]
    if not pages.is_new(page[start : at + here + 4]):
        raise IndexError(at)  # the same as before
    number, missing = _number(page[at + here : at + here + 4]), size - here
    while number and missing > 0:
        more = pages.follow(number)
        found.append(more[4:])
        number, missing = _number(more[:4]), missing - len(more) + 4
    return b"".join(found)[:size]


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (8, 9):
        return kind - 8, at
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind >= _TEXT and kind % 2:
        end = at + (kind - _TEXT) // 2
        if end > len(payload):
            raise IndexError(end)
        return payload[at:end], end
    return None, at


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Read the number here, of seven bits a byte; return it, and where it ends."""
    value = 0
    for n in range(9):
        byte = content[at + n]
        if n == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    raise AssertionError("it has nine bytes at most")


def _number(content: bytes) -> int:
    return int.from_bytes(content, "big")
