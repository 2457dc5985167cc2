"""Where a table, a tour or a match is in its life; the words are what every client is told."""

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """Where a table is in its life."""

    OPEN = "open"  # seats are being taken
    PLAYING = "playing"
    OVER = "over"  # there is an outcome
    CLOSED = "closed"  # it went before it began


class TourStatus(StrEnum):
    """Where a tour is in its life."""

    OPEN = "open"  # entrants join
    RUNNING = "running"
    PAUSED = "paused"
    CLOSING = "closing"  # no match begins any more
    ENDED = "ended"
    CANCELLED = "cancelled"


TOUR_OVER: Final = frozenset({TourStatus.ENDED, TourStatus.CANCELLED})
TOUR_CLOSED: Final = TOUR_OVER | {TourStatus.CLOSING}  # nothing begins in it any more


class MatchStatus(StrEnum):
    """Where a match of a tour is in its life."""

    WAITING = "waiting"  # for those who are to play it
    PLAYING = "playing"
    OVER = "over"  # there is a result
