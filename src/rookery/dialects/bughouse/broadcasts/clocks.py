r"""Clocks as a client is told of them: after every move, and when time gets short.

The page: "`BROADCAST:CLOCK:b\twhite_ms\tblack_ms` after every move and at 60, 30 and 10 s".
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros, Seat
from rookery.games.bughouse import board_of, seat_on

MARKS: Final = tuple(seconds * MICROS_A_SECOND for seconds in (60, 30, 10))


class Clocks(Struct, frozen=True):
    """The microseconds each seat had left at a moment, and the seats whose clocks run since."""

    left: tuple[Micros, ...]
    at: Micros | None  # None until somebody says what time it is: that is when
    running: tuple[Seat, ...]

    def line(self, board: int, name: str, now: Micros) -> str:
        """The CLOCK line of board 1 or 2, which has this number on the wire, in milliseconds."""
        white = self._left(seat_on(board, white=True), now) // 1000
        black = self._left(seat_on(board, white=False), now) // 1000
        return f"CLOCK:{name}\t{white}\t{black}"

    def marks(self, after: Micros) -> Iterator[tuple[Micros, int]]:
        """The moments, each with its board, at which time gets short there if nobody moves."""
        for seat in self.running:
            for mark in MARKS:
                if self.at is None:
                    yield 0, board_of(seat)  # at once: we must know the time
                elif (when := self.at + self.left[seat] - mark) > max(after, self.at):
                    yield when, board_of(seat)

    def due(self, after: Micros) -> Micros | None:
        """The first of the `marks`, without making them all, for four connections at every move."""
        if self.at is None:
            return 0 if self.running else None
        least, first = max(after, self.at), None
        for seat in self.running:
            ends = self.at + self.left[seat]
            for mark in MARKS:  # the longest is the first to come
                if ends - mark > least:
                    if first is None or ends - mark < first:
                        first = ends - mark
                    break
        return first

    def _left(self, seat: Seat, now: Micros) -> Micros:
        gone = now - self.at if seat in self.running and self.at is not None else 0
        return max(0, self.left[seat] - gone)
