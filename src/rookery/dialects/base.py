"""What a dialect is, and what all of them need: cutting lines, and keeping answers in order.

A dialect turns the bytes of one connection into intents, and messages back into bytes.
It never sees a socket or a clock: bytes and times come in as arguments, and the bytes to
send wait in the dialect until the connection drains it. However the bytes that come in are
cut, a dialect reads the same requests from them.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, TypeVar, cast

from msgspec import Struct

from rookery.core.ids import Micros
from rookery.core.intents import AnyIntent
from rookery.core.manners import Directory, Manners
from rookery.core.messages import AnyMessage
from rookery.core.policy import Return

Q = TypeVar("Q")


class Dialect(Protocol):
    """One connection's side of a wire language."""

    @property
    def closing(self) -> bool:
        """Whether the connection is to hang up once it has drained the dialect."""
        ...

    @property
    def full(self) -> bool:
        """Whether so many requests wait that the connection is to read no more for now."""
        ...

    def receive(self, data: bytes, now: Micros) -> Sequence[AnyIntent]:
        """Read bytes of the client into intents; none mean that it hung up. Never raises."""
        ...

    def tell(self, message: AnyMessage) -> Sequence[AnyIntent]:
        """Take a reply, in the order of the intents, or news; return what to ask the hall next."""
        ...

    def tick(self, now: Micros) -> Sequence[AnyIntent]:
        """Do what the time asks for, as a ping; return intents, as for an unanswered call."""
        ...

    def deadline(self) -> Micros | None:
        """When the connection must call `tick` at the latest; None: it need not."""
        ...

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent to the client now."""
        ...


class HouseBot(Struct, frozen=True):
    """How long a player waits until a house bot sits down too, and at which level it plays."""

    after: Micros
    level: int


# Any: each takes options of its own type, and nobody else looks at them.
class Kind(Struct, frozen=True):
    """A wire language: its manners, what can be set, and how a connection begins to speak it."""

    manners: Manners
    options: type[Struct]
    begin: Callable[[Any, Directory], Dialect]
    opens_with: Callable[[bytes], bool | None]  # see `first_bytes`
    house_bot: Callable[[Any], HouseBot | None] = lambda _: None
    clash: Callable[[Any, Return], str] = lambda _, __: ""  # why a port cannot be set so


class Lines:
    r"""Bytes in, whole lines out, without their ends.

    A line ends in `\n` or `\r\n`, and with `bare_cr` in a `\r` alone too; a `\r\n` that
    comes in two pieces is one end. A line of more than `limit` bytes sets `overflowed`:
    the lines before it are given out, and it and all after it are dropped.
    """

    __slots__ = ("_after_cr", "_bare_cr", "_limit", "_rest", "overflowed")

    def __init__(self, limit: int, *, bare_cr: bool = False) -> None:
        self.overflowed = False
        self._limit = limit
        self._bare_cr = bare_cr
        self._after_cr = False  # a `\n` that comes next belongs to the end before it
        self._rest: bytearray | None = None  # the beginning of a line, where there is one

    def feed(self, data: bytes) -> Sequence[bytes]:
        """The lines that these bytes complete."""
        if self.overflowed or not data:
            return ()
        if self._bare_cr:
            data = self._plain(data)
        elif not self._rest and data.find(b"\n") == len(data) - 1 <= self._limit:
            return (_without_cr(data[:-1]),)  # just one line, and a whole one: nearly always
        first, *others = data.split(b"\n")
        rest = self._rest or bytearray()
        rest += first
        found: list[bytes] = []
        for piece in others:
            line = _without_cr(bytes(rest))
            if len(line) > self._limit:
                break
            found.append(line)
            rest = bytearray(piece)
        # A `\r` at the very end may yet turn out to belong to the line's end.
        self.overflowed = len(rest) - rest.endswith(b"\r") > self._limit
        self._rest = None if self.overflowed or not rest else rest
        return found

    def last(self) -> Sequence[bytes]:
        """The unfinished line, when no more bytes will come; nothing if no line was begun."""
        rest, self._rest = bytes(self._rest or b""), None
        return (_without_cr(rest),) if rest else ()

    def _plain(self, data: bytes) -> bytes:
        r"""The same bytes with every end of a line written as `\n`."""
        if self._after_cr and data.startswith(b"\n"):
            data = data[1:]
            self._after_cr = False
        if data:
            self._after_cr = data.endswith(b"\r")
        return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _without_cr(line: bytes) -> bytes:
    return line[:-1] if line.endswith(b"\r") else line


class _Own(Struct, frozen=True, gc=False):
    """An answer that the dialect gives without the hall; it waits for the answers before it."""

    words: bytes


class Owed(Generic[Q]):
    """What a dialect has to send, in the order it must be sent.

    The hall replies in the order of the intents, so a reply always answers the oldest
    question still open. An answer that the dialect gives without the hall waits until every
    earlier question is answered. News wait for nobody: they go out when they are told, after
    the replies told before them and before those told later.
    """

    __slots__ = ("_open", "said")

    def __init__(self) -> None:
        # Questions, and behind them own answers that wait for them. A list: an empty deque takes
        # 760 bytes, of every session that says nothing, and a client has few questions open.
        self._open: list[Q | _Own] = []
        self.said: list[bytes] = []  # and not drained yet

    def __bool__(self) -> bool:
        """Whether a question is still open."""
        return bool(self._open)

    def owe(self, question: Q) -> None:
        """Note a question that went to the hall, which will reply to it."""
        self._open.append(question)

    @property
    def asked(self) -> Q:
        """The question that the next reply answers."""
        assert self._open, "the hall replies only to what it was asked"
        first = self._open[0]
        assert type(first) is not _Own, "own answers are said with the reply that they wait for"
        return cast("Q", first)

    def settle(self, answer: bytes) -> None:
        """Say the answer to the oldest open question; empty, where only news answer it."""
        waiting = self._open
        assert waiting, "the hall replies only to what it was asked"
        del waiting[0]
        self.said.append(answer)
        while waiting and type(own := waiting[0]) is _Own:
            self.said.append(own.words)
            del waiting[0]

    def say(self, answer: bytes) -> None:
        """Say an answer that needs no hall, after the answers that are still owed before it."""
        if self._open:
            self._open.append(_Own(answer))
        else:
            self.said.append(answer)

    def news(self, line: bytes) -> None:
        """Say a line that the client did not ask for; it waits for no answer."""
        self.said.append(line)

    def drain(self) -> bytes:
        """Take out all the bytes that can be sent now."""
        said = self.said
        if not said:
            return b""
        words = said[0] if len(said) == 1 else b"".join(said)
        said.clear()
        return words
