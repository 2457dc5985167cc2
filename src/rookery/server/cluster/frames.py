"""What goes between an edge and its hall: numbered frames of many items, as msgpack.

    edge ── SessionOpened, Intents, TurnDelivered, SessionClosed ──▶ hall
         ◀── MessageFor, TableEvents, NewsFor, TurnFor, SessionState, ...

What happens at tables goes down as the log's own events, once to each edge (`TableEvents`). Which
sessions receive an event is another item (`NewsFor`), and the edge makes the news from both.

A broker may lose what it carries when it goes down. So each end numbers its frames, keeps each
until the other end has acknowledged it, and sends all of them again when one is reported missing
(`FrameStream`). An edge begins a new stream whenever it attaches to a hall. No I/O, and no clock.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeAlias, Union

import msgspec
from msgspec import Struct

from rookery.core.events import TableEvent
from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.messages import Happened, Message, Notice, Shown, TableLine, strange
from rookery.core.network import Attachment, Doorway
from rookery.core.policy import Policy
from rookery.core.tags import kinds_of
from rookery.games.views import read_part
from rookery.server.config import BotTerms

BEAT_EVERY_S: Final = 0.1  # between two signs of life, of an edge and of its hall
VERSION: Final = 1  # of this protocol; an edge and its hall have the same
# The last words to a client that cannot be in a hall what it was in the one before.
IN_DOUBT: Final = Notice(
    "closing", "The server was away and may not have heard you; call again, your games are safe."
)

# All messages but news of a table, and a table as it stands: those have items of their own.
if TYPE_CHECKING:
    PlainMessage: TypeAlias = Message
else:
    _PLAIN = (kind for kind in kinds_of(Message) if kind not in (Happened, Shown))
    PlainMessage = Union[tuple(_PLAIN)]  # noqa: UP007 - made of a tuple


class Item(Struct, frozen=True, array_like=True, gc=False):
    """One thing that goes up or down."""


# -- up


class SessionOpened(Item, frozen=True, tag=1):
    """A connection came; `before` is what it was in the hall before this one, if it was there."""

    session: SessionId
    host: str
    dialect: str
    door: Doorway
    terms: BotTerms | None  # of the house's bots, where its port has some of its own
    before: Attachment | None


class Intents(Item, frozen=True, tag=2):
    """A session asks these things, read at `at` by the edge's clock."""

    session: SessionId
    at: Micros
    intents: tuple[AnyIntent, ...]
    much: bool


class SessionSpoke(Item, frozen=True, tag=3):
    """A session is alive: it sent something that asks for nothing."""

    session: SessionId


class SessionClosed(Item, frozen=True, tag=4):
    """A connection is gone."""

    session: SessionId


class TurnDelivered(Item, frozen=True, tag=5):
    """A turn was written to its connection at `at`, by the edge's clock."""

    session: SessionId
    table: TableId
    seat: Seat
    n: int
    at: Micros


UpItem: TypeAlias = SessionOpened | Intents | SessionSpoke | SessionClosed | TurnDelivered


# -- down


class MessageFor(Item, frozen=True, tag=1):
    """A message for a session."""

    session: SessionId
    message: PlainMessage


class TableFor(Item, frozen=True, tag=2):
    """A table as it stands, for a session."""

    session: SessionId
    line: TableLine
    policy: Policy
    seat: Seat | None
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    view: AnyView | None


class NewsFor(Item, frozen=True, tag=3):
    """News of event `n` of a table, for these sessions, which act for these seats or for none."""

    table: TableId
    n: int
    at: Micros
    seats: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    sessions: list[SessionId]


class TableEvents(Item, frozen=True, tag=4):
    """Events of a table, from number `first` on; they come before any news of them."""

    table: TableId
    first: int
    events: tuple[TableEvent, ...]


class TableDropped(Item, frozen=True, tag=5):
    """The edge may drop its copy of this table: little more will happen there."""

    table: TableId


class IntentAnswered(Item, frozen=True, tag=6):
    """The oldest thing that a session asked has been dealt with."""

    session: SessionId


class TurnFor(Item, frozen=True, tag=7):
    """A seat's turn, which counts from when the edge has written it to the connection."""

    session: SessionId
    table: TableId
    seat: Seat
    n: int


class NumberGiven(Item, frozen=True, tag=8):
    """A dialect's number for a player, table or tour (thing 0: freed), and a player's name."""

    dialect: str
    kind: str
    number: int
    thing: int
    name: str = ""


class SessionState(Item, frozen=True, tag=9):
    """What a session has become in the hall: its players, what it watches, and the like."""

    session: SessionId
    is_now: Attachment


class SessionDismissed(Item, frozen=True, tag=10):
    """Hang up on the session: it cannot be what it was, or was told that it must go."""

    session: SessionId


class LeaderStopping(Item, frozen=True, tag=11):
    """The hall stops in good order: what it has not answered it has not done."""


class NumbersComplete(Item, frozen=True, tag=12):
    """The edge has all numbers that there are; new ones follow as they are given."""


# What is for the edge itself, and for no client.
StateItem: TypeAlias = (
    NumberGiven | NumbersComplete | SessionState | SessionDismissed | LeaderStopping
)
DownItem: TypeAlias = (
    MessageFor
    | TableFor
    | NewsFor
    | TableEvents
    | TableDropped
    | IntentAnswered
    | TurnFor
    | StateItem
)


# -- frames

DATA: Final = 0  # the next frame of its stream, with items
HEARTBEAT: Final = 1  # only says that the sender is there, and how far it is
NACK: Final = 2  # the same, and that a frame is missing
RESET: Final = 3  # the stream is not known, or has ended: begin another
PING: Final = 4  # down: answer at once; up: the answer


class LinkFrame(Struct, frozen=True, array_like=True, gc=False):
    """What frames up and down have in common."""

    stream: int
    kind: int
    n: int  # its number, if it has items; else that of the last frame that had
    ack: int  # the last frame of the other side's that was accepted


class UpFrame(LinkFrame, frozen=True):
    """From an edge."""

    items: tuple[UpItem, ...] = ()
    at: Micros = 0  # when it was sent, by the edge's clock
    seen: Micros = 0  # the latest time of the hall's that the edge has seen; `DEAF`: it hears none


class DownFrame(LinkFrame, frozen=True):
    """From a hall."""

    items: tuple[DownItem, ...] = ()
    at: Micros = 0  # when it was sent, by the hall's clock


class Leader(Struct, frozen=True):
    """A hall announces itself with its epoch: the highest epoch leads."""

    epoch: int
    version: int = VERSION


_encoder: Final = msgspec.msgpack.Encoder(enc_hook=strange)
encode: Final = _encoder.encode
read_up: Final = msgspec.msgpack.Decoder(UpFrame).decode
read_down: Final = msgspec.msgpack.Decoder(DownFrame, dec_hook=read_part).decode
read_leader: Final = msgspec.msgpack.Decoder(Leader).decode


UNACKED_MAX_BYTES: Final = 64 << 20  # before the other end is given up


def reset(stream: int) -> bytes:
    """Return a frame that says that the other end's stream is not known, or has ended."""
    return encode((stream, RESET, 0, 0, ()))


class FrameStream:
    """One end of a stream; `stamps` are the times that a frame carries when it is sent."""

    def __init__(self, stream: int, stamps: Callable[[], tuple[Micros, ...]] = lambda: ()) -> None:
        self.stream = stream
        self._stamps = stamps
        self._sent = 0  # the number of our last frame
        self._accepted = 0  # the number of the other end's last frame that we accepted
        self._unacked: deque[tuple[int, bytes]] = deque()
        self._size = 0

    @property
    def is_full(self) -> bool:
        """Whether too many bytes wait for the other end to acknowledge them."""
        return self._size > UNACKED_MAX_BYTES

    def send(self, items: Iterable[Item]) -> bytes:
        """Return the next frame, with these items, and keep it until it is acknowledged."""
        self._sent += 1
        frame = self._frame(DATA, tuple(items))
        self._unacked.append((self._sent, frame))
        self._size += len(frame)
        return frame

    def heartbeat(self) -> bytes:
        """Return a frame that says how far we are."""
        return self._frame(HEARTBEAT, ())

    def nack(self) -> bytes:
        """Return a frame that says how far we are, and that a frame is missing."""
        return self._frame(NACK, ())

    def ping(self) -> bytes:
        """Return a frame that asks for an answer at once, or is that answer."""
        return self._frame(PING, ())

    def accept(self, frame: LinkFrame) -> bool | None:
        """Accept a frame; whether its items are the next ones. None if a frame is missing."""
        while self._unacked and self._unacked[0][0] <= frame.ack:
            self._size -= len(self._unacked.popleft()[1])
        if frame.kind != DATA or frame.n != self._accepted + 1:
            return None if frame.n > self._accepted else False
        self._accepted = frame.n
        return True

    @property
    def first_accepted(self) -> bool:
        """Whether exactly the first frame of the other end has been accepted."""
        return self._accepted == 1

    @property
    def none_acked(self) -> bool:
        """Whether the other end has acknowledged no frame of ours."""
        return bool(self._unacked) and self._unacked[0][0] == 1

    def unacked(self) -> list[bytes]:
        """All frames that were sent and not acknowledged."""
        return [frame for _, frame in self._unacked]

    def replies(self, frame: LinkFrame, accepted: bool | None) -> list[bytes]:
        """Return what to send for this frame: what the other end lacks, and that we lack one."""
        missing = self.unacked() if frame.kind == NACK else []
        return missing if accepted is not None else [*missing, self.nack()]

    def _frame(self, kind: int, items: tuple[Item, ...]) -> bytes:
        return encode((self.stream, kind, self._sent, self._accepted, items, *self._stamps()))
