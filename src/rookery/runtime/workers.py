"""Several workers of one kind, lent to callers in the order they ask.

A process is started when there is something to ask and none is free, up to as many as there
may be. One that has failed is killed; the next caller finds another. It mutates, and
lives in the event loop.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from rookery.runtime.worker import Worker, WorkerFailed, WorkerKind, start

log = logging.getLogger(__name__)

GOING: Final = 5.0  # seconds for a process that was killed to be gone
TRIES: Final = 2  # workers that may fail at the same thing

T = TypeVar("T")


class AllFailed(Exception):
    """As many workers as may try gave no answer to the same question."""


class Workers:
    """Lends workers of one kind, at most `size` processes at once."""

    def __init__(self, kind: WorkerKind, size: int) -> None:
        self._kind = kind
        self._places = asyncio.Semaphore(size)  # first come, first served
        self._free: list[Worker] = []
        self._all: list[Worker] = []
        self._closed = asyncio.Event()

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        return [worker.pid for worker in self._all if not worker.failed]

    async def take(self) -> Worker:
        """Take a worker that has nothing to do, and give it back later. Raises WorkerFailed."""
        await self._places.acquire()
        try:
            return await self._next()
        except BaseException:
            self._places.release()
            raise

    def give_back(self, worker: Worker) -> None:
        """Take back a worker that has failed or owes no answer."""
        self._free.append(worker)
        self._places.release()

    async def use(self, work: Callable[[Worker], Awaitable[T]], what: str) -> T:
        """Have a worker do this, or another if that one fails. Raises AllFailed.

        `what` is logged of a worker that fails: "thinks about nim".
        """
        async with self._places:
            for _ in range(TRIES):
                try:
                    worker = await self._next()
                    done = await work(worker)
                except WorkerFailed as how:
                    log.warning("a process that %s %s", what, how)
                else:
                    self._free.append(worker)
                    return done
        raise AllFailed

    async def warm(self) -> None:
        """Have a process at hand before it is needed: starting one takes a while."""
        async with self._places:
            if self._all or self._closed.is_set():
                return
            try:
                self._free.append(await self._start())
            except WorkerFailed as how:
                log.warning("a process to %s in %s", self._kind.task, how)

    async def close(self) -> None:
        """End every process, and see it gone."""
        self._closed.set()
        for worker in list(self._all):
            worker.kill()
        for worker in list(self._all):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOING):
                    await worker.gone.wait()

    async def _next(self) -> Worker:
        while self._free:
            worker = self._free.pop()
            if not worker.failed:  # else it died while it had nothing to do
                return worker
        return await self._start()

    async def _started(self) -> Worker:
        """Start a process; if nobody waits for it any more, the next caller has it."""
        starting = asyncio.get_running_loop().create_task(start(self._kind))
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._left_over)
            raise

    def _left_over(self, starting: "asyncio.Task[Worker]") -> None:
        if starting.cancelled() or starting.exception() is not None:
            return
        worker = starting.result()
        self._all.append(worker)
        if self._closed.is_set() or self._kind.ready:
            worker.kill()  # what it says of itself would be taken for an answer
        else:
            self._free.append(worker)

    async def _start(self) -> Worker:
        if self._closed.is_set():
            raise WorkerFailed("was asked too late")
        worker = await self._started()
        # Those that failed are kept until they are gone.
        self._all = [*(other for other in self._all if not other.gone.is_set()), worker]
        if self._closed.is_set():
            worker.kill()
        await worker.be_ready()
        return worker
