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

from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import Micros, PlayerId, Seat, TableId, TourId
from rookery.core.policy import Policy
from rookery.core.tour_values import Fixture, Plan, Rated, Result, TourLine


class Event(Struct, frozen=True, gc=False):
    """Something that happened."""


# -- at a table


class BeforeGame(Event, frozen=True):
    """Something that happens at a table while its seats are being taken."""


class InGame(Event, frozen=True):
    """Something that happens while a game is played."""


class AfterGame(Event, frozen=True):
    """Something that happens when the game is over."""


class Opened(Event, frozen=True, tag="opened", omit_defaults=True):
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


class Seeded(BeforeGame, frozen=True, tag="seeded", omit_defaults=True):
    """The table's seed, and the hash of the code of a private one. In the log only."""

    seed: int
    lock: str = ""


class Sat(BeforeGame, frozen=True, tag="sat"):
    """A player took a seat."""

    seat: Seat
    player: PlayerId
    name: str


class Left(BeforeGame, frozen=True, tag="left"):
    """A seat was given up before the start."""

    seat: Seat
    player: PlayerId  # who had it


class Owned(BeforeGame, frozen=True, tag="owned"):
    """The table's owner went before the start, and it is this player's now."""

    player: PlayerId


class Swapped(BeforeGame, frozen=True, tag="swapped"):
    """The players of two seats changed places before the start."""

    one: Seat
    other: Seat


class Started(BeforeGame, frozen=True, tag="started"):
    """The game began."""


class TakenOver(InGame, frozen=True, tag="taken_over"):
    """A seat's player was gone for too long, and somebody else plays on for it."""

    seat: Seat
    player: PlayerId
    name: str


class Played(InGame, frozen=True, tag="played"):
    """A move, and the time it was charged."""

    seat: Seat
    move: str  # empty where the listener may not know it yet
    spent: Micros


class Erred(InGame, frozen=True, tag="erred"):
    """An illegal move that counts against its seat."""

    seat: Seat
    code: str


class DrawOffered(InGame, frozen=True, tag="draw_offered"):
    """A seat would take a draw; a second side's offer is its yes."""

    seat: Seat


class DrawDeclined(InGame, frozen=True, tag="draw_declined"):
    """A seat would not."""

    seat: Seat


class TakebackAsked(InGame, frozen=True, tag="takeback_asked"):
    """A seat would have its last move back; the other's asking is its yes."""

    seat: Seat


class TakebackDeclined(InGame, frozen=True, tag="takeback_declined"):
    """A seat would not."""

    seat: Seat


class TakenBack(InGame, frozen=True, tag="taken_back"):
    """So many moves never were, at this seat's wish: it is to move again.

    Moves played anew earn no second increment.
    """

    seat: Seat
    plies: int
    thought: tuple[Micros, ...]  # what each seat had thought about its next move; it is charged


class Out(InGame, frozen=True, tag="out"):
    """A seat is out, and why; some games play on without it."""

    seat: Seat
    why: Forfeit
    spent: Micros = 0  # what it thought before


class Ended(InGame, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


class Closed(BeforeGame, frozen=True, tag="closed", omit_defaults=True):
    """The table went before its game began: nobody was left at it, or the organiser closed it."""

    reason: str = ""  # of the organiser's; empty where nobody was left


class Said(Event, frozen=True, tag="said"):
    """Somebody said something at the table."""

    player: PlayerId
    name: str
    text: str
    team: int | None = None  # to this team alone; else to all


class RematchWished(AfterGame, frozen=True, tag="rematch_wished"):
    """A seat would play again."""

    seat: Seat


class Rematched(AfterGame, frozen=True, tag="rematched"):
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


class PlayerMade(Event, frozen=True, tag="player_made", omit_defaults=True):
    """A new identity, the host it came from, and the hash of its secret token."""

    player: PlayerId
    name: str
    host: str
    token_hash: str
    dialect: str
    returns: bool = True  # whether calling from that host again may be enough to be it again


class PlayerNamed(Event, frozen=True, tag="player_named"):
    """A player took another name."""

    player: PlayerId
    name: str


class ToldApart(Event, frozen=True, tag="told_apart"):
    """A player met another of its name, and bears this raised number from now on."""

    player: PlayerId
    number: int


class NameKept(Event, frozen=True, tag="name_kept"):
    """A player's name is kept by a passphrase from now on; the log knows only this hash of it."""

    player: PlayerId
    passphrase_hash: str
    home: str = ""  # a hash of where that was said


class TokenGiven(Event, frozen=True, tag="token_given"):
    """A client that said a player's passphrase has a token now; `alone` makes all others void."""

    player: PlayerId
    token_hash: str
    alone: bool = False
    home: str = ""  # a hash of where it was said


class NameGivenUp(Event, frozen=True, tag="name_given_up"):
    """A player's name is not kept any more, as its owner wished."""

    player: PlayerId


class Numbered(Event, frozen=True, tag="numbered"):
    """A dialect named a player or a table for the first time, by its own count."""

    dialect: str
    kind: str  # player, table or tour
    thing: int  # the id
    number: int


class Freed(Event, frozen=True, tag="freed"):
    """A dialect's number belongs to nobody any more, and may be given again."""

    dialect: str
    kind: str
    number: int


class TourDone(Event, frozen=True, tag="tour_done", omit_defaults=True):
    """A tour is over: its line, the ratings that it changed, and who has not heard of its end."""

    tour: TourId
    line: TourLine
    rated: tuple[Rated, ...] = ()  # the ratings that its games changed
    missed: tuple[PlayerId, ...] = ()  # who was away, and has not been told


class GameRated(Event, frozen=True, tag="game_rated"):
    """A game outside tours is over: the ratings that it changed."""

    table: TableId
    game: str
    rated: tuple[Rated, ...]
    before: tuple[int, ...]  # for each the record that rated it last in this game; 0: none


# -- in a tour: as at a table, decisions and not consequences. The seed and the join code are in an
# event that `PublicTourEvent` does not have, so they cannot leave.


class TourWord(Event, frozen=True):
    """Something that happened in a tour."""


class EntrantWord(TourWord, frozen=True):
    """Something that happened to one entrant of a tour."""

    entrant: int


class MatchWord(TourWord, frozen=True):
    """Something that happened to one match of a tour."""

    match: int


class LifeWord(TourWord, frozen=True):
    """The tour begins, pauses or comes to its end."""


class TourOpened(TourWord, frozen=True, tag="tour_opened", omit_defaults=True):
    """A tour stands, and takes entrants; it is this player's, or the organiser's."""

    plan: Plan
    by: PlayerId | None = None
    package: str = ""  # what brought the game or the format, where that is a plug-in


class TourKeyed(TourWord, frozen=True, tag="tour_keyed"):
    """The tour's seed, and the code one joins with (empty: none is needed). In the log only."""

    seed: int
    code: str


class Joined(EntrantWord, frozen=True, tag="joined", omit_defaults=True):
    """A player, or the first of a team, is in."""

    name: str
    player: PlayerId
    rating: int | None = None  # what it had, where it joins after the start and had one


class Partnered(EntrantWord, frozen=True, tag="partnered"):
    """One more player of a team."""

    player: PlayerId


class Returned(EntrantWord, frozen=True, tag="returned"):
    """A client that cannot say who it was is here again, as another player."""

    player: PlayerId  # who it was
    now: PlayerId


class Renamed(EntrantWord, frozen=True, tag="renamed"):
    """An entrant goes by another name from now on."""

    name: str


class EntrantPaused(EntrantWord, frozen=True, tag="entrant_paused"):
    """An entrant has been away for longer than the plan allows; it is still in the tour."""


class EntrantResumed(EntrantWord, frozen=True, tag="entrant_resumed"):
    """An entrant that was paused is back."""


class Withdrawn(EntrantWord, frozen=True, tag="withdrawn"):
    """An entrant is out of the tour, and why."""

    why: str  # a word: withdrawn, removed, or why a seat was lost


class TourStarted(LifeWord, frozen=True, tag="tour_started", omit_defaults=True):
    """Matches begin from now on; for the first time, or after a pause."""

    until: Micros | None = None  # when the last may begin, where the format has a time
    ratings: tuple[tuple[int, int], ...] = ()  # entrants who had one by then, and which


class TourPaused(LifeWord, frozen=True, tag="tour_paused", omit_defaults=True):
    """No match begins until it is started again."""

    left: Micros | None = None  # of the format's time


class TourSeeded(TourWord, frozen=True, tag="tour_seeded"):
    """Entrants are seeded in this order; who joins later comes after them."""

    order: tuple[int, ...]


class Paired(TourWord, frozen=True, tag="paired"):
    """These are to be played."""

    fixtures: tuple[Fixture, ...]


class MatchBegun(MatchWord, frozen=True, tag="match_begun"):
    """A match is played at this table."""

    table: TableId


class MatchEnded(MatchWord, frozen=True, tag="match_ended"):
    """A match has come out, at its table or without one."""

    result: Result


class MatchVoided(MatchWord, frozen=True, tag="match_voided"):
    """A match counts for nothing, and is to be played again."""


class MatchRuled(MatchWord, frozen=True, tag="match_ruled"):
    """Somebody who runs the tour says how a match came out, whatever was or is played."""

    result: Result


class TourClosing(LifeWord, frozen=True, tag="tour_closing"):
    """No match begins any more; those that run are played out. These would be the winners."""

    how: str  # played, ended, cancelled
    winners: tuple[int, ...]


class Parted(LifeWord, frozen=True, tag="parted"):
    """An entrant has taken the end of a tour that is closing, and may go."""

    entrant: int


class TourEnded(LifeWord, frozen=True, tag="tour_ended"):
    """The tour is over: played, ended by its owner, or called off."""

    how: str  # played, ended, cancelled
    winners: tuple[int, ...]


EntrantEvent = Joined | Partnered | Returned | Renamed | EntrantPaused | EntrantResumed | Withdrawn
MatchEvent = MatchBegun | MatchEnded | MatchVoided | MatchRuled
LifeEvent = TourStarted | TourPaused | TourClosing | Parted | TourEnded

PublicTourEvent = (
    TourOpened
    | EntrantEvent
    | TourStarted
    | TourPaused
    | TourSeeded
    | Paired
    | MatchEvent
    | TourClosing
    | Parted
    | TourEnded
)

TourEvent = PublicTourEvent | TourKeyed


def tour_stream(tour: TourId) -> str:
    """The name of a tour's stream in the log."""
    return f"tour/{tour}"


def tour_of(stream: str) -> TourId | None:
    """The tour whose stream this is; None for other streams."""
    kind, _, number = stream.partition("/")
    return TourId(int(number)) if kind == "tour" else None


# -- between people, and what the organiser did: events of the hall's own stream. An act says why;
# `until` is the time of day at which something ends by itself, and 0 is never.


class CommunityEvent(Event, frozen=True, omit_defaults=True):
    """Something that happened between people."""


class Blocked(CommunityEvent, frozen=True, tag="blocked"):
    """A player blocked another, and wants nothing to do with them."""

    player: PlayerId
    whom: PlayerId


class Unblocked(CommunityEvent, frozen=True, tag="unblocked"):
    """A player took back the block of another."""

    player: PlayerId
    whom: PlayerId


class Act(CommunityEvent, frozen=True):
    """Something that the organiser did."""

    reason: str


class Muted(Act, frozen=True, tag="muted"):
    """A player may not speak, nor may players of its home whose id is `newcomers` or higher."""

    player: PlayerId
    until: Micros = 0
    home: str = ""
    newcomers: PlayerId = PlayerId(0)


class Unmuted(Act, frozen=True, tag="unmuted"):
    """A muted player may speak again."""

    player: PlayerId


class Banned(Act, frozen=True, tag="banned"):
    """A player may not be here; with a home, nobody from there may.

    A player whose home was banned is named with it: who lifts the ban need not know the address.
    """

    player: PlayerId | None = None
    home: str = ""
    until: Micros = 0


class BanLifted(Act, frozen=True, tag="ban_lifted"):
    """A banned player may be here again, with all from homes banned by that player; or a home."""

    player: PlayerId | None = None
    home: str = ""


class PassphraseReset(Act, frozen=True, tag="passphrase_reset"):
    """The organiser had another passphrase drawn for an account: its tokens are void."""

    player: PlayerId
    passphrase_hash: str


ConductEvent = Blocked | Unblocked | Muted | Unmuted | Banned | BanLifted

AnyCommunityEvent = ConductEvent | PassphraseReset


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
