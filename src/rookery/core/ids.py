"""What things are called by, each its own type, and where they are in their life.

Session, player and seat are three different identities, and the types keep them
apart: a `Seat` cannot be passed where a `PlayerId` is wanted.
"""

from enum import StrEnum
from typing import Final, NewType, TypeVar

T = TypeVar("T")

Seat = NewType("Seat", int)  # a place at a table, from 0 in the order of the rules
PlayerId = NewType("PlayerId", int)  # an identity, from 1
SessionId = NewType("SessionId", int)  # a connection, from 1, dies with the process
TableId = NewType("TableId", int)  # one game being played, from 1
TourId = NewType("TourId", int)  # a tournament, from 1

# Times and durations alike. An alias, not a NewType: they are added, compared and
# divided everywhere, and a wrapper at every sum would hide more than it finds.
Micros = int

# What people call the time: it dates the log and ends an arena, and may be set back. Clocks
# run by another one (`server/fairtime.py`), which cannot be given where this is wanted.
Wall = NewType("Wall", int)

MICROS_A_SECOND: Final = 1_000_000

NOBODY: Final[frozenset[Seat]] = frozenset()
SEATS_MAX: Final = 64  # at one table: they are listed in every answer about it
_ALONE: Final = tuple(frozenset({Seat(n)}) for n in range(SEATS_MAX))


def alone(seat: Seat) -> frozenset[Seat]:
    """The set of just this seat; made once, because it is asked for at every move."""
    return _ALONE[seat]


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The same values, by seat or by place, with `value` at place `at`."""
    if len(values) == 2:  # as in most games, and at every move
        return (values[0], value) if at else (value, values[1])
    return (*values[:at], value, *values[at + 1 :])


# -- Where a table, a tour or a match is in its life; the words are what every client is told.


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
