"""What happened: the words of the log.

A log stores decisions, not consequences: seat, move, charged time, seed, outcome. What
follows from them is worked out anew by the rules. Events are append-only in this file
too: a field may be added with a default, none may go or change its meaning.

`PublicEvent` is what may be told to anyone at the table. The seed is not in it, so the
types keep it from leaving.
"""

from collections.abc import Iterable
from typing import Final, cast, get_args

from msgspec import Struct

from rookery.core.game import Forfeit, Outcome, snake_tag
from rookery.core.ids import Micros, PlayerId, Seat, TableId, TourId
from rookery.core.people.community_events import AnyCommunityEvent
from rookery.core.policy import Policy
from rookery.core.tours.tour_events import TourEvent
from rookery.core.tours.values import Rated, TourLine


class Event(Struct, frozen=True, tag=snake_tag, gc=False):
    """Something that happened."""


# -- at a table


class BeforeGame(Event, frozen=True):
    """Something that happens at a table while its seats are being taken."""


class InGame(Event, frozen=True):
    """Something that happens while a game is played."""


class AfterGame(Event, frozen=True):
    """Something that happens when the game is over."""


class Opened(Event, frozen=True, omit_defaults=True):
    """A table stands: which game, for how many, with what clock and policies."""

    variant: str  # as text, `reversi size=10`
    rules: int  # the version of the game's rules
    seats: int
    time: str  # the time control as text
    policy: Policy
    by: PlayerId | None = None
    room: str = ""  # the room whose members play here in turn; most tables have none
    tour: TourId | None = None  # whose match it is, where it is one
    house: int | None = None  # the level of the house bots that fill it; 0: none may
    kept: Micros = 0  # how long a seat waits for a player who went before the start
    package: str = ""  # what brought the game, where it is a plug-in's
    secret: bool = False  # whether its moves are secret; said of a plug-in's alone
    takebacks: bool = False  # whether the players may agree to take moves back
    private: bool = False  # whether it is in no list, and only for who has its code
    unrated: bool = False  # whether it counts for nobody's rating, whatever becomes of it


class Seeded(BeforeGame, frozen=True, omit_defaults=True):
    """The table's seed, and the hash of the code of a private one. In the log only."""

    seed: int
    lock: str = ""


class Sat(BeforeGame, frozen=True):
    """A player took a seat."""

    seat: Seat
    player: PlayerId
    name: str


class Left(BeforeGame, frozen=True):
    """A seat was given up before the start."""

    seat: Seat
    player: PlayerId  # who had it


class Owned(BeforeGame, frozen=True):
    """The table's owner went before the start, and it is this player's now."""

    player: PlayerId


class Swapped(BeforeGame, frozen=True):
    """The players of two seats changed places before the start."""

    one: Seat
    other: Seat


class Started(BeforeGame, frozen=True):
    """The game began."""


class TakenOver(InGame, frozen=True):
    """A seat's player was gone for too long, and somebody else plays on for it."""

    seat: Seat
    player: PlayerId
    name: str


class Played(InGame, frozen=True):
    """A move, and the time it was charged."""

    seat: Seat
    move: str  # empty where the listener may not know it yet
    spent: Micros


class Erred(InGame, frozen=True):
    """An illegal move that counts against its seat."""

    seat: Seat
    code: str


class DrawOffered(InGame, frozen=True):
    """A seat would take a draw; a second side's offer is its yes."""

    seat: Seat


class DrawDeclined(InGame, frozen=True):
    """A seat would not."""

    seat: Seat


class TakebackAsked(InGame, frozen=True):
    """A seat would have its last move back; the other's asking is its yes."""

    seat: Seat


class TakebackDeclined(InGame, frozen=True):
    """A seat would not."""

    seat: Seat


class TakenBack(InGame, frozen=True):
    """So many moves never were, at this seat's wish: it is to move again.

    Moves played anew earn no second increment.
    """

    seat: Seat
    plies: int
    thought: tuple[Micros, ...]  # what each seat had thought about its next move; it is charged


class Out(InGame, frozen=True):
    """A seat is out, and why; some games play on without it."""

    seat: Seat
    why: Forfeit
    spent: Micros = 0  # what it thought before


class Ended(InGame, frozen=True):
    """The game is over."""

    outcome: Outcome


class Closed(BeforeGame, frozen=True, omit_defaults=True):
    """The table went before its game began: nobody was left at it, or the organiser closed it."""

    reason: str = ""  # of the organiser's; empty where nobody was left


class Said(Event, frozen=True):
    """Somebody said something at the table."""

    player: PlayerId
    name: str
    text: str
    team: int | None = None  # to this team alone; else to all


class RematchWished(AfterGame, frozen=True):
    """A seat would play again."""

    seat: Seat


class Rematched(AfterGame, frozen=True):
    """Everyone would: it goes on at another table."""

    table: TableId


PublicEvent = (
    Opened
    | Sat
    | Left
    | Owned
    | Swapped
    | Started
    | TakenOver
    | Played
    | Erred
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | TakenBack
    | Out
    | Ended
    | Closed
    | Said
    | RematchWished
    | Rematched
)

TableEvent = PublicEvent | Seeded
AnyBeforeGame = Seeded | Sat | Left | Owned | Swapped | Started | Closed
AnyTakeback = TakebackAsked | TakebackDeclined | TakenBack


# -- in the hall


class PlayerMade(Event, frozen=True, omit_defaults=True):
    """A new identity, the host it came from, and the hash of its secret token."""

    player: PlayerId
    name: str
    host: str
    token_hash: str
    dialect: str
    returns: bool = True  # whether calling from that host again may be enough to be it again


class PlayerNamed(Event, frozen=True):
    """A player took another name."""

    player: PlayerId
    name: str


class ToldApart(Event, frozen=True):
    """A player met another of its name, and bears this raised number from now on."""

    player: PlayerId
    number: int


class NameKept(Event, frozen=True):
    """A player's name is kept by a passphrase from now on; the log knows only this hash of it."""

    player: PlayerId
    passphrase_hash: str
    home: str = ""  # a hash of where that was said


class TokenGiven(Event, frozen=True):
    """A client that said a player's passphrase has a token now; `alone` makes all others void."""

    player: PlayerId
    token_hash: str
    alone: bool = False
    home: str = ""  # a hash of where it was said


class NameGivenUp(Event, frozen=True):
    """A player's name is not kept any more, as its owner wished."""

    player: PlayerId


class Numbered(Event, frozen=True):
    """A dialect named a player or a table for the first time, by its own count."""

    dialect: str
    kind: str  # player, table or tour
    thing: int  # the id
    number: int


class Freed(Event, frozen=True):
    """A dialect's number belongs to nobody any more, and may be given again."""

    dialect: str
    kind: str
    number: int


class TourDone(Event, frozen=True, omit_defaults=True):
    """A tour is over: its line, the ratings that it changed, and who has not heard of its end."""

    tour: TourId
    line: TourLine
    rated: tuple[Rated, ...] = ()  # the ratings that its games changed
    missed: tuple[PlayerId, ...] = ()  # who was away, and has not been told


class GameRated(Event, frozen=True):
    """A game outside tours is over: the ratings that it changed."""

    table: TableId
    game: str
    rated: tuple[Rated, ...]
    before: tuple[int, ...]  # for each the record that rated it last in this game; 0: none


HallEvent = (
    PlayerMade
    | PlayerNamed
    | ToldApart
    | NameKept
    | TokenGiven
    | NameGivenUp
    | Numbered
    | Freed
    | TourDone
    | GameRated
    | AnyCommunityEvent
)

LogEvent = TableEvent | HallEvent | TourEvent


HALL_STREAM = "hall"


def table_stream(table: TableId) -> str:
    """The name of a table's stream in the log."""
    return f"table/{table}"


def table_of(stream: str) -> TableId | None:
    """The table whose stream this is; None for other streams."""
    kind, _, number = stream.partition("/")
    return TableId(int(number)) if kind == "table" else None


class Record(Struct, frozen=True, gc=False):
    """An event in the log: its place in the whole, its place in its stream, and when.

    `ends` is set on the record after which a restart needs this stream no more.
    """

    seq: int
    stream: str
    n: int
    at: Micros
    event: LogEvent
    ends: bool = False


_OTHERS: Final = frozenset(get_args(HallEvent | TourEvent))


def table_events(records: Iterable[Record]) -> list[TableEvent]:
    """The events of a table's stream."""
    # Asked for every record of a restart: by their types, and without a call for each.
    found = [record.event for record in records if type(record.event) not in _OTHERS]
    return cast("list[TableEvent]", found)
