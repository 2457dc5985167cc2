"""One connection that speaks bughouse: requests in, one answer to each, broadcasts between.

The hall tells news after its reply. A move by which nothing ends brings only the news of the
move; after any other deed the dialect asks the hall one more thing, which changes nothing, and
when the hall replies to that, all news of the deed have been heard.

A turn that the client cannot be told of yet is no turn: the dialect tells the hall so, and the
clock stands until YOUR_TURN is sent (but no longer than `TURN_MAX` in a game, or a client could
talk on for ever).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from rookery.core.events import Ended, Played, Started
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, TableId
from rookery.core.intents import AnyIntent, Play, TurnTold
from rookery.core.manners import Directory
from rookery.core.messages import AnyMessage, Done, News, Noted, Notice
from rookery.dialects.base import Lines
from rookery.dialects.bughouse.broadcasts.telling import hear
from rookery.dialects.bughouse.broadcasts.wording import WORDING
from rookery.dialects.bughouse.profile import LINE_MAX, WAITING_MAX, BughouseOptions
from rookery.dialects.bughouse.requests import lobby, play
from rookery.dialects.bughouse.requests.asking import Asking, RequestAnswer
from rookery.dialects.bughouse.session import Session
from rookery.dialects.bughouse.voice import TURN, Voice
from rookery.dialects.bughouse.wire import notice, read_request
from rookery.dialects.conversation import ALL_TOLD, Conversation, Conversing, Unasked

REQUESTS: Final[Mapping[str, Callable[[Session, tuple[str, ...]], Asking | RequestAnswer]]] = {
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

UNKNOWN: Final = RequestAnswer("ERROR: no such request")
TOO_LONG: Final = f"ERROR: a line has at most {LINE_MAX} bytes"
TOO_FAST: Final = f"ERROR: at most {WAITING_MAX} requests may wait to be answered"
ABSENCES: Final = frozenset({"gone", "back"})
ACTS: Final = frozenset({"MOVE", "PUT"})
# So long in a game may clocks stand for turns that wait; a window may take all of it to build.
TURN_MAX: Final[Micros] = 10 * MICROS_A_SECOND


class BughouseDialect(Conversing[bytes]):
    """One connection."""

    def __init__(self, options: BughouseOptions, directory: Directory) -> None:
        self._cut = Lines(LINE_MAX, bare_cr=True)
        super().__init__(self._cut, WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._session = Session(options, directory)
        self._voice = Voice(options.pace)
        self.quick = True  # whether moves are heard of the quick way, where that is possible
        self._withheld: tuple[tuple[TableId, PlayerId], ...] = ()  # turns that wait to be told
        self._withheld_since: Micros = 0
        self._clocks_stood: Micros = 0  # in the current game

    # -- coming in

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read requests into intents. The last one before the client hangs up needs no line end."""
        self._session.learn(now)
        if self._deaf:
            return ()
        lines = self._cut.feed(data) if data else self._cut.last()
        self._deaf = not data
        if lines:
            self._voice.heard(self._session.now)
        asked = self._put(lines)
        return (*asked, *self._told_late()) if self._withheld else asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news of the hall; return what to ask the hall next."""
        if type(message) is News:  # which is most that anyone is told
            asked = self._hear_of_table(message)
            return (*asked, *self._on_with(message)) if self._hears else asked
        if type(message) is Noted:
            return ()
        asked = super().tell(message)
        return (*asked, *self._told_late()) if self._withheld else asked

    def _hear(self, news: Unasked) -> None:
        # "A session without a player is sent no broadcast at all"; a match is told as any game.
        if isinstance(news, Notice) and self._session.mine:
            line, player = notice(news.code, news.sentence), news.player
            if news.code in ABSENCES and player is not None:
                self._voice.absence(player, line, self._session.now)
            else:
                self._broadcast(line)

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Send lines that waited for a silence."""
        self._session.learn(now)
        self._voice.tick(now)
        return self._told_late() if self._withheld else ()

    # -- going out

    def deadline(self) -> Micros | None:
        """When to tick next: a silence is long enough for the lines that wait."""
        voice = self._voice
        if voice.asks_time:
            return 0
        first = voice.deadline()
        if not self._session.rounds:  # what comes next is of the lobby, and may be told at once
            first = earlier(first, voice.silence())
        if self._withheld:
            first = earlier(first, self._withheld_since + TURN_MAX - self._clocks_stood)
        return first

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent to the client now."""
        return self._voice.drain()

    def _broadcast(self, line: str) -> None:
        if line == TURN:
            self._voice.turn(self._session.now)
        else:
            self._voice.broadcast(line, self._session.now)

    def _hear_of_table(self, news: News) -> Sequence[AnyIntent]:
        session, voice, table = self._session, self._voice, news.happened.table
        event = news.happened.event
        if isinstance(event, Played):
            if self._hear_of_move(news, event):
                return ()
            if voice.holds_turn:
                self._moved(table, news.scene.players[event.seat])
        lines = hear(session, news)
        of_lobby = tuple(line.text for line in lines if line.lobby)
        if of_lobby:
            voice.lobby(session.ledger.game(table), of_lobby, session.now)
        if len(lines) == len(of_lobby):
            return ()
        voice.join(session.ledger.game(table), session.now)
        if isinstance(event, Started):
            voice.drop_lobby()
            self._clocks_stood = 0
        elif isinstance(event, Ended):
            voice.drop_absences()
        for line in lines:
            if not line.lobby:
                self._broadcast(line.text)
        return self._withhold(table) if voice.holds_turn else ()

    def _hear_of_move(self, news: News, played: Played) -> bool:
        """Tell the client of a move the quick way; False, and nothing done, where none is."""
        session, scene, table = self._session, news.scene, news.happened.table
        current = session.rounds.get(table) if self.quick else None
        if current is None or current.players is not scene.players or not current.playing:
            return False
        if scene.outcome is not None or session.returns or len(session.rounds) > 1:
            return False
        worded = WORDING.find(session.ledger, news, played)
        words, turn = worded.for_seats(current.own)
        if not self._voice.broadcast_at_once(words, turn, session.now):
            return False
        current.to_act, current.sight = news.happened.to_act, scene
        return True

    # -- turns that cannot be told yet

    def _withhold(self, table: TableId) -> Sequence[AnyIntent]:
        """Tell the hall of turns at a table that the voice holds back, each turn once."""
        current = self._session.rounds.get(table)
        if current is None or table in self._session.returns or self._clocks_stood >= TURN_MAX:
            return ()
        acting = [
            current.players[seat] for seat in self._session.seats(table) if seat in current.to_act
        ]
        fresh = [(table, player) for player in acting if player is not None]
        fresh = [one for one in fresh if one not in self._withheld]
        if fresh and not self._withheld:
            self._withheld_since = self._session.now
        self._withheld += tuple(fresh)
        return tuple(TurnTold(table, told=False, player=player) for table, player in fresh)

    def _told_late(self) -> Sequence[AnyIntent]:
        """Tell the hall of turns that are held back no more, or have waited for too long."""
        stood = self._clocks_stood + self._session.now - self._withheld_since
        if self._voice.holds_turn and stood < TURN_MAX:
            return ()
        self._clocks_stood = stood
        told, self._withheld = self._withheld, ()
        return tuple(TurnTold(table, told=True, player=player) for table, player in told)

    def _moved(self, table: TableId, player: PlayerId | None) -> None:
        """Drop the YOUR_TURN that waits for a player of ours who has moved without it."""
        if player in self._session.mine:
            left = tuple(one for one in self._withheld if one != (table, player))
            if self._withheld and not left:
                self._clocks_stood += self._session.now - self._withheld_since
            self._withheld = left
            self._voice.drop_turn(self._session.now)

    # -- one request at a time

    def _on_with(self, news: News) -> Sequence[AnyIntent]:
        """Hand the open request the news that it waits for; return what to ask the hall next."""
        return self._send(news) or self._go_on()

    def _begin(self, request: bytes) -> Conversation[None] | None:
        read = read_request(request)
        self._voice.asked(read.verb)
        if read.verb in ACTS:
            self._voice.acts()
        begin = REQUESTS.get(read.verb)
        found = UNKNOWN if begin is None else begin(self._session, read.fields)
        if isinstance(found, RequestAnswer):
            self._answer(found)
            return None
        return self._ask(found)

    def _ask(self, asking: Asking) -> Conversation[None]:
        """Lead a request's talk with the hall, answer it, and wait for the news of its deed."""
        asked, reply = None, None
        try:
            while True:
                asked = asking.send(reply)
                reply = yield asked
        except StopIteration as over:
            self._answer(over.value)
        if not isinstance(reply, Done):
            return
        if not (isinstance(asked, Play) and (yield from _heard(asked.table))):
            yield ALL_TOLD

    def _say_last(self, sentence: str) -> None:
        self._voice.answer(sentence, self._session.now)

    def _answer(self, answer: RequestAnswer) -> None:
        session = self._session
        self._voice.answer(answer.line, session.now)
        for line in answer.then:
            if line != TURN or not self._voice.holds_turn:  # once is enough while it waits
                self._broadcast(line)
        for table, back in list(session.returns.items()) if session.returns else ():
            session.returns[table] = replace(back, requests=back.requests + 1)
            if session.returns[table].begins:
                line = f"GAME_STARTED:{session.ledger.game(table)}"
                self._voice.broadcast_return(line, session.now)


def _heard(table: TableId) -> Conversation[bool]:
    """Wait for the news of a move at a table; return whether nothing more follows from it."""
    while True:
        news = yield None
        if isinstance(news, News) and news.happened.table == table:
            scene = news.scene
            moved = isinstance(news.happened.event, Played)
            return moved and scene.game.outcome(scene.state) is None


def earlier(one: Micros | None, other: Micros | None) -> Micros | None:
    """The earlier of two moments; None stands for never."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
