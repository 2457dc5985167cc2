"""The clerk: hands what sessions asked to the hall, for as long as a turn of the loop lasts.

When one turn is too short for everything that was asked, sessions take fair turns (`docket`),
and the clerk keeps what goes into one write small, so that a move which comes now is told soon.
The clerk mutates, and the keeper owns it.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from rookery.core.ids import Micros, SessionId, Wall
from rookery.core.intents import (
    AnyIntent,
    EnterRoom,
    LeaveRoom,
    Play,
    Question,
)
from rookery.hall.batch import Batch
from rookery.hall.hall import Hall
from rookery.server.fairness.docket import Docket
from rookery.server.fairness.thread_switching import SWITCHING
from rookery.server.fairness.throttle import Pieces, Throttle

DECIDING: Final = 8_000_000  # nanoseconds of deciding before the sockets are looked at again
SHARED: Final = 2_000_000  # and when there is not time for all who ask
FLOODED: Final = 150_000  # and when some ask for more than one thing, or have questions
MANY: Final = 128  # things that wait after it, for which turns by home are worth their price
LOOK_EVERY: Final = 4  # things decided before the clock is looked at, while there is time
SENDING: Final = 10_000  # nanoseconds that each delivery takes about, once it is in words
# Nanoseconds of work for one write, when there is not time for all: then only a session that asks
# one thing at a time may add to it, and nobody beyond the second bound. A move that comes now is
# told with the next write, and does not wait for one more of a flood.
PILE: Final = 150_000
PILE_MAX: Final = 8_000_000
# Onlookers of whom a deed costs more to be told than to be decided, many times over: while they
# are behind, the next deed of who did it waits for those of others.
WATCHED: Final = 100


class HungUp(Struct, frozen=True):
    """Stands in the queue in an intent's place: the connection is gone; `ours`: we lost it."""

    ours: bool = False


HUNG_UP, CUT_OFF = HungUp(), HungUp(ours=True)
Decided = tuple[SessionId | None, Batch]  # what follows, and whose asking it answers


class Clerk:
    """Has the hall decide what sessions asked; `clock` counts its nanoseconds."""

    def __init__(self, hall: Hall, clock: Callable[[], int], throttle: Throttle) -> None:
        self._hall = hall
        self.clock = clock
        self.pieces = Pieces(throttle)  # of deciding for sessions that flood
        self._asked: Docket[AnyIntent | HungUp] = Docket(_reads, _moves, _gathers)
        self.ask = self._asked.put
        self._piled = 0  # nanoseconds of work that wait for the write under way to end
        self._acts = 0  # how much of it is of sessions that do one thing at a time

    def __bool__(self) -> bool:
        """Whether anything waits to be decided."""
        return bool(self._asked)

    @property
    def shares(self) -> bool:
        """Whether there is not time for all who ask, so that sessions take turns."""
        return self._asked.shared

    @property
    def is_flood(self) -> bool:
        """Whether only floods and questions have added to the next write while others play."""
        return self._asked.shared and not self._acts and self.pieces.throttle.lately()

    @property
    def is_alone(self) -> bool:
        """Whether at most one act goes into the next write, and no other act waits."""
        return self._acts <= 1 and not self._asked.acts

    def onlookers_are(self, *, behind: bool) -> None:
        """Note whether those who look on are told of things much later than they happen."""
        self._asked.behind = behind

    def connect(self, session: SessionId, home: str) -> None:
        """Remember that this session comes from this host."""
        self._asked.connect(session, home)

    def since(self, session: SessionId) -> Micros | None:
        """When the session's oldest undecided request was read; None if all are decided."""
        return self._asked.since(session)

    def charge(self, session: SessionId, spent: int) -> None:
        """Charge this session for so many more nanoseconds of work."""
        self._asked.charge(session, spent)

    def taken(self, *, written: bool) -> None:
        """Begin the next pile: the keeper has taken what was decided, to write or only tell it."""
        if written and (self._acts or not self._asked.shared):
            self.pieces.throttle.played()
        self._piled = self._acts = 0

    @property
    def pause(self) -> int:
        """Nanoseconds until a flood's next piece; 0 if there is no flood, or an act waits."""
        return self.pieces.pause() if self._asked.flooded and not self._asked.acts else 0

    def decide(self, decided: list[Decided], at: Wall, *, busy: bool) -> bool:
        """Decide for one turn, `busy` while a write is under way; return whether to go on."""
        asked, clock = self._asked, self.clock
        left = FLOODED if asked.flooded else SHARED if asked.shared else DECIDING
        urgent = False  # a session that asked one thing waits for the write
        rests, began = asked.flooded and self.pieces.pause() > 0, clock()
        if not asked.shared:  # nearly always
            left, began = self._decide_in_order(decided, at, began)
        while asked.shared and asked and left > 0:
            # A session that asks one thing at a time may add even to a pile that is high enough.
            full = asked.flooded and (busy or self._piled >= PILE or urgent or rests)
            found = None if full and self._piled >= PILE_MAX else asked.take(little=full)
            if found is None:
                break  # there is enough for the next write
            session, intent, read = found
            asker, batch = self._decide(session, intent, read, at)
            decided.append((asker, batch))
            if batch.onlookers:
                self._watch(session, batch)
            # Onlookers are told later (`teller`), at the asker's cost, and nobody waits for that.
            later, now = SENDING * batch.onlookers, clock()
            spent = SENDING * len(batch.deliveries) - later + now - began
            began = now
            left -= spent
            if asked.shared:
                urgent = urgent or asked.urgent
                self._acts += asked.urgent
                asked.charge(session, spent, later)
                self._piled += spent
            if asker is None:
                asked.leave(session)  # the session hung up, and its host has been charged for that
        if left <= 0 and len(asked.in_line) > MANY:
            asked.share()
        SWITCHING.hurry(self, hurried=asked.flooded)
        return bool(asked) and (left <= 0 or not busy)

    def _decide_in_order(self, decided: list[Decided], at: Wall, began: int) -> tuple[int, int]:
        """Decide in the order of reading; return the time left, and when we last looked.

        A loop of its own: while there is time for all, a move pays nothing for fair turns.
        """
        asked, clock, receive = self._asked, self.clock, self._hall.receive
        line, left, done = asked.in_line, DECIDING, 0
        seen: set[SessionId] = set()
        while line and left > 0:
            session, intent, read = line.popleft()
            if isinstance(intent, HungUp):
                batch = self._hall.hang_up(session, read, at, ours=intent.ours)
                decided.append((None, batch))
                asked.leave(session)
            else:
                batch = receive(session, intent, read, at)
                decided.append((session, batch))
            if batch.onlookers:
                self._watch(session, batch)
            done += 1
            left -= SENDING * (len(batch.deliveries) - batch.onlookers)
            if not done % LOOK_EVERY:
                now = clock()
                left, began = left - (now - began), now
            if left < DECIDING - FLOODED and (session in seen or not batch.records):
                asked.share()  # somebody asks for more than one thing, or only asks; others wait
                if asked.shared:
                    break
            seen.add(session)
        return left, began

    def _watch(self, session: SessionId, batch: Batch) -> None:
        """Remember whether many are told of what this session did."""
        watched = self._asked.watched
        watched.add(session) if batch.onlookers >= WATCHED else watched.discard(session)

    def _decide(
        self, session: SessionId, intent: AnyIntent | HungUp, now: Micros, at: Wall
    ) -> Decided:
        """Have the hall decide one request, which was read at `now`."""
        if self._asked.shared and not self._asked.urgent:
            self.pieces.begin()
        if isinstance(intent, HungUp):
            return None, self._hall.hang_up(session, now, at, ours=intent.ours)
        return session, self._hall.receive(session, intent, now, at)


def _reads(asked: AnyIntent | HungUp) -> bool:
    """Whether the request is only a question: it changes nothing, and no clock waits for it."""
    return isinstance(asked, Question)


def _gathers(asked: AnyIntent | HungUp) -> bool:
    """Whether the request is to come or to go: many may hear of it, and no clock waits for it."""
    return isinstance(asked, EnterRoom | LeaveRoom | HungUp)


def _moves(asked: AnyIntent | HungUp) -> bool:
    """Whether the request is a move."""
    return isinstance(asked, Play)
