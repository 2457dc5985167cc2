"""Languages that ask and wait: one request at a time, each a conversation with the hall.

A conversation is a generator. It yields an intent and is sent the hall's reply (`reply =
yield Play(…)`), or it yields None and is sent the next news, once the client was told them:
so a conversation waits for what follows from a deed. The next request is taken up when the
conversation has returned, and a client that does not wait for answers gets the same ones as
a client that does.

`Conversing` owns what all these languages have: the lines that came in and wait, the request
whose reply is next, the bytes to send, and the last words to a client that sends too much.
With enough lines waiting the connection reads no more. A client that sends on all the same,
or sends more than a line may have, is told so once the rest is answered; then we hang up.

A client of a dialect that has no words for tours (`Bound`) asks for a game and waits, as
always; in a tour it waits for a match. If no match will come any more, it must not wait for ever.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from rookery.core.events import TourClosing, TourEnded, Withdrawn
from rookery.core.ids import Micros, TableId
from rookery.core.intents import AnyIntent, Survey
from rookery.core.messages import AnyMessage, News, Notice, RoomNews, TourJoined, TourNews

# Requests that wait while an earlier one is before the hall: with so many a dialect is full, and
# its connection reads no more until fewer wait. Who sends fast is read more slowly, not cut off.
ENOUGH: Final = 64
# The bounds on what waits in a dialect (its `WAITING_MAX`) are for a connection that does not
# look whether the dialect is full: they are above all that one read of 4 kB can add.


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
        """Whether a request was longer than we read; the cutter reads nothing after it."""
        ...

    def feed(self, data: bytes) -> Sequence[Q_co]:
        """The requests that these bytes complete."""
        ...


class Conversing(ABC, Generic[Q]):
    """One connection that answers one request at a time.

    A language says which conversation a request begins (`_begin`), what the client is told of
    news (`_hear`), and how the last words are said (`_say_last`).
    """

    def __init__(self, lines: Cutter[Q], limit: int, *, too_long: str, too_many: str) -> None:
        self._lines = lines
        self._inbox: deque[Q] = deque()  # what came, and was not taken up yet
        self._said: list[bytes] = []
        self._talk: Conversation[None] | None = None  # the request that was taken up
        self._hears = False  # the conversation waits for news, not for a reply
        self._deaf = False  # nothing more is read
        self._closing = False  # we hang up when the hall has replied to the open request
        self._limit = limit
        self._too_long = too_long
        self._too_many = too_many
        self._last_words = ""  # to say before we hang up

    @abstractmethod
    def _begin(self, request: Q) -> Conversation[None] | None:
        """Begin the conversation that answers this request; None where it is answered already."""

    @abstractmethod
    def _hear(self, news: Unasked) -> None:
        """Tell the client of these news, where the language has words for them."""

    @abstractmethod
    def _say_last(self, sentence: str) -> None:
        """Tell the client, in the words of the language, why we hang up."""

    # -- what the connection calls

    @property
    def closing(self) -> bool:
        """Whether to hang up after the drain: not while the hall still owes us a reply."""
        return self._closing and self._talk is None

    @property
    def full(self) -> bool:
        """Whether so many requests wait that the connection is to read no more for now."""
        return len(self._inbox) >= ENOUGH

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read bytes into intents. The end of the connection drops an unfinished request."""
        if self._deaf or not data:
            self._deaf = True
            return ()
        return self._put(self._lines.feed(data))

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news of the hall; return what to ask the hall next."""
        if isinstance(message, _UNASKED):
            self._hear(message)
            if not self._hears:
                return self._go_on()
        elif self._talk is None:
            assert self._closing, "the hall replies only to what it was asked"
            return ()
        return self._send(message) or self._go_on()

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Do nothing, as suits a language that has no time-outs of its own."""
        return ()

    def deadline(self) -> Micros | None:
        """None: a language without time-outs of its own need not be ticked."""
        return None

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent to the client now."""
        if not self._said:
            return b""
        said = b"".join(self._said)
        self._said.clear()
        return said

    # -- one request at a time

    def _put(self, requests: Iterable[Q]) -> Sequence[AnyIntent]:
        """Queue requests that came, and take up what can be; with too many, prepare to hang up."""
        self._inbox += requests
        asked = self._go_on()
        if self._lines.overflowed or len(self._inbox) > self._limit:
            self._deaf = True
            self._last_words = self._too_long if self._lines.overflowed else self._too_many
            self._go_on()
        return asked

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up waiting requests until one must ask the hall, or waits for news."""
        while self._talk is None and self._inbox:
            self._talk = self._begin(self._inbox.popleft())
            if self._talk is not None and (asked := self._send(None)):
                return asked
        if self._last_words and self._talk is None and not self._closing:
            self._say_last(self._last_words)
            self._closing = True
        return ()

    def _send(self, message: AnyMessage | None) -> Sequence[AnyIntent]:
        """Send the conversation what it waits for; return the intent it yields, if it does."""
        assert self._talk is not None, "somebody is spoken to"
        try:
            asked = self._talk.send(message)
        except StopIteration:
            self._talk, self._hears = None, False
            return ()
        self._hears = asked is None
        return () if asked is None else (asked,)

    def _leave(self) -> None:
        """Read nothing more, and hang up when the hall has replied to the open request."""
        self._deaf = self._closing = True
        self._inbox.clear()

    def _hang_up(self) -> None:
        """Hang up at once; a reply that the hall may still send is dropped."""
        self._leave()
        self._talk, self._hears = None, False


TOUR_OVER: Final = "Your tour is over."


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
