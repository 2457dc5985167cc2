"""A long row of values of which one can be changed without copying all of them.

It is cut into pages: a change copies one page, and the list of pages. Like a tuple it
never changes itself, and two rows of the same values are equal.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, Generic, TypeVar

from msgspec import Struct

from rookery.core.ids import put

T = TypeVar("T")

PAGE: Final = 128  # about as many values as there are pages where a row is long


class LongRow(Struct, Generic[T], frozen=True):
    """Values in their order, by their place from 0."""

    pages: tuple[tuple[T, ...], ...] = ()  # all are full but the last, and none is empty

    def __len__(self) -> int:
        return 0 if not self.pages else PAGE * (len(self.pages) - 1) + len(self.pages[-1])

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self.pages)

    def __getitem__(self, at: int) -> T:
        page, place = divmod(at if at >= 0 else len(self) + at, PAGE)
        return self.pages[page][place]

    def since(self, first: int) -> Iterator[T]:
        """The values from this place on."""
        page, skipped = divmod(first, PAGE)
        for values in self.pages[page : page + 1]:
            yield from values[skipped:]
        yield from chain.from_iterable(self.pages[page + 1 :])

    def put(self, at: int, value: T) -> "LongRow[T]":
        """The row with another value at this place."""
        page, place = divmod(at, PAGE)
        return LongRow(put(self.pages, page, put(self.pages[page], place, value)))

    def longer(self, more: Iterable[T]) -> "LongRow[T]":
        """The row with these values at its end."""
        full = len(self) // PAGE
        rest = (*chain.from_iterable(self.pages[full:]), *more)
        fresh = (rest[first : first + PAGE] for first in range(0, len(rest), PAGE))
        return LongRow((*self.pages[:full], *fresh))
