"""One connection that speaks fishcom: a name, then calls and their answers, one at a time.

The server always calls. A wrong, late, unreadable or missing answer to any call removes the
player from the whole tournament, and we hang up at once without a word. A value that comes
while no call is open is kept for the next call. The dialect is told the time only when bytes
come or a deadline is due, so a call's time counts from the tick that follows it, which is at
once.
"""

import re
from collections import deque
from collections.abc import Sequence
from typing import Final

from rookery.core.errors import NOT_YOUR_TURN
from rookery.core.events import (
    Ended,
    Joined,
    Out,
    Played,
    Started,
    TourClosing,
    TourEnded,
    TourStarted,
    Withdrawn,
)
from rookery.core.game import Forfeit
from rookery.core.ids import Micros, PlayerId, Seat, Status, TableId
from rookery.core.intents import (
    AnyIntent,
    Enter,
    Farewell,
    Forsake,
    Greet,
    Play,
    Show,
    SignUp,
    TakeUp,
)
from rookery.core.manners import Directory
from rookery.core.messages import (
    AnyMessage,
    Done,
    News,
    Notice,
    Refused,
    Reply,
    Shown,
    TourJoined,
    TourNews,
    Welcome,
)
from rookery.dialects.first_bytes import METHODS
from rookery.dialects.fishcom import profile, wire
from rookery.dialects.fishcom.agenda import CallAgenda
from rookery.dialects.fishcom.profile import KEPT_MAX, MILLI, NAME, FishcomOptions
from rookery.dialects.fishcom.wire import FishCall, Values, Wants
from rookery.games.fish import FishView

NO_MOVE: Final = "?"  # what the table is told where an answer cannot be read
# "Too few after the second window: closed", and this is the notice that says so.
SENT_HOME: Final = "sent_home"
CUT_SHORT: Final = "ended"  # how a tournament ends whose owner ends it

# Why a move is refused that was none too late: the game went on, or ended, without it.
_OVERTAKEN: Final = frozenset({NOT_YOUR_TURN, "over", "no_table", "damaged"})
_WORD: Final = re.compile(b"[A-Za-z0-9]{1,12}")


class FishcomDialect:
    """One connection."""

    def __init__(self, options: FishcomOptions, directory: Directory) -> None:
        self._options = options
        self._values = Values(KEPT_MAX)
        self._said = bytearray()
        self._asked: deque[AnyIntent] = deque()  # what the hall has not replied to
        self._name: str | None = None  # None until it has signed up
        self._since: Micros | None = None  # when we began to wait; None: the next time we know
        self._heard: Micros | None = None  # when something came last, since then
        self._player: PlayerId | None = None
        self._entrant: int | None = None  # in the tournament
        self._tables: deque[TableId] = deque()  # where the old place may be
        self._table: TableId | None = None  # where it plays; None between games
        self._seat = Seat(0)
        self._agenda = CallAgenda(options)
        self._end: TourClosing | TourEnded | None = None  # of the tournament
        self._open: FishCall | None = None  # made, and not answered
        self._called_at: TableId | None = None  # where it was to move, when called
        self._deaf = False  # nothing more is read
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether to hang up after the drain: not before the hall has replied to all intents."""
        return self._closing and not self._asked

    @property
    def full(self) -> bool:
        """Never: values that no call has asked for yet are kept, up to a bound of their own."""
        return False

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read bytes as a name or answers, into intents; the hall itself notices a hang-up."""
        if self._deaf or not data:
            self._deaf = True
            return ()
        intents = list(self.tick(now))  # an answer due before now is late, also if it comes now
        self._heard = now
        # Value by value, so that what is kept does not depend on how the bytes were cut.
        while data and not self._deaf:
            data = data[self._values.feed(data) :]
            too_much = self._values.overflowed
            intents += self._remove(Forfeit.CHEATED) if too_much else self._go_on()
        return intents

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news, and make the calls that follow."""
        match message:
            case News():
                return self._news(message)
            case TourNews():
                return self._tour_news(message)
            case Notice(code=code):
                return self._close() if code == SENT_HOME else ()
            case Reply():
                return self._reply(message)
            case _:
                return ()  # this dialect has no word for it

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Remove a client that is late with an answer or its name; silence ends a bare name."""
        self._learn(now)
        if self._deaf or not self._is_late(now):
            return ()
        word = self._bare_word()
        if word is None:
            return self._remove(Forfeit.LATE)
        self._values = Values(KEPT_MAX)
        return self._sign_up(word)

    def deadline(self) -> Micros | None:
        """When the name, or the answer to the open call, is late."""
        if self._deaf or (self._name is not None and self._open is None):
            return None
        return 0 if self._since is None else self._due(self._since)

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent to the client now; no call has a line end."""
        if not self._said:
            return b""
        said = bytes(self._said)
        self._said.clear()
        return said

    # -- time

    def _learn(self, now: Micros) -> None:
        """Note the time; a wait that began when we did not know the time counts from here."""
        if self._since is None:
            self._since = now

    def _is_late(self, now: Micros) -> bool:
        due = self.deadline()
        return due is not None and due <= now

    def _due(self, since: Micros) -> Micros:
        if self._open is not None:
            patience = self._open.patience
            begun = self._heard is not None or self._values
            return since + (patience.whole if begun else patience.first)
        due = since + self._options.sign_up * MILLI
        if self._heard is not None and self._bare_word() is not None:
            return min(due, self._heard + self._options.silence * MILLI)
        return due

    # -- what the client says

    def _go_on(self) -> Sequence[AnyIntent]:
        """Sign the client up, or make calls and take answers, as far as its values go."""
        if self._name is None:
            value = self._values.take()
            if value is None:
                return ()
            return self._sign_up(self._name_in(value))
        intents: list[AnyIntent] = []
        while call := self._open or self._call():
            value = self._values.take()
            if value is None:
                return intents
            self._open = None
            if call.wants is not Wants.VOID:
                if self._called_at == self._table:
                    return (*intents, *self._move(wire.move_of(value, call.wants)))
            elif not wire.is_void(value):
                return (*intents, *self._remove(Forfeit.CHEATED))
            elif call.first:
                intents += self._ask(Greet(player=self._player))
            elif call.last:
                # "After end the server closes."
                self._deaf = self._closing = True
                return (*intents, *self._ask(Farewell(player=self._player)))
        return intents

    def _call(self) -> FishCall | None:
        """Make the next call, if there is one."""
        call = self._agenda.next()
        if call is not None:
            self._said += call.text
            self._open, self._called_at = call, self._table
            self._since = self._heard = None
        return call

    def _move(self, move: str | None) -> Sequence[AnyIntent]:
        """Play the client's answer to a turn, which the table judges; None is a wrong move."""
        assert self._table is not None, "who is called to move sits at a table"
        return self._ask(Play(self._table, NO_MOVE if move is None else move, player=self._player))

    def _remove(self, why: Forfeit) -> Sequence[AnyIntent]:
        """Put the client out of the tournament and hang up, without telling it."""
        self._close()
        return () if self._player is None else self._ask(Forsake(why, player=self._player))

    def _close(self) -> Sequence[AnyIntent]:
        """Hang up without a word; return no intents."""
        self._deaf = self._closing = True
        return ()

    def _ask(self, intent: AnyIntent) -> Sequence[AnyIntent]:
        self._asked.append(intent)
        return (intent,)

    # -- signing up

    def _bare_word(self) -> str | None:
        """A name without quotes, as far as it has come; silence ends it. None: no such name."""
        word = self._values.unfinished
        return word.decode() if self._name is None and self._is_bare(word) else None

    def _is_bare(self, word: bytes) -> bool:
        """Whether this word is a name without quotes; an HTTP method, as of a browser, is none."""
        bare = self._options.bare_names and _WORD.fullmatch(word)
        return bool(bare) and word not in METHODS

    def _name_in(self, value: bytes) -> str | None:
        # Where others speak too, what begins without a quote is taken for another dialect.
        if self._is_bare(value):
            return value.decode()
        return wire.text_of(value)

    def _sign_up(self, name: str | None) -> Sequence[AnyIntent]:
        if name is None or not self._may_be_called(profile.without_code(name)):
            return self._close()
        self._name = name
        # "After a restart, the same name from the same host ... takes its old place."
        return self._ask(TakeUp(name, restarted=True))

    def _may_be_called(self, name: str) -> bool:
        return profile.may_be_called(name, strict=self._options.strict_names)

    def _reply(self, reply: Reply) -> Sequence[AnyIntent]:
        asked = self._asked.popleft()
        if type(asked) is Play and type(reply) is Done:  # nearly always
            return ()
        match asked, reply:
            case TakeUp(), Welcome(player=player, tables=tables):
                self._player = player
                self._tables.extend(tables)
                self._agenda.begin_tour()
                return self._look(player)
            case TakeUp(name=str(name)), _:
                return self._ask(Enter(name, NAME))
            case Enter(), Welcome(player=player, name=name) if self._may_be_called(name):
                self._player = player
                return self._join(player)
            case Show(table=table, player=int(player)), Shown() if self._resume(table, reply):
                return self._join(player)
            case Show(player=int(player)), _:
                return self._look(player)
            case SignUp(), TourJoined(entrant=entrant):
                self._entrant = entrant
                return self._finish()
            case Play(table=table), Refused(code=code) if self._wrong(table, code):
                # The table may be more patient than "any wrong ... answer" is.
                return self._remove(Forfeit.CHEATED)
            case (Play() | Forsake() | Farewell() | Greet(), _) | (SignUp(), Done()):
                return ()
            case _:
                return self._close()  # it cannot sign up

    def _wrong(self, table: TableId, code: str) -> bool:
        return not self._closing and table == self._table and code not in _OVERTAKEN

    def _look(self, player: PlayerId) -> Sequence[AnyIntent]:
        """Ask the hall for the next table where the client's old place may be; else sign up."""
        if self._tables:
            return self._ask(Show(self._tables.popleft(), player=player))
        return self._join(player)

    def _join(self, player: PlayerId) -> Sequence[AnyIntent]:
        """Sign the player up; one who is in a tournament already goes on there."""
        # Who was closed meanwhile must not make the others wait for it.
        if self._closing:
            return ()
        return (*self._ask(self._options.wish(player)), *self._go_on())

    def _resume(self, table: TableId, shown: Shown) -> bool:
        """Take the client's old place in a running game; all calls come again. False: none runs."""
        view, seat = shown.view, shown.seat
        if not isinstance(view, FishView) or seat is None or shown.line.status != Status.PLAYING:
            return False
        if view.players[seat].removed:
            return False
        self._begin(table, seat, view)
        return True

    # -- what happens in the tournament

    def _tour_news(self, news: TourNews) -> Sequence[AnyIntent]:
        if self._closing:
            return ()
        match news.event:
            case Joined(entrant, player=player) if player == self._player:
                self._entrant = entrant
            case TourStarted():
                self._agenda.begin_tour()
                return self._go_on()
            case Withdrawn(entrant) if entrant == self._entrant:
                return self._close()  # it was put out, and is not told
            case TourClosing() | TourEnded():
                self._end = news.event
                return self._finish()
            case _:
                pass
        return ()

    def _finish(self) -> Sequence[AnyIntent]:
        """Call `end`, if the tournament is over and we know which entrant the client is."""
        if self._end is None or self._entrant is None:
            return ()
        if not self._agenda.started:
            return self._close()  # it was called off before it began
        if isinstance(self._end, TourClosing) and self._end.how == CUT_SHORT:
            # Games that run are played out, and count: who won is known after the last.
            return () if self._agenda.playing else self._ask(Farewell(player=self._player))
        self._agenda.end_tour(won=self._entrant in self._end.winners)
        return self._go_on()

    # -- what happens at the table

    def _news(self, news: News) -> Sequence[AnyIntent]:
        scene, happened = news.scene, news.happened
        if self._closing:
            return ()
        event = happened.event
        if isinstance(event, Started) and self._player in scene.players:
            seat = Seat(scene.players.index(self._player))
            self._begin(happened.table, seat, _fish(scene.view(None)))
            return self._go_on()
        if happened.table != self._table:
            return ()
        match event:
            case Ended():
                self._table = None
                self._agenda.end_game()
                return (*self._finish(), *self._go_on())
            case Out(seat, why) if seat == self._seat:
                return self._remove(why)
            case Played() | Out():
                view = _fish(scene.view(None))
                self._agenda.look_on(view, moved=isinstance(event, Played))
            case _:
                pass
        return self._go_on()

    def _begin(self, table: TableId, seat: Seat, view: FishView) -> None:
        self._table, self._seat = table, seat
        self._agenda.begin_game(seat, view)


def _fish(view: object) -> FishView:
    assert isinstance(view, FishView), "this dialect's tables are of fish"
    return view
