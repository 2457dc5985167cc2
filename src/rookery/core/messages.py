"""What someone is told: one reply to every intent, and news that nobody asked for.

All but `News` can be written as JSON as they stand, and the native dialect does just
that. `News` carries a `Scene` beside what happened, from which a dialect that needs
more than the event can take a board, made once for all who look alike.
"""

from typing import Any, Final, TypeAlias

from msgspec import Struct

from rookery.core.errors import BROKEN
from rookery.core.events import PublicEvent, PublicTourEvent
from rookery.core.game import Effect, Game, Outcome, View
from rookery.core.ids import Micros, PlayerId, Seat, TableId, TourId
from rookery.core.options import Option
from rookery.core.policy import Policy
from rookery.core.tour_values import Plan, Result, Row, TourLine


class Message(Struct, frozen=True, gc=False):
    """Something a session is told: news, where it is no reply."""


class Reply(Message, frozen=True):
    """The answer to an intent, told to the session that asked and to no other."""


# -- replies


class Done(Reply, frozen=True, tag="done"):
    """It is done; with the table and seat it was about."""

    table: TableId | None = None
    seat: Seat | None = None


class Refused(Reply, frozen=True, tag="refused"):
    """It is not done, and nothing changed. `code` is for programs, the sentence for people."""

    code: str
    sentence: str
    table: TableId | None = None


class Welcome(Reply, frozen=True, tag="welcome"):
    """The player the session is now, the token to come back with, and the tables where it sits."""

    player: PlayerId
    name: str
    token: str
    tables: tuple[TableId, ...] = ()


class GameLine(Struct, frozen=True):
    """A game there is."""

    name: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    about: str


class Games(Reply, frozen=True, tag="games"):
    """The games there are."""

    games: tuple[GameLine, ...]


class SeatLine(Struct, frozen=True, omit_defaults=True):
    """Who sits where."""

    seat: Seat
    name: str  # what the rules call the seat
    player: PlayerId | None
    player_name: str
    connected: bool
    bot: bool = False  # whether nobody sits there but a program, and says so


class TableLine(Struct, frozen=True):
    """A table at a glance."""

    table: TableId
    variant: str
    time: str
    status: str  # open, playing, over, closed
    seats: tuple[SeatLine, ...]
    n: int  # how many events it has had
    outcome: Outcome | None = None
    tour: TourId | None = None  # whose match it is


class Tables(Reply, frozen=True, tag="tables"):
    """The tables there are; `more` when the rest must be asked for."""

    tables: tuple[TableLine, ...]
    more: bool = False


class PlayerLine(Struct, frozen=True):
    """A player at a glance."""

    player: PlayerId
    name: str
    dialect: str


class Players(Reply, frozen=True, tag="players"):
    """Who is connected; `more` when the rest must be asked for."""

    players: tuple[PlayerLine, ...]
    more: bool = False


class Shown(Reply, frozen=True, tag="shown"):
    """A table as it stands, for one viewer; `view` is missing before the start."""

    line: TableLine
    policy: Policy
    seat: Seat | None  # the viewer's own
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    view: View | None


class MemberLine(Struct, frozen=True):
    """Somebody in a room."""

    player: PlayerId
    name: str


class Roomed(Reply, frozen=True, tag="roomed"):
    """The session is in a room: as which player, who was there before, and the game played now."""

    player: PlayerId
    name: str
    token: str  # of a new player; else empty
    room: str
    variant: str
    members: tuple[MemberLine, ...]  # in the order they came
    table: TableId | None


class SurveyedTable(Struct, frozen=True):
    """How a table stands: who sits where, in which order they came, and who owns it."""

    table: TableId
    status: str  # open or playing
    seats: tuple[PlayerId | None, ...]
    joined: tuple[PlayerId, ...]  # in the order they came
    owner: PlayerId | None


class Surveyed(Reply, frozen=True, tag="surveyed"):
    """The tables asked for, in the order of their ids. For dialects with words of their own."""

    tables: tuple[SurveyedTable, ...]


class Noted(Reply, frozen=True, tag="noted"):
    """The hall has noted what a dialect said; the dialect asked for nothing. For dialects alone."""


class Moves(Reply, frozen=True, tag="moves"):
    """The moves that a seat may play now."""

    table: TableId
    seat: Seat
    moves: tuple[str, ...]


class Entry(Struct, frozen=True):
    """One event of a table's past."""

    n: int
    at: Micros
    event: PublicEvent


class Past(Reply, frozen=True, tag="past"):
    """A table's events in order; `more` when the rest must be asked for."""

    table: TableId
    events: tuple[Entry, ...]
    more: bool = False


# -- news


class Happened(Message, frozen=True, tag="news"):
    """Event n of a table, what it did, whose turn it is now, and what each has left."""

    table: TableId
    n: int
    at: Micros
    event: PublicEvent
    effects: tuple[Effect, ...] = ()
    to_act: tuple[Seat, ...] = ()
    left: tuple[Micros, ...] | None = None


# Tables whose rules broke when somebody asked for a view, and how; the hall ends them.
Faults = list[tuple[TableId, BaseException]]


def strange(found: object) -> str:
    """Write a value in a view or an effect that JSON has no form for, as Python writes it."""
    return ascii(found)[:80]


class BrokenView(View, frozen=True, tag="broken_view"):
    """Stands in for a view that the rules could not make."""

    why: str


# Any: a dialect passes the state back to the game it belongs to, unread.
class Scene(Struct, eq=False, gc=False):
    """A table right after an event: views of it are made when asked for, and once.

    A struct only because it is made at every move, and most listeners look at none of it.
    """

    game: Game[Any, Any]
    state: Any
    players: tuple[PlayerId | None, ...]
    outcome: Outcome | None
    names: tuple[str, ...] = ()
    joined: tuple[PlayerId, ...] = ()  # the players in the order they sat down
    views: dict[Seat | None, View] | None = None  # those made so far
    table: TableId | None = None  # whose it is
    faults: Faults | None = None  # where it is noted that the rules cannot show it

    def view(self, viewer: Seat | None) -> View:
        """What this viewer may know. Only while there is a state, that is from the start on."""
        assert self.state is not None, "a game not begun has no view"
        if self.views is None:
            self.views = {}
        if viewer not in self.views:
            self.views[viewer] = self._made(viewer)
        return self.views[viewer]

    def _made(self, viewer: Seat | None) -> View:
        if self.faults and any(table == self.table for table, _ in self.faults):
            return self._broken_view()  # and may have taken long over that: they are asked once
        try:
            view = self.game.view(self.state, viewer)
            if not isinstance(view, View):
                raise TypeError("what is seen of a game is a View")
        except BROKEN as wrong:
            return self.broken(wrong)
        return view

    def broken(self, wrong: BaseException) -> BrokenView:
        """The view to show where the rules broke with this error, or gave what cannot be written.

        The hall will end the table because of it. Raises the error again where no hall could.
        """
        if self.faults is None or self.table is None:
            raise wrong
        self.faults.append((self.table, wrong))
        return self._broken_view()

    def _broken_view(self) -> BrokenView:
        return BrokenView(f"The rules of {self.game.name} cannot show the board.")


class News(Struct, frozen=True, gc=False):
    """What happened, and the scene it left."""

    happened: Happened
    scene: Scene


class RoomNews(Message, frozen=True, tag="room_news"):
    """Somebody came into the room, or went out of it."""

    room: str
    variant: str
    player: PlayerId
    name: str
    here: bool


WANTED: Final = "wanted"  # of a notice: somebody else wants to be the player; is it still there?


class Notice(Message, frozen=True, tag="notice"):
    """The server speaks: it is going down, cannot write, or a player is another's now."""

    code: str
    sentence: str
    player: PlayerId | None = None


# -- about tours


class TourMade(Reply, frozen=True, tag="tour_made"):
    """The tour is open; players join it with this code, where it has one."""

    tour: TourId
    code: str


class TourJoined(Reply, frozen=True, tag="tour_joined", omit_defaults=True):
    """The player is in the tour, under this number; a match begins when it is their turn."""

    tour: TourId
    entrant: int
    player: PlayerId
    table: TableId | None = None  # where one takes up a match that runs
    name: str = ""  # the tour's, where it has one


class Tours(Reply, frozen=True, tag="tours"):
    """The tours there are; `more` when the rest must be asked for."""

    tours: tuple[TourLine, ...]
    more: bool = False


class MemberOf(Struct, frozen=True):
    """A player of an entrant."""

    player: PlayerId
    name: str
    dialect: str
    connected: bool


class EntrantLine(Struct, frozen=True, omit_defaults=True):
    """An entrant at a glance."""

    entrant: int
    name: str
    players: tuple[MemberOf, ...]
    out: str  # why it is in it no more; empty while it is
    rating: int | None = None  # it came with, where it had one
    paused: bool = False  # whether it has been away for longer than the plan allows


class TourShown(Reply, frozen=True, tag="tour_shown", omit_defaults=True):
    """A tour as it stands; the code only for its owner and the organiser."""

    line: TourLine
    plan: Plan
    code: str
    left: Micros | None  # of the format's time, where it has one
    entrants: tuple[EntrantLine, ...]
    standing: tuple[Row, ...]
    n: int  # events so far: news with a higher number are not in it


class MatchLine(Struct, frozen=True):
    """A match at a glance."""

    match: int
    round: int
    sides: tuple[int, ...]  # entrants
    status: str  # waiting, playing, over
    table: TableId | None
    result: Result | None
    points: tuple[float, ...]  # by side, once it is over
    teams: tuple[int, ...] = ()  # which sides are partners, where some are
    voided: int = 0


class Matches(Reply, frozen=True, tag="matches"):
    """A tour's matches in the order they were paired; `more` when the rest must be asked for."""

    tour: TourId
    matches: tuple[MatchLine, ...]
    more: bool = False


class RatingLine(Struct, frozen=True):
    """How strong somebody is, and how sure that is."""

    name: str
    rating: float
    uncertainty: float
    games: int
    player: PlayerId | None = None  # whose it is by now; nobody's where the name was given up


class Ratings(Reply, frozen=True, tag="ratings"):
    """The players of a game who have a rating, the best first."""

    game: str
    ratings: tuple[RatingLine, ...]


class TourNews(Message, frozen=True, tag="tour_news"):
    """Event n of a tour."""

    tour: TourId
    n: int
    at: Micros
    event: PublicTourEvent


# -- among people. News of it goes only to sessions that asked to hear it, so no client is told
# what it does not know.


class LobbyLine(Struct, frozen=True):
    """Something said in the lobby."""

    line: int
    at: Micros
    player: PlayerId
    name: str
    text: str


class LobbyHeard(Reply, frozen=True, tag="lobby_heard"):
    """The last lines, oldest first."""

    lines: tuple[LobbyLine, ...]


class Onlooker(Struct, frozen=True):
    """A player, by number and name."""

    player: PlayerId
    name: str


class Blocks(Reply, frozen=True, tag="blocks"):
    """Whom one has blocked."""

    blocked: tuple[Onlooker, ...]


# -- news


class LobbySaid(Message, frozen=True, tag="lobby_said"):
    """Somebody said something in the lobby."""

    said: LobbyLine


class LobbyCleared(Message, frozen=True, tag="lobby_cleared"):
    """What this player said in the lobby is to be seen no more."""

    player: PlayerId


AnyMessage: TypeAlias = Message | News
