"""What a session asks of the hall. Every intent gets exactly one reply.

These structs are the requests of the native dialect, word for word. Each class states its own
traits: who must be known before it is considered (`needs`), who may say it (`said_by`), and whether
it makes the log grow (`growth`). `AnyIntent` follows from them, and so does what the hall checks
before it looks at one.
"""

from enum import Enum, auto
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, Union

from msgspec import Struct

from rookery.core.game import Forfeit
from rookery.core.ids import Micros, PlayerId, Seat, TableId, TourId
from rookery.core.manners import OWN
from rookery.core.policy import Policy
from rookery.core.tags import kinds_of
from rookery.core.tour_values import Plan


class Needs(Enum):
    """Who must be known before an intent is considered."""

    NOBODY = auto()  # the session alone asks
    ANYBODY = auto()  # the player, if the session has one; else it asks all the same
    PLAYER = auto()
    RUNNER = auto()  # a player, or a session that has shown the organiser's token


class Speaker(Enum):
    """Who may say an intent."""

    CLIENT = auto()  # any client, word for word; what follows has other words or none
    DIALECT = auto()  # a dialect, for what its page promises
    SERVER = auto()  # the server itself


class Growth(Enum):
    """What an intent means for the quota of records that a host may have written."""

    FREE = auto()  # moves, and what ends something
    COUNTED = auto()  # in an arena the next match follows
    LIMITED = auto()  # refused to a host that writes too fast


class Intent(Struct, frozen=True, gc=False):
    """Something a session asks."""

    needs: ClassVar[Needs] = Needs.NOBODY
    said_by: ClassVar[Speaker] = Speaker.CLIENT
    growth: ClassVar[Growth] = Growth.FREE


class PlayerIntent(Intent, frozen=True, kw_only=True):
    """Something a player asks, or whoever the session is.

    `player` says for whom the session acts; where it is left out, the session must have just one.
    """

    needs: ClassVar[Needs] = Needs.PLAYER

    player: PlayerId | None = None


class Question(Intent, frozen=True):
    """Answered at once, and never in the log."""


class PlayerQuestion(PlayerIntent, Question, frozen=True):
    """A question whose answer may depend on who asks."""

    needs: ClassVar[Needs] = Needs.ANYBODY


class TourAct(PlayerIntent, frozen=True):
    """Something done with a tour: by its owner, a player in it, or the organiser.

    Where `tour` is left out, it is the one the player owns, or is in.
    """

    needs: ClassVar[Needs] = Needs.RUNNER


class OrganiserAct(PlayerIntent, frozen=True):
    """For the organiser alone, with a player or without one. A `time` of 0 is for ever."""

    needs: ClassVar[Needs] = Needs.ANYBODY


# -- who one is


class Enter(Intent, frozen=True, tag="enter"):
    """Be a new player; the reply has its id and secret token."""

    growth: ClassVar[Growth] = Growth.LIMITED

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

    said_by: ClassVar[Speaker] = Speaker.DIALECT

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

    said_by: ClassVar[Speaker] = Speaker.DIALECT

    player: PlayerId
    token: str | None = None
    any_host: bool = False
    silence: Micros = 0


class Rename(PlayerIntent, frozen=True, tag="rename"):
    """Take another name."""

    growth: ClassVar[Growth] = Growth.LIMITED

    name: str


# -- tables


class Open(PlayerIntent, frozen=True, tag="open"):
    """Open a table, and sit at it (seat, or the first) unless `sit` is false."""

    growth: ClassVar[Growth] = Growth.LIMITED

    variant: str
    seats: int | None = None  # None: as few as the game can be played with
    time: str = "none"
    policy: Policy = Policy()
    sit: bool = True
    seat: Seat | None = None
    house: int | None = None  # bots of this level at once; 0: none; None: as the house does
    kept: Micros = 0  # how long our seat waits for us if we go before the game begins
    takebacks: bool = False  # whether moves may be taken back, where both agree
    code: str = ""  # of a private table: in no list, and only for who says this
    rated: bool = True  # whether it may count for people's ratings


class Seek(PlayerIntent, frozen=True, tag="seek"):
    """Sit at the oldest open table like this one, or open it and wait."""

    growth: ClassVar[Growth] = Growth.LIMITED

    variant: str
    seats: int | None = None
    time: str = "none"
    policy: Policy = Policy()
    house: int | None = None
    kept: Micros = 0
    takebacks: bool = False  # of the table that is opened; one that is found is as it is
    rated: bool = True  # false: neither opens nor finds a table that counts for ratings


class Gather(PlayerIntent, frozen=True, tag="gather"):
    """Wait until enough are there for a game; then a table is opened with just as many seats.

    `most` players start at once, `least` or more start `wait` after the `least`-th came. A
    name that is `unique` is nobody else's in the gathering, and nobody's else who waits or
    plays in the same dialect.
    """

    growth: ClassVar[Growth] = Growth.LIMITED

    variant: str
    least: int
    most: int
    wait: Micros = 0
    rank: int = 0  # the lowest sits first; equals in the order they came
    time: str = "none"
    policy: Policy = Policy()
    unique: bool = False  # whether one must be known by one's name


class Ungather(PlayerIntent, frozen=True, tag="ungather"):
    """Stop waiting for a gathering."""


class EnterRoom(PlayerIntent, frozen=True, tag="enter_room"):
    """Come into a room of this game: the first there play, the others look on.

    The player who makes the room sets its clock and policies. Entering again after a game is
    wishing for another. With `name` one is a new player; or, in a dialect without tokens, the one
    this host lost from the room's game under that name. A player who finds no seat looks
    on, and sits down when another leaves; with `view_only` only if it enters again then.
    """

    needs: ClassVar[Needs] = Needs.ANYBODY
    growth: ClassVar[Growth] = Growth.LIMITED

    room: str
    variant: str
    time: str = "none"
    policy: Policy = Policy()
    name: str | None = None
    view_only: bool = False


class LeaveRoom(PlayerIntent, frozen=True, tag="leave_room"):
    """Go out of the room one is in, and lose the game one plays there."""

    growth: ClassVar[Growth] = Growth.COUNTED


class Sit(PlayerIntent, frozen=True, tag="sit"):
    """Take this seat, or the first free one; of those in `prefer`, where there are any."""

    growth: ClassVar[Growth] = Growth.LIMITED

    table: TableId
    seat: Seat | None = None
    prefer: tuple[Seat, ...] = ()
    code: str = ""  # of a private table


class Leave(PlayerIntent, frozen=True, tag="leave"):
    """Give the seat up before the start; afterwards leave the game, which loses it."""

    growth: ClassVar[Growth] = Growth.COUNTED

    table: TableId


class TakeOver(PlayerIntent, frozen=True, tag="take_over"):
    """Play on in a seat whose player has been gone for too long. For the house alone."""

    said_by: ClassVar[Speaker] = Speaker.DIALECT

    table: TableId
    seat: Seat


class Challenge(PlayerIntent, frozen=True, tag="challenge"):
    """Ask somebody who is connected to the table where one waits; they are told at once."""

    table: TableId
    guest: PlayerId
    code: str = ""  # of a private table, which is told them with it


class Start(PlayerIntent, frozen=True, tag="start"):
    """Start the game, where the table waits for its owner.

    `order` names all seats: each team's players are put on its own in this order, as they came.
    """

    table: TableId
    order: tuple[Seat, ...] = ()


class CloseTable(OrganiserAct, frozen=True, tag="close_table"):
    """End a table, whatever happens at it: nobody wins. For the organiser."""

    table: TableId
    reason: str = ""  # told to all who are there, and kept in the log


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

    said_by: ClassVar[Speaker] = Speaker.DIALECT

    variant: str  # a game's name, without options


# -- at a table


class Play(PlayerIntent, frozen=True, tag="play"):
    """A move, readable or not: the table judges it."""

    table: TableId
    move: str


class Resign(PlayerIntent, frozen=True, tag="resign"):
    """Give the game up."""

    growth: ClassVar[Growth] = Growth.COUNTED

    table: TableId


class OfferDraw(PlayerIntent, frozen=True, tag="offer_draw"):
    """Offer a draw, or say yes to one."""

    table: TableId


class DeclineDraw(PlayerIntent, frozen=True, tag="decline_draw"):
    """Say no to a draw."""

    table: TableId


class TakeBack(PlayerIntent, frozen=True, tag="take_back"):
    """Ask for one's last move back, or agree to the other player's request."""

    table: TableId


class DeclineTakeBack(PlayerIntent, frozen=True, tag="decline_take_back"):
    """Refuse the other player's request for a move back, or withdraw one's own."""

    table: TableId


class Abort(PlayerIntent, frozen=True, tag="abort"):
    """Call the game off, before the second move."""

    table: TableId


class Say(PlayerIntent, frozen=True, tag="say"):
    """Say something to all at the table, or to one's own team."""

    growth: ClassVar[Growth] = Growth.LIMITED

    table: TableId
    text: str
    team: bool = False


class Rematch(PlayerIntent, frozen=True, tag="rematch"):
    """Wish for another game with the seats exchanged; it starts when all wish for it."""

    growth: ClassVar[Growth] = Growth.LIMITED

    table: TableId


# -- questions: answered at once, and never in the log


class ListGames(Question, frozen=True, tag="list_games"):
    """Ask which games there are."""


class ListTables(Question, frozen=True, tag="list_tables"):
    """Ask which tables there are, beyond that id; `open`, `playing`, or all when empty."""

    status: str = ""
    after: TableId = TableId(0)


class ListPlayers(Question, frozen=True, tag="list_players"):
    """Ask who is connected, beyond that id."""

    after: PlayerId = PlayerId(0)


class Show(PlayerQuestion, frozen=True, tag="show"):
    """Ask for a table as it stands, as the player's seat sees it."""

    table: TableId
    code: str = ""  # of a private table, for who does not sit there and does not watch it


class LegalMoves(PlayerQuestion, frozen=True, tag="legal_moves"):
    """Ask what the player may play at the table now; the first moves, if `some` will do."""

    table: TableId
    some: bool = False


class History(Question, frozen=True, tag="history"):
    """Ask what happened at a table after event n, finished ones too."""

    table: TableId
    since: int = 0


class Survey(Question, frozen=True, tag="survey"):
    """Ask how the open and running tables of a game stand: all, this one, or a player's."""

    said_by: ClassVar[Speaker] = Speaker.DIALECT

    variant: str  # a game's name, without options
    table: TableId | None = None
    player: PlayerId | None = None
    waiting: bool = False  # only those that have not begun


class TurnTold(PlayerIntent, frozen=True, tag="turn_told"):
    """Say whether a turn has been told to its player: until it has, the clock stands.

    For dialects that tell a turn later than they hear of it, because their clients could not take
    it sooner.
    """

    said_by: ClassVar[Speaker] = Speaker.DIALECT

    table: TableId
    told: bool


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


# -- about tours


class Organise(Intent, frozen=True, tag="organise"):
    """Be the organiser, by the token that the server wrote at its first start."""

    token: str


class OpenTour(TourAct, frozen=True, tag="open_tour"):
    """Open a tour and own it; as the organiser, without a player too."""

    growth: ClassVar[Growth] = Growth.LIMITED

    plan: Plan
    code: str | None = None  # what one joins with; None: one is drawn, empty: none is needed


class JoinTour(TourAct, frozen=True, tag="join_tour"):
    """Join a tour: this one, the one with this code, or the first that takes anyone."""

    needs: ClassVar[Needs] = Needs.PLAYER
    growth: ClassVar[Growth] = Growth.LIMITED

    tour: TourId | None = None
    code: str = ""
    team: str = ""  # what the team is called, where entrants are teams
    # Whether to take the place of one who is gone, and came from here under this name; not native.
    again: bool = False


class Withdraw(TourAct, frozen=True, tag="withdraw"):
    """Leave a tour; as its owner, put an entrant out of it."""

    growth: ClassVar[Growth] = Growth.LIMITED

    tour: TourId | None = None
    entrant: int | None = None


class StartTour(TourAct, frozen=True, tag="start_tour"):
    """Start the tour, or go on after a pause."""

    growth: ClassVar[Growth] = Growth.LIMITED

    tour: TourId | None = None


class PauseTour(TourAct, frozen=True, tag="pause_tour"):
    """Begin no more matches for now; those that run go on."""

    growth: ClassVar[Growth] = Growth.LIMITED

    tour: TourId | None = None


class EndTour(TourAct, frozen=True, tag="end_tour"):
    """End the tour as it stands; matches that run are played out, and count."""

    tour: TourId | None = None


class CancelTour(TourAct, frozen=True, tag="cancel_tour"):
    """Call the tour off: matches that run stop, and nothing is rated."""

    tour: TourId | None = None


class VoidMatch(TourAct, frozen=True, tag="void_match"):
    """Let a match count for nothing, and be played again."""

    tour: TourId
    match: int


class EnterResult(TourAct, frozen=True, tag="enter_result"):
    """Say how a match came out, or correct it; if its game runs, that is called off."""

    tour: TourId
    match: int
    places: tuple[int, ...]  # by side: 1 is first, equal places are shared; all 2: nobody won
    played: bool = True  # whether there was a game; if not, who is not first did not come
    reason: str = ""  # a sentence for people


class SeedTour(TourAct, frozen=True, tag="seed_tour"):
    """Say in which order entrants are seeded, before the start; those left out come after."""

    tour: TourId
    order: tuple[int, ...]


class SignUp(PlayerIntent, frozen=True, tag="sign_up"):
    """Wait until enough are there for a tour like this; then it is opened and started.

    `most` start at once. When the window closes, `least` or more start; if there are
    fewer, so many more windows are waited for, and then everyone is sent home.
    """

    said_by: ClassVar[Speaker] = Speaker.DIALECT
    growth: ClassVar[Growth] = Growth.LIMITED

    plan: Plan
    least: int
    most: int
    window: Micros
    again: int = 1


class Forsake(PlayerIntent, frozen=True, tag="forsake"):
    """Put a player who failed its dialect out of the game it plays, and say why."""

    said_by: ClassVar[Speaker] = Speaker.DIALECT

    why: Forfeit


class Greet(PlayerIntent, frozen=True, tag="greet"):
    """Say that the player's client was called with the start of its tour, and has answered."""

    said_by: ClassVar[Speaker] = Speaker.DIALECT


class Farewell(PlayerIntent, frozen=True, tag="farewell"):
    """Take the end of one's tour, where that is asked of everyone, and be free to go."""


# -- questions, and listening


class WatchTour(Intent, frozen=True, tag="watch_tour"):
    """Be told what happens in a tour from now on; the reply is how it stands."""

    needs: ClassVar[Needs] = Needs.ANYBODY

    tour: TourId


class UnwatchTour(Intent, frozen=True, tag="unwatch_tour"):
    """Stop being told what happens in a tour."""

    tour: TourId


class ListTours(Question, frozen=True, tag="list_tours"):
    """Ask which tours there are, beyond that id; those that are over too."""

    after: TourId = TourId(0)


class ShowTour(PlayerQuestion, frozen=True, tag="show_tour"):
    """Ask for a tour as it stands: its plan, its entrants and its standing."""

    tour: TourId | None = None


class ListMatches(PlayerQuestion, frozen=True, tag="list_matches"):
    """Ask for the matches of a tour after that number, in the order they were paired."""

    tour: TourId | None = None
    after: int = 0


class ListRatings(Question, frozen=True, tag="list_ratings"):
    """Ask how strong players of this game have shown themselves in tours, the best first."""

    game: str


# -- among people


# -- for everybody


class HearLobby(PlayerIntent, frozen=True, tag="hear_lobby"):
    """Be told what is said in the lobby from now on, or no more; the last lines at once."""

    needs: ClassVar[Needs] = Needs.ANYBODY

    hear: bool = True


class SayInLobby(PlayerIntent, frozen=True, tag="say_in_lobby"):
    """Say something to everybody who listens in the lobby."""

    text: str


class Block(PlayerIntent, frozen=True, tag="block"):
    """Hear nothing more of what somebody says, and play no game with them that one chooses."""

    growth: ClassVar[Growth] = Growth.LIMITED

    whom: PlayerId


class Unblock(PlayerIntent, frozen=True, tag="unblock"):
    """Take back the block of somebody."""

    growth: ClassVar[Growth] = Growth.LIMITED

    whom: PlayerId


class ListBlocked(PlayerIntent, frozen=True, tag="list_blocked"):
    """Ask whom one has blocked."""


# -- for the organiser alone


class Mute(OrganiserAct, frozen=True, tag="mute"):
    """Forbid somebody to speak for a time, and new players from their home too."""

    whom: PlayerId
    time: Micros = 0
    reason: str = ""


class Unmute(OrganiserAct, frozen=True, tag="unmute"):
    """Let somebody who is muted speak again."""

    whom: PlayerId
    reason: str = ""


class Ban(OrganiserAct, frozen=True, tag="ban"):
    """Ban a player for a time; with `home`, everybody from where they come.

    Where there is no player to name, `host` is an address. This machine's own home is banned only
    by `force`.
    """

    whom: PlayerId | None = None
    home: bool = False
    host: str = ""
    time: Micros = 0
    reason: str = ""
    force: bool = False


class LiftBan(OrganiserAct, frozen=True, tag="lift_ban"):
    """Let a banned player, with all from homes banned by that player, or a host be here again."""

    whom: PlayerId | None = None
    host: str = ""
    reason: str = ""


# -- about accounts


class AccountIntent(Intent, frozen=True):
    """Something about a name that is kept by a passphrase.

    No client can say it: the server hashes and compares passphrases outside the hall, where that
    may take its time, and tells the hall the result.
    """

    said_by: ClassVar[Speaker] = Speaker.SERVER

    player: PlayerId


class KeepName(AccountIntent, frozen=True, tag="keep_name"):
    """Keep a player's name by a passphrase with this hash; the token proves who asks."""

    token: str
    hash: str
    home: str = ""  # where the client is


class Admit(AccountIntent, frozen=True, tag="admit"):
    """Give a token to a client that said a player's passphrase, whose hash was `was`."""

    was: str
    hash: str = ""  # of another passphrase, that it is to be from now on
    alone: bool = False  # whether all other tokens are void from now on
    home: str = ""  # where the client is


class GiveUpName(AccountIntent, frozen=True, tag="give_up_name"):
    """Give a player's kept name up, for a client that said its passphrase, whose hash was `was`."""

    was: str


class ResetPassphrase(AccountIntent, frozen=True, tag="reset_passphrase"):
    """Give an account a passphrase with this hash, and void its tokens. For the organiser alone."""

    hash: str
    reason: str = ""


INTENTS: Final = kinds_of(Intent)

# To a checker an intent is an `Intent`; msgspec reads and writes the union of all of them.
if TYPE_CHECKING:
    AnyIntent: TypeAlias = Intent
    PlainIntent: TypeAlias = Intent
else:
    AnyIntent = Union[INTENTS]  # noqa: UP007 - made of a tuple
    # What any client may ask.
    PlainIntent = Union[tuple(one for one in INTENTS if one.said_by is Speaker.CLIENT)]  # noqa: UP007
