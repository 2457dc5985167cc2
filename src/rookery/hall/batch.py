"""A batch: the records to write first, and the messages to tell after.

The hall makes one from every intent. The keeper writes the records, then hands the
deliveries to the connections, then says `handed`, and only then do clocks start.
"""

from collections.abc import Iterable

from msgspec import Struct

from rookery.core.events import LogEvent, Record
from rookery.core.ids import Micros, PlayerId, Seat, SessionId, TableId, TourId, Wall
from rookery.core.messages import AnyMessage, Notice
from rookery.core.network import Attachment
from rookery.core.tour_values import Puzzle


class Delivery(Struct, frozen=True, gc=False):
    """A message for one session."""

    session: SessionId
    message: AnyMessage
    onlooker: bool = False  # the session does not play there: players are told first


class TurnGiven(Struct, frozen=True, gc=False):
    """A seat's turn, which counts from when its batch was handed over."""

    table: TableId
    seat: Seat
    n: int  # the event that gave it


class Wish(Struct, frozen=True):
    """A round of a tour to be paired outside the hall, which tells `hall.solved` the pairs."""

    tour: TourId
    number: int  # of the tour's wishes; the answer to one before is of no use any more
    puzzle: Puzzle


class Stood(Struct, frozen=True):
    """What a session is in the hall, from this batch on."""

    session: SessionId
    is_now: Attachment


class Dismissal(Struct, frozen=True):
    """A session to be told this notice, and hung up on."""

    session: SessionId
    notice: Notice


class Batch(Struct, frozen=True, gc=False):
    """Records to make safe, deliveries to make after, the turns these give, and wishes."""

    records: tuple[Record, ...] = ()
    deliveries: tuple[Delivery, ...] = ()
    turns: tuple[TurnGiven, ...] = ()
    wishes: tuple[Wish, ...] = ()
    onlookers: int = 0  # deliveries to those who only look on
    standing: tuple[Stood, ...] = ()  # what changed sessions are now, if watched (`watch_all`)
    dismissals: tuple[Dismissal, ...] = ()  # once all is told


class Draft:
    """A batch in the making, which lives for one call of the hall."""

    __slots__ = (
        "_deliveries",
        "_dismissals",
        "_onlookers",
        "_records",
        "_turns",
        "_wishes",
        "at",
        "ended",
        "now",
        "risen",
        "seq",
        "standing",
    )

    def __init__(self, seq: int, now: Micros, at: Wall | None = None) -> None:
        self.now = now  # as clocks count
        self.at = Wall(now) if at is None else at  # as people do: it dates the records
        self.seq = seq  # the number of the last record
        self._records: list[Record] = []
        self._deliveries: list[Delivery] = []
        self._onlookers = 0  # how many of them are for onlookers
        self._turns: list[TurnGiven] = []
        self._wishes: tuple[Wish, ...] = ()
        self._dismissals: list[Dismissal] = []
        self.ended: list[str] = []  # the streams that came to their end
        self.standing: tuple[Stood, ...] = ()
        self.risen: list[PlayerId] = []  # who got up from a table that had not begun

    def record(self, stream: str, n: int, event: LogEvent, *, ends: bool = False) -> Record:
        """Write an event into its stream, as the next record."""
        self.seq += 1
        record = Record(self.seq, stream, n, self.at, event, ends)
        self._records.append(record)
        if ends:
            self.ended.append(stream)
        return record

    def tell(self, session: SessionId, message: AnyMessage) -> None:
        """Tell this session a message, after those it was told before."""
        self._deliveries.append(Delivery(session, message))

    def tell_onlooker(self, session: SessionId, message: AnyMessage) -> None:
        """Tell this session a message, after those told before, and after those who play."""
        self._deliveries.append(Delivery(session, message, onlooker=True))
        self._onlookers += 1

    def give_turns(self, turns: Iterable[TurnGiven]) -> None:
        """Give these seats their turns; their clocks start once this batch is handed over."""
        self._turns += turns

    def wish(self, wish: Wish) -> None:
        """Wish for a round to be paired outside the hall."""
        self._wishes = (*self._wishes, wish)

    def dismiss(self, session: SessionId, notice: Notice) -> None:
        """Tell this session a notice, and hang up on it."""
        self._dismissals.append(Dismissal(session, notice))

    def batch(self) -> Batch:
        """The finished batch."""
        return Batch(
            tuple(self._records),
            tuple(self._deliveries),
            tuple(self._turns),
            self._wishes,
            self._onlookers,
            self.standing,
            tuple(self._dismissals),
        )
