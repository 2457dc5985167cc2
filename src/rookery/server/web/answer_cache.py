"""A cache of answers: clients that ask the same, while nothing has changed, get the same bytes.

A read over HTTP takes most of its time to be read, sent the right way, and written with its
headers. Pages and programs ask for the same again and again; so the whole answer is kept by
the very bytes that asked for it. A call says for how long its answer is true (`Truth`), and an
answer during which anything was written is not kept at all. Where clocks run, only what they
show is made anew. A client that asks what another is just being answered waits for that answer.
The app answers as if there were no cache, and a test compares both. It mutates, and lives in the
event loop.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Record, table_stream
from rookery.core.ids import Micros, TableId

ASKS: Final = (b"GET /api/tables", b"GET /api/seeks")  # the beginnings of requests to keep
END: Final = b"\r\n\r\n"
OK: Final = b"HTTP/1.1 200"
LAST: Final = b"connection: close"  # of an answer after which we hang up
# A client with a token may see more than others; and a request with a body, or for a WebSocket, is
# more than its head: the next bytes of that connection are no request.
NEVER: Final = (b"authorization", b"content-length", b"transfer-encoding", b"expect", b"upgrade")
KEPT_MAX: Final = 512  # answers
ANSWER_MAX: Final = 128 * 1024  # bytes of one
BYTES_MAX: Final = 8 << 20  # of all together
LENGTH: Final = b"content-length: "
MOMENT: Final[Micros] = 10_000  # a clock may be told as it was so long ago: nobody sees that


class Lasts(Enum):
    """For how long an answer is true."""

    TABLE = "table"  # until something happens at its table
    CLOCK = "clock"  # or anybody comes or goes; its clocks run, and are shown as they are
    HALL = "hall"  # until anything happens anywhere, or anybody comes or goes


Version = tuple[int, int]  # how often records were written, and players came or went
Asking = tuple[bytes, bool]  # a whole request, and whether it came under TLS
Renew = Callable[[], bytes | None]  # the body as it is by now; None: the call must be made anew
Told = Callable[[bytes | None], None]  # the whole answer; None: there is none for others


class Truth(Struct, frozen=True):
    """For how long an answer is true, about which table, and how its clocks are told anew."""

    lasts: Lasts
    table: TableId | None = None
    renew: Renew | None = None


class CachedAnswer(Struct, frozen=True):
    """An answer, and what it depends on."""

    words: bytes
    truth: Truth
    version: Version
    at: Micros


class Making:
    """An answer that is being made since this version of the hall. It mutates."""

    __slots__ = ("asking", "version", "waiting")

    def __init__(self, asking: Asking, version: Version) -> None:
        self.asking = asking
        self.version = version
        self.waiting: dict[Told, None] = {}  # who have asked the same since

    def stop_waiting(self, told: Told) -> None:
        """Send one who has waited long enough to ask by itself."""
        if told in self.waiting:
            del self.waiting[told]
            told(None)


class AnswerCache:
    """Answers that were given lately; `people` changes whenever a player comes or goes.

    What is decided and not safe yet does not matter here: nobody is told of it before it is safe.
    """

    def __init__(
        self,
        people: Callable[[], int],
        now: Callable[[], Micros],
        failing: Callable[[], bool],
    ) -> None:
        self._people = people
        self._now = now
        self._failing = failing
        self._writes = 0  # batches that are safe
        self._kept: dict[Asking, CachedAnswer] = {}
        self._making: dict[Asking, Making] = {}  # the last that began, of those that ask the same
        self._bytes = 0  # of kept answers, and of some that were dropped
        self._of_stream: dict[str, set[Asking]] = {}  # those that are about one table

    def version(self) -> Version:
        """A value that changes whenever anything may have changed."""
        return self._writes, self._people()

    def wrote(self, records: Iterable[Record]) -> None:
        """Drop the answers about the tables of these records, which are safe."""
        self._writes += 1
        if not self._of_stream:
            return
        for record in records:
            for asking in self._of_stream.pop(record.stream, ()):
                self._kept.pop(asking, None)

    def __contains__(self, asking: Asking) -> bool:
        return asking in self._kept

    def find(self, asking: Asking) -> bytes | None:
        """The cached answer to this request; None if there is none, or it is not true now."""
        kept = self._kept.get(asking)
        if kept is None or self._failing() or not self._is_true(kept):
            return None
        if kept.truth.lasts is Lasts.CLOCK and self._now() - kept.at >= MOMENT:
            return self._renewed(asking, kept)
        return kept.words

    def _is_true(self, kept: CachedAnswer) -> bool:
        match kept.truth.lasts:
            case Lasts.TABLE:
                return True  # else it would not be here
            case Lasts.CLOCK:
                return kept.version[1] == self._people()
            case Lasts.HALL:
                return kept.version == self.version()

    def _renewed(self, asking: Asking, kept: CachedAnswer) -> bytes | None:
        """The answer with its clocks as they are now; None if the call must be made anew."""
        body = None if kept.truth.renew is None else kept.truth.renew()
        words = None if body is None else with_body(kept.words, body)
        if words is not None:
            self._kept[asking] = replace(kept, words=words, at=self._now())
        return words

    def put(self, asking: Asking, words: bytes, truth: Truth, begun: Version) -> None:
        """Keep an answer, unless something has happened since its request was `begun`."""
        if not is_whole(words) or begun != self.version():
            return
        if len(self._kept) >= KEPT_MAX or self._bytes + len(words) > BYTES_MAX:
            self._kept.clear()
            self._of_stream.clear()
            self._bytes = 0
        self._bytes += len(words)
        self._kept[asking] = CachedAnswer(words, truth, begun, self._now())
        if truth.table is not None:
            self._of_stream.setdefault(table_stream(truth.table), set()).add(asking)

    # -- answers that are being made

    def begin(self, asking: Asking) -> Making:
        """Note that the app begins to answer this request: others may wait for that."""
        making = self._making[asking] = Making(asking, self.version())
        return making

    def join(self, asking: Asking, told: Told) -> Making | None:
        """Wait for the answer that is being made to the same request; None if none is.

        It began after everything that is safe now, so it is no older than one that begins now.
        """
        making = self._making.get(asking)
        if making is None or making.version != self.version() or self._failing():
            return None
        making.waiting[told] = None
        return making

    def end(self, making: Making, words: bytes | None) -> None:
        """Give all who wait the answer that was made; None if they must ask by themselves."""
        if self._making.get(making.asking) is making:
            del self._making[making.asking]
        waiting, making.waiting = making.waiting, {}
        for told in waiting:
            told(words if words is not None and is_whole(words) else None)


def is_whole(words: bytes) -> bool:
    """Whether others may get this answer too: a short 200 after which we do not hang up."""
    head = words[: words.find(END)].lower()
    return words.startswith(OK) and LAST not in head and len(words) <= ANSWER_MAX


def with_body(words: bytes, body: bytes) -> bytes | None:
    """The answer with another body; None if its head does not say how long the body is."""
    head, _, _ = words.partition(END)
    before, found, rest = head.partition(LENGTH)
    if not found:
        return None
    _, line, after = rest.partition(b"\r\n")
    return b"%b%b%d%b%b%b%b" % (before, LENGTH, len(body), line, after, END, body)


def may_be_kept(piece: bytes) -> bool:
    """Whether these bytes are one whole request of those whose answers may be kept."""
    if not piece.startswith(ASKS) or not piece.endswith(END) or piece.count(END) != 1:
        return False
    head = piece.lower()
    return not any(word in head for word in NEVER)
