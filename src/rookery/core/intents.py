"""What someone asks of the hall. Every intent gets exactly one reply.

`player` says for whom a session acts; where it is left out, the session must have just
one. These structs are also the requests of the native dialect, word for word.
"""

from msgspec import Struct

from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.manners import OWN
from rookery.core.people.account_intents import AnyAccountIntent
from rookery.core.people.community_intents import AnyCommunityIntent
from rookery.core.policy import Policy
from rookery.core.tours.tour_intents import DialectTourIntent, PlainTourIntent


class Intent(Struct, frozen=True, gc=False):
    """Something someone asks."""


# -- who one is


class Enter(Intent, frozen=True, tag="enter"):
    """Be a new player; the reply has its id and secret token."""

    name: str
    dialect: str = OWN


class Reclaim(Intent, frozen=True, tag="reclaim"):
    """Be a player again whose connection is gone, by its token."""

    player: PlayerId
    token: str


class TakeUp(Intent, frozen=True, tag="take_up"):
    """Be the player again whose seat this host lost first, in a game that still runs.

    For dialects without tokens: the host and the dialect must be the player's own, and the
    name where one is given.
    """

    name: str | None = None
    variant: str | None = None  # only at a table of this game
    restarted: bool = False  # only where it was the server that went away


class Resume(Intent, frozen=True, tag="resume"):
    """Be a player of one's own dialect again, and nobody else.

    For dialects that know players by number: the host must be the player's own, or the
    token where one is given. A player for whom another connection acts is taken over only with the
    token, and when that connection has been silent for so long; without the token it is asked
    whether it is still there.
    """

    player: PlayerId
    token: str | None = None
    any_host: bool = False
    silence: Micros = 0


class Rename(Intent, frozen=True, tag="rename"):
    """Take another name."""

    name: str
    player: PlayerId | None = None


# -- tables


class Open(Intent, frozen=True, tag="open"):
    """Open a table, and sit at it (seat, or the first) unless `sit` is false."""

    variant: str
    seats: int | None = None  # None: as few as the game can be played with
    time: str = "none"
    policy: Policy = Policy()
    sit: bool = True
    seat: Seat | None = None
    player: PlayerId | None = None
    house: int | None = None  # bots of this level at once; 0: none; None: as the house does
    kept: Micros = 0  # how long our seat waits for us if we go before the game begins
    takebacks: bool = False  # whether moves may be taken back, where both agree
    code: str = ""  # of a private table: in no list, and only for who says this
    rated: bool = True  # whether it may count for people's ratings


class Seek(Intent, frozen=True, tag="seek"):
    """Sit at the oldest open table like this one, or open it and wait."""

    variant: str
    seats: int | None = None
    time: str = "none"
    policy: Policy = Policy()
    player: PlayerId | None = None
    house: int | None = None
    kept: Micros = 0
    takebacks: bool = False  # of the table that is opened; one that is found is as it is
    rated: bool = True  # false: neither opens nor finds a table that counts for ratings


class Gather(Intent, frozen=True, tag="gather"):
    """Wait until enough are there for a game; then a table is opened with just as many seats.

    `most` players start at once, `least` or more start `wait` after the `least`-th came. A
    name that is `unique` is nobody else's in the gathering, and nobody's else who waits or
    plays in the same dialect.
    """

    variant: str
    least: int
    most: int
    wait: Micros = 0
    rank: int = 0  # the lowest sits first; equals in the order they came
    time: str = "none"
    policy: Policy = Policy()
    unique: bool = False  # whether one must be known by one's name
    player: PlayerId | None = None


class Ungather(Intent, frozen=True, tag="ungather"):
    """Stop waiting for a gathering."""

    player: PlayerId | None = None


class EnterRoom(Intent, frozen=True, tag="enter_room"):
    """Come into a room of this game: the first there play, the others look on.

    The player who makes the room sets its clock and policies. Entering again after a game is
    wishing for another. With `name` one is a new player; or, in a dialect without tokens, the one
    this host lost from the room's game under that name. A player who finds no seat looks
    on, and sits down when another leaves; with `view_only` only if it enters again then.
    """

    room: str
    variant: str
    time: str = "none"
    policy: Policy = Policy()
    name: str | None = None
    player: PlayerId | None = None
    view_only: bool = False


class LeaveRoom(Intent, frozen=True, tag="leave_room"):
    """Go out of the room one is in, and lose the game one plays there."""

    player: PlayerId | None = None


class Sit(Intent, frozen=True, tag="sit"):
    """Take this seat, or the first free one; of those in `prefer`, where there are any."""

    table: TableId
    seat: Seat | None = None
    player: PlayerId | None = None
    prefer: tuple[Seat, ...] = ()
    code: str = ""  # of a private table


class Leave(Intent, frozen=True, tag="leave"):
    """Give the seat up before the start; afterwards leave the game, which loses it."""

    table: TableId
    player: PlayerId | None = None


class TakeOver(Intent, frozen=True, tag="take_over"):
    """Play on in a seat whose player has been gone for too long. For the house alone."""

    table: TableId
    seat: Seat
    player: PlayerId | None = None


class Challenge(Intent, frozen=True, tag="challenge"):
    """Ask somebody who is connected to the table where one waits; they are told at once."""

    table: TableId
    guest: PlayerId
    code: str = ""  # of a private table, which is told them with it
    player: PlayerId | None = None


class Start(Intent, frozen=True, tag="start"):
    """Start the game, where the table waits for its owner.

    `order` names all seats: each team's players are put on its own in this order, as they came.
    """

    table: TableId
    player: PlayerId | None = None
    order: tuple[Seat, ...] = ()


class CloseTable(Intent, frozen=True, tag="close_table"):
    """End a table, whatever happens at it: nobody wins. For the organiser."""

    table: TableId
    reason: str = ""  # told to all who are there, and kept in the log
    player: PlayerId | None = None


class Watch(Intent, frozen=True, tag="watch"):
    """Be told what happens at the table from now on, after what happened since event n."""

    table: TableId
    since: int = 0
    code: str = ""  # of a private table
    glance: bool = False  # it is one of many boards, and one is not counted as looking on


class Unwatch(Intent, frozen=True, tag="unwatch"):
    """Stop being told what happens at the table."""

    table: TableId


class WatchLobby(Intent, frozen=True, tag="watch_lobby"):
    """Be told who comes and goes at all tables of this game, and which begin and end."""

    variant: str  # a game's name, without options


# -- at a table


class Play(Intent, frozen=True, tag="play"):
    """A move, readable or not: the table judges it."""

    table: TableId
    move: str
    player: PlayerId | None = None


class Resign(Intent, frozen=True, tag="resign"):
    """Give the game up."""

    table: TableId
    player: PlayerId | None = None


class OfferDraw(Intent, frozen=True, tag="offer_draw"):
    """Offer a draw, or say yes to one."""

    table: TableId
    player: PlayerId | None = None


class DeclineDraw(Intent, frozen=True, tag="decline_draw"):
    """Say no to a draw."""

    table: TableId
    player: PlayerId | None = None


class TakeBack(Intent, frozen=True, tag="take_back"):
    """Ask for one's last move back, or agree to the other player's request."""

    table: TableId
    player: PlayerId | None = None


class DeclineTakeBack(Intent, frozen=True, tag="decline_take_back"):
    """Refuse the other player's request for a move back, or withdraw one's own."""

    table: TableId
    player: PlayerId | None = None


class Abort(Intent, frozen=True, tag="abort"):
    """Call the game off, before the second move."""

    table: TableId
    player: PlayerId | None = None


class Say(Intent, frozen=True, tag="say"):
    """Say something to all at the table, or to one's own team."""

    table: TableId
    text: str
    team: bool = False
    player: PlayerId | None = None


class Rematch(Intent, frozen=True, tag="rematch"):
    """Wish for another game with the seats exchanged; it starts when all wish for it."""

    table: TableId
    player: PlayerId | None = None


# -- questions: answered at once, and never in the log


class ListGames(Intent, frozen=True, tag="list_games"):
    """Ask which games there are."""


class ListTables(Intent, frozen=True, tag="list_tables"):
    """Ask which tables there are, beyond that id; `open`, `playing`, or all when empty."""

    status: str = ""
    after: TableId = TableId(0)


class ListPlayers(Intent, frozen=True, tag="list_players"):
    """Ask who is connected, beyond that id."""

    after: PlayerId = PlayerId(0)


class Show(Intent, frozen=True, tag="show"):
    """Ask for a table as it stands, as the player's seat sees it."""

    table: TableId
    player: PlayerId | None = None
    code: str = ""  # of a private table, for who does not sit there and does not watch it


class LegalMoves(Intent, frozen=True, tag="legal_moves"):
    """Ask what the player may play at the table now; the first moves, if `some` will do."""

    table: TableId
    player: PlayerId | None = None
    some: bool = False


class History(Intent, frozen=True, tag="history"):
    """Ask what happened at a table after event n, finished ones too."""

    table: TableId
    since: int = 0


class Survey(Intent, frozen=True, tag="survey"):
    """Ask how the open and running tables of a game stand: all, this one, or a player's."""

    variant: str  # a game's name, without options
    table: TableId | None = None
    player: PlayerId | None = None
    waiting: bool = False  # only those that have not begun


class TurnTold(Intent, frozen=True, tag="turn_told"):
    """Say whether a turn has been told to its player: until it has, the clock stands.

    For dialects that tell a turn later than they hear of it, because their clients could not take
    it sooner.
    """

    table: TableId
    told: bool
    player: PlayerId | None = None


TableIntent = (
    Sit
    | Leave
    | Start
    | Play
    | Resign
    | OfferDraw
    | DeclineDraw
    | TakeBack
    | DeclineTakeBack
    | Abort
    | Say
    | Rematch
)

SeatIntent = TableIntent | TurnTold

Being = Enter | Reclaim | TakeUp | Resume

# What only a player asks.
PlayersIntent = (
    Rename | Open | Seek | TakeOver | SeatIntent | Gather | Ungather | EnterRoom | LeaveRoom
    | Challenge
)  # fmt: skip

Question = ListGames | ListTables | ListPlayers | Show | LegalMoves | History

# What any client may ask, word for word; the rest is for dialects that have other words.
PlainIntent = (
    Enter | Reclaim | Rename | Open | Seek | Gather | Ungather | EnterRoom | LeaveRoom | Challenge
    | CloseTable | Watch | Unwatch | TableIntent | Question | PlainTourIntent | AnyCommunityIntent
)  # fmt: skip

DialectIntent = TakeUp | Resume | TakeOver | WatchLobby | Survey | TurnTold | DialectTourIntent

AnyIntent = PlainIntent | DialectIntent | AnyAccountIntent
