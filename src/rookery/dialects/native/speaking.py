"""The native dialect: JSON lines that say all the hall can do, documented for client writers.

A request is one JSON object on a line, and its `type` is the name of an intent: the
core's structs are the language, word for word, and so are the messages sent back. Only
`hello` and `ping` are the dialect's own. Every request gets one answer, in order; news
come when something happens. A line that cannot be read is refused, and life goes on.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery import __version__
from rookery.core.errors import BROKEN
from rookery.core.game import View
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import AnyIntent, Enter, PlainIntent, Play, Reclaim
from rookery.core.manners import OWN, Directory
from rookery.core.messages import (
    AnyMessage,
    Done,
    LobbyCleared,
    LobbySaid,
    News,
    Notice,
    Refused,
    Roomed,
    RoomNews,
    Scene,
    TourNews,
    Welcome,
    strange,
)
from rookery.dialects.base import Lines, Owed
from rookery.dialects.explain import explain
from rookery.dialects.native.profile import LINE_MAX

VERSION: Final = 1  # of this language; raised when an old client would no longer understand
SERVER: Final = f"Rookery {__version__}"
# News whose lines are remembered; and where somebody who looks on is told of what is past, as
# after a rest. To keep so many all the time costs a twentieth of a move: they fill the caches.
WRITTEN_MAX: Final = 16
WRITTEN_MAX_BEHIND: Final = 256


class Hello(Struct, frozen=True, tag="hello"):
    """Greet, and be a new player (`name`) or one from before (`player` and `token`)."""

    version: int
    name: str | None = None
    player: PlayerId | None = None
    token: str | None = None
    views: bool = False  # whether news carry what one sees after them


class Ping(Struct, frozen=True, tag="ping"):
    """Is anybody there?"""


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""


class Greeting(Struct, frozen=True, tag="hello"):
    """The answer to a hello: who speaks, and who the session is now, as in `Welcome`."""

    version: int = VERSION
    server: str = SERVER
    player: PlayerId | None = None
    name: str | None = None
    token: str | None = None
    tables: tuple[TableId, ...] = ()


Request: TypeAlias = PlainIntent | Hello | Ping

_reader: Final[msgspec.json.Decoder[Request]] = msgspec.json.Decoder(Request)
_writer: Final = msgspec.json.Encoder(enc_hook=strange)

REQUESTS: Final = tuple(sorted(str(kind.__struct_config__.tag) for kind in get_args(Request)))


NOBODY: Final[frozenset[PlayerId]] = frozenset()  # one for all: each would be 216 bytes


class NativeOptions(Struct, frozen=True):
    """There is nothing to set: a client says what it wants."""


class NativeDialect:
    """One connection that speaks JSON lines."""

    __slots__ = ("_closing", "_deaf", "_lines", "_owed", "_players", "_views")

    def __init__(
        self, options: NativeOptions | None = None, directory: Directory | None = None
    ) -> None:
        self._lines = Lines(LINE_MAX)
        self._owed: Owed[Request] = Owed()
        self._players = NOBODY  # whom the session acts for
        self._views = False
        self._deaf = False  # nothing more is read
        self._closing = False

    @property
    def closing(self) -> bool:
        """Whether to hang up after the drain: not before the last answer is given."""
        return self._closing and not self._owed

    @property
    def full(self) -> bool:
        """Never: every request goes to the hall at once, which counts those that are open."""
        return False

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read lines into intents. The end of the connection drops an unfinished line."""
        if self._deaf or not data:
            self._deaf = True
            return ()
        lines = self._lines
        found = lines.feed(data)
        if len(found) == 1 and not lines.overflowed:  # nearly always
            intent = self._read(found[0])
            return () if intent is None else (intent,)
        intents = [one for line in found if (one := self._read(line)) is not None]
        if lines.overflowed:
            self._deaf = self._closing = True
            sentence = f"A line has at most {LINE_MAX} bytes."
            self._refuse("too_long", sentence)
        return intents

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply or news and write it to the client; the hall is asked nothing more."""
        if type(message) is News:  # which is most that anyone is told
            line = self._news(message) if self._views else _herald.line(message)
            self._owed.said.append(line)
            return ()
        if type(message) is Done:  # and this is most of the rest
            self._owed.settle(_writer.encode(message) + b"\n")
            return ()
        match message:
            case Notice():
                if message.player is not None:
                    # Taken over: one must not look into a hand that is another's now.
                    self._players -= {message.player}
                self._owed.news(_line(message))
            case Welcome(player, name, token, tables):
                self._players |= {player}
                greeted = isinstance(self._owed.asked, Hello)
                greeting = Greeting(player=player, name=name, token=token, tables=tables)
                self._owed.settle(_line(greeting if greeted else message))
            case RoomNews() | TourNews() | LobbySaid() | LobbyCleared():
                self._owed.news(_line(message))
            case Roomed(player):
                self._players |= {player}
                self._owed.settle(_line(message))
            case _:
                self._owed.settle(_line(message))
        return ()

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Do nothing: the dialect has no time-outs of its own."""
        return ()

    def deadline(self) -> Micros | None:
        """None: the dialect need not be ticked."""
        return None

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent to the client now."""
        return self._owed.drain() if self._owed.said else b""

    # -- reading

    def _read(self, line: bytes) -> AnyIntent | None:
        """Read a line into an intent; None if the dialect answers it without the hall."""
        try:
            if not line.isascii():
                line.decode()  # the reader of JSON looks only at what it needs
            request = _reader.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
            if line.strip():
                self._refuse("unreadable", explain(wrong, REQUESTS))
            return None
        # Nearly always a move, and this is the quickest way to find out.
        intent = request if type(request) is Play else self._intent(request)
        if intent is not None:
            self._owed.owe(request)
        return intent

    def _intent(self, request: Request) -> AnyIntent | None:
        match request:
            case Ping():
                self._owed.say(_PONG)
                return None
            case Hello():
                return self._greet(request)
            case Enter(name):
                return Enter(name, OWN)  # whatever else it says it speaks
            case _:
                return request

    def _greet(self, hello: Hello) -> Enter | Reclaim | None:
        if hello.version != VERSION:
            sentence = f"This server speaks version {VERSION}, not {hello.version}."
            self._refuse("bad_version", sentence)
            return None
        match hello:
            case Hello(name=None, player=None, token=None):
                self._views = hello.views
                self._owed.say(_line(Greeting()))
                return None
            case Hello(name=str(name), player=None, token=None):
                self._views = hello.views
                return Enter(name, OWN)
            case Hello(name=None, player=int(player), token=str(token)):
                self._views = hello.views
                return Reclaim(player, token)
            case _:
                sentence = "A hello has a name, or a player and its token, or neither."
                self._refuse("bad_hello", sentence)
                return None

    def _refuse(self, code: str, sentence: str) -> None:
        self._owed.say(_line(Refused(code, sentence)))

    # -- writing

    def _news(self, news: News) -> bytes:
        return _herald.line_with_view(news, self._viewer(news.scene, news.happened.to_act))

    def _viewer(self, scene: Scene, to_act: tuple[Seat, ...]) -> Seat | None:
        """The session's seat here; of several the one that is to act, else the first."""
        mine = [Seat(n) for n, who in enumerate(scene.players) if who in self._players]
        acting = [seat for seat in mine if seat in to_act]
        if len(acting) == 1:
            return acting[0]
        return mine[0] if mine else None


def _line(message: Struct) -> bytes:
    return _writer.encode(message) + b"\n"


def _told(news: News) -> bytes:
    """The news as a line; without the effects where the game's effects cannot be encoded."""
    try:
        return _writer.encode(news.happened) + b"\n"
    except BROKEN as wrong:
        news.scene.broken(wrong)
        return _line(replace(news.happened, effects=(), to_act=()))


def _seen(news: News, view: View | None) -> bytes:
    """A view as JSON, or what the scene has in its place where the view cannot be encoded."""
    try:
        return _writer.encode(view)
    except BROKEN as wrong:
        return _writer.encode(news.scene.broken(wrong))


class _WrittenNews:
    """News, and the lines written of it so far, with views and without."""

    __slots__ = ("line", "n", "news", "views")

    def __init__(self, news: News) -> None:
        self.news = news
        self.n = news.happened.n
        self.line = _told(news)  # without a view
        self.views: dict[Seat | None, bytes] = {}  # with the view of a seat, or of no seat


class _Herald:
    """Writes news, and remembers the lines: one event is told to all at a table in a row.

    An onlooker may hear of several events at once, so it remembers several.
    """

    __slots__ = ("_last", "_most", "_written")

    def __init__(self) -> None:
        self._last: _WrittenNews | None = None
        self._most = WRITTEN_MAX
        self._written: dict[int, _WrittenNews] = {}  # by the identity of the news, which it keeps

    def line(self, news: News) -> bytes:
        """The news as a line, without a view."""
        last = self._last
        return last.line if last is not None and last.news is news else self._find(news).line

    def line_with_view(self, news: News, viewer: Seat | None) -> bytes:
        """The news as a line, with the view from this seat, or for None an onlooker's."""
        written = self._find(news)
        shown = written.views.get(viewer)
        if shown is None:
            view = None if news.scene.state is None else news.scene.view(viewer)
            shown = b'%b,"view":%b}\n' % (written.line[:-2], _seen(news, view))
            written.views[viewer] = shown
        return shown

    def _find(self, news: News) -> _WrittenNews:
        found = self._written.get(id(news))
        if found is None:
            last, now = self._last, news.happened
            if last is not None and now.n < last.n and now.table == last.news.happened.table:
                self._most = WRITTEN_MAX_BEHIND
            elif self._most > WRITTEN_MAX:
                self._most -= 1
            found = self._written[id(news)] = _WrittenNews(news)
            while len(self._written) > self._most:
                del self._written[next(iter(self._written))]
        self._last = found
        return found


_herald: Final = _Herald()  # one for all connections, which is the point of it
_PONG: Final = _line(Pong())
