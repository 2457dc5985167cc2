"""The broadcast: sends sessions what was decided, once it is safe: players before spectators.

A table may have a thousand spectators, and each costs a write to a socket. So players are sent
their messages at once. Those of spectators wait, and are sent in small batches: the broadcaster
is a bulk source in the fair queue like any other, but what it does is paid for by the sessions
whose acts it tells of. What happens meanwhile goes out in one write to each spectator.

What one session is sent stays in order: before it is sent something at once, it is sent all that
waited for it; and where that is too much, the new message waits behind it. Sessions at an edge
never wait: what all of them are sent goes there together, and no write is spared.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import ClassVar, Final, Protocol, TypeAlias

from rookery.core.ids import SessionId
from rookery.core.messages import AnyMessage, Notice
from rookery.hall.batch import Batch, Dismissal, Stood
from rookery.server.net.fair import FairQueue, Source

SOME: Final = 8  # messages sent to one before the clock is looked at
AT_ONCE: Final = 256  # messages that may wait and still be sent before one that is sent at once
# If so many wait, about 10 ms of sending, sessions that let spectators hear of more wait too.
BEHIND: Final = 2_000
LAST_MAX: Final = 100_000  # messages that may wait and still be sent before a session's last one
HOST: Final = "spectators"  # as whose source the fair queue counts it

Decided: TypeAlias = tuple[SessionId | None, Batch]  # what follows, and whose asking it answers
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
    """Sends to every subscriber, and keeps what waits for spectators.

    `charge` charges a session for the time that the answer to it took; `sent` is called when
    spectators were sent something.
    """

    def __init__(
        self,
        queue: FairQueue,
        charge: Callable[[SessionId, int], None],
        sent: Callable[[], None],
    ) -> None:
        self.subscribers: dict[SessionId, Subscriber] = {}
        self._queue, self._charge, self._sent = queue, charge, sent
        self._source = Source(HOST, self._serve, is_charged=False)
        # The longest waiting is first; a plain dict would be searched for it from its beginning. Of
        # a thousand spectators nearly each waits for one message, and that needs no deque.
        self._waiting: OrderedDict[SessionId, Waiting | deque[Waiting]] = OrderedDict()
        self._messages = 0  # that wait
        self._stood: Callable[[Sequence[Stood]], None] = lambda _: None

    def __bool__(self) -> bool:
        """Whether anyone waits to be sent something."""
        return bool(self._waiting)

    @property
    def is_behind(self) -> bool:
        """Whether spectators are sent things much later than they happen."""
        return self._messages > BEHIND

    def tell_of_standing(self, told: Callable[[Sequence[Stood]], None]) -> None:
        """Call this with what sessions have become in the hall, before they hear of it."""
        self._stood = told

    def deliver(self, decided: Sequence[Decided]) -> None:
        """Tell and send safe decisions to everyone who plays; let onlookers wait."""
        told: dict[SessionId, Subscriber] = {}
        subscribers, waiting = self.subscribers, self._waiting
        contended, clock = bool(self._queue), self._queue.work
        for asker, batch in decided:
            began = clock() if contended else 0
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
            if contended and asker is not None:
                self._charge(asker, clock() - began)
        for subscriber in told.values():
            subscriber.flush()
        self._broadcast()

    def dismiss_all(self, dismissals: Sequence[Dismissal]) -> None:
        """Tell each of these sessions its last words, and hang up on it."""
        for one in dismissals:
            self.dismiss(one.session, one.notice)

    def dismiss(self, session: SessionId, notice: Notice) -> None:
        """Tell a session this, and hang up on it."""
        subscriber = self.subscribers.get(session)
        if subscriber is not None:
            self._catch_up(session, subscriber, LAST_MAX)
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
        self._broadcast()

    def _broadcast(self) -> None:
        """Take a turn in the queue, if anything waits for spectators."""
        if self._waiting:
            self._queue.wait(self._source)

    def _serve(self, until: int) -> bool:
        """Send to some spectators, those who waited longest first; return whether more wait."""
        clock, waiting = self._queue.clock, self._waiting
        while waiting:
            session, waited = waiting.popitem(last=False)
            self._tell_some(session, waited, until)
            if clock() >= until:
                break
        self._sent()
        return bool(waiting)

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
        while waited and not (told and self._queue.clock() >= until):
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
