"""A day of the crash test: clients come, the server is killed under them, and all games must end.

Everything is drawn from a seed but the timing of the machine: two days of one seed are alike,
and not the same.
"""

import asyncio
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from msgspec import Struct, field

from rookery.cli.bot.pilot import BotWish
from rookery.core.chance import Chance
from rookery.core.ids import Micros
from rookery.dialects import LANGUAGES
from rookery.games import parse_variant
from rookery.store import Log
from rookery_tools.crashtest.clients.calling import CallerBase, CrashtestTown
from rookery_tools.crashtest.clients.player import CrashtestPlayer
from rookery_tools.crashtest.clients.player_groups import GROUPS
from rookery_tools.crashtest.clients.touring import TourHost
from rookery_tools.crashtest.clients.watching import Watcher
from rookery_tools.crashtest.clients.web import Web
from rookery_tools.crashtest.machine.machine import CrashtestOutage
from rookery_tools.crashtest.machine.mishaps import MOVED
from rookery_tools.crashtest.observer.claims import Claims
from rookery_tools.crashtest.observer.judge import STRANGE, Judge
from rookery_tools.crashtest.observer.ledger import CrashtestLedger
from rookery_tools.sim.observer.keeping import KEPT
from rookery_tools.sim.observer.observer import ENDS
from rookery_tools.sim.observer.verdict import Failing

LIFE: Final = (20, 900)  # milliseconds that a server lives after it listens
END: Final = 90.0  # seconds in which everything must end, once nobody is killed any more
BUFFERED: Final = 0.03  # seconds in which what a dead server has sent is heard


class DayReport(Struct):
    """The counts and the failings of a day."""

    kills: int = 0
    troubles: Counter[str] = field(default_factory=Counter)
    failings: list[Failing] = []
    records: int = 0
    moves: int = 0
    tables: int = 0
    tours: int = 0
    lines: int = 0  # connections
    judged: Counter[str] = field(default_factory=Counter)
    by_language: Counter[str] = field(default_factory=Counter)  # boards seen
    http: int = 0  # answers
    restarts: list[Micros] = []
    takeovers: dict[str, list[Micros]] = {}  # of a cluster: by how the leader ended
    ended_in: float = 0.0  # seconds, once nobody was killed any more


class DayMachine(Protocol):
    """The machine that a day runs on, with one server or a cluster."""

    ports: dict[str, int]
    other_ports: dict[str, int]  # where one may call as well, if anywhere
    outages: list[CrashtestOutage]
    restarts: list[Micros]
    folder: Path

    @property
    def alive(self) -> bool:
        """Whether the server, or any hall of a cluster, still runs."""
        ...

    def said(self) -> str:
        """All that the servers wrote to their logs."""
        ...

    def open_log(self) -> Log:
        """Open the log as it is now, to read it."""
        ...

    async def start(self) -> None:
        """Start the servers that do not run, and wait until they serve."""
        ...

    async def kill(self) -> None:
        """End the server, or the hall that leads."""
        ...

    async def stop(self) -> int:
        """Ask all to stop; the exit code."""
        ...


class DayMishaps(Protocol):
    """The troubles besides kills that happen on a day."""

    one_in: int  # one kill in so many comes in or after some other trouble

    async def happen(self) -> str:
        """Let one trouble happen; returns its kind."""
        ...

    async def happen_last(self) -> str | None:
        """Let the day's last trouble happen; returns what went wrong, None if there is none."""
        ...

    def mend(self) -> None:
        """End the trouble that goes on, if any does."""
        ...


class CrashtestDay:
    """One folder, one server after the other, and the clients that play on it."""

    def __init__(
        self, machine: DayMachine, seed: int, mishaps: DayMishaps, report: DayReport
    ) -> None:
        self.chance = Chance(seed)
        self.machine = machine
        self.mishaps = mishaps
        self.town = CrashtestTown(machine.ports, Claims(), machine.other_ports)
        self.ledger = CrashtestLedger(machine.open_log)
        self.judge = Judge(self.ledger, self.town.claims, machine.outages)
        self.report = report
        self.players = self._players()
        self.watchers = [
            Watcher(self.town, f"watcher{n}", framed=bool(n), seed=self._seed()) for n in range(2)
        ]
        self.web = Web(self.town, machine.folder, self._seed())
        self.host = TourHost(self.town, self.web, Chance(self._seed()))

    def _players(self) -> list[CrashtestPlayer]:
        found = []
        for kind, group in enumerate(GROUPS):
            manners = LANGUAGES[group.dialect]
            time = "5m" if manners.terms else None
            room = "den" if manners.rooms and not manners.terms else ""
            for n in range(group.players):
                name = f"{group.dialect[:5]}{kind}{n}"
                wish = BotWish(parse_variant(group.variant), name, time=time, room=room)
                seed, framed = self._seed(), group.framed
                found.append(
                    CrashtestPlayer(self.town, group.dialect, wish, framed=framed, seed=seed)
                )
        return found

    def _seed(self) -> int:
        return self.chance.bits() >> 1

    async def live(
        self,
        kills: int,
        progress: Callable[[], None],
        before_the_end: Callable[[], None] = lambda: None,
    ) -> DayReport:
        """Let clients play through this many kills and to the end; returns the day's report."""
        asyncio.get_running_loop().set_exception_handler(self._tripped)
        await self.machine.start()
        for caller in self.callers():
            caller.call()
        tasks = [asyncio.ensure_future(work) for work in (self.web.read_on(), self.host.run())]
        try:
            for _ in range(kills):
                await asyncio.sleep(self.chance.between(*LIFE) / 1000)
                if not self.chance.below(self.mishaps.one_in):
                    self.report.troubles[await self.mishaps.happen()] += 1
                await self.strike()
                progress()
            await self._all_play()
            if (left := await self.mishaps.happen_last()) is not None:
                await self._moved_folder(left)
            await self._finish(before_the_end)
        finally:
            for task in tasks:
                if not task.cancel() and (wrong := task.exception()) is not None:
                    self._tripped(asyncio.get_running_loop(), {"exception": wrong})
            for caller in self.callers():
                caller.leave()
        self._count()
        return self.report

    def _tripped(self, _: asyncio.AbstractEventLoop, report: dict[str, Any]) -> None:
        """Report that a client of ours fell over an exception: the day proves less without it."""
        wrong = report.get("exception")
        words = (
            report.get("message") if wrong is None else "".join(traceback.format_exception(wrong))
        )
        self.report.failings.append(Failing(STRANGE, f"A client fell: {words}"))

    async def strike(self) -> None:
        """Kill the server, judge the log that it leaves, and start another."""
        if not self.machine.alive:
            words = f"The server ended by itself: {self.machine.said()[-1000:]}"
            self.report.failings.append(Failing(ENDS, words))
        await self.machine.kill()
        self.mishaps.mend()
        self.report.kills += 1
        await self._judge()
        await self.machine.start()

    async def _all_play(self) -> None:
        """Wait until somebody has played in every language; few kills may be over before that."""
        until = asyncio.get_running_loop().time() + END
        while idle := {player.dialect for player in self._callers_who_play()} - self._played():
            if asyncio.get_running_loop().time() > until:
                words = f"In {END:.0f} s nobody could play in {', '.join(sorted(idle))}."
                self.report.failings.append(Failing(ENDS, words))
                return
            await asyncio.sleep(0.05)

    def _played(self) -> set[str]:
        """The languages in which somebody was shown a board."""
        dialects = {player.known_as: player.dialect for player in self._callers_who_play()}
        return {dialects[one.who] for one in self.town.claims.sightings}

    async def _moved_folder(self, wrong: str) -> None:
        """Judge and go on after the folder was moved away and back."""
        if wrong:
            self.report.failings.append(Failing(KEPT, wrong))
        self.report.troubles[MOVED] += 1
        await self._judge()
        await self.machine.start()

    async def _judge(self) -> None:
        await asyncio.sleep(BUFFERED)
        self.ledger.read_on()
        self.report.failings += self.judge.look()

    def callers(self) -> list[CallerBase]:
        """All callers of the day, those that left too."""
        return [*self._callers_who_play(), *self.watchers]

    # -- the end

    async def _finish(self, before_the_end: Callable[[], None]) -> None:
        """Everybody plays to the end; then the server is asked to stop."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        self.town.calm = True
        for player in self.players:
            player.calm()
        while not await self._is_over():
            if loop.time() - began > END:
                left = [table.opened.variant for table in self.ledger.running]
                words = f"After {END:.0f} s there are {left}, and tours: {self.host.words()}"
                self.report.failings.append(Failing(ENDS, words))
                break
            await asyncio.sleep(0.2)
        self.report.ended_in = loop.time() - began
        before_the_end()
        code = await self.machine.stop()
        if code:
            self.report.failings.append(Failing(ENDS, f"The server stopped with code {code}."))
        await self._judge()
        self.report.failings += self.judge.close()

    async def _is_over(self) -> bool:
        """Whether nothing is played; who has left a game that runs is called back."""
        self.ledger.read_on()
        sitting = {who for table in self.ledger.running for who in self.ledger.sitters(table)}
        for player in self.players:
            if player.gone and player.known_as in sitting:
                player.gone = False
                player.call()
            elif player.known_as not in sitting and not player.playing:
                player.leave()
        return await self.host.is_over() and not sitting

    def _count(self) -> None:
        report, ledger = self.report, self.ledger
        report.records, report.tables = len(ledger.records), len(ledger.tables)
        report.moves, report.tours = len(ledger.charges), len(ledger.tours)
        report.lines, report.http = self.town.lines, self.web.answers
        report.judged = self.judge.judged
        dialects = {player.known_as: player.dialect for player in self._callers_who_play()}
        report.by_language = Counter(dialects[one.who] for one in self.town.claims.sightings)
        report.restarts = self.machine.restarts

    def _callers_who_play(self) -> list[CrashtestPlayer]:
        return [*self.players, *self.host.players]
