"""A runner in a real event loop, with a store that a test holds back and lets go.

The hall, its games and the loop are the real ones. The store writes to memory, in the
runner's thread, and only when the test lets it; its next appends may be told to fail.
Time is a clock in the test's hand, which a stall cannot take from.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from time import perf_counter_ns
from typing import ClassVar

from rookery.core.events import Record
from rookery.core.ids import Micros, PlayerId, SessionId, TableId
from rookery.core.intents import AnyIntent, Enter, ListGames, Open, Sit
from rookery.core.messages import AnyMessage, Done, News, Notice, Welcome
from rookery.dialects import LANGUAGES
from rookery.games import GAMES
from rookery.hall.hall import Hall
from rookery.server.actor.log_writer import LogWriter, Writer, Written
from rookery.server.actor.runner import HallRunner
from rookery.server.fairtime import BEAT, FairTime
from rookery.store import Store
from rookery.store.sqlite import SqliteStore

PATIENCE = 60.0  # seconds until a test says that nothing comes
NOON: Micros = 1_700_000_000_000_000
STEPS = 5  # that follow from one thing, each written before the next: a bot enters, and sits down


class HeldStore(Store):
    """Memory behind a gate; it is written to from another thread."""

    def __init__(self, memory: SqliteStore | None = None) -> None:
        self.memory = memory or SqliteStore()
        super().__init__(self.memory.source)
        self.gate = threading.Event()  # open: appends go through
        self.gate.set()
        self.tried: list[Sequence[Record]] = []  # every append that was begun
        self.failures: list[Exception] = []  # what the next appends come to
        self.read_back: list[str] = []  # streams that were asked of the archive
        self.unreadable: Exception | None = None  # what reading comes to

    def append(self, records: Sequence[Record]) -> None:
        """Wait at the gate, then fail or write."""
        self.tried.append(records)
        assert self.gate.wait(PATIENCE), "a test opens its gate"
        failures = self.failures  # which the test may replace meanwhile
        if failures:
            raise failures.pop(0)
        self.memory.append(records)

    def read_stream(self, stream: str) -> Sequence[Record]:
        """From memory, and noted."""
        self.read_back.append(stream)
        if self.unreadable is not None:
            raise self.unreadable
        return super().read_stream(stream)


class Ear:
    """A connection that only listens. It mutates."""

    writes: ClassVar[bool] = True

    def __init__(self, session: SessionId) -> None:
        self.session = session
        self.told: list[AnyMessage] = []  # put into words
        self.sent: list[AnyMessage] = []  # and sent
        self.answers = 0
        self.closed = False  # whether we hung up on it
        self.player = PlayerId(0)

    def tell(self, message: AnyMessage) -> None:
        """Keep it, unsent."""
        self.told.append(message)

    def flush(self) -> None:
        """Send what was kept."""
        self.sent = list(self.told)

    def answered(self) -> None:
        """Count."""
        self.answers += 1

    def close(self) -> None:
        """Note it."""
        self.closed = True

    def kinds(self) -> list[str]:
        """What was sent: notices by their code, news by their event, replies by their type."""
        return [_kind(message) for message in self.sent]


class Restless:
    """A connection that asks again whenever it is answered. It mutates."""

    writes: ClassVar[bool] = True

    def __init__(self, desk: "Desk") -> None:
        self.session = SessionId(999)
        self.answers = 0
        self._desk = desk
        desk.runner.connect(self.session, "10.0.0.1", self)
        self._ask()

    def tell(self, message: AnyMessage) -> None:
        """It does not listen."""

    def flush(self) -> None:
        """It does not read."""

    def close(self) -> None:
        """It does not notice."""

    def answered(self) -> None:
        """And again."""
        self.answers += 1
        self._ask()

    def _ask(self) -> None:
        self._desk.runner.ask(self.session, [ListGames()], self._desk.time.now())


class AtOnce:
    """A writer that writes at once, in the loop, and notes what was alone. It mutates."""

    def __init__(self, store: Store, written: Written) -> None:
        self.alone: list[bool] = []
        self._store, self._written = store, written

    def write(self, records: list[Record], *, alone: bool) -> None:
        """Make these safe."""
        self.alone.append(alone)
        self._store.append(records)
        asyncio.get_running_loop().call_soon(self._written, records, None)

    def let_go(self) -> None:
        """There is nothing to wait for."""


class Desk:
    """The runner, and everything around it. It mutates."""

    def __init__(
        self,
        *,
        retry_after: float = 0.0,
        clock: Callable[[], int] = perf_counter_ns,
        store: HeldStore | None = None,
        leeway: Micros = 0,
        writer: Callable[[Store, Written], Writer] = LogWriter,
        elapsed: Callable[[], int] = perf_counter_ns,
    ) -> None:
        self.store = HeldStore() if store is None else store
        self.monotonic: Micros = 0
        self.readings = 0  # how often somebody looked at the clock
        self.drawn = 0  # tokens: each says that an Enter was decided
        self.mistakes: list[BaseException] = []
        self.time = FairTime(self._clock, lambda: NOON + self.monotonic)
        self.hall = Hall(
            languages=LANGUAGES,
            seeds=lambda: 1,
            tokens=self._token,
            archive=self.store.read_stream,
            bots=frozenset(GAMES),
        )
        self.runner = HallRunner(
            self.hall,
            self.store,
            self.time,
            self.mistakes.append,
            retry_after=retry_after,
            clock=clock,
            elapsed=elapsed,
            leeway=leeway,
            writer=writer,
        )
        self._ears = 0

    def ear(self, host: str = "10.0.0.1") -> Ear:
        """A new connection."""
        self._ears += 1
        ear = Ear(SessionId(self._ears))
        self.runner.connect(ear.session, host, ear)
        return ear

    async def player(self, name: str, host: str = "10.0.0.1") -> Ear:
        """A new connection that is a new player."""
        ear = self.ear(host)
        self.ask(ear, Enter(name))
        await until(lambda: bool(ear.sent))
        welcome = ear.sent[-1]
        assert isinstance(welcome, Welcome)
        ear.player = welcome.player
        return ear

    async def game(self, first: Ear, second: Ear, variant: str, time: str) -> TableId:
        """A table where these two have sat down, and have been told so."""
        self.ask(first, Open(variant, time=time))
        await until(lambda: any(isinstance(message, Done) for message in first.sent))
        table = next(m.table for m in first.sent if isinstance(m, Done))
        assert table is not None
        self.ask(second, Sit(table))
        await until(lambda: "started" in first.kinds())
        return table

    def ask(self, ear: Ear, *intents: AnyIntent) -> None:
        """The connection asks these things, read now."""
        self.runner.ask(ear.session, intents, self.time.now())

    async def settled(self) -> None:
        """All that was asked is safe and told, and what was asked because of that, and so on.

        Writing is done in a thread, which may be slow: so many turns of the loop say nothing.
        """
        for _ in range(STEPS):
            ear = self.ear()
            self.ask(ear, ListGames())
            await until(lambda ear=ear: ear.answers == 1)  # type: ignore[misc]
            self.runner.hang_up(ear.session, self.time.now())
            await turns()

    def passes(self, micros: Micros) -> None:
        """Time passes, beat by beat."""
        while micros > 0:
            self.monotonic += min(BEAT, micros)
            micros -= BEAT
            self.time.beat()

    def _clock(self) -> Micros:
        self.readings += 1
        return self.monotonic

    def _token(self) -> str:
        self.drawn += 1
        return f"token-{self.drawn}"


async def until(claim: Callable[[], bool]) -> None:
    """Let the loop turn until this is so."""
    async with asyncio.timeout(PATIENCE):
        while not claim():  # noqa: ASYNC110 # any claim, and each turn of the loop counts
            await asyncio.sleep(0)
    await turns(5)  # turns that were told have been handed over


async def turns(count: int = 50) -> None:
    """Let the loop turn so often: whatever would come at once has come."""
    for _ in range(count):
        await asyncio.sleep(0)


def story(
    told: Callable[[Desk], Coroutine[None, None, None]],
    clock: Callable[[], int] = perf_counter_ns,
    writer: Callable[[Store, Written], Writer] = LogWriter,
    elapsed: Callable[[], int] = perf_counter_ns,
) -> None:
    """Run this with a desk of its own, in a loop of its own, by these clocks."""

    async def run() -> None:
        desk = Desk(clock=clock, writer=writer, elapsed=elapsed)
        try:
            await told(desk)
        finally:
            desk.store.gate.set()
            desk.runner.let_go()

    asyncio.run(run())


def _kind(message: AnyMessage) -> str:
    match message:
        case Notice(code):
            return code
        case News(happened):
            return str(happened.event.__struct_config__.tag)
        case _:
            return str(message.__struct_config__.tag)
