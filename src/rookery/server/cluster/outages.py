"""Outages of an edge: when the hall could not hear it, by both their clocks.

An edge sends a heartbeat ten times a second. When nothing was heard for `EDGE_SILENT_US`, it was
away since its last frame, and no clock runs for its players from that moment on. Frames that were
on their way, or waited in a buffer, may arrive late and all at once, so they do not end an outage.
What ends it is a frame that the edge sent after it had heard us again: every frame of ours has our
time in it, and every frame of an edge has its own time and the latest of ours that it has seen.

So both ends of an outage are known by the edge's clock too. What an edge stamps is mapped to its
clock without outages (`counted`): a stamp within one is moved to its beginning. An edge that was
stopped counts no time itself, and is not credited with it twice.

A player is charged the difference of two stamps of the edge (`DeliveredTurn`), less what our own
clock left out meanwhile. No I/O, and nothing here reads a clock.
"""

from collections import deque
from typing import Final

from msgspec import Struct

from rookery.core.clock import left_out
from rookery.core.ids import Micros

EDGE_SILENT_US: Final[Micros] = 250_000  # an edge sends heartbeats more often: something is wrong
DEAF: Final = -1  # as a frame's `seen`: its edge hears no hall
OUTAGES_MAX: Final = 16  # outages whose stamps may still be on their way


class Outage(Struct, frozen=True):
    """A time in which an edge was not heard, by the hall's clock."""

    since: Micros
    until: Micros
    left_out: Micros  # what that clock had left out by the beginning
    left_out_after: Micros  # and by the end


class DeliveredTurn(Struct, frozen=True):
    """When a turn was written to its connection, by both clocks."""

    at_edge: Micros  # by the clock of the edge, without outages
    here: Micros  # by ours
    left_out: Micros  # of ours, by then

    def answered_at(self, at_edge: Micros, left_out: Micros) -> Micros:
        """Return our time for what the edge read at this moment of its clock without outages.

        Time that our clock left out since the turn, as while nothing could be written, is free.
        """
        spent = at_edge - self.at_edge - (left_out - self.left_out)
        return self.here + max(0, spent)

    def without(self, outage: Outage) -> "DeliveredTurn":
        """The same turn as if there had been no time in this outage."""
        here = left_out(self.here, outage.since, outage.until)
        out = left_out(self.left_out, outage.left_out, outage.left_out_after)
        return DeliveredTurn(self.at_edge, here, out)


class EdgeOutages:
    """Whether one edge is heard, and the outages it had."""

    def __init__(self, now: Micros, left_out: Micros) -> None:
        self.heard = now  # when we last had all that the edge had sent
        self._left_out = left_out  # what our clock had left out by then
        self._at: Micros = 0  # when the edge said so, by its own clock
        self._away = False
        self._wanted: Micros = 0  # the edge is heard again once it has seen this time of ours
        self._past: deque[tuple[Micros, Micros]] = deque()  # by the edge's clock
        self._folded: Micros = 0  # how long those were that are forgotten

    def is_away(self, now: Micros) -> bool:
        """Whether the edge cannot be heard now."""
        return self._away or now - self.heard >= EDGE_SILENT_US

    def heard_until(self, now: Micros) -> Micros:
        """The moment up to which we have all that the edge sent."""
        return self.heard if self.is_away(now) else now

    def take(self, at: Micros, seen: Micros, now: Micros, left_out: Micros) -> Outage | None:
        """Take in a frame that was sent `at` by an edge that had `seen` this time of ours.

        Returns the outage that it ends, if it ends one.
        """
        if not self._away and now - self.heard >= EDGE_SILENT_US:
            self._away, self._wanted = True, now
        if seen < self._wanted:
            return None
        over = None
        if self._away:
            self._away = False
            self._keep(self._at, at)
            over = Outage(self.heard, now, self._left_out, left_out)
        self.heard, self._left_out, self._at = now, left_out, at
        return over

    def counted(self, at: Micros) -> Micros:
        """This moment of the edge's clock, without the outages before it."""
        if self._away:
            at = min(at, self._at)
        left_out = sum(max(0, min(at, until) - since) for since, until in self._past)
        return at - left_out - self._folded

    def _keep(self, since: Micros, until: Micros) -> None:
        self._past.append((since, until))
        if len(self._past) > OUTAGES_MAX:
            began, ended = self._past.popleft()
            self._folded += ended - began
