"""One connection that speaks othello frames: what each asks for, and what is said back.

A sign-on is up to three questions to the hall: is there a seat to take up again, else who
am I, else who plays with me. So frames are taken up one at a time: the next is looked at
when all that follows from the last is known, and a client that does not wait for answers
gets the same ones. What the other player does is told when it happens.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from rookery.core.directory import Directory
from rookery.core.errors import Mistake
from rookery.core.events import Closed, Ended, Played, Said, Sat, Started
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, Leave, Play, Say, Seek, Show, Survey, TakeUp
from rookery.core.messages import AnyMessage, Done, News, Notice, Refused, RoomNews, Shown, Welcome
from rookery.core.tours.tour_intents import Withdraw
from rookery.core.tours.tour_messages import TourJoined, TourNews
from rookery.dialects.bound import is_over
from rookery.dialects.inbox import Inbox
from rookery.dialects.limits import OTHELLO_FRAME_MAX, OTHELLO_WAITING_MAX
from rookery.dialects.othello import words
from rookery.dialects.othello.carriers import BETWEEN, Carrier, Frame, Text, carrier_of
from rookery.dialects.othello.options import OthelloOptions
from rookery.dialects.othello.words import Kind
from rookery.games.reversi import ReversiView

NAME: Final = "othello"
GUEST: Final = "guest"  # nobody says a name in this language

TOO_LONG: Final = f"A frame has at most {OTHELLO_FRAME_MAX} bytes."
TOO_FAST: Final = f"At most {OTHELLO_WAITING_MAX} frames may wait to be answered."

# A question about nothing: when it is answered, all that was decided before has been told.
ALL_TOLD: Final = Survey(words.VARIANT, TableId(0))


class BadFrame(Mistake):
    """A frame that cannot be read, is unknown, or comes when it may not."""


class Phase(Enum):
    """Where the player is."""

    OUT = auto()  # nowhere: it may sign on
    SIGNING = auto()  # on its way to a seat
    WAITING = auto()  # in a seat, alone; or for a match of its tour, in none
    PLAYING = auto()


class Hold(Enum):
    """What the next frame waits for."""

    NOTHING = auto()
    REPLY = auto()  # the hall's
    SEAT = auto()  # to hear that we sit, and that the game begins if it does
    MOVE = auto()  # to hear of our own move
    END = auto()  # to hear of the end that we asked for


class Othello:
    """One connection. It mutates."""

    def __init__(
        self, options: OthelloOptions | None = None, directory: Directory | None = None
    ) -> None:
        self._options = options or OthelloOptions()
        self._carrier: Carrier | None = None
        self._inbox = Inbox[Frame](OTHELLO_WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._said: list[bytes] = []
        self._asked: AnyIntent | None = None  # the last thing we asked the hall
        self._hold = Hold.NOTHING
        self._phase = Phase.OUT
        self._player: PlayerId | None = None
        self._table: TableId | None = None
        self._seat = Seat(0)
        self._tour: TourJoined | None = None  # whose matches we play
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
        """What these frames ask for. The end of the connection drops an unfinished one."""
        if not self._inbox.listens(data):
            return ()
        if self._carrier is None:
            self._carrier = carrier_of(data[0])
        self._inbox.put(self._carrier.feed(data))
        asked = self._go_on()
        if self._inbox.is_too_much(overflowed=self._carrier.overflowed):
            self._go_on()
        return asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        match message:
            case News():
                self._hear(message)
            case RoomNews():
                pass  # from rooms, of which this language has none
            case TourNews():
                self._hear_of_tour(message)
            case Notice(sentence=sentence):
                self._say(Kind.ERROR, sentence)
            case _:
                self._hold = Hold.NOTHING
                intent = self._answered(message)
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
        said = b"".join(self._said)
        self._said.clear()
        return said

    # -- frames, one at a time

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up what waits, until the hall must be asked."""
        while self._hold is Hold.NOTHING and self._inbox:
            try:
                return self._ask(self._take(self._inbox.take()))
            except BadFrame as wrong:
                self._say(Kind.ERROR, str(wrong))
        if self._hold is Hold.NOTHING and self._inbox.last_words and not self._closing:
            self._say(Kind.ERROR, self._inbox.last_words)
            self._closing = True
        return ()

    def _ask(self, intent: AnyIntent) -> Sequence[AnyIntent]:
        self._asked, self._hold = intent, Hold.REPLY
        return (intent,)

    def _take(self, frame: Frame) -> AnyIntent:
        """What the hall is asked by this frame. Raises BadFrame."""
        match frame.kind:
            case Kind.SIGN_ON | Kind.END if frame.payload.strip(BETWEEN):
                raise BadFrame(f"A frame {frame.kind} has no payload.")
            case Kind.SIGN_ON:
                return self._sign_on()
            case Kind.MOVE | Kind.END | Kind.MESSAGE:
                return self._at_table(frame)
            case Kind.INVALID | Kind.BOARD | Kind.ERROR:
                raise BadFrame(f"Only the server sends a frame {frame.kind}.")
            case _:
                raise BadFrame("A frame is of type 1, 2, 5 or 7.")

    def _sign_on(self) -> AnyIntent:
        if self._phase is not Phase.OUT:
            raise BadFrame("You have signed on already.")
        self._phase = Phase.SIGNING
        if self._tour is not None or not self._options.resume:
            return self._come_in()  # who is in a tour does not take up another's seat
        return TakeUp()

    def _at_table(self, frame: Frame) -> AnyIntent:
        table, player = self._table, self._player
        if self._phase is Phase.OUT:
            raise BadFrame("You are not in a game; sign on first.")
        if frame.kind == Kind.END:
            return self._withdraw() if table is None else Leave(table, player)
        if self._phase is Phase.WAITING or table is None:
            raise BadFrame("The game has not begun.")
        if frame.kind == Kind.MESSAGE:
            return Say(table, frame.payload, player=player)
        return Play(table, words.move(frame.payload), player)

    def _withdraw(self) -> Withdraw:
        assert self._tour is not None, "who waits in no seat waits for a match"
        return Withdraw(self._tour.tour, player=self._player)

    def _come_in(self) -> AnyIntent:
        """Be somebody, or go and find a game."""
        return Enter(GUEST, NAME) if self._player is None else self._seek()

    def _seek(self) -> Seek:
        options = self._options
        return Seek(words.VARIANT, time=options.time, policy=options.policy, player=self._player)

    # -- what the hall says

    def _answered(self, reply: AnyMessage) -> AnyIntent | None:
        """Take a reply, and what to ask next before it is a whole answer."""
        match self._asked, reply:
            case ((TakeUp() | Enter()), Welcome(player, tables=[table, *_])):
                self._player = player
                return Show(table, player)
            case ((TakeUp() | Show()), Refused()):
                return self._come_in()
            case ((TakeUp() | Enter()), Welcome(player)):
                self._player = player
                return self._seek()
            case Seek(), Done(int(table), int(seat)):
                self._sit(table, seat)
                self._phase, self._hold = Phase.WAITING, Hold.SEAT
                self._tour = None
            case Seek(), TourJoined():
                # The colour is known when the match begins, which may be at once.
                self._phase, self._tour = Phase.WAITING, reply
                return ALL_TOLD if self._inbox else None
            case Show(), Shown():
                self._resume(reply)
            case Play(), Done():
                self._hold = Hold.MOVE
            case Leave(), Done(seat=None):
                # Nobody won; but whoever signed on once hears of one end.
                self._end(words.NOBODY)
            case Withdraw(), Done() if self._table is None:
                self._end(words.NOBODY)
            case ((Leave() | Withdraw()), Done()):
                self._hold = Hold.END
            case _, Refused():
                self._refused(reply)
                # An end may follow from it: of too many wrong moves, or of the time.
                return ALL_TOLD if self._inbox and self._table is not None else None
            case _:
                pass  # a saying that was said; or a survey: all has been told
        return None

    def _refused(self, reply: Refused) -> None:
        if self._phase is Phase.SIGNING:
            self._phase = Phase.OUT
        if isinstance(self._asked, Play) and reply.code in words.FORBIDDEN:
            self._say(Kind.INVALID)
        elif reply.code == words.UNREADABLE:
            self._say(Kind.ERROR, words.HOW_TO_MOVE)
        else:
            self._say(Kind.ERROR, reply.sentence)

    def _sit(self, table: TableId, seat: Seat) -> None:
        self._table, self._seat = table, seat
        self._say(Kind.SIGN_ON, words.colour(seat))

    def _resume(self, shown: Shown) -> None:
        """A seat was taken up again; by now its game may even be over."""
        assert shown.seat is not None, "who took up a seat sits in it"
        assert isinstance(shown.view, ReversiView), "its game has begun"
        self._phase = Phase.PLAYING
        self._sit(shown.line.table, shown.seat)
        self._say(Kind.BOARD, words.board(shown.view))
        if shown.line.outcome is not None:
            self._end(words.winner(shown.line.outcome))

    def _hear(self, news: News) -> None:
        """Something happened at a table; what is not ours, or not yet, is passed over."""
        happened, scene = news.happened, news.scene
        bound = self._phase is Phase.WAITING and self._table is None
        if bound and isinstance(happened.event, Started) and self._player in scene.players:
            self._sit(happened.table, Seat(scene.players.index(self._player)))
        if happened.table != self._table:
            return
        match happened.event:
            case Sat(seat=seat) if seat == self._seat and None in scene.players:
                self._release(Hold.SEAT)
            case Started():
                self._phase = Phase.PLAYING
                self._board(news)
                self._release(Hold.SEAT)
            case Played(seat=seat):
                self._board(news)
                if seat == self._seat and happened.to_act:
                    self._release(Hold.MOVE)
            case Ended(outcome):
                self._end(words.winner(outcome))
                self._release(Hold.SEAT, Hold.MOVE, Hold.END)
            case Closed():
                # Whoever signed on once hears of one end; why was said in an error before.
                self._end(words.NOBODY)
                self._release(Hold.SEAT, Hold.END)
            case Said(player=player, text=text):
                if player != self._player and player in scene.players:
                    self._say(Kind.MESSAGE, text)
            case _:
                pass  # what the frames cannot say

    def _hear_of_tour(self, news: TourNews) -> None:
        """Who waits for a match that will never be hears of one end, too."""
        if self._tour is None or not is_over(self._tour, news):
            return
        self._tour = None
        if self._phase is Phase.WAITING and self._table is None:
            self._end(words.NOBODY)

    def _release(self, *holds: Hold) -> None:
        if self._hold in holds:
            self._hold = Hold.NOTHING

    # -- saying it

    def _board(self, news: News) -> None:
        view = news.scene.view(None)
        assert isinstance(view, ReversiView), "we sit at tables of reversi"
        self._say(Kind.BOARD, words.board(view))

    def _end(self, who: str) -> None:
        self._table, self._phase = None, Phase.OUT
        self._say(Kind.END, who)

    def _say(self, kind: Kind, payload: str = "") -> None:
        carrier = self._carrier or Text()
        self._said.append(carrier.wrap(Frame(kind, payload)))
