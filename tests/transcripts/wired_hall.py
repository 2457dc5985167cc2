"""A real hall with connections that are nothing but their dialects, on a made clock.

What the server does between bytes and hall is done here by hand and at once: records
are "written" to a list, deliveries handed over, turns started. Tokens are `token-1`,
`token-2` … (the organiser's is `organiser-token`) and seeds 1, 2 …, so the same script
always says the same. House bots may be asked for in fish alone, and never come.
"""

from collections.abc import Sequence
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.events import Record, table_of
from rookery.core.ids import Micros, SessionId, TableId
from rookery.core.intents import AnyIntent, Sit
from rookery.core.messages import Done
from rookery.core.network import FRONT, Doorway
from rookery.dialects import LANGUAGES, begin
from rookery.dialects.base import Dialect
from rookery.hall.batch import Batch
from rookery.hall.hall import Hall

HOST = "127.0.0.1"
ORGANISER = "organiser-token"
BOTS = frozenset({"fish"})


class Connection:
    """One client's line to the hall: a session, its dialect, and what was said on it."""

    def __init__(self, session: SessionId, dialect: Dialect) -> None:
        self.session = session
        self.dialect = dialect
        self.said = b""  # by the server, not looked at yet
        self.closed = False  # by the server


class WiredHall:
    """The hall, everyone who is connected by the name the script gives them, and the time."""

    def __init__(self) -> None:
        self.now: Micros = 0
        self.records: list[Record] = []
        self.lines: dict[str, Connection] = {}
        self.options: dict[str, Struct] = {}  # by dialect, where they are not the usual ones
        self.doors: dict[str, Doorway] = {}  # by which the clients of a dialect come
        self._sessions = count(1)
        self._seeds = count(1)
        self._tokens = count(1)
        self._hall = self._new_hall()

    def connect(
        self, who: str, dialect: str, host: str = HOST, options: Struct | None = None
    ) -> None:
        """A client calls."""
        assert who not in self.lines, f"{who} is connected already"
        session = SessionId(next(self._sessions))
        self._hall.connect(session, host, dialect, self.doors.get(dialect, FRONT))
        options = options or self.options.get(dialect)
        self.lines[who] = Connection(session, begin(dialect, self._hall.directory, options))

    def send(self, who: str, sent: bytes) -> list[AnyIntent]:
        """A client's bytes arrive; what they asked the hall for."""
        line = self.lines[who]
        self._hall.heard(line.session, self.now)
        intents = list(line.dialect.receive(sent, self.now))
        self._ask(line, intents)
        self.advance(0)  # whoever was told something learns only now what time it is
        return intents

    def sit(self, who: str, table: TableId) -> None:
        """Somebody seats a client's player at a table, as tours do; it hears the news alone."""
        line = self.lines[who]
        batch = self._hall.receive(line.session, Sit(table), self.now)
        reply, *news = batch.deliveries
        assert isinstance(reply.message, Done), f"{who} can sit at table {table}"
        self._make(replace(batch, deliveries=tuple(news)))

    def hang_up(self, who: str) -> None:
        """A client is gone."""
        line = self.lines[who]
        self._ask(line, line.dialect.receive(b"", self.now))
        del self.lines[who]
        self._make(self._hall.hang_up(line.session, self.now))

    def advance(self, length: Micros) -> None:
        """Time goes by; whatever is due on the way happens when it is due."""
        end = self.now + length
        while (due := self._deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self._make(self._hall.tick(self.now))
            for line in list(self.lines.values()):
                self._ask(line, line.dialect.tick(self.now))
        self.now = end

    def restart(self) -> None:
        """The server dies and comes back with what the log has; everyone must call again."""
        self.lines.clear()
        self._hall = self._new_hall()
        ended = {record.stream for record in self.records if record.ends}
        kept = [record for record in self.records if record.stream not in ended]
        batch = self._hall.restore(kept, self.now)
        tables = [table_of(record.stream) or 0 for record in self.records]
        self._hall.resume_counting(len(self.records) + len(batch.records), max(tables, default=0))
        self._make(batch)

    def take(self, who: str) -> bytes:
        """What the server has said to this client since the last time."""
        line = self.lines[who]
        said, line.said = line.said, b""
        return said

    def _ask(self, line: Connection, intents: Sequence[AnyIntent]) -> None:
        for intent in intents:
            self._make(self._hall.receive(line.session, intent, self.now))
        self._collect()

    def _make(self, batch: Batch) -> None:
        """The keeper's work: write, hand over, start the clocks."""
        self.records += batch.records
        by_session = {line.session: line for line in self.lines.values()}
        asked: list[tuple[Connection, AnyIntent]] = []
        for delivery in batch.deliveries:
            line = by_session[delivery.session]
            asked += [(line, intent) for intent in line.dialect.tell(delivery.message)]
        self._hall.handed(batch, self.now)
        self._collect()
        for one in batch.dismissals:
            if (shown_out := by_session.get(one.session)) is not None and not shown_out.closed:
                shown_out.dialect.tell(one.notice)
                shown_out.said += shown_out.dialect.drain()
                shown_out.closed = True
                self._make(self._hall.hang_up(shown_out.session, self.now))
        for line, intent in asked:
            self._make(self._hall.receive(line.session, intent, self.now))

    def _collect(self) -> None:
        for line in list(self.lines.values()):
            line.said += line.dialect.drain()
            if line.dialect.closing and not line.closed:
                line.closed = True
                self._make(self._hall.hang_up(line.session, self.now))

    def _deadline(self) -> Micros | None:
        moments = [line.dialect.deadline() for line in self.lines.values()]
        moments.append(self._hall.deadline())
        return min((moment for moment in moments if moment is not None), default=None)

    def _new_hall(self) -> Hall:
        return Hall(
            languages=LANGUAGES,
            seeds=lambda: next(self._seeds),
            tokens=lambda: f"token-{next(self._tokens)}",
            archive=self._past,
            organiser=ORGANISER,
            bots=BOTS,
        )

    def _past(self, stream: str) -> Sequence[Record]:
        return [record for record in self.records if record.stream == stream]
