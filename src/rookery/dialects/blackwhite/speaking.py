"""One connection that speaks blackwhite: what each line asks for, and what is said back.

A line is a conversation that returns when the client has been told all that follows from the
line. For a client that comes into the middle of a game the dialect asks the hall for the past
of the game, and news wait meanwhile. Where ENTERROOM leads into a tour there is no room: the
client is alone until a match begins, and then there are two.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Ended, Opened, Out, Played, PublicEvent, RematchWished, Started
from rookery.core.game import Effect, Forfeit
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.intents import EnterRoom, History, Leave, LeaveRoom, Play, Resign, Survey
from rookery.core.manners import Directory
from rookery.core.messages import (
    AnyMessage,
    News,
    Notice,
    Past,
    Refused,
    Roomed,
    RoomNews,
    Surveyed,
    TourJoined,
    TourNews,
)
from rookery.core.names import caseless, plain
from rookery.dialects.base import Lines
from rookery.dialects.blackwhite import wire
from rookery.dialects.blackwhite.profile import LINE_MAX, WAITING_MAX, BlackWhiteOptions
from rookery.dialects.blackwhite.wire import (
    BadLine,
    EnterLine,
    PlayLine,
    QuitLine,
    ResignLine,
    Telling,
)
from rookery.dialects.conversation import ALL_TOLD, TOUR_OVER, Bound, Conversation, Unasked

TOO_LONG: Final = f"A line has at most {LINE_MAX} bytes."
TOO_FAST: Final = f"At most {WAITING_MAX} lines may wait to be answered."


class Me(Struct, frozen=True):
    """The client's player, its name as the client wrote it, and the room it is in."""

    player: PlayerId
    name: str
    room: str


class BlackwhiteDialect(Bound[bytes]):
    """One connection."""

    def __init__(
        self, options: BlackWhiteOptions | None = None, directory: Directory | None = None
    ) -> None:
        lines = Lines(LINE_MAX)
        super().__init__(lines, WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._options = options or BlackWhiteOptions()
        self._me: Me | None = None
        self._members: set[PlayerId] = set()  # who is in the room, as far as was said here
        self._game: Telling | None = None  # the room's game, or its last one
        self._meanwhile: list[News] | None = None  # what happened while we read the past

    # -- what a line asks for

    def _begin(self, request: bytes) -> Conversation[None] | None:
        try:
            text = request.decode()
            return self._take(text) if text.strip() else None
        except UnicodeDecodeError:
            self._say(wire.error("A line is written in UTF-8."))
        except BadLine as wrong:
            self._say(wire.error(str(wrong)))
        return None

    def _take(self, text: str) -> Conversation[None] | None:
        """Begin the conversation that a line asks for; None if it needs no hall. Raises BadLine."""
        game = self._game if self._game is not None and self._game.running else None
        match wire.read(text):
            case PlayLine(seat, move):
                if game is not None and game.seat == seat:
                    return self._move(game, seat, move)
                # "of the wrong colour, by a viewer, before the start or after the end"
                self._say(wire.invalid(seat))
                return None
            case EnterLine(name, room):
                return self._enter(self._door(name, room))
            case ResignLine():
                if game is None or game.seat is None:
                    raise BadLine("You play no game that you could resign.")
                return self._resign(game)
            case QuitLine():
                return self._quit(game)

    def _door(self, name: str, room: str | None) -> EnterRoom:
        """The intent to enter the room that the client means. Raises BadLine if it may not."""
        me = self._me
        if me is None:
            return self._at_door(name, room or wire.LOBBY)
        if caseless(name) != caseless(me.name) or room not in (None, me.room):
            raise BadLine(f"You are {me.name} in the room {me.room}.")
        if self._tour is not None and self._game is not None and self._game.running:
            raise BadLine("You are in the room, and the game goes on.")
        return replace(self._at_door(None, me.room), player=me.player)

    def _at_door(self, name: str | None, room: str) -> EnterRoom:
        options = self._options
        return EnterRoom(
            room, wire.VARIANT, options.time, options.policy, name, view_only=not options.draft
        )

    # -- at the table

    @property
    def _player(self) -> PlayerId | None:
        return None if self._me is None else self._me.player

    def _move(self, game: Telling, seat: Seat, move: str) -> Conversation[None]:
        reply = yield Play(game.table, move, player=self._player)
        if isinstance(reply, Refused):
            self._say(wire.invalid(seat))
        else:
            yield from self._told()

    def _resign(self, game: Telling) -> Conversation[None]:
        reply = yield Resign(game.table, player=self._player)
        if isinstance(reply, Refused):
            self._say(wire.error(reply.sentence))
        else:
            yield from self._told()

    def _quit(self, game: Telling | None) -> Conversation[None]:
        self._leave()
        if self._me is not None and self._tour is None:
            yield LeaveRoom(player=self._me.player)
        elif game is not None:  # a match
            yield Leave(game.table, player=self._player)

    def _told(self) -> Conversation[None]:
        """Wait for the news of our own deed: that we came, our wish, our move, or the end."""
        while not self._is_ours((yield None)):
            pass

    def _is_ours(self, news: AnyMessage | None) -> bool:
        match news:
            case RoomNews(player=player):
                return player == self._player
            case News(happened, scene) if self._game is not None:
                match happened.event:
                    case RematchWished(seat):
                        return scene.players[seat] == self._player
                    # A last move is all told only with the end that follows it.
                    case Played(seat) if happened.to_act:
                        return seat == self._game.seat and happened.table == self._game.table
                    case Ended():
                        return happened.table == self._game.table
                    case _:
                        return False
            case _:
                return False

    # -- coming in

    def _enter(self, door: EnterRoom) -> Conversation[None]:
        match (yield door):
            case Refused(sentence=sentence):
                self._say(wire.error(sentence))
            case Roomed() as room:
                yield from self._come_in(door, room)
            case TourJoined() as joined:
                yield from self._be_in_tour(door, joined)
            case _ if self._inbox:
                # Coming in may begin a game: what waits to be read is looked at after that.
                yield ALL_TOLD
            case _:
                yield from self._told()

    def _come_in(self, door: EnterRoom, room: Roomed) -> Conversation[None]:
        """Tell the client who is in the room, and the game so far if there is one."""
        self._tour, self._game = None, None
        self._members.clear()
        me = self._be(door, room.player)
        for member in room.members:
            self._come_and_go(member.player, member.name, here=True)
        if room.table is not None:
            yield from self._catch_up(room.table, me)
        elif self._inbox:
            yield ALL_TOLD
        while me.player not in self._members:
            yield None

    def _be_in_tour(self, door: EnterRoom, joined: TourJoined) -> Conversation[None]:
        """Join a tour: the client is alone in its room, unless the hall knows of a match."""
        self._tour, self._waiting = joined, True
        me = self._be(door, joined.player)
        self._say(wire.named("ENTERROOM", me.name))
        match (yield Survey(wire.GAME.name, player=me.player)):
            case Surveyed(tables=[match, *_]) if self._tour is not None:
                # Either it has begun since we came in, or we came back to it.
                if self._game is None or self._game.table != match.table:
                    yield from self._catch_up(match.table, me)
            case _:
                pass

    def _be(self, door: EnterRoom, player: PlayerId) -> Me:
        if self._me is None:
            assert door.name is not None, "only who is somebody comes in without a name"
            self._me = Me(player, door.name, door.room)
        return self._me

    def _catch_up(self, table: TableId, me: Me) -> Conversation[None]:
        """Tell the client the past of a game, and then the news that came while we asked for it."""
        meanwhile: list[News] = []
        game = Telling(table, me.player, me.name)
        self._game, self._meanwhile = game, meanwhile
        seen = 0
        while isinstance(past := (yield History(table, seen)), Past):
            for event, effects in game.relive(past.events):
                self._event(game, event, effects)
            seen = past.events[-1].n if past.events else 0
            if not past.more:
                break
        if isinstance(past, Refused):
            self._game = None  # what goes on there cannot be told without its past
            self._say(wire.error(past.sentence))
        if game.running:
            self._say(game.turn_now())
        self._meanwhile = None
        for news in meanwhile:
            if news.happened.table != table or news.happened.n > seen:
                self._hear_of_table(news)

    # -- what happens

    def _hear(self, news: Unasked) -> None:
        match news:
            case News() if self._meanwhile is not None:
                self._meanwhile.append(news)
            case News():
                self._hear_of_table(news)
            case RoomNews(player=player, name=name, here=here):
                self._come_and_go(player, name, here=here)
            case TourNews():
                self._hear_of_tour(news)
            case Notice():
                pass  # this language has no words for it

    def _come_and_go(self, player: PlayerId, name: str, *, here: bool) -> None:
        name = plain(name)  # the hall's raised numbers are not for old clients
        if self._me is not None and player == self._me.player:
            name = self._me.name  # "as their owner wrote them"
        if here:
            self._members.add(player)
            self._say(wire.named("ENTERROOM", name))
        elif player in self._members:
            self._members.discard(player)
            self._say(wire.named("QUIT", name))

    def _hear_of_table(self, news: News) -> None:
        """Tell the client what happened at a table of the room, and whose turn it is now."""
        happened, game = news.happened, self._game
        match happened.event:
            case Opened():
                called = "" if self._me is None else self._me.name
                self._game = Telling(happened.table, self._player, called)
            case RematchWished(seat):
                self._say(wire.named("ENTERROOM", plain(news.scene.names[seat])))
            case event if game is not None and game.table == happened.table:
                self._event(game, event, happened.effects)
                if isinstance(event, Started | Played) and happened.to_act:
                    self._say(game.turn(happened.to_act[0]))
            case _:
                pass  # of a game before this one

    def _wait_in_vain(self) -> None:
        self._say(wire.error(TOUR_OVER))

    def _event(self, game: Telling, event: PublicEvent, effects: Sequence[Effect]) -> None:
        """Tell the client of an event of its game, but not whose turn it is then."""
        match event:
            case Started() if self._tour is not None:
                self._waiting, self._members = False, {self._tour.player}
                for seat, player in game.players.items():
                    if player != self._tour.player:
                        self._come_and_go(player, game.name(seat), here=True)
            case Out(seat, Forfeit.GONE):
                self._come_and_go(game.players[seat], game.name(seat), here=False)
            case _:
                pass
        self._say(*game.tell(event, effects))

    # -- saying

    def _say_last(self, sentence: str) -> None:
        self._say(wire.error(sentence))

    def _say(self, *lines: str) -> None:
        """Send lines that belong together: as `A & B`, or a line each, as the options say."""
        if lines and not self._closing:
            between = " & " if self._options.joined else "\n"
            self._said.append(f"{between.join(lines)}\n".encode())
