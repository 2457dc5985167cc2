"""Languages that ask and wait: one request at a time, each a conversation with the hall.

A conversation is a generator. It yields an intent and is sent the hall's reply (`reply =
yield Play(…)`), or it yields None and is sent the next news, once they were told: so it
waits for what follows from a deed. The next request is taken up when it has returned, and
a client that does not wait for answers gets the same ones as one that does.

`Conversing` owns what all these languages have: the lines that come in and wait, whose
reply is next, what is to be sent, and the last words to who sends too much. With enough
lines waiting the connection reads no more; whoever sends on all the same, or sends more
than a line may have, is told so once the rest is answered, and hung up on.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from rookery.core.ids import Micros, TableId
from rookery.core.intents import AnyIntent, Survey
from rookery.core.messages import AnyMessage, News, Notice, RoomNews
from rookery.core.tours.tour_messages import TourNews
from rookery.dialects.limits import ENOUGH

Q = TypeVar("Q")
Q_co = TypeVar("Q_co", covariant=True)
R = TypeVar("R")

# What a request is: it asks, waits, says what is to be said, and returns.
Conversation: TypeAlias = Generator[AnyIntent | None, AnyMessage | None, R]
Unasked: TypeAlias = News | RoomNews | TourNews | Notice

_UNASKED: Final = (News, RoomNews, TourNews, Notice)

# A question about nothing, for there is no table 0: when it is answered, all that was decided
# before it has been told.
ALL_TOLD: Final = Survey("", TableId(0))


class Cutter(Protocol[Q_co]):
    """Bytes in, whole requests out."""

    @property
    def overflowed(self) -> bool:
        """Whether one was longer than we read; nothing after it is read."""
        ...

    def feed(self, data: bytes) -> Sequence[Q_co]:
        """The requests that these bytes complete."""
        ...


class Conversing(ABC, Generic[Q]):
    """One connection that answers one request at a time. It mutates.

    A language says what a request begins (`_begin`), what is told of news (`_hear`), and how
    it says the last words (`_say_last`).
    """

    def __init__(self, lines: Cutter[Q], limit: int, *, too_long: str, too_many: str) -> None:
        self._lines = lines
        self._inbox: deque[Q] = deque()  # what came, and was not taken up yet
        self._said: list[bytes] = []
        self._talk: Conversation[None] | None = None  # the request that was taken up
        self._hears = False  # it waits for news, not for a reply
        self._deaf = False  # nothing more is read
        self._closing = False  # nor said, and we hang up when nothing is before the hall
        self._limit = limit
        self._too_long = too_long
        self._too_many = too_many
        self._last_words = ""  # to say before we hang up

    @abstractmethod
    def _begin(self, request: Q) -> Conversation[None] | None:
        """What this request leads to; None where it has been answered here."""

    @abstractmethod
    def _hear(self, news: Unasked) -> None:
        """Tell what nobody asked for."""

    @abstractmethod
    def _say_last(self, sentence: str) -> None:
        """Say why we hang up."""

    # -- what the connection calls

    @property
    def closing(self) -> bool:
        """Whether to hang up once it is drained: not while something is before the hall."""
        return self._closing and self._talk is None

    @property
    def full(self) -> bool:
        """Whether enough waits to be answered."""
        return len(self._inbox) >= ENOUGH

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """What these bytes ask for. The end of the connection drops an unfinished request."""
        if self._deaf or not data:
            self._deaf = True
            return ()
        return self._put(self._lines.feed(data))

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        if isinstance(message, _UNASKED):
            self._hear(message)
            if not self._hears:
                return self._go_on()
        elif self._talk is None:
            assert self._closing, "the hall replies only to what it was asked"
            return ()
        return self._send(message) or self._go_on()

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Nothing, where a language has no time-outs of its own."""
        return ()

    def deadline(self) -> Micros | None:
        """Never, where a language has no time-outs of its own."""
        return None

    def drain(self) -> bytes:
        """All there is to send now; it is given out once."""
        if not self._said:
            return b""
        said = b"".join(self._said)
        self._said.clear()
        return said

    # -- one request at a time

    def _put(self, requests: Iterable[Q]) -> Sequence[AnyIntent]:
        """These came."""
        self._inbox += requests
        asked = self._go_on()
        if self._lines.overflowed or len(self._inbox) > self._limit:
            self._deaf = True
            self._last_words = self._too_long if self._lines.overflowed else self._too_many
            self._go_on()
        return asked

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up what waits, until the hall must be asked or something heard."""
        while self._talk is None and self._inbox:
            self._talk = self._begin(self._inbox.popleft())
            if self._talk is not None and (asked := self._send(None)):
                return asked
        if self._last_words and self._talk is None and not self._closing:
            self._say_last(self._last_words)
            self._closing = True
        return ()

    def _send(self, message: AnyMessage | None) -> Sequence[AnyIntent]:
        """Get on with the conversation: what it asks next, or nothing where it does not."""
        assert self._talk is not None, "somebody is spoken to"
        try:
            asked = self._talk.send(message)
        except StopIteration:
            self._talk, self._hears = None, False
            return ()
        self._hears = asked is None
        return () if asked is None else (asked,)

    def _leave(self) -> None:
        """Read and say nothing more; hang up when what is before the hall is answered."""
        self._deaf = self._closing = True
        self._inbox.clear()

    def _hang_up(self) -> None:
        """Hang up at once: what the hall may still reply is for nobody."""
        self._leave()
        self._talk, self._hears = None, False
