"""The requests and messages of the native dialect, as a client writes and reads them.

Requests are the core's intents, and answers are its messages, word for word. This file adds
the few that are not among them, and messages with boards that can be read.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from rookery.core.events import PublicEvent
from rookery.core.game import AnyEffect, AnyView
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import PlainIntent
from rookery.core.messages import (
    Blocks,
    Done,
    LobbyHeard,
    Matches,
    Moves,
    Notice,
    Past,
    Ratings,
    Refused,
    Roomed,
    RoomNews,
    TableLine,
    Tables,
    TourJoined,
    TourMade,
    TourNews,
    Tours,
    TourShown,
)
from rookery.core.policy import Policy

VERSION: Final = 1  # of the language, as we speak it


class Hello(Struct, frozen=True, tag="hello"):
    """Greet, and be a new player (`name`) or one from before (`player` and `token`)."""

    version: int = VERSION
    name: str | None = None
    player: PlayerId | None = None
    token: str | None = None
    views: bool = False  # whether news carry what one sees after them


class Greeting(Struct, frozen=True, tag="hello"):
    """The answer to a hello: who the session is now, and where it sits."""

    player: PlayerId | None = None
    token: str | None = None
    tables: tuple[TableId, ...] = ()


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""


class Told(Struct, frozen=True, tag="news"):
    """Event n of a table and what is known after it: `Happened`, with a board that can be read."""

    table: TableId
    n: int
    at: Micros
    event: PublicEvent
    effects: tuple[AnyEffect, ...] = ()
    to_act: tuple[Seat, ...] = ()
    left: tuple[Micros, ...] | None = None
    view: AnyView | None = None


class TableShown(Struct, frozen=True, tag="shown"):
    """A table as it stands: `Shown`, with a board that can be read."""

    line: TableLine
    policy: Policy
    seat: Seat | None
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    view: AnyView | None


Request: TypeAlias = PlainIntent | Hello
Answer: TypeAlias = (
    Done | Refused | Greeting | TableShown | Moves | Past | Pong | Roomed | Tables
    | TourMade | TourJoined | Tours | TourShown | Matches | Ratings | LobbyHeard | Blocks
)  # fmt: skip
Unasked: TypeAlias = Told | Notice | RoomNews | TourNews
