"""What goes between an edge and its hall: frames of many items, as msgpack.

Up goes what connections do, down what they are told. A frame is one step of a stream
(`numbered`): an edge begins a new stream whenever it attaches to a hall. Of what happens at
tables the log's own events go down, once to each edge; who is told of an event is another
item, and the edge makes the news from both (`copies`).
"""

from typing import TYPE_CHECKING, Final, TypeAlias, Union

import msgspec
from msgspec import Struct

from rookery.core.events import TableEvent
from rookery.core.game import AnyView
from rookery.core.ids import Micros, Seat, SessionId, TableId
from rookery.core.intents import AnyIntent
from rookery.core.messages import Happened, Message, Shown, TableLine, strange
from rookery.core.network import Attachment, Doorway
from rookery.core.policy import Policy
from rookery.core.tags import kinds_of
from rookery.games.views import read_part
from rookery.server.config import BotTerms

VERSION: Final = 1  # of all that is said here; an edge and its hall have the same

# All that anyone is told but news of a table, and a table as it stands.
if TYPE_CHECKING:
    Plain: TypeAlias = Message
else:
    PLAIN = (kind for kind in kinds_of(Message) if kind not in (Happened, Shown))
    Plain = Union[tuple(PLAIN)]  # noqa: UP007 - made of a tuple


class Item(Struct, frozen=True, array_like=True, gc=False):
    """One thing that goes up or down."""


# -- up


class Came(Item, frozen=True, tag=1):
    """A connection came; `before` is what it was in the hall before this one, if it was there."""

    session: SessionId
    host: str
    dialect: str
    door: Doorway
    terms: BotTerms | None  # of the house's bots, where its port has some of its own
    before: Attachment | None


class Asks(Item, frozen=True, tag=2):
    """A session asks these things, read at `at` by the edge's clock."""

    session: SessionId
    at: Micros
    intents: tuple[AnyIntent, ...]
    much: bool


class Spoke(Item, frozen=True, tag=3):
    """A session said something that asks for nothing."""

    session: SessionId


class Went(Item, frozen=True, tag=4):
    """A connection is gone."""

    session: SessionId


class TurnHanded(Item, frozen=True, tag=5):
    """A turn was written to its connection at `at`, by the edge's clock."""

    session: SessionId
    table: TableId
    seat: Seat
    n: int
    at: Micros


UpItem: TypeAlias = Came | Asks | Spoke | Went | TurnHanded


# -- down


class Tells(Item, frozen=True, tag=1):
    """A message for a session."""

    session: SessionId
    message: Plain


class Shows(Item, frozen=True, tag=2):
    """A table as it stands, for a session."""

    session: SessionId
    line: TableLine
    policy: Policy
    seat: Seat | None
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    view: AnyView | None


class Happens(Item, frozen=True, tag=3):
    """Tell these sessions, who sit in these seats or in none, of event `n` of a table."""

    table: TableId
    n: int
    at: Micros
    seats: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    sessions: list[SessionId]


class Follows(Item, frozen=True, tag=4):
    """Events of a table, from number `first` on: an edge gets each before it tells anyone of it."""

    table: TableId
    first: int
    events: tuple[TableEvent, ...]


class Forgets(Item, frozen=True, tag=5):
    """The edge may forget this table: little more will be told of it."""

    table: TableId


class Answers(Item, frozen=True, tag=6):
    """The oldest thing that a session asked has been dealt with."""

    session: SessionId


class GivesTurn(Item, frozen=True, tag=7):
    """A seat's turn, which counts from when the edge has written it to the connection."""

    session: SessionId
    table: TableId
    seat: Seat
    n: int


class Calls(Item, frozen=True, tag=8):
    """A dialect's number for a player, table or tour (thing 0: freed), and a player's name."""

    dialect: str
    kind: str
    number: int
    thing: int
    name: str = ""


class Stands(Item, frozen=True, tag=9):
    """What a session has become in the hall: its players, what it watches, and the like."""

    session: SessionId
    is_now: Attachment


class Dismisses(Item, frozen=True, tag=10):
    """Hang up on the session: it cannot be what it was, or was told that it must go."""

    session: SessionId


class Parts(Item, frozen=True, tag=11):
    """The hall goes in good order: what it has not answered it has not done."""


class Called(Item, frozen=True, tag=12):
    """The hall has said all numbers that there are; new ones follow as they come."""


# What is for the edge itself, and told to no client in words.
Unsaid: TypeAlias = Forgets | Calls | Called | Stands | Dismisses | Parts
DownItem: TypeAlias = (
    Tells | Shows | Happens | Follows | Answers | GivesTurn | Unsaid
)  # fmt: skip


# -- frames

PLAIN: Final = 0  # a step of its stream, with items
BEAT: Final = 1  # only says that the sender is there, and how far it is
AGAIN: Final = 2  # the same, and that a frame is missing
RESET: Final = 3  # the stream is not known, or has ended: begin another
WELL: Final = 4  # down: give a sign of life at once; up: here it is


class LinkFrame(Struct, frozen=True, array_like=True, gc=False):
    """What frames up and down have in common."""

    stream: int
    kind: int
    n: int  # its own number; of what is no step, that of the last step sent
    ack: int  # the last step of the other side's that was taken


class UpFrame(LinkFrame, frozen=True):
    """From an edge."""

    items: tuple[UpItem, ...] = ()
    at: Micros = 0  # when it was sent, by the edge's clock
    seen: Micros = 0  # the latest time of the hall's that the edge has seen; `DEAF`: it hears none


class DownFrame(LinkFrame, frozen=True):
    """From a hall."""

    items: tuple[DownItem, ...] = ()
    at: Micros = 0  # when it was sent, by the hall's clock


class Lead(Struct, frozen=True):
    """A hall says that it is there, with its epoch: the highest epoch leads."""

    epoch: int
    version: int = VERSION  # of these words


_encoder: Final = msgspec.msgpack.Encoder(enc_hook=strange)
encode: Final = _encoder.encode
read_up: Final = msgspec.msgpack.Decoder(UpFrame).decode
read_down: Final = msgspec.msgpack.Decoder(DownFrame, dec_hook=read_part).decode
read_lead: Final = msgspec.msgpack.Decoder(Lead).decode
