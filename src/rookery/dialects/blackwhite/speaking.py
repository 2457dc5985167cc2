"""One connection that speaks blackwhite: what each line asks for, and what is said back.

Lines are taken up one at a time, the next when all that follows from the last is known: so
a client that does not wait for answers gets the same ones. Who comes into the middle of a
game asks the hall for its past, and what happens meanwhile waits. Where ENTERROOM leads into
a tour there is no room: one is alone until a match begins, and then there are two.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from rookery.core.directory import Directory
from rookery.core.events import Ended, Opened, Out, Played, PublicEvent, RematchWished, Started
from rookery.core.game import Effect, Forfeit
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import (
    AnyIntent,
    EnterRoom,
    History,
    Leave,
    LeaveRoom,
    Play,
    Resign,
    Survey,
)
from rookery.core.messages import (
    AnyMessage,
    Done,
    News,
    Notice,
    Past,
    Refused,
    Roomed,
    RoomNews,
    Surveyed,
)
from rookery.core.tours.tour_messages import TourJoined, TourNews
from rookery.dialects.base import Lines
from rookery.dialects.blackwhite import words
from rookery.dialects.blackwhite.options import BlackWhiteOptions
from rookery.dialects.blackwhite.telling import Group, Telling
from rookery.dialects.blackwhite.words import BadLine, EnterLine, PlayLine, QuitLine, ResignLine
from rookery.dialects.bound import TOUR_OVER, is_over
from rookery.dialects.inbox import Inbox
from rookery.dialects.limits import BLACKWHITE_LINE_MAX, BLACKWHITE_WAITING_MAX

TOO_LONG: Final = f"A line has at most {BLACKWHITE_LINE_MAX} bytes."
TOO_FAST: Final = f"At most {BLACKWHITE_WAITING_MAX} lines may wait to be answered."

# A question about nothing: when it is answered, all that was decided before has been told.
ALL_TOLD: Final = Survey(words.GAME.name, TableId(0))


class Me(Struct, frozen=True):
    """Who we are, in our own words, and where."""

    player: PlayerId
    name: str
    room: str


class BlackWhite:
    """One connection. It mutates."""

    def __init__(
        self, options: BlackWhiteOptions | None = None, directory: Directory | None = None
    ) -> None:
        self._options = options or BlackWhiteOptions()
        self._lines = Lines(BLACKWHITE_LINE_MAX)
        self._inbox = Inbox[bytes](BLACKWHITE_WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._said: list[str] = []
        self._asked: AnyIntent | None = None  # what the hall has not answered yet
        self._tried = Seat(0)  # the colour of the last move that was asked for
        self._unheard = False  # it has, but what we did has not been told to all yet
        self._me: Me | None = None
        self._tour: TourJoined | None = None  # whose matches we play, and in no room then
        self._bound = False  # ready for one, and none has begun since
        self._members: set[PlayerId] = set()  # who is in the room, as far as was said here
        self._game: Telling | None = None  # the room's game, or its last one
        self._meanwhile: list[News] | None = None  # what happened while we read the past
        self._mute = False  # nothing more is said
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether to hang up once it is drained."""
        return self._closing

    @property
    def full(self) -> bool:
        """Whether enough waits to be answered."""
        return self._inbox.full

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """What these lines ask for. The end of the connection drops an unfinished one."""
        if not self._inbox.listens(data):
            return ()
        self._inbox.put(self._lines.feed(data))
        asked = self._go_on()
        if self._inbox.is_too_much(overflowed=self._lines.overflowed):
            self._go_on()
        return asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        match message:
            case News():
                self._hear(message)
            case RoomNews(player=player, name=name, here=here):
                self._come_and_go(player, name, here=here)
            case TourNews():
                self._hear_of_tour(message)
            case Notice():
                pass  # this language has no words for it
            case _:
                asked, self._asked = self._asked, None
                assert asked is not None, "the hall replies only to what it was asked"
                intent = self._answered(asked, message)
                if intent is not None:
                    return self._ask(intent)
        return self._go_on()

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Nothing: the dialect has no time-outs of its own."""
        return ()

    def deadline(self) -> Micros | None:
        """Never."""
        return None

    def drain(self) -> bytes:
        """All there is to send now."""
        said = "".join(f"{line}\n" for line in self._said)
        self._said.clear()
        return said.encode()

    # -- lines, one at a time

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up what waits, until the hall must be asked."""
        while self._inbox and self._asked is None and not self._unheard and not self._mute:
            intent = self._take(self._inbox.take())
            if intent is not None:
                return self._ask(intent)
        if (
            self._inbox.last_words
            and self._asked is None
            and not self._unheard
            and not self._closing
        ):
            self._say(words.error(self._inbox.last_words))
            self._closing = True
        return ()

    def _ask(self, intent: AnyIntent) -> Sequence[AnyIntent]:
        self._asked = intent
        return (intent,)

    def _take(self, line: bytes) -> AnyIntent | None:
        """What the hall is asked by this line; None if it needs no hall."""
        try:
            text = line.decode()
            return self._intent(text) if text.strip() else None
        except UnicodeDecodeError:
            self._say(words.error("A line is written in UTF-8."))
        except BadLine as wrong:
            self._say(words.error(str(wrong)))
        return None

    def _intent(self, text: str) -> AnyIntent | None:
        me = None if self._me is None else self._me.player
        game = self._game if self._game is not None and self._game.running else None
        match words.read(text):
            case EnterLine(name, room):
                return self._enter(name, room)
            case PlayLine(seat, move):
                self._tried = seat
                if game is not None and game.seat == seat:
                    return Play(game.table, move, me)
                # "of the wrong colour, by a viewer, before the start or after the end"
                self._say(words.invalid(seat))
                return None
            case ResignLine():
                if game is None or game.seat is None:
                    raise BadLine("You play no game that you could resign.")
                return Resign(game.table, me)
            case QuitLine():
                self._inbox.deaf = self._mute = True
                if me is not None and self._tour is None:
                    return LeaveRoom(me)
                if game is not None:  # a match
                    return Leave(game.table, me)
                self._closing = True
                return None

    def _enter(self, name: str, room: str | None) -> EnterRoom:
        time, policy = self._options.time, self._options.policy
        me = self._me
        if me is None:
            return EnterRoom(room or words.LOBBY, words.VARIANT, time, policy, name)
        if name != me.name or room not in (None, me.room):
            raise BadLine(f"You are {me.name} in the room {me.room}.")
        if self._tour is not None and self._game is not None and self._game.running:
            raise BadLine("You are in the room, and the game goes on.")
        return EnterRoom(me.room, words.VARIANT, time, policy, player=me.player)

    # -- what the hall answers

    def _answered(self, asked: AnyIntent, reply: AnyMessage) -> AnyIntent | None:
        """Take a reply, and what to ask before it is a whole answer."""
        match asked, reply:
            case ((LeaveRoom() | Leave()), _):
                self._closing = True
            case EnterRoom(), Roomed():
                self._unheard = True
                return self._come_in(asked, reply) or self._see_out()
            case EnterRoom(), TourJoined():
                return self._be_in_tour(asked, reply)
            case EnterRoom(), Done():
                self._unheard = True
                return self._see_out()
            case Survey(), Surveyed(tables=[match, *_]) if self._tour is not None:
                # Either it has begun since we came in, or we came back to it.
                if self._game is None or self._game.table != match.table:
                    return self._ask_past(match.table, self._tour.player)
            case Survey(), _:
                pass  # all has been told
            case History(), Past():
                return self._catch_up(reply)
            case Play(), Refused():
                self._say(words.invalid(self._tried))
            case _, Refused(sentence=sentence):
                self._say(words.error(sentence))
            case _:
                self._unheard = True
        return None

    def _come_in(self, asked: EnterRoom, reply: Roomed) -> History | None:
        """Say who is there, and ask for the game so far if there is one."""
        self._tour, self._game = None, None
        self._members.clear()
        self._be(asked, reply.player)
        for member in reply.members:
            self._come_and_go(member.player, member.name, here=True)
        if reply.table is None:
            return None
        return self._ask_past(reply.table, reply.player)

    def _be(self, asked: EnterRoom, player: PlayerId) -> None:
        if self._me is None:
            assert asked.name is not None, "only who is somebody comes in without a name"
            self._me = Me(player, asked.name, asked.room)

    def _be_in_tour(self, asked: EnterRoom, joined: TourJoined) -> Survey:
        """Nobody else is there; unless a match begins, or goes on, which is asked."""
        self._tour, self._bound = joined, True
        self._be(asked, joined.player)
        assert self._me is not None, "who is in a tour is somebody"
        self._say(words.named("ENTERROOM", self._me.name))
        return Survey(words.GAME.name, player=joined.player)

    def _ask_past(self, table: TableId, me: PlayerId) -> History:
        self._game, self._meanwhile = self._telling(table, me), []
        return History(table)

    def _telling(self, table: TableId, me: PlayerId | None) -> Telling:
        return Telling(table, me, "" if self._me is None else self._me.name)

    def _see_out(self) -> Survey | None:
        """Coming in may begin a game: what waits to be read is looked at after that."""
        return ALL_TOLD if self._inbox else None

    def _catch_up(self, reply: Past) -> History | None:
        """Say what happened before we came, and then what happened since we asked."""
        game, meanwhile = self._game, self._meanwhile
        assert game is not None, "only who came into a game asks for its past"
        assert meanwhile is not None, "and what happens meanwhile waits"
        for event, effects in game.relive(reply.events):
            self._event(game, event, effects)
        seen = reply.events[-1].n if reply.events else 0
        if reply.more:
            return History(reply.table, seen)
        if game.running:
            self._say(game.turn_now())
        self._meanwhile = None
        for news in meanwhile:
            if news.happened.table != reply.table or news.happened.n > seen:
                self._hear(news)
        return None

    # -- what happens

    def _come_and_go(self, player: PlayerId, name: str, *, here: bool) -> None:
        if self._me is not None and player == self._me.player:
            name = self._me.name  # "as their owner wrote them"
        if here:
            self._members.add(player)
            self._say(words.named("ENTERROOM", name))
        elif player in self._members:
            self._members.discard(player)
            self._say(words.named("QUIT", name))
        if self._me is not None and player == self._me.player:
            self._unheard = False

    def _hear(self, news: News) -> None:
        """Something happened at a table of the room."""
        if self._meanwhile is not None:
            self._meanwhile.append(news)
            return
        happened = news.happened
        me = None if self._me is None else self._me.player
        match happened.event:
            case Opened():
                self._game = self._telling(happened.table, me)
            case RematchWished(seat):
                self._say(words.named("ENTERROOM", news.scene.names[seat]))
                self._unheard &= news.scene.players[seat] != me
            case event if self._game is not None and self._game.table == happened.table:
                self._event(self._game, event, happened.effects)
                if isinstance(event, Started | Played) and happened.to_act:
                    self._say(self._game.turn(happened.to_act[0]))
                    # A last move is all told only with the end that follows it.
                    self._unheard &= isinstance(event, Started) or event.seat != self._game.seat
            case _:
                pass  # of a game before this one

    def _hear_of_tour(self, news: TourNews) -> None:
        if self._tour is None or not is_over(self._tour, news):
            return
        self._tour = None
        if self._bound:
            self._bound = False
            self._say(words.error(TOUR_OVER))

    def _event(self, game: Telling, event: PublicEvent, effects: Sequence[Effect]) -> None:
        """Say what is to be said of an event, whose turn it is apart."""
        match event:
            case Started() if self._tour is not None:
                self._bound, self._members = False, {self._tour.player}
                for seat, player in game.players.items():
                    if player != self._tour.player:
                        self._come_and_go(player, game.name(seat), here=True)
            case Out(seat, Forfeit.GONE):
                self._come_and_go(game.players[seat], game.name(seat), here=False)
            case Ended():
                self._unheard = False
            case _:
                pass
        self._together(game.tell(event, effects))

    # -- saying

    def _together(self, lines: Group) -> None:
        """Say what belongs together: `A & B`, or a line each."""
        if self._options.joined and lines:
            self._say(" & ".join(lines))
        else:
            for line in lines:
                self._say(line)

    def _say(self, line: str) -> None:
        if not self._mute:
            self._said.append(line)
