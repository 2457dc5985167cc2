"""Studies of positions, by processes of their own, for one host after the other.

Studies never get in the way of the house's bots, and the processes are the last that the machine
gives time to. Two lanes are apart: a glance takes a quarter of a second, and need not wait for a
study that tries for forty to prove its result. In each lane one study is under way at a time, and
hosts take turns; a host that asks far too much is refused. What two ask for is studied
once. A study for which nobody waits any more never begins, and a long one that is under way ends.
What was found is kept for a while. It mutates, and lives in the event loop.
"""

import asyncio
import sys
from collections import Counter, deque
from functools import partial
from typing import Final

from rookery.bots.asking import write
from rookery.bots.studying import Studied, Study, read_studied
from rookery.runtime.worker import Worker, WorkerKind
from rookery.runtime.workers import Workers
from rookery.server.web.hall_client import busy

MILLIS: Final = 1_000  # to look around
GLANCE: Final = 250  # … where a whole game is gone through
PROVING: Final = 40_000  # more where an end can be proved; sixteen free squares took 25 s at most
GRACE: Final = 5.0  # seconds more to answer, as the process gets what time others leave
STARTING: Final = 30.0  # seconds more for the first answer, on a busy machine
MEGABYTES: Final = 768
NICE: Final = 19  # below everybody
LINE_MAX: Final = 16_384  # bytes of an answer
WAITING_A_HOST: Final = 40  # studies of one host; a long game has sixty moves, and asks one by one
WAITING_MAX: Final = 200
KEPT: Final = 5_000  # answers, about a kilobyte each
COMMAND: Final = (sys.executable, "-m", "rookery.runtime.analyst", str(MEGABYTES))


class PositionStudy:
    """Has positions studied, and keeps what was found."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        kind = WorkerKind(command, "study", STARTING, LINE_MAX, nice=NICE)
        self._workers = Workers(kind, 2)
        self.close = self._workers.close
        self._known: dict[Study, Studied] = {}
        self._waiting: Counter[str] = Counter()  # by host
        self._glances, self._long = _Lane(self._workers), _Lane(self._workers)

    async def look_into(self, wanted: Study, host: str) -> Studied:
        """Study this position, or return what is known of it. Raises Trouble, AllFailed."""
        known = self._known.get(wanted)
        if known is not None:
            return known
        if self._waiting[host] >= WAITING_A_HOST or self._waiting.total() >= WAITING_MAX:
            raise busy()
        self._waiting[host] += 1
        try:
            lane = self._long if _is_long(wanted) else self._glances
            found = await lane.study(wanted, host)
        finally:
            self._waiting[host] -= 1
            if not self._waiting[host]:
                del self._waiting[host]
        if len(self._known) >= KEPT:
            del self._known[next(iter(self._known))]
        self._known[wanted] = found
        return found


class _Asker:
    """Somebody who waits for a study."""

    def __init__(self, wanted: Study) -> None:
        self.wanted = wanted
        self.answer: asyncio.Future[Studied] = asyncio.get_running_loop().create_future()


class _Lane:
    """Studies of one kind, one at a time. It mutates."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._lines: dict[str, deque[_Asker]] = {}  # of hosts, whose turn is next first
        self._last = ""  # the host that had the last turn
        self._told: list[_Asker] = []  # who wait for the study that is under way
        self._task: asyncio.Task[Studied] | None = None  # which is this

    async def study(self, wanted: Study, host: str) -> Studied:
        """Study this in the host's turn, or wait for another who asks the same."""
        asker = _Asker(wanted)
        if self._told and self._told[0].wanted == wanted:
            self._told.append(asker)
        else:
            self._lines.setdefault(host, deque()).append(asker)
            self._go_on()
        try:
            return await asker.answer
        finally:
            self._leave(asker, host)

    def _go_on(self) -> None:
        """Begin the next study, unless one is under way."""
        if self._task is not None or not self._lines:
            return
        self._last = host = next((one for one in self._lines if one != self._last), self._last)
        line = self._lines.pop(host)
        wanted = line.popleft()
        if line:
            self._lines[host] = line  # behind all others
        self._told = [wanted, *self._take(wanted.wanted)]
        self._task = asyncio.get_running_loop().create_task(self._asked(wanted.wanted))
        self._task.add_done_callback(self._done)

    def _take(self, wanted: Study) -> list[_Asker]:
        """Take all who wait for the same out of their lines."""
        same = [one for line in self._lines.values() for one in line if one.wanted == wanted]
        for host, line in list(self._lines.items()):
            left = deque(one for one in line if one.wanted != wanted)
            if left:
                self._lines[host] = left
            else:
                del self._lines[host]
        return same

    def _leave(self, asker: _Asker, host: str) -> None:
        """Forget somebody who was answered, or has gone."""
        if asker in self._told:
            self._told.remove(asker)
            if not self._told and self._task is not None and _is_long(asker.wanted):
                self._task.cancel()  # which ends the process; a glance is over sooner
        elif (line := self._lines.get(host)) is not None and asker in line:
            line.remove(asker)
            if not line:
                del self._lines[host]

    def _done(self, task: "asyncio.Task[Studied]") -> None:
        told, self._told, self._task = self._told, [], None
        for one in told:
            if one.answer.done():
                continue
            if task.cancelled():
                one.answer.cancel()
            elif (wrong := task.exception()) is not None:
                one.answer.set_exception(wrong)
            else:
                one.answer.set_result(task.result())
        if not task.cancelled():
            task.exception()  # perhaps nobody has stayed to hear of it
        self._go_on()

    async def _asked(self, wanted: Study) -> Studied:
        patience = (wanted.millis + wanted.proving) / 1000 + GRACE
        ask = partial(_ask, wanted, patience)
        return await self._workers.use(ask, f"studies {wanted.variant}")


async def _ask(wanted: Study, patience: float, worker: Worker) -> Studied:
    return await worker.ask(write(wanted), patience, read_studied)


def _is_long(wanted: Study) -> bool:
    """Whether it takes more than a glance."""
    return wanted.millis + wanted.proving > GLANCE
