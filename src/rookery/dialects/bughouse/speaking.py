"""One connection that speaks bughouse: requests in, one answer to each, broadcasts between.

Requests are taken up one at a time: the next is looked at when the last is answered and
what followed from it is known, so a client that does not wait gets the same answers. The
hall tells news after its reply; so after a deed it is asked one more thing, which changes
nothing, and when it replies to that all news of the deed have been heard.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from rookery.core.directory import Directory
from rookery.core.events import Started
from rookery.core.ids import Micros, TableId
from rookery.core.intents import AnyIntent, Survey
from rookery.core.messages import AnyMessage, AnyReply, Done, News, Notice, RoomNews
from rookery.core.tour_messages import TourNews
from rookery.dialects.base import Lines
from rookery.dialects.bughouse import lobby, play
from rookery.dialects.bughouse.asking import Answer, Conversation
from rookery.dialects.bughouse.hearing import hear
from rookery.dialects.bughouse.options import BughouseOptions
from rookery.dialects.bughouse.visit import Visit
from rookery.dialects.bughouse.voice import Voice
from rookery.dialects.bughouse.wire import NAME, Request, read_request
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


class Bughouse:
    """One connection. It mutates."""

    def __init__(self, options: BughouseOptions, directory: Directory) -> None:
        self._visit = Visit(options, directory)
        self._voice = Voice()
        self._lines = Lines(BUGHOUSE_LINE_MAX, bare_cr=True)
        self._inbox = Inbox[Request](BUGHOUSE_WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._asking: Conversation | None = None  # what the next reply is for
        self._settling = False  # … or it says that a deed's news have been heard
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
        """What these requests ask for. The end of the connection drops an unfinished one."""
        self._visit.now = max(self._visit.now, now)
        if not self._inbox.listens(data):
            return ()
        requests = [read_request(line) for line in self._lines.feed(data)]
        if requests:
            self._inbox.put(requests)
            self._voice.heard(self._visit.now)
        asked = self._go_on()
        if self._inbox.is_too_much(overflowed=self._lines.overflowed):
            asked = (*asked, *self._go_on())
        return asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        match message:
            case News():
                self._hear(message)
                return ()
            case Notice(code, sentence):
                if self._visit.mine:  # "a session without a player is sent no broadcast at all"
                    self._broadcast(f"NOTICE:{code}\t{sentence}")
                return ()
            case RoomNews() | TourNews():
                return ()  # a match is told as any other game
            case _:
                return self._reply(message)

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Say what waited for a silence, and the time where it gets short."""
        visit = self._visit
        visit.now = max(visit.now, now)
        for one in list(visit.rounds.values()):
            if one.clocks is None or one.table in visit.returns:
                continue
            due = {board for when, board in one.clocks.marks(one.looked) if when <= now}
            for board in sorted(due):
                called = visit.ledger.board(one.table, board)
                self._broadcast(one.clocks.line(board, called, now))
            visit.rounds[one.table] = replace(one, looked=now)
        self._voice.tick(now)
        return ()

    # -- going out

    def deadline(self) -> Micros | None:
        """When silence is long enough for what waits, or a clock gets short."""
        moments = [self._voice.deadline()]
        for one in self._visit.rounds.values():
            if one.clocks is not None and one.table not in self._visit.returns:
                moments += [when for when, _ in one.clocks.marks(one.looked)]
        return min((moment for moment in moments if moment is not None), default=None)

    def drain(self) -> bytes:
        """All there is to send now."""
        return self._voice.drain()

    def _broadcast(self, line: str, *, lobby_news: bool = False) -> None:
        self._voice.broadcast(line, self._visit.now, lobby=lobby_news)

    def _hear(self, news: News) -> None:
        lines = hear(self._visit, news)
        if isinstance(news.happened.event, Started) and self._visit.seats(news.happened.table):
            self._voice.drop_lobby()
        for line in lines:
            self._broadcast(line.text, lobby_news=line.lobby)

    # -- one request at a time

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up what waits, until the hall has to be asked."""
        while self._asking is None and not self._settling and self._inbox:
            request = self._inbox.take()
            self._voice.asked()
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
            self._broadcast(line)
        for table, back in list(visit.returns.items()):
            visit.returns[table] = replace(back, requests=back.requests + 1)
            if visit.returns[table].begins:
                self._broadcast(f"GAME_STARTED:{visit.ledger.game(table)}")
