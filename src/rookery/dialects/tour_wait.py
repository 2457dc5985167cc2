"""When the wait for a match of a tour ends, in dialects that have no words for tours.

A client of such a dialect asks for a game and waits, as always; in a tour it waits for a
match. If no match will come any more, the client must not wait for ever.
"""

from abc import abstractmethod
from typing import Final, TypeVar

from rookery.core.events import TourClosing, TourEnded, Withdrawn
from rookery.core.messages import TourJoined, TourNews
from rookery.dialects.conversation import Conversing, Cutter

TOUR_OVER: Final = "Your tour is over."

Q = TypeVar("Q")


class Bound(Conversing[Q]):
    """One connection that may play in a tour, in a language without words for tours.

    A language says how it ends the client's wait (`_wait_in_vain`).
    """

    def __init__(self, lines: Cutter[Q], limit: int, *, too_long: str, too_many: str) -> None:
        super().__init__(lines, limit, too_long=too_long, too_many=too_many)
        self._tour: TourJoined | None = None  # whose matches we play
        self._waiting = False  # asked for a game or a match, and none has begun since

    @abstractmethod
    def _wait_in_vain(self) -> None:
        """Tell the client, which waits for a match, that none will come any more."""

    def _hear_of_tour(self, news: TourNews) -> None:
        if self._tour is None or not is_over(self._tour, news):
            return
        self._tour = None
        if self._waiting:
            self._waiting = False
            self._wait_in_vain()


def is_over(joined: TourJoined, news: TourNews) -> bool:
    """Whether, after these news, no match of the tour begins any more for this entrant."""
    if news.tour != joined.tour:
        return False
    match news.event:
        case TourClosing() | TourEnded():
            return True
        case Withdrawn(entrant):
            return entrant == joined.entrant
        case _:
            return False
