"""The broadcaster: tells sessions what was decided, once it is safe: players before onlookers.

A table may have a thousand onlookers, and telling each costs a write to a socket. So players
are told at once; onlookers wait, and are told some at a time, between which the loop looks at
the sockets and serves everybody else. Where they are many, they are told in rounds with a rest
between: players have that time, and what happens meanwhile goes out in one write to each
onlooker. What one session is told stays in order: before it is told something at once, it is
told all that waited for it; and where that is too much, the new message waits behind it.
Sessions at an edge never wait: words for all of them go there together, and no write is
spared.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import ClassVar, Final, Protocol

from rookery.core.ids import SessionId
from rookery.core.messages import AnyMessage, Notice
from rookery.hall.batch import Dismissal, Stood
from rookery.server.actor.intent_queue import Clerk, Decided
from rookery.server.net.fair import NANOS

SERVING: Final = 250_000  # nanoseconds of telling onlookers before others are served
CALM: Final = 4  # times as long, where nothing is asked or written
SOME: Final = 8  # messages told to one before the clock is looked at
# A round that took longer than this, in nanoseconds, and during which more came to be told in
# the next, is followed by a rest of so many times as long: onlookers have about a fifth of
# the time. Nobody sees a twentieth of a second.
LONG_ROUND: Final = 1_000_000
REST: Final = 4
REST_MAX: Final = 50_000_000
AT_ONCE: Final = 256  # messages that may wait and still be told before one that is told at once
# The more messages wait, the longer we tell: for a `SERVING` for each so many, until all are told
# in one go. So what waits cannot grow on and on.
MANY: Final = 20_000
CROWDED: Final = 100_000  # if so many messages wait there is no rest
# If so many wait, about 10 ms of telling, who lets more happen that they are told of waits too.
BEHIND: Final = 2_000
# A message that waits; or None: a question counts as dealt with once all before it was told. If a
# connection that will ask no more were told so sooner, it would hang up without its answer.
Waiting = AnyMessage | None


class Subscriber(Protocol):
    """A connection, as the runner knows it."""

    writes: ClassVar[bool]  # whether to flush it is a write to a socket

    def tell(self, message: AnyMessage) -> None:
        """Put this message into the connection's words."""
        ...

    def flush(self) -> None:
        """Send what has been put into words, in one write."""
        ...

    def answered(self) -> None:
        """Count one thing that the connection asked as dealt with."""
        ...

    def close(self) -> None:
        """Hang up once everything has been sent."""
        ...


class Broadcaster:
    """Tells every subscriber, and keeps what waits for those who look on."""

    def __init__(self, asked: Clerk, clock: Callable[[], int] = perf_counter_ns) -> None:
        self.subscribers: dict[SessionId, Subscriber] = {}
        self._asked = asked
        self._clock = clock  # nanoseconds, for how long others wait
        # The longest waiting is first; a plain dict would be searched for it from its beginning. Of
        # a thousand onlookers nearly each waits for one message, and that needs no deque.
        self._waiting: OrderedDict[SessionId, Waiting | deque[Waiting]] = OrderedDict()
        self._messages = 0  # that wait
        self._left, self._took = 0, 0  # sessions in this round, and nanoseconds of it so far
        self._rests_until = 0  # by the clock
        self._stood: Callable[[Sequence[Stood]], None] = lambda _: None

    def __bool__(self) -> bool:
        """Whether anyone waits to be told."""
        return bool(self._waiting)

    def tell_of_standing(self, told: Callable[[Sequence[Stood]], None]) -> None:
        """Call this with what sessions have become in the hall, before they hear of it."""
        self._stood = told

    def deliver(self, decided: Sequence[Decided]) -> None:
        """Tell and send safe decisions to everyone who plays; let onlookers wait."""
        told: dict[SessionId, Subscriber] = {}
        subscribers, waiting = self.subscribers, self._waiting
        shares, clock = self._asked.shares, self._asked.clock
        for asker, batch in decided:
            began = clock() if shares else 0
            if batch.standing:
                self._stood(batch.standing)
            for delivery in batch.deliveries:
                session = delivery.session
                subscriber = subscribers.get(session)
                if subscriber is None:
                    continue
                if delivery.onlooker and subscriber.writes:
                    if session in waiting:
                        self._wait(session, delivery.message)
                    else:  # of a thousand, nearly all
                        waiting[session] = delivery.message
                        self._messages += 1
                    continue
                if waiting and not self._catch_up(session, subscriber):
                    self._wait(session, delivery.message)
                    continue
                subscriber.tell(delivery.message)
                told[session] = subscriber
            if asker is not None and (subscriber := subscribers.get(asker)) is not None:
                subscriber.answered() if asker not in waiting else self._answer(asker, told)
            if shares and asker is not None:
                self._asked.charge(asker, clock() - began)
        for subscriber in told.values():
            subscriber.flush()
        self._asked.onlookers_are(behind=self._messages > BEHIND)

    def dismiss_all(self, dismissals: Sequence[Dismissal]) -> None:
        """Tell each of these sessions its last words, and hang up on it."""
        for one in dismissals:
            self.dismiss(one.session, one.notice)

    def dismiss(self, session: SessionId, notice: Notice) -> None:
        """Tell a session this, and hang up on it."""
        subscriber = self.subscribers.get(session)
        if subscriber is not None:
            self._catch_up(session, subscriber, CROWDED)
            subscriber.tell(notice)
            subscriber.flush()
            subscriber.close()

    def tell_all(self, notice: Notice) -> None:
        """Tell everyone this, each behind what already waits for that session."""
        for session, subscriber in list(self.subscribers.items()):
            if self._catch_up(session, subscriber):
                subscriber.tell(notice)
                subscriber.flush()
            else:
                self._wait(session, notice)

    @property
    def is_due(self) -> bool:
        """Whether an onlooker waits to be told now, and not after a rest."""
        return bool(self._waiting) and not self.rest()

    def rest(self) -> float:
        """Seconds until the next round of telling onlookers may begin; 0 if it may now."""
        if not self._rests_until or self._messages >= CROWDED:
            return 0
        left = self._rests_until - self._clock()
        if left <= 0:
            self._rests_until = left = 0
        return left / NANOS

    def serve(self, *, calm: bool = False) -> None:
        """Tell some onlookers, those who waited longest first; call it again while any wait.

        `calm` says that nothing is asked or written: then more are told before others are served.
        """
        clock, waiting = self._clock, self._waiting
        began = now = clock()
        until = began + SERVING * max(CALM if calm else 1, self._messages // MANY)
        self._left = self._left or len(waiting)
        while waiting and self._left:
            session, waited = waiting.popitem(last=False)
            self._left -= 1
            self._tell_some(session, waited, until)
            if (now := clock()) >= until:
                break
        self._took += now - began
        if not (waiting and self._left):
            rests = waiting and self._took > LONG_ROUND
            self._rests_until = now + min(REST * self._took, REST_MAX) if rests else 0
            self._left = self._took = 0
        self._asked.onlookers_are(behind=self._messages > BEHIND)

    def _tell_some(self, session: SessionId, waited: Waiting | deque[Waiting], until: int) -> None:
        """Tell this session what waits for it, in one write, as much as there is time for."""
        subscriber = self.subscribers.get(session)
        if not isinstance(waited, deque):  # of a thousand, nearly all
            self._messages -= 1
            if subscriber is not None and waited is not None:  # else it has gone
                subscriber.tell(waited)
                subscriber.flush()
            return
        if subscriber is None:
            self._messages -= len(waited)
            return
        told = False
        while waited and not (told and self._clock() >= until):
            told = True
            for _ in range(min(SOME, len(waited))):
                _tell(subscriber, waited.popleft())
                self._messages -= 1
        subscriber.flush()
        if waited:
            self._waiting[session] = waited

    def _wait(self, session: SessionId, message: Waiting) -> None:
        waited = self._waiting.get(session)
        if isinstance(waited, deque):
            waited.append(message)
        elif session in self._waiting:
            self._waiting[session] = deque((waited, message))
        else:
            self._waiting[session] = message
        self._messages += 1

    def _answer(self, asker: SessionId, told: dict[SessionId, Subscriber]) -> None:
        """Count a question as dealt with, behind all that waits for its asker, or now."""
        self._wait(asker, None)
        if self._catch_up(asker, self.subscribers[asker]):
            told[asker] = self.subscribers[asker]

    def _catch_up(self, session: SessionId, subscriber: Subscriber, most: int = AT_ONCE) -> bool:
        """Tell a session what waited for it; return False if that is more than `most`."""
        if session not in self._waiting:
            return True
        waited = self._waiting[session]
        if not isinstance(waited, deque):
            waited = deque((waited,))
        if len(waited) > most:
            return False
        del self._waiting[session]
        self._messages -= len(waited)
        for message in waited:
            _tell(subscriber, message)
        return True


def _tell(subscriber: Subscriber, waited: Waiting) -> None:
    if waited is None:
        subscriber.answered()
    else:
        subscriber.tell(waited)
