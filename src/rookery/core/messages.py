"""What someone is told: one reply to every intent, and news that nobody asked for.

All but `News` can be written as JSON as they stand, and the native dialect does just
that. `News` carries a `Scene` beside what happened, from which a dialect that needs
more than the event can take a board, made once for all who look alike.
"""

from typing import Any, Final

from msgspec import Struct

from rookery.core.errors import BROKEN
from rookery.core.events import PublicEvent
from rookery.core.game import Effect, Game, Outcome, View
from rookery.core.ids import Micros, PlayerId, Seat, TableId, TourId
from rookery.core.people.community_messages import CommunityNews, CommunityReply
from rookery.core.policy import Policy
from rookery.core.text.options import Option
from rookery.core.tours.tour_messages import TourNews, TourReply


class Message(Struct, frozen=True, gc=False):
    """Something someone is told."""


# -- replies


class Done(Message, frozen=True, tag="done"):
    """It is done; with the table and seat it was about."""

    table: TableId | None = None
    seat: Seat | None = None


class Refused(Message, frozen=True, tag="refused"):
    """It is not done, and nothing changed. `code` is for programs, the sentence for people."""

    code: str
    sentence: str
    table: TableId | None = None


class Welcome(Message, frozen=True, tag="welcome"):
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


class Games(Message, frozen=True, tag="games"):
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


class Tables(Message, frozen=True, tag="tables"):
    """The tables there are; `more` when the rest must be asked for."""

    tables: tuple[TableLine, ...]
    more: bool = False


class PlayerLine(Struct, frozen=True):
    """A player at a glance."""

    player: PlayerId
    name: str
    dialect: str


class Players(Message, frozen=True, tag="players"):
    """Who is connected; `more` when the rest must be asked for."""

    players: tuple[PlayerLine, ...]
    more: bool = False


class Shown(Message, frozen=True, tag="shown"):
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


class Roomed(Message, frozen=True, tag="roomed"):
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


class Surveyed(Message, frozen=True, tag="surveyed"):
    """The tables asked for, in the order of their ids. For dialects with words of their own."""

    tables: tuple[SurveyedTable, ...]


class Noted(Message, frozen=True, tag="noted"):
    """The hall has noted what a dialect said; the dialect asked for nothing. For dialects alone."""


class Moves(Message, frozen=True, tag="moves"):
    """The moves that a seat may play now."""

    table: TableId
    seat: Seat
    moves: tuple[str, ...]


class Entry(Struct, frozen=True):
    """One event of a table's past."""

    n: int
    at: Micros
    event: PublicEvent


class Past(Message, frozen=True, tag="past"):
    """A table's events in order; `more` when the rest must be asked for."""

    table: TableId
    events: tuple[Entry, ...]
    more: bool = False


Reply = (
    Done | Refused | Welcome | Roomed | Games | Tables | Players | Shown | Moves | Past | TourReply
    | CommunityReply
)  # fmt: skip


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


AnyReply = Reply | Surveyed | Noted  # the last two for dialects alone

AnyMessage = AnyReply | News | RoomNews | TourNews | CommunityNews | Notice
