"""Rests: an entrant who lets its time run out without a move is not given a match at once.

An arena pairs every entrant who is free, for as long as a week. With a short clock and entrants who
are connected and do nothing, matches would begin and end as fast as the server can write them; so
each of them rests, longer each time in a row, until it plays again. Nothing of it is in the log.
The agenda has one for each tour.
"""

from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

FIRST: Final[Micros] = MICROS_A_SECOND  # after one match without a move; then twice that
LONGEST: Final[Micros] = 64 * MICROS_A_SECOND


class Rests:
    """Until when entrants rest, and how long the last rest was."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[Micros, Micros]] = {}

    def idled(self, number: int, now: Micros) -> Micros:
        """Let an entrant rest that made no move in its time; until when it rests."""
        _, last = self._of.get(number, (0, 0))
        rest = min(LONGEST, 2 * last or FIRST)
        self._of[number] = (now + rest, rest)
        return now + rest

    def played(self, number: int) -> None:
        """Forget the rests of an entrant that has made a move."""
        self._of.pop(number, None)

    def until(self, number: int) -> Micros:
        """Until when an entrant is given no match."""
        return self._of.get(number, (0, 0))[0]

    def ends(self) -> list[Micros]:
        """When each known rest is over, or was."""
        return [until for until, _ in self._of.values()]
