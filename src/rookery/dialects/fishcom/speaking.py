"""One connection that speaks fishcom: a name, then calls and their answers, one at a time.

The server always calls. A wrong, late, unreadable or missing answer to any call removes
the player, and a removed player is closed at once, untold. A value that comes while no
call is open is kept for the next one. The dialect is told the time only when something
comes or is due, so a call's time counts from the tick that follows it, which is at once.
"""

import re
from collections import deque
from collections.abc import Sequence
from typing import Final

from rookery.core.directory import Directory
from rookery.core.events import Ended, Out, Played, Started
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, Gather, Play, Resign, Show, TakeUp
from rookery.core.messages import (
    AnyMessage,
    AnyReply,
    Done,
    News,
    Notice,
    RoomNews,
    Shown,
    Welcome,
)
from rookery.dialects.fishcom import calls
from rookery.dialects.fishcom.calls import Call, Wants
from rookery.dialects.fishcom.options import MILLI, FishcomOptions
from rookery.dialects.fishcom.values import Values
from rookery.dialects.limits import FISHCOM_KEPT_MAX
from rookery.games.fish import MOVE, FishView

NAME: Final = "fishcom"
NAME_MAX: Final = 12
NO_MOVE: Final = "?"  # what the table is told where an answer cannot be read

_LETTERS: Final = re.compile("[A-Za-z]+")
_WORD: Final = re.compile(b"[A-Za-z0-9]{1,12}")


class Fishcom:
    """One connection. It mutates, and the connection owns it."""

    def __init__(self, options: FishcomOptions, directory: Directory) -> None:
        self._options = options
        self._values = Values(FISHCOM_KEPT_MAX)
        self._said = bytearray()
        self._asked: deque[AnyIntent] = deque()  # what the hall has not replied to
        self._name: str | None = None  # None until it has signed up
        self._since: Micros | None = None  # when we began to wait; None: the next time we know
        self._heard: Micros | None = None  # when something came last, since then
        self._player: PlayerId | None = None
        self._tables: deque[TableId] = deque()  # where the old place may be
        self._table: TableId | None = None
        self._seat = Seat(0)
        self._turn: Seat | None = None  # whose move everyone waits for; None if it is over
        self._view: FishView | None = None  # the game as it stands
        self._must_move = False  # whether to call for a placement or move
        self._moved = False  # whether a take-turn was called in this game
        self._calls: deque[Call] = deque()  # to be made
        self._open: Call | None = None  # made, and not answered
        self._deaf = False  # nothing more is read
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether to hang up once it is drained: not before the hall knows why."""
        return self._closing and not self._asked

    @property
    def full(self) -> bool:
        """Never: what is not asked for is kept up to a bound of its own."""
        return False

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """What these bytes answer; the end of the connection is noticed by the hall."""
        if self._deaf or not data:
            self._deaf = True
            return ()
        intents = list(self.tick(now))  # what is late is so, whoever noticed first
        self._heard = now
        # Value by value, so that what is kept does not depend on how the bytes were cut.
        while data and not self._deaf:
            data = data[self._values.feed(data) :]
            intents += self._remove() if self._values.overflowed else self._go_on()
        return intents

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news, and make the calls that follow."""
        match message:
            case News():
                return self._news(message)
            case RoomNews() | Notice():
                return ()  # this dialect has no word for it
            case _:
                return self._reply(message)

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Who is late with the name or an answer is out."""
        self._learn(now)
        if self._deaf or not self._is_late(now):
            return ()
        word = self._bare_word()
        if word is None:
            return self._remove()
        self._values = Values(FISHCOM_KEPT_MAX)
        return self._sign_up(word)

    def deadline(self) -> Micros | None:
        """When the name, or the answer to the open call, is late."""
        if self._deaf or (self._name is not None and self._open is None):
            return None
        return 0 if self._since is None else self._due(self._since)

    def drain(self) -> bytes:
        """All there is to send now; no line end after any of it."""
        said = bytes(self._said)
        self._said.clear()
        return said

    # -- time

    def _learn(self, now: Micros) -> None:
        """It is now; what we began to wait for when we did not know the time counts from here."""
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
        """Sign up, or make calls and take answers, as far as what has come goes."""
        if self._name is None:
            value = self._values.take()
            return () if value is None else self._sign_up(self._name_in(value))
        while call := self._open or self._call():
            value = self._values.take()
            if value is None:
                return ()
            self._open = None
            if call.wants is not Wants.VOID:
                return self._move(calls.move_of(value, call.wants))
            if not calls.is_void(value):
                return self._remove()
            if call.last:
                self._deaf = self._closing = True
        return ()

    def _call(self) -> Call | None:
        """Make the next call, if there is one: the turn after all others, as things stand now."""
        if self._calls:
            call = self._calls.popleft()
        elif self._must_move and self._view is not None:
            first = self._view.phase == MOVE and not self._moved
            self._moved, self._must_move = self._moved or first, False
            call = calls.turn(self._view, self._seat, self._options.patience(first_turn=first))
        else:
            return None
        self._said += call.text
        self._open = call
        self._since = self._heard = None
        return call

    def _move(self, move: str | None) -> Sequence[AnyIntent]:
        """The answer to a turn, which the table judges; after the end nobody does."""
        if self._table is None or self._turn is None:
            return self._go_on()
        # A table that cannot read the move removes who sent it, and that is news to us.
        return self._ask(Play(self._table, NO_MOVE if move is None else move, self._player))

    def _remove(self) -> Sequence[AnyIntent]:
        """Out of the tournament, and closed, untold."""
        self._deaf = self._closing = True
        if self._table is None or self._turn is None:
            return ()
        if self._turn == self._seat:
            return self._ask(Play(self._table, NO_MOVE, self._player))
        return self._ask(Resign(self._table, self._player))

    def _ask(self, intent: AnyIntent) -> Sequence[AnyIntent]:
        self._asked.append(intent)
        return (intent,)

    # -- signing up

    def _bare_word(self) -> str | None:
        """What has come of a name without quotes, which silence ends."""
        word = self._values.unfinished
        bare = self._name is None and self._options.bare_names and _WORD.fullmatch(word)
        return word.decode() if bare else None

    def _name_in(self, value: bytes) -> str | None:
        # Where others speak too, what begins without a quote is taken for another dialect.
        if self._options.bare_names and _WORD.fullmatch(value):
            return value.decode()
        return calls.text_of(value)

    def _sign_up(self, name: str | None) -> Sequence[AnyIntent]:
        strict = self._options.strict_names
        if name is None or not 1 <= len(name) <= NAME_MAX:
            return self._remove()
        if strict and not _LETTERS.fullmatch(name):
            return self._remove()
        self._name = name
        # "After a restart, the same name from the same host ... takes its old place."
        return self._ask(TakeUp(name, restarted=True))

    def _reply(self, reply: AnyReply) -> Sequence[AnyIntent]:
        match self._asked.popleft(), reply:
            case TakeUp(), Welcome(player=player, tables=tables):
                self._player = player
                self._tables.extend(tables)
                return self._look(player)
            case TakeUp(name=str(name)), _:
                return self._ask(Enter(name, NAME))
            case Enter(), Welcome(player=player):
                self._player = player
                return self._gather(player)
            case Show(table=table), Shown() if self._resume(table, reply):
                return self._go_on()
            case Show(player=int(player)), _:
                return self._look(player)
            case (Play() | Resign(), _) | (Gather(), Done()):
                return ()
            case _:
                self._deaf = self._closing = True  # it cannot sign up
                return ()

    def _look(self, player: PlayerId) -> Sequence[AnyIntent]:
        """Look at the next table where the old place may be; if there is none, sign up anew."""
        if self._tables:
            return self._ask(Show(self._tables.popleft(), player))
        return self._gather(player)

    def _gather(self, player: PlayerId) -> Sequence[AnyIntent]:
        # Who was closed meanwhile must not make the others wait for it.
        return () if self._closing else self._ask(self._options.gather(player))

    def _resume(self, table: TableId, shown: Shown) -> bool:
        """Take the old place, if it is one in a running game: all calls come again."""
        view, seat = shown.view, shown.seat
        if not isinstance(view, FishView) or seat is None or shown.line.status != "playing":
            return False
        if view.players[seat].removed:
            return False
        self._begin(table, seat, len(view.players))
        self._look_on(view)
        return True

    # -- what happens at the table

    def _news(self, news: News) -> Sequence[AnyIntent]:
        scene, happened = news.scene, news.happened
        waits = self._table is None and self._player in scene.players
        if isinstance(happened.event, Started) and waits:
            seat = Seat(scene.players.index(self._player))
            self._begin(happened.table, seat, len(scene.players))
        if happened.table != self._table or self._closing:
            return ()
        match happened.event:
            case Ended(outcome):
                self._turn, self._must_move = None, False
                won = self._seat in outcome.winners
                self._calls.append(calls.end(self._options.patience(), won=won))
            case Out(seat) if seat == self._seat:
                self._deaf = self._closing = True
                return ()
            case Started() | Played() | Out():
                view = scene.view(None)
                assert isinstance(view, FishView), "this dialect's tables are of fish"
                self._look_on(view, moved=isinstance(happened.event, Started | Played))
            case _:
                pass
        return self._go_on()

    def _begin(self, table: TableId, seat: Seat, seats: int) -> None:
        self._table, self._seat, self._moved = table, seat, False
        self._calls.extend(calls.introduction(seat, seats, self._options.patience()))

    def _look_on(self, view: FishView, *, moved: bool = True) -> None:
        """This is how things stand; who is removed out of turn changes nobody's turn."""
        if (moved or view.turn != self._turn) and view.turn == self._seat:
            self._must_move = True
        self._turn, self._view = view.turn, view
