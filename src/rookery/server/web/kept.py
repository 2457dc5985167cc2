"""Answers that are kept: who asks the same, while nothing has changed, gets the same bytes.

A read over HTTP takes most of its time to be read, sent the right way, and written with its
headers. Pages and programs ask for the same again and again; so the whole answer is kept by
the very bytes that asked for it. A call says for how long its answer is true (`Lasts`), and an
answer during which anything was written is not kept at all. The plain way stays as it is, and
a test asks both. It mutates, and lives in the event loop.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final

from msgspec import Struct

from rookery.core.events import Record, table_stream
from rookery.core.ids import Micros, TableId

ASKS: Final = (b"GET /api/tables", b"GET /api/seeks")  # how all begin that may be kept
END: Final = b"\r\n\r\n"
OK: Final = b"HTTP/1.1 200"
LAST: Final = b"connection: close"  # of an answer after which we hang up
# Who shows a token may see more than others; and what has a body, or becomes another language, is
# more than its head: the next that comes from there is not a request.
NEVER: Final = (b"authorization", b"content-length", b"transfer-encoding", b"expect", b"upgrade")
KEPT_MAX: Final = 512  # answers
ANSWER_MAX: Final = 128 * 1024  # bytes of one
BYTES_MAX: Final = 8 << 20  # of all together
MOMENT: Final[Micros] = 10_000  # a clock may be told as it was so long ago: nobody sees that


class Lasts(Enum):
    """For how long an answer is true."""

    TABLE = "table"  # until something happens at its table
    CLOCK = "clock"  # and no longer than a moment, for its clocks run; nor when somebody comes
    HALL = "hall"  # until anything happens anywhere, or anybody comes or goes


Version = tuple[int, int]  # how often something was written, and how often who is here changed
Asking = tuple[bytes, bool]  # a whole request, and whether it came under TLS


class KeptAnswer(Struct, frozen=True):
    """An answer, and what it depends on."""

    words: bytes
    lasts: Lasts
    version: Version
    at: Micros


class KeptAnswers:
    """What was answered lately; `people` is another number whenever a player comes or goes.

    What is decided and not safe yet need not be looked at: nobody is told of it before it is.
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
        self._kept: dict[Asking, KeptAnswer] = {}
        self._bytes = 0  # of their answers, and of some that are gone
        self._of_stream: dict[str, set[Asking]] = {}  # those that are about one table

    def version(self) -> Version:
        """Another one whenever anything may have changed."""
        return self._writes, self._people()

    def wrote(self, records: Iterable[Record]) -> None:
        """These are safe: what was said of their tables is no longer true."""
        self._writes += 1
        if not self._of_stream:
            return
        for record in records:
            for asking in self._of_stream.pop(record.stream, ()):
                self._kept.pop(asking, None)

    def __contains__(self, asking: Asking) -> bool:
        return asking in self._kept

    def find(self, asking: Asking) -> bytes | None:
        """The answer to this, if it is still true."""
        kept = self._kept.get(asking)
        if kept is None or self._failing() or not self._is_true(kept):
            return None
        return kept.words

    def _is_true(self, kept: KeptAnswer) -> bool:
        match kept.lasts:
            case Lasts.TABLE:
                return True  # else it would not be here
            case Lasts.CLOCK:
                soon = self._now() - kept.at < MOMENT
                return soon and kept.version[1] == self._people()
            case Lasts.HALL:
                return kept.version == self.version()

    def put(
        self, asking: Asking, words: bytes, lasts: Lasts, table: TableId | None, begun: Version
    ) -> None:
        """This was answered, and is kept where nothing happened since it was `begun`."""
        head = words[: words.find(END)].lower()
        whole = words.startswith(OK) and LAST not in head and len(words) <= ANSWER_MAX
        if not whole or begun != self.version():
            return
        if len(self._kept) >= KEPT_MAX or self._bytes + len(words) > BYTES_MAX:
            self._kept.clear()
            self._of_stream.clear()
            self._bytes = 0
        self._bytes += len(words)
        self._kept[asking] = KeptAnswer(words, lasts, begun, self._now())
        if table is not None:
            self._of_stream.setdefault(table_stream(table), set()).add(asking)


def may_be_kept(piece: bytes) -> bool:
    """Whether this is a whole request, and of those whose answers may be kept."""
    if not piece.startswith(ASKS) or not piece.endswith(END) or piece.count(END) != 1:
        return False
    head = piece.lower()
    return not any(word in head for word in NEVER)
