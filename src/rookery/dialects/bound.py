"""Being bound for a tour, in dialects that have no words for one: when the waiting ends.

Such a client asks for a game and waits, as always; what it waits for is a match. If none
will come any more it must not wait for ever.
"""

from typing import Final

from rookery.core.tours.tour_events import TourClosing, TourEnded, Withdrawn
from rookery.core.tours.tour_messages import TourJoined, TourNews

TOUR_OVER: Final = "Your tour is over."


def is_over(joined: TourJoined, news: TourNews) -> bool:
    """Whether, after this, no match of the tour begins any more for who joined it so."""
    if news.tour != joined.tour:
        return False
    match news.event:
        case TourClosing() | TourEnded():
            return True
        case Withdrawn(entrant):
            return entrant == joined.entrant
        case _:
            return False
