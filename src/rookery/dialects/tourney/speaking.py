"""One connection that speaks tourney: what each line asks for, and what is said back.

Lines are answered in order, however fast they come: the next is looked at when all that
follows from the last is known. So a name asked for is the name just given, and a move
behind a move is judged after it. Only a pong may go first, where an answer takes long.
What happens in a match is told when it happens.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from rookery.core.directory import Directory
from rookery.core.events import Ended, Played, Started
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.core.intents import AnyIntent, Enter, Play, Rename, Resume, Show
from rookery.core.messages import (
    WANTED,
    AnyMessage,
    Done,
    News,
    Notice,
    Refused,
    RoomNews,
    Shown,
    Welcome,
)
from rookery.core.tours.tour_events import TourClosing, Withdrawn
from rookery.core.tours.tour_intents import TourIntent
from rookery.core.tours.tour_messages import TourNews
from rookery.dialects.base import Lines
from rookery.dialects.inbox import Inbox
from rookery.dialects.limits import (
    TOURNEY_LINE_MAX,
    TOURNEY_SILENT,
    TOURNEY_WAITING_MAX,
)
from rookery.dialects.tourney.errors import CANNOT, BadLine, integer
from rookery.dialects.tourney.knock import Knock
from rookery.dialects.tourney.naming import UNNAMED, given, plain
from rookery.dialects.tourney.options import TourneyOptions
from rookery.dialects.tourney.patience import Patience
from rookery.dialects.tourney.playing import PASSED_OVER, Playing
from rookery.dialects.tourney.pulse import Beat, Pulse
from rookery.dialects.tourney.tours import NAME, Answer, Tours

PIECES: Final = 5  # "A line is split at `:` into at most five pieces; surplus … ignored"

TOO_LONG: Final = f"A line has at most {TOURNEY_LINE_MAX} bytes."
TOO_FAST: Final = f"At most {TOURNEY_WAITING_MAX} lines may wait to be answered."
UNKNOWN_ID: Final = "ID was not recognized."
CONNECTED: Final = "Player already connected to another client."
NO_PLAYER: Final = "No player set yet."
NO_MATCH: Final = "Player is not playing in a match currently."


class Hold(Enum):
    """What the next line waits for."""

    NOTHING = auto()
    REPLY = auto()  # the hall's
    MOVE = auto()  # to hear of our own move, and of the end if it was the last
    DOOR = auto()  # whether the player we want to be is still there


class Tourney:
    """One connection. It mutates."""

    def __init__(self, options: TourneyOptions, directory: Directory) -> None:
        self._options = options
        self._directory = directory
        self._lines = Lines(TOURNEY_LINE_MAX, bare_cr=True)
        self._inbox = Inbox[str](TOURNEY_WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._said: list[str] = []
        self._asked: AnyIntent | None = None  # the last thing we asked the hall
        self._hold = Hold.NOTHING
        self._player: PlayerId | None = None
        self._playing = Playing()
        self._to_take_up: list[TableId] = []  # tables that a player who is back may play at
        self._tours = Tours(options, directory)
        self._pulse = Pulse()
        self._patience = Patience()
        self._knock = Knock()
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
        self._pulse.heard(now)
        self._inbox.put(line.decode(errors="replace") for line in self._lines.feed(data))
        asked = self._go_on()
        if self._inbox.is_too_much(overflowed=self._lines.overflowed):
            self._go_on()
        if any(map(_is_ping, self._inbox)):
            self._patience.begin(now)
        return asked

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news; and what to ask because of it."""
        match message:
            case News():
                self._hear(message)
            case RoomNews():
                pass  # from rooms, of which this language has none
            case TourNews():
                # "A `@TOUR:END` missed while away is sent after `@PID`", and after the match.
                if isinstance(message.event, TourClosing):
                    self._tours.over(message.tour)
                elif isinstance(message.event, Withdrawn):
                    self._tours.left(message.tour)
            case Notice():
                self._notice(message)
            case _:
                self._hold = Hold.NOTHING
                intent = self._answered(message)
                if intent is not None:
                    return self._ask(intent)
        return self._go_on()

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Ask a silent client whether it lives, or give it up; and do not let it give us up."""
        if self._patience.is_over(now):
            self._answer_pings()
        match self._pulse.look(now):
            case Beat.PING:
                self._say("@PING")
            case Beat.HANG_UP:
                self._hang_up()
            case Beat.NOTHING:
                pass
        wish: AnyIntent | None = self._knock.look(now)
        match_, asks = self._playing.match, self._playing.asks_again(now)
        if wish is None and asks and match_ is not None and self._hold is Hold.NOTHING:
            wish = Show(match_.table, self._player)
        return () if wish is None else self._ask(wish)

    def deadline(self) -> Micros | None:
        """When the client has been silent for too long, or we have."""
        if self._closing:
            return None
        ours = (self._pulse.deadline(), self._patience.deadline())
        moments = (*ours, self._knock.deadline(), self._playing.deadline())
        return min((moment for moment in moments if moment is not None), default=None)

    def drain(self) -> bytes:
        """All there is to send now."""
        said = "".join(f"{line}\n" for line in self._said)
        self._said.clear()
        return said.encode()

    # -- lines, one at a time

    def _go_on(self) -> Sequence[AnyIntent]:
        """Take up what waits, until the hall must be asked."""
        if self._playing.match is None:
            self._tours.rest()
        while self._hold is Hold.NOTHING and not self._closing:
            if not (self._tours.ends or self._inbox):
                break
            try:
                intent = self._next()
            except BadLine as wrong:
                self._error(str(wrong))
            else:
                if intent is not None:
                    return self._ask(intent)
        if not self._inbox:
            self._patience.end()
        if self._hold is Hold.NOTHING and self._inbox.last_words and not self._closing:
            self._error(self._inbox.last_words)
            self._closing = True
        return ()

    def _next(self) -> AnyIntent | None:
        """The end of a tournament first: who hears it sends other lines. Raises BadLine."""
        if self._tours.ends:
            return self._give(self._tours.end())
        return self._take(self._inbox.take())

    def _give(self, answer: Answer) -> AnyIntent | None:
        self._say(*answer.lines)
        return answer.ask

    def _answer_pings(self) -> None:
        """Answer the pings that wait, and leave the other lines."""
        waiting = list(self._inbox)
        others = [line for line in waiting if not _is_ping(line)]
        self._pulse.pings = True
        self._say(*["@PONG"] * (len(waiting) - len(others)))
        self._inbox.keep(others)

    def _ask(self, intent: AnyIntent) -> Sequence[AnyIntent]:
        self._asked, self._hold = intent, Hold.REPLY
        return (intent,)

    def _take(self, line: str) -> AnyIntent | None:
        """What the hall is asked by this line; None if it is answered here. Raises BadLine."""
        command, *pieces = line.split(":")[:PIECES]
        match command.upper():
            case "@PING":
                self._pulse.pings = True
                self._say("@PONG")
            case "@PONG":
                self._pulse.pings = True
            case "@NEW PLAYER":
                if self._player is not None:
                    raise BadLine("Player already registered for this account.")
                return Enter(UNNAMED, NAME)
            case "@PLAYER":
                return self._come_back(pieces)
            case "@NAME":
                return self._rename(pieces)
            case "@GET NAME":
                self._say(self._name_of(pieces))
            case "@TOUR":
                return self._tours.take(pieces)
            case "@GAME":
                return self._at_table(pieces)
            case _:
                raise BadLine("Unrecognized command.")
        return None

    def _come_back(self, pieces: list[str]) -> AnyIntent:
        if not pieces:
            raise BadLine("ID.  An ID is required for PLAYER.")
        self._knock.begin()
        player = self._directory.player_at(NAME, integer(pieces[0]))
        if player is None:
            raise BadLine(UNKNOWN_ID)
        code = None
        if self._options.codes:
            code = pieces[1] if len(pieces) > 1 else ""
        return Resume(player, code, self._options.any_host, TOURNEY_SILENT)

    def _rename(self, pieces: list[str]) -> AnyIntent:
        if self._player is None:
            raise BadLine(NO_PLAYER)
        if not pieces:
            raise BadLine("A NAME is required.")
        return Rename(given(pieces[0]), self._player)

    def _name_of(self, pieces: list[str]) -> str:
        if not pieces:
            raise BadLine("An ID is required.")
        number = integer(pieces[0], "Error parsing ID")
        player = self._directory.player_at(NAME, number)
        name = None if player is None else self._directory.name_of(player)
        if name is None:
            raise BadLine(UNKNOWN_ID)
        return f"@NAME:{plain(name)}:{number}"

    def _at_table(self, pieces: list[str]) -> AnyIntent | None:
        if not pieces:
            raise BadLine("A subcommand is required for GAME.")
        if self._player is None:
            raise BadLine(NO_PLAYER)
        late, match_ = pieces[0].upper() == "MOVE" and self._playing.is_late(), self._playing.match
        if match_ is None:
            raise BadLine(NO_MATCH)
        if pieces[0].upper() != "MOVE":
            raise BadLine("Unrecognized GAME sub-command.")
        if late:
            self._say(f"@GAME:MESSAGE:{PASSED_OVER}")
            return None
        if len(pieces) < 2:
            raise BadLine(CANNOT)
        return Play(match_.table, match_.words.move(pieces[1]), self._player)

    # -- what the hall says

    def _answered(self, reply: AnyMessage) -> AnyIntent | None:
        """Take a reply, and what to ask next before it is a whole answer."""
        match self._asked, reply:
            case ((Enter() | Resume()), Welcome()):
                return self._welcome(reply)
            case Resume() as wish, Refused(code="asked") if self._may_wait(wish):
                self._hold = Hold.DOOR
            case Resume(), Refused(code="connected" | "asked"):
                self._error(CONNECTED)
            case Resume(), Refused():
                self._error(UNKNOWN_ID)
            case Play(move=move), Refused(code):
                return self._refused(code, move)
            case Play(), Done():
                self._hold = Hold.MOVE
            case Show(), Shown():
                self._say(*self._playing.show(reply))
                return self._next_to_take_up()
            case Show(), Refused():
                return self._next_to_take_up()
            case TourIntent() as asked, _:
                return self._give(self._tours.answer(asked, reply))
            case _, Refused(sentence=sentence):
                self._error(sentence)
            case _:
                pass  # a new name is taken without a word
        return None

    def _may_wait(self, wish: Resume) -> bool:
        return not self._inbox.deaf and self._knock.wait(wish)

    def _welcome(self, welcome: Welcome) -> AnyIntent | None:
        number = self._directory.player_number(NAME, welcome.player)
        assert number is not None, "whom a session of a numbered dialect is, has a number"
        asked = self._asked
        code = welcome.token or (asked.token if isinstance(asked, Resume) else "")
        self._player = welcome.player
        self._playing.be()
        self._tours.be(welcome.player)
        self._say(f"@PID:{number}:{code}" if self._options.codes else f"@PID:{number}")
        self._to_take_up = list(welcome.tables)
        return self._next_to_take_up()

    def _next_to_take_up(self) -> AnyIntent | None:
        if not self._to_take_up or self._playing.match is not None:
            return None
        return Show(self._to_take_up.pop(0), self._player)

    def _refused(self, code: str, move: str) -> AnyIntent | None:
        """An illegal move: the error, and then the state again, unless it was one too many."""
        match_ = self._playing.match
        error = None if match_ is None else match_.refusal(code, move)
        if match_ is None or error is None:
            self._error(NO_MATCH)
            return None
        self._say(error)
        return Show(match_.table, self._player)

    def _hear(self, news: News) -> None:
        """Something happened at a table; what is not of our match is passed over."""
        happened, match_ = news.happened, self._playing.match
        if isinstance(happened.event, Started):
            self._say(*self._playing.begin(news, self._player))
            return
        if match_ is None or happened.table != match_.table:
            return
        self._say(*self._playing.hear(news, quiet=self._is_shown(match_.table)))
        match happened.event:
            case Played(seat) if seat == match_.seat and happened.to_act:
                self._release()
            case Ended():
                self._release()
            case _:
                pass

    def _is_shown(self, table: TableId) -> bool:
        """Whether a state was asked for: it comes after this move, and tells of it too."""
        asked = self._asked
        return self._hold is Hold.REPLY and isinstance(asked, Show) and asked.table == table

    def _release(self) -> None:
        if self._hold is Hold.MOVE:
            self._hold = Hold.NOTHING

    def _notice(self, notice: Notice) -> None:
        if notice.code == WANTED:
            self._say("@PING")
        elif notice.player is not None and notice.player == self._player:
            # "else the old connection is closed and this one takes over"
            self._hang_up()
        elif notice.player is None:
            self._patience.told(notice.code)
            self._say(f"@MESSAGE:{plain(notice.sentence)}")

    # -- saying it

    def _hang_up(self) -> None:
        self._inbox.deaf = self._closing = True
        self._inbox.keep(())

    def _error(self, sentence: str) -> None:
        self._say(f"@ERROR:{plain(sentence)}")

    def _say(self, *lines: str) -> None:
        self._said += lines
        self._patience.spoke()


def _is_ping(line: str) -> bool:
    return line.partition(":")[0].upper() == "@PING"
