"""One connection that speaks bughouse: requests in, one answer to each, broadcasts between.

Requests are taken up one at a time: the next is looked at when the last is answered and
what followed from it is known, so a client that does not wait gets the same answers. The
hall tells news after its reply; so after a deed it is asked one more thing, which changes
nothing, and when it replies to that all news of the deed have been heard.

A turn that the client cannot be told yet is no turn: the hall is told so, and the clock stands
until YOUR_TURN is sent (but no longer than `TURN_MAX`, or a client could talk on for ever).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from rookery.core.directory import Directory
from rookery.core.events import Played, Started
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, TableId
from rookery.core.intents import AnyIntent, Survey, TurnTold
from rookery.core.messages import AnyMessage, AnyReply, Done, News, Noted, Notice, RoomNews
from rookery.core.tours.tour_messages import TourNews
from rookery.dialects.base import Lines
from rookery.dialects.bughouse import lobby, play
from rookery.dialects.bughouse.asking import Answer, Conversation
from rookery.dialects.bughouse.hearing import hear
from rookery.dialects.bughouse.options import BughouseOptions
from rookery.dialects.bughouse.visit import Visit
from rookery.dialects.bughouse.voice import TURN, Voice
from rookery.dialects.bughouse.wire import NAME, Request, notice, read_request
from rookery.dialects.inbox import Inbox
from rookery.dialects.limits import BUGHOUSE_LINE_MAX, BUGHOUSE_WAITING_MAX

REQUESTS: Final[Mapping[str, Callable[[Visit, tuple[str, ...]], Conversation | Answer]]] = {
    "ADD_PLAYER": lobby.add_player,
    "CREATE_GAME": lobby.create_game,
    "GET_GAMES": lobby.get_games,
    "GAME_IS_ACTIVE": lobby.game_is_active,
    "GET_PLAYERS": lobby.get_players,
    "GET_OWNER": lobby.get_owner,
    "GET_CURRENT_GAME": lobby.get_current_game,
    "GET_BOARDS": lobby.get_boards,
    "START_GAME": lobby.start_game,
    "GET_NAME": lobby.get_name,
    "IS_WHITE": lobby.is_white_player,
    "GET_TEAM": lobby.get_team,
    "GET_CURRENT_BOARD": lobby.get_current_board,
    "GET_CLOCKS": lobby.get_clocks,
    "JOIN_GAME": lobby.join_game,
    "QUIT": lobby.leave,
    "MOVE": play.move,
    "PUT": play.put,
    "PASS": play.hand_over,
    "GAME_OVER": play.game_over,
}

UNKNOWN: Final = Answer("ERROR: no such request")
TOO_LONG: Final = f"ERROR: a line has at most {BUGHOUSE_LINE_MAX} bytes"
TOO_FAST: Final = f"ERROR: at most {BUGHOUSE_WAITING_MAX} requests may wait to be answered"
SETTLE: Final = Survey(NAME, TableId(0))  # no table has this id
ACTS: Final = frozenset({"MOVE", "PUT"})
TURN_MAX: Final[Micros] = 2 * MICROS_A_SECOND  # how long a turn may wait with its clock standing


class Bughouse:
    """One connection. It mutates."""

    def __init__(self, options: BughouseOptions, directory: Directory) -> None:
        self._visit = Visit(options, directory)
        self._voice = Voice(options.pace)
        self._lines = Lines(BUGHOUSE_LINE_MAX, bare_cr=True)
        self._inbox = Inbox[Request](BUGHOUSE_WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._asking: Conversation | None = None  # what the next reply is for
        self._settling = False  # … or it says that a deed's news have been heard
        self._withheld: tuple[tuple[TableId, PlayerId], ...] = ()  # turns that wait to be told
        self._withheld_until: Micros = 0
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether to hang up once it is drained: not before the last answer is given."""
        return self._closing

    @property
    def full(self) -> bool:
        """Whether enough waits to be answered."""
        return self._inbox.full

    # -- coming in

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """What these requests ask for. The last one before a connection ends needs no end."""
        self._visit.learn(now)
        if self._inbox.deaf:
            return ()
        lines = self._lines.feed(data) if data else self._lines.last()
        self._inbox.listens(data)
        if lines:
            self._inbox.put([read_request(line) for line in lines])
            self._voice.heard(self._visit.now)
        asked = self._go_on()
        if self._inbox.is_too_much(overflowed=self._lines.overflowed):
            asked = (*asked, *self._go_on())
        return (*asked, *self._told_late()) if self._withheld else asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        match message:
            case News():
                return self._hear(message)
            case Notice(code, sentence):
                if self._visit.mine:  # "a session without a player is sent no broadcast at all"
                    self._broadcast(notice(code, sentence))
                return ()
            case RoomNews() | TourNews() | Noted():
                return ()  # a match is told as any other game
            case _:
                asked = self._reply(message)
                return (*asked, *self._told_late()) if self._withheld else asked

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Say what waited for a silence, and the time where it gets short."""
        visit = self._visit
        visit.learn(now)
        for one in list(visit.rounds.values()) if visit.clocks else ():
            if one.clocks is None or one.table in visit.returns:
                continue
            due = {board for when, board in one.clocks.marks(one.looked) if when <= now}
            for board in sorted(due):
                called = visit.ledger.board(one.table, board)
                self._broadcast(one.clocks.line(board, called, now))
            visit.rounds[one.table] = replace(one, looked=now)
        self._voice.tick(now)
        return self._told_late() if self._withheld else ()

    # -- going out

    def deadline(self) -> Micros | None:
        """When silence is long enough for what waits, or a clock gets short."""
        moments = [self._voice.deadline()]
        if not self._visit.rounds:  # what comes next is of the lobby, and may be told at once
            moments.append(self._voice.silence())
        if self._withheld:
            moments.append(self._withheld_until)
        for one in self._visit.rounds.values() if self._visit.clocks else ():
            if one.clocks is not None and one.table not in self._visit.returns:
                moments += [when for when, _ in one.clocks.marks(one.looked)]
        return min((moment for moment in moments if moment is not None), default=None)

    def drain(self) -> bytes:
        """All there is to send now."""
        return self._voice.drain()

    def _broadcast(self, line: str) -> None:
        if line == TURN:
            self._voice.turn(self._visit.now)
        else:
            self._voice.broadcast(line, self._visit.now)

    def _hear(self, news: News) -> Sequence[AnyIntent]:
        visit, voice, table = self._visit, self._voice, news.happened.table
        event = news.happened.event
        if isinstance(event, Played) and voice.holds_turn:
            self._moved(table, news.scene.players[event.seat])
        lines = hear(visit, news)
        of_lobby = tuple(line.text for line in lines if line.lobby)
        if of_lobby:
            voice.lobby(visit.ledger.game(table), of_lobby, visit.now)
        if len(lines) == len(of_lobby):
            return ()
        voice.join(visit.ledger.game(table), visit.now)
        if isinstance(event, Started):
            voice.drop_lobby()
        for line in lines:
            if not line.lobby:
                self._broadcast(line.text)
        return self._withhold(table) if voice.holds_turn else ()

    # -- turns that cannot be told yet

    def _withhold(self, table: TableId) -> Sequence[AnyIntent]:
        """The turns that now wait in the voice, where the hall does not know of them."""
        current = self._visit.rounds.get(table)
        if current is None or table in self._visit.returns:
            return ()
        acting = [
            current.players[seat] for seat in self._visit.seats(table) if seat in current.to_act
        ]
        fresh = [(table, player) for player in acting if player is not None]
        fresh = [one for one in fresh if one not in self._withheld]
        if fresh and not self._withheld:
            self._withheld_until = self._visit.now + TURN_MAX
        self._withheld += tuple(fresh)
        return tuple(TurnTold(table, told=False, player=player) for table, player in fresh)

    def _told_late(self) -> Sequence[AnyIntent]:
        """The turns that waited and have been told, or have waited for too long."""
        if self._voice.holds_turn and self._visit.now < self._withheld_until:
            return ()
        told, self._withheld = self._withheld, ()
        return tuple(TurnTold(table, told=True, player=player) for table, player in told)

    def _moved(self, table: TableId, player: PlayerId | None) -> None:
        """Who moved before being told that it was their turn need not be told."""
        if player in self._visit.mine:
            self._withheld = tuple(one for one in self._withheld if one != (table, player))
            self._voice.drop_turn(self._visit.now)

    # -- one request at a time

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up what waits, until the hall has to be asked."""
        while self._asking is None and not self._settling and self._inbox:
            request = self._inbox.take()
            self._voice.asked()
            if request.verb in ACTS:
                self._voice.acts()
            begin = REQUESTS.get(request.verb)
            found = UNKNOWN if begin is None else begin(self._visit, request.fields)
            if isinstance(found, Answer):
                self._answer(found)
                continue
            self._asking = found
            asked = self._step(None)
            if asked:
                return asked
        if self._inbox.last_words and self._asking is None and not self._settling:
            self._voice.answer(self._inbox.last_words, self._visit.now)
            self._inbox.last_words = ""
            self._closing = True
        return ()

    def _reply(self, reply: AnyReply) -> Sequence[AnyIntent]:
        if self._settling:
            self._settling = False
            return self._go_on()
        return self._step(reply) or self._go_on()

    def _step(self, reply: AnyReply | None) -> Sequence[AnyIntent]:
        """Get on with the conversation: what it asks next, or nothing where it is over."""
        asking = self._asking
        assert asking is not None, "the hall replies only to what it was asked"
        try:
            return (next(asking) if reply is None else asking.send(reply),)
        except StopIteration as over:
            self._asking = None
            self._answer(over.value)
        if isinstance(reply, Done):
            self._settling = True
            return (SETTLE,)
        return ()

    def _answer(self, answer: Answer) -> None:
        visit = self._visit
        self._voice.answer(answer.line, visit.now)
        for line in answer.then:
            if line != TURN or not self._voice.holds_turn:  # once is enough while it waits
                self._broadcast(line)
        for table, back in list(visit.returns.items()):
            visit.returns[table] = replace(back, requests=back.requests + 1)
            if visit.returns[table].begins:
                self._broadcast(f"GAME_STARTED:{visit.ledger.game(table)}")
