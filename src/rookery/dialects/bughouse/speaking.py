"""One connection that speaks bughouse: requests in, one answer to each, broadcasts between.

The hall tells news after its reply; so after a deed it is asked one more thing, which changes
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
from rookery.core.messages import AnyMessage, Done, News, Noted, Notice
from rookery.dialects.base import Lines
from rookery.dialects.bughouse import lobby, play
from rookery.dialects.bughouse.asking import Asking, RequestAnswer
from rookery.dialects.bughouse.hearing import hear
from rookery.dialects.bughouse.limits import LINE_MAX, WAITING_MAX
from rookery.dialects.bughouse.manners import NAME
from rookery.dialects.bughouse.options import BughouseOptions
from rookery.dialects.bughouse.visit import Visit
from rookery.dialects.bughouse.voice import TURN, Voice
from rookery.dialects.bughouse.wire import notice, read_request
from rookery.dialects.conversation import Conversation, Conversing, Unasked

REQUESTS: Final[Mapping[str, Callable[[Visit, tuple[str, ...]], Asking | RequestAnswer]]] = {
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

UNKNOWN: Final = RequestAnswer("ERROR: no such request")
TOO_LONG: Final = f"ERROR: a line has at most {LINE_MAX} bytes"
TOO_FAST: Final = f"ERROR: at most {WAITING_MAX} requests may wait to be answered"
SETTLE: Final = Survey(NAME, TableId(0))  # no table has this id
ACTS: Final = frozenset({"MOVE", "PUT"})
TURN_MAX: Final[Micros] = 2 * MICROS_A_SECOND  # how long a turn may wait with its clock standing


class Bughouse(Conversing[bytes]):
    """One connection. It mutates."""

    def __init__(self, options: BughouseOptions, directory: Directory) -> None:
        self._cut = Lines(LINE_MAX, bare_cr=True)
        super().__init__(self._cut, WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._visit = Visit(options, directory)
        self._voice = Voice(options.pace)
        self._withheld: tuple[tuple[TableId, PlayerId], ...] = ()  # turns that wait to be told
        self._withheld_until: Micros = 0

    # -- coming in

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """What these requests ask for. The last one before a connection ends needs no end."""
        self._visit.learn(now)
        if self._deaf:
            return ()
        lines = self._cut.feed(data) if data else self._cut.last()
        self._deaf = not data
        if lines:
            self._voice.heard(self._visit.now)
        asked = self._put(lines)
        return (*asked, *self._told_late()) if self._withheld else asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        match message:
            case News():
                return self._hear_of_table(message)
            case Noted():
                return ()
            case _:
                asked = super().tell(message)
                return (*asked, *self._told_late()) if self._withheld else asked

    def _hear(self, news: Unasked) -> None:
        # "A session without a player is sent no broadcast at all"; a match is told as any game.
        if isinstance(news, Notice) and self._visit.mine:
            self._broadcast(notice(news.code, news.sentence))

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

    def _hear_of_table(self, news: News) -> Sequence[AnyIntent]:
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

    def _begin(self, request: bytes) -> Conversation[None] | None:
        read = read_request(request)
        self._voice.asked()
        if read.verb in ACTS:
            self._voice.acts()
        begin = REQUESTS.get(read.verb)
        found = UNKNOWN if begin is None else begin(self._visit, read.fields)
        if isinstance(found, RequestAnswer):
            self._answer(found)
            return None
        return self._ask(found)

    def _ask(self, asking: Asking) -> Conversation[None]:
        """Ask, answer, and see to it that what followed from a deed has been heard."""
        reply = None
        try:
            while True:
                reply = yield asking.send(reply)
        except StopIteration as over:
            self._answer(over.value)
        if isinstance(reply, Done):
            yield SETTLE

    def _say_last(self, sentence: str) -> None:
        self._voice.answer(sentence, self._visit.now)

    def _answer(self, answer: RequestAnswer) -> None:
        visit = self._visit
        self._voice.answer(answer.line, visit.now)
        for line in answer.then:
            if line != TURN or not self._voice.holds_turn:  # once is enough while it waits
                self._broadcast(line)
        for table, back in list(visit.returns.items()):
            visit.returns[table] = replace(back, requests=back.requests + 1)
            if visit.returns[table].begins:
                self._broadcast(f"GAME_STARTED:{visit.ledger.game(table)}")
