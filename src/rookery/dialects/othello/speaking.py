"""One connection that speaks othello frames: what each asks for, and what is said back.

A sign-on asks the hall up to three questions: is there a seat to take up again, else who am
I, else who plays with me. A frame is a conversation that returns when all that follows from
the frame is known; the client is told what the other player does when it happens.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import Mistake
from rookery.core.events import Closed, Ended, Played, Said, Sat, Started
from rookery.core.game import Outcome
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, Leave, Play, Say, Seek, Show, TakeUp, Withdraw
from rookery.core.manners import Directory
from rookery.core.messages import (
    Done,
    News,
    Notice,
    Refused,
    RoomNews,
    Shown,
    TourJoined,
    TourNews,
    Welcome,
)
from rookery.dialects.conversation import ALL_TOLD, Bound, Conversation, Unasked
from rookery.dialects.othello import wire
from rookery.dialects.othello.profile import FRAME_MAX, NAME, WAITING_MAX, OthelloOptions
from rookery.dialects.othello.wire import (
    BETWEEN,
    Frame,
    FrameKind,
    Framing,
    TextFraming,
    framing_of,
)
from rookery.games.reversi import ReversiView

GUEST: Final = "guest"  # nobody says a name in this language

TOO_LONG: Final = f"A frame has at most {FRAME_MAX} bytes."
TOO_FAST: Final = f"At most {WAITING_MAX} frames may wait to be answered."


class BadFrame(Mistake):
    """A frame that cannot be read, is unknown, or comes when it may not."""


class Seated(Struct, frozen=True):
    """A seat at a table, and whether its game has begun."""

    table: TableId
    seat: Seat
    begun: bool = False


class OthelloDialect(Bound[Frame]):
    """One connection."""

    def __init__(
        self, options: OthelloOptions | None = None, directory: Directory | None = None
    ) -> None:
        self._framing: Framing = TextFraming()
        super().__init__(self._framing, WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._options = options or OthelloOptions()
        self._silent = True  # its first byte, which says how frames are carried, has not come
        self._player: PlayerId | None = None
        self._chair: Seated | None = None

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read frames into intents. The end of the connection drops an unfinished frame."""
        if self._silent and data:
            self._silent = False
            self._lines = self._framing = framing_of(data[0])
        return super().receive(data, now)

    # -- frames

    def _begin(self, request: Frame) -> Conversation[None] | None:
        try:
            return self._take(request)
        except BadFrame as wrong:
            self._say(FrameKind.ERROR, str(wrong))
            return None

    def _take(self, frame: Frame) -> Conversation[None]:
        """Begin the conversation that this frame asks for. Raises BadFrame."""
        if frame.kind == FrameKind.MOVE:  # as nearly all are
            return self._at_table(frame)
        match frame.kind:
            case FrameKind.SIGN_ON | FrameKind.END if frame.payload.strip(BETWEEN):
                raise BadFrame(f"A frame {frame.kind} has no payload.")
            case FrameKind.SIGN_ON:
                if self._waiting or self._chair is not None:
                    raise BadFrame("You have signed on already.")
                return self._sign_on()
            case FrameKind.END | FrameKind.MESSAGE:
                return self._at_table(frame)
            case FrameKind.INVALID | FrameKind.BOARD | FrameKind.ERROR:
                raise BadFrame(f"Only the server sends a frame {frame.kind}.")
            case _:
                raise BadFrame("A frame is of type 1, 2, 5 or 7.")

    def _at_table(self, frame: Frame) -> Conversation[None]:
        chair = self._chair
        if chair is None and not self._waiting:
            raise BadFrame("You are not in a game; sign on first.")
        if frame.kind == FrameKind.END:
            return self._withdraw() if chair is None else self._leave_game(chair)
        if chair is None or not chair.begun:
            raise BadFrame("The game has not begun.")
        if frame.kind == FrameKind.MESSAGE:
            return self._speak(chair, frame.payload)
        return self._move(chair, wire.move(frame.payload))

    # -- signing on

    def _sign_on(self) -> Conversation[None]:
        reply = None
        # Who is in a tour does not take up another's seat.
        if self._tour is None and self._options.resume:
            reply = yield TakeUp()
        if self._player is None and not isinstance(reply, Welcome):
            reply = yield Enter(GUEST, NAME)
        if isinstance(reply, Welcome):
            self._player = reply.player
            shown = (yield Show(reply.tables[0], player=reply.player)) if reply.tables else None
            if isinstance(shown, Shown):
                self._resume(shown)
                return
        elif self._player is None:
            self._refuse(reply)
            return
        yield from self._seek()

    def _seek(self) -> Conversation[None]:
        options = self._options
        reply = yield Seek(
            wire.VARIANT, time=options.time, policy=options.policy, player=self._player
        )
        match reply:
            case Done(int(table), int(seat)):
                self._tour = None
                yield from self._told(self._sit(table, seat))
            case TourJoined():
                # The colour is known when the match begins, which may be at once.
                self._tour, self._waiting = reply, True
                yield from self._see_out()
            case _:
                self._refuse(reply)

    def _resume(self, shown: Shown) -> None:
        """Tell the client of the game whose seat it took up again; by now it may even be over."""
        assert shown.seat is not None, "who took up a seat sits in it"
        assert isinstance(shown.view, ReversiView), "its game has begun"
        self._chair = replace(self._sit(shown.line.table, shown.seat), begun=True)
        self._say(FrameKind.BOARD, wire.board(shown.view))
        if shown.line.outcome is not None:
            self._come_out(shown.line.outcome)

    # -- at the table

    def _move(self, chair: Seated, move: str) -> Conversation[None]:
        reply = yield Play(chair.table, move, player=self._player)
        if not isinstance(reply, Refused):
            yield from self._told(chair)
            return
        if reply.code in wire.FORBIDDEN:
            self._say(FrameKind.INVALID)
        else:
            self._refuse(reply)
        # An end may follow from it: of too many wrong moves, or of the time.
        yield from self._see_out()

    def _speak(self, chair: Seated, text: str) -> Conversation[None]:
        reply = yield Say(chair.table, text, player=self._player)
        if isinstance(reply, Refused):
            self._refuse(reply)
            yield from self._see_out()

    def _leave_game(self, chair: Seated) -> Conversation[None]:
        match (yield Leave(chair.table, player=self._player)):
            case Refused() as reply:
                self._refuse(reply)
                yield from self._see_out()
            case Done(seat=None):
                # Nobody won; but a client that signed on once hears of one end.
                self._end(wire.NOBODY)
            case _:
                yield from self._told(chair)

    def _withdraw(self) -> Conversation[None]:
        assert self._tour is not None, "who waits in no seat waits for a match"
        reply = yield Withdraw(self._tour.tour, player=self._player)
        if isinstance(reply, Refused):
            self._refuse(reply)
        elif self._chair is None:
            self._end(wire.NOBODY)
        else:
            yield from self._told(self._chair)

    def _told(self, chair: Seated) -> Conversation[None]:
        """Wait for the news of what we did: that we sit, that the game began, our move, the end."""
        while True:
            news = yield None
            if not isinstance(news, News) or news.happened.table != chair.table:
                continue
            match news.happened.event:
                case Played(seat=seat) if seat == chair.seat and news.happened.to_act:
                    return
                case Sat(seat=seat) if seat == chair.seat and None in news.scene.players:
                    return
                case Started() | Ended() | Closed():
                    return
                case _:
                    pass

    def _see_out(self) -> Conversation[None]:
        """Wait, if frames are queued, until the client has been told all that may still follow."""
        if self._inbox and (self._waiting or self._chair is not None):
            yield ALL_TOLD

    # -- what happens

    def _hear(self, news: Unasked) -> None:
        match news:
            case News():
                self._hear_of_table(news)
            case TourNews():
                self._hear_of_tour(news)
            case Notice(sentence=sentence):
                self._say(FrameKind.ERROR, sentence)
            case RoomNews():
                pass  # from rooms, of which this language has none

    def _hear_of_table(self, news: News) -> None:
        """Tell the client what happened at its own table; other tables are passed over."""
        happened, scene = news.happened, news.scene
        if self._waiting and isinstance(happened.event, Started) and self._player in scene.players:
            self._sit(happened.table, Seat(scene.players.index(self._player)))
        chair = self._chair
        if chair is None or happened.table != chair.table:
            return
        match happened.event:
            case Played():
                self._board(news)
            case Started():
                self._chair = replace(chair, begun=True)
                self._board(news)
            case Ended(outcome):
                self._come_out(outcome)
            case Closed():
                # A client that signed on once hears of one end; why was said in an error before.
                self._end(wire.NOBODY)
            case Said(player=player, text=text):
                if player != self._player and player in scene.players:
                    self._say(FrameKind.MESSAGE, text)
            case _:
                pass  # what the frames cannot say

    def _wait_in_vain(self) -> None:
        self._end(wire.NOBODY)  # of one end, too

    # -- saying it

    def _sit(self, table: TableId, seat: Seat) -> Seated:
        self._chair, self._waiting = Seated(table, seat), False
        self._say(FrameKind.SIGN_ON, wire.colour(seat))
        return self._chair

    def _board(self, news: News) -> None:
        self._say(FrameKind.BOARD, _boards.find(news.scene))

    def _come_out(self, outcome: Outcome) -> None:
        """Tell who won; right before that why, where nobody was beaten on the board."""
        if outcome.how in wire.TOLD_WHY:
            self._say(FrameKind.ERROR, outcome.reason)
        self._end(wire.winner(outcome))

    def _end(self, who: str) -> None:
        self._chair, self._waiting = None, False
        self._say(FrameKind.END, who)

    def _refuse(self, reply: object) -> None:
        assert isinstance(reply, Refused), "what is not done is refused"
        unreadable = reply.code == wire.UNREADABLE
        self._say(FrameKind.ERROR, wire.HOW_TO_MOVE if unreadable else reply.sentence)

    def _say_last(self, sentence: str) -> None:
        self._say(FrameKind.ERROR, sentence)

    def _say(self, kind: FrameKind, payload: str = "") -> None:
        self._said.append(self._framing.wrap(Frame(kind, payload)))


_boards: Final = wire.Boards()  # one for all connections, which is the point of it
