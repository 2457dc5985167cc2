"""One connection that speaks tourney: what each line asks for, and what is said back.

Lines are answered in order, however fast they come: a name asked for is the name just given,
and a move behind a move is judged after it. Only a pong may go first, where an answer takes
long. What happens in a match is told when it happens.

A client that wants to be a player for whom another connection acts must wait while that one
is asked whether it lives: a host and a number prove little, and a silent bot may be thinking.
"""

from collections.abc import Sequence
from typing import Final

from rookery.core.events import Ended, Played, Started, TourClosing, Withdrawn
from rookery.core.ids import Micros, PlayerId, TableId
from rookery.core.intents import AnyIntent, Enter, ListGames, Play, Rename, Resume, Show
from rookery.core.manners import Directory
from rookery.core.messages import (
    WANTED,
    AnyMessage,
    News,
    Notice,
    Refused,
    RoomNews,
    Shown,
    TourNews,
    Welcome,
)
from rookery.dialects.base import Lines
from rookery.dialects.conversation import Conversation, Conversing, Unasked
from rookery.dialects.tourney.playing import PASSED_OVER, MatchSide, Playing
from rookery.dialects.tourney.profile import (
    ASKED_AFTER,
    LINE_MAX,
    NAME,
    SILENT,
    UNNAMED,
    WAITING_MAX,
    TourneyOptions,
    given,
    plain,
)
from rookery.dialects.tourney.timers import Beat, Delay, KeepAlive, LatePong
from rookery.dialects.tourney.tours import CANNOT, BadCommand, TourAnswer, TourCommands, integer

PIECES: Final = 5  # "A line is split at `:` into at most five pieces; surplus … ignored"

TOO_LONG: Final = f"A line has at most {LINE_MAX} bytes."
TOO_FAST: Final = f"At most {WAITING_MAX} lines may wait to be answered."
NUMBERED: Final = ("@PLAYER", "@GET NAME", "@TOUR")  # commands that may name something by number
UNKNOWN_ID: Final = "ID was not recognized."
CONNECTED: Final = "Player already connected to another client."
NO_PLAYER: Final = "No player set yet."
NO_MATCH: Final = "Player is not playing in a match currently."


class TourneyDialect(Conversing[bytes]):
    """One connection."""

    def __init__(self, options: TourneyOptions, directory: Directory) -> None:
        lines = Lines(LINE_MAX, bare_cr=True)
        super().__init__(lines, WAITING_MAX, too_long=TOO_LONG, too_many=TOO_FAST)
        self._options = options
        self._directory = directory
        self._player: PlayerId | None = None
        self._playing = Playing()
        self._shows: TableId | None = None  # the table whose state was asked for
        self._tours = TourCommands(options, directory)
        self._alive = KeepAlive()
        self._pong = LatePong()
        self._door = Delay(ASKED_AFTER)  # the player we want to be may still be there

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read lines into intents. The end of the connection drops an unfinished line."""
        if data and not self._deaf:
            self._alive.heard(now)
        asked = super().receive(data, now)
        if self._inbox and any(map(_is_ping, self._inbox)):
            self._pong.begin(now)
        return asked

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Send pongs, pings and states that are due, or hang up on a client silent for too long."""
        if self._pong.is_over(now):
            self._answer_pings()
        match self._alive.look(now):
            case Beat.PING:
                self._say("@PING")
            case Beat.HANG_UP:
                self._hang_up()
            case Beat.NOTHING:
                pass
        match_, asks = self._playing.match, self._playing.pause.is_over(now)
        if self._door.is_over(now) and self._talk is not None:
            return self._send(None)
        if asks and match_ is not None and self._talk is None:
            self._talk = self._show(match_.table)
            return self._send(None)
        return ()

    def deadline(self) -> Micros | None:
        """When to tick next: for a silent client, a waiting ping, or another wait of ours."""
        if self._closing:
            return None
        first = self._alive.deadline()
        if self._pong.due is None and not self._door.runs and not self._playing.pause.runs:
            return first  # nearly always
        for moment in (self._pong.due, self._door.deadline(), self._playing.pause.deadline()):
            if moment is not None and (first is None or moment < first):
                first = moment
        return first

    # -- lines, one at a time

    def _go_on(self) -> Sequence[AnyIntent]:
        """Tell of ended tournaments before taking up lines: a client that hears sends others."""
        if self._playing.match is None:
            self._tours.rest()
        while self._tours.ends and self._talk is None and not self._closing:
            self._talk = self._tour(self._tours.end())
            if asked := self._send(None):
                return asked
        asked = super()._go_on() if self._inbox or self._last_words else ()
        if not self._inbox and self._pong.due is not None:
            self._pong.end()
        return asked

    def _answer_pings(self) -> None:
        """Answer the pings that wait, and leave the other lines."""
        others = [line for line in self._inbox if not _is_ping(line)]
        self._alive.pings = True
        self._say(*["@PONG"] * (len(self._inbox) - len(others)))
        self._inbox.clear()
        self._inbox += others

    def _begin(self, request: bytes) -> Conversation[None] | None:
        line = request.decode(errors="replace")
        if not self._directory.sure and line.partition(":")[0].upper() in NUMBERED:
            return self._when_sure(line)
        return self._try(line)

    def _when_sure(self, line: str) -> Conversation[None]:
        """Take up a line that may name ids, once the directory is sure what they mean."""
        while not self._directory.sure:
            yield ListGames()  # once the hall has replied to anything, the directory is sure
        talk = self._try(line)
        if talk is not None:
            yield from talk

    def _try(self, line: str) -> Conversation[None] | None:
        try:
            return self._take(line)
        except BadCommand as wrong:
            self._error(str(wrong))
            return None

    def _take(self, line: str) -> Conversation[None] | None:
        """Begin the conversation a line asks for; None if answered here. Raises BadCommand."""
        command, *pieces = line.split(":")[:PIECES]
        match command.upper():
            case "@GAME":
                return self._at_table(pieces)
            case "@PING":
                self._alive.pings = True
                self._say("@PONG")
            case "@PONG":
                self._alive.pings = True
            case "@NEW PLAYER":
                if self._player is not None:
                    raise BadCommand("Player already registered for this account.")
                return self._register()
            case "@PLAYER":
                return self._come_back(self._wish(pieces))
            case "@NAME":
                return self._rename(pieces)
            case "@GET NAME":
                self._say(self._name_of(pieces))
            case "@TOUR":
                return self._tour(self._tours.take(pieces))
            case _:
                raise BadCommand("Unrecognized command.")
        return None

    # -- who one is

    def _register(self) -> Conversation[None]:
        reply = yield Enter(UNNAMED, NAME)
        if isinstance(reply, Welcome):
            yield from self._welcome(reply, "")
        elif isinstance(reply, Refused):
            self._error(reply.sentence)

    def _wish(self, pieces: list[str]) -> Resume:
        """The intent to be the player that the client names by number. Raises BadCommand."""
        if not pieces:
            raise BadCommand("ID.  An ID is required for PLAYER.")
        player = self._directory.player_at(NAME, integer(pieces[0]))
        if player is None:
            raise BadCommand(UNKNOWN_ID)
        code = None
        if self._options.codes:
            code = pieces[1] if len(pieces) > 1 else ""
        return Resume(player, code, self._options.any_host, SILENT)

    def _come_back(self, wish: Resume) -> Conversation[None]:
        reply = yield wish
        if isinstance(reply, Refused) and reply.code == "asked" and not self._deaf:
            self._door.begin()
            while self._door.runs:
                yield None
            reply = yield wish
        match reply:
            case Welcome():
                yield from self._welcome(reply, wish.token or "")
            case Refused(code="connected" | "asked"):
                self._error(CONNECTED)
            case _:
                self._error(UNKNOWN_ID)

    def _welcome(self, welcome: Welcome, code: str) -> Conversation[None]:
        number = self._directory.player_number(NAME, welcome.player)
        assert number is not None, "whom a session of a numbered dialect is, has a number"
        self._player = welcome.player
        self._playing.be()
        self._tours.be(welcome.player)
        secret = f":{welcome.token or code}" if self._options.codes else ""
        self._say(f"@PID:{number}{secret}")
        for table in welcome.tables:
            if self._playing.match is None:
                yield from self._show(table)

    def _rename(self, pieces: list[str]) -> Conversation[None]:
        if self._player is None:
            raise BadCommand(NO_PLAYER)
        if not pieces:
            raise BadCommand("A NAME is required.")
        return self._be_called(given(pieces[0]), self._player)

    def _be_called(self, name: str, player: PlayerId) -> Conversation[None]:
        reply = yield Rename(name, player=player)
        if isinstance(reply, Refused):
            self._error(reply.sentence)

    def _name_of(self, pieces: list[str]) -> str:
        if not pieces:
            raise BadCommand("An ID is required.")
        number = integer(pieces[0], "Error parsing ID")
        player = self._directory.player_at(NAME, number)
        name = None if player is None else self._directory.name_of(player)
        if name is None:
            raise BadCommand(UNKNOWN_ID)
        return f"@NAME:{plain(name)}:{number}"

    # -- tournaments and matches

    def _tour(self, asking: Conversation[TourAnswer]) -> Conversation[None]:
        try:
            answer = yield from asking
        except BadCommand as wrong:
            self._error(str(wrong))
            return
        self._say(*answer.lines)
        if answer.table is not None:
            yield from self._show(answer.table)

    def _at_table(self, pieces: list[str]) -> Conversation[None] | None:
        if not pieces:
            raise BadCommand("A subcommand is required for GAME.")
        if self._player is None:
            raise BadCommand(NO_PLAYER)
        late, match_ = pieces[0].upper() == "MOVE" and self._playing.is_late(), self._playing.match
        if match_ is None:
            raise BadCommand(NO_MATCH)
        if pieces[0].upper() != "MOVE":
            raise BadCommand("Unrecognized GAME sub-command.")
        if late:
            self._say(f"@GAME:MESSAGE:{PASSED_OVER}")
            return None
        if len(pieces) < 2:
            raise BadCommand(CANNOT)
        return self._move(match_, match_.words.move(pieces[1]))

    def _move(self, match_: MatchSide, move: str) -> Conversation[None]:
        reply = yield Play(match_.table, move, player=self._player)
        if not isinstance(reply, Refused):
            while not _is_told(match_, (yield None)):
                pass
            return
        # An illegal move: the error, and then the state again, unless it was one too many.
        now = self._playing.match
        error = None if now is None else now.refusal(reply.code, move)
        if now is None or error is None:
            self._error(NO_MATCH)
            return
        self._say(error)
        yield from self._show(now.table)

    def _show(self, table: TableId) -> Conversation[None]:
        """Ask the hall for a table and tell the client its state; all, if it takes it up again."""
        self._shows = table
        shown = yield Show(table, player=self._player)
        self._shows = None
        if isinstance(shown, Shown):
            self._say(*self._playing.show(shown))

    # -- what happens

    def _hear(self, news: Unasked) -> None:
        match news:
            case News():
                self._hear_of_table(news)
            case TourNews(tour):
                # "A `@TOUR:END` missed while away is sent after `@PID`", and after the match.
                if isinstance(news.event, TourClosing):
                    self._tours.over(tour)
                elif isinstance(news.event, Withdrawn):
                    self._tours.left(tour)
            case Notice():
                self._notice(news)
            case RoomNews():
                pass  # from rooms, of which this language has none

    def _hear_of_table(self, news: News) -> None:
        """Tell the client what happened in its match; other tables are passed over."""
        happened, match_ = news.happened, self._playing.match
        if isinstance(happened.event, Started):
            self._say(*self._playing.begin(news, self._player))
        elif match_ is not None and happened.table == match_.table:
            # Where a state was asked for, it comes after this move, and tells of it too.
            self._say(*self._playing.hear(news, quiet=self._shows == match_.table))

    def _notice(self, notice: Notice) -> None:
        if notice.code == WANTED:
            self._say("@PING")
        elif notice.player is not None and notice.player == self._player:
            # "else the old connection is closed and this one takes over"
            self._hang_up()
        elif notice.player is None:
            self._pong.told(notice.code)
            self._say(f"@MESSAGE:{plain(notice.sentence)}")

    # -- saying it

    def _error(self, sentence: str) -> None:
        self._say(f"@ERROR:{plain(sentence)}")

    def _say_last(self, sentence: str) -> None:
        self._error(sentence)

    def _say(self, *lines: str) -> None:
        if lines:
            self._said.append(("\n".join(lines) + "\n").encode())
        self._pong.spoke()


def _is_told(match: MatchSide, news: AnyMessage | None) -> bool:
    """Whether these are the news of our own move, or of the end if the move was the last."""
    if not isinstance(news, News) or news.happened.table != match.table:
        return False
    event = news.happened.event
    if isinstance(event, Played):
        return event.seat == match.seat and bool(news.happened.to_act)
    return isinstance(event, Ended)


def _is_ping(line: bytes) -> bool:
    return line.partition(b":")[0].upper() == b"@PING"
