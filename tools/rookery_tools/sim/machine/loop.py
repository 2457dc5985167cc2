"""An event loop without threads or sockets, in the time of the agenda.

The world steps the loop: every callback takes a little time, and a step ends where something else
is due by then, so a server can be killed, or kept from its processor, between any two callbacks. A
turn is as asyncio's: look at the sockets, take what is ready and what is due, do all of it. The
agenda does, some time later, what a thread would do. The loop answers what fair time asks
(`LoopMetrics`). It dies with its process.
"""

import asyncio
import inspect
from asyncio import events
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from functools import partial
from heapq import heappop, heappush
from typing import Any, Final, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from rookery.core.chance import Chance
from rookery.core.ids import Micros
from rookery_tools.sim.machine.agenda import MICRO, MILLI, NEVER, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.workers import KNOWN, Job, SimWorker

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

STEP: Final = 2 * MICRO  # what one callback takes at least,
MORE: Final = (1 << 15) - 1  # and what it may take more, in nanoseconds: all bits of it are drawn
LOOK: Final = 10 * MICRO  # what passes from one look at a clock to the next, where work is measured
JOB: Final = (50 * MICRO, 3 * MILLI)  # what a thread takes for its work

Complaint = dict[str, Any]  # Any: asyncio's own
Readable = Callable[[], list[events.Handle]]  # what is to be called for what lies at the sockets
Make = Callable[[], asyncio.Protocol]
Listen = Callable[[Make, str, int], object]


Tell = Callable[[asyncio.Future[T]], None]  # what a thread has done, to who waits for it


class SimLoop(asyncio.BaseEventLoop):
    """The event loop of one process of a world."""

    def __init__(self, agenda: WorldAgenda, chance: Chance) -> None:
        self.dead = True  # nothing is done any more, or not yet
        super().__init__()
        self.dead = False
        self.agenda = agenda
        self.chance = chance
        self.jobs: dict[str, Job] = {}  # of processes beside it, by what they are asked for
        self.fails: Callable[[Exception], None] = _raise  # told of errors of those processes
        self.sockets: Readable = list  # set by the network, as is this:
        self.listen: Listen | None = None
        self.wakes_at: Nanos = NEVER  # when there is something to do
        self._signalled = False  # whether a look at the sockets would find something
        self._waited: Nanos = 0  # at the sockets
        self._kept: Nanos = 0  # from a processor
        self._stood: Nanos = agenda.now  # since when it does nothing
        self._thaws: Nanos = 0  # until then it wants no processor
        self._waiting: deque[events.Handle] = deque()
        self._turn: deque[events.Handle] = deque()  # what this turn has still to do
        self._timers: list[tuple[Nanos, int, events.TimerHandle]] = []
        self._count = 0
        self._tasks: WeakKeyDictionary[asyncio.Task[Any], int] = WeakKeyDictionary()
        self._complain: Callable[[asyncio.AbstractEventLoop, Complaint], object] | None = None

    # -- what the world calls

    def signal(self) -> None:
        """Wake the loop: there is something at the sockets."""
        self._signalled = True
        self.wakes_at = min(self.wakes_at, self.agenda.now)

    def freeze(self, until: Nanos) -> None:
        """Stop the loop until then; that time does not count as waiting for a processor."""
        self._settle()
        self._thaws = max(self._thaws, until)

    def _settle(self) -> None:
        """Add the time that the loop has waited for a processor until now."""
        now, wanted = self.agenda.now, max(self.wakes_at, self._thaws)
        if now > wanted:
            self._kept += now - wanted
            self.wakes_at = now

    def step(self) -> None:
        """Do the rest of a turn, or a whole one, unless something else is due meanwhile."""
        agenda, turn, bits = self.agenda, self._turn, self.chance.bits
        due = agenda.due
        self._settle()
        if not turn:
            self._waited += agenda.now - self._stood
            self._begin_turn()
        while turn:
            handle = turn.popleft()
            if not handle.cancelled():
                handle._run()  # noqa: SLF001 # which is what a loop does with one
                now = agenda.now = agenda.now + STEP + (bits() & MORE)
                if due and due[0][0] <= now:
                    break
        self._stood = agenda.now
        self._rest()

    def block(self, wait: Nanos, held: Callable[[], Nanos]) -> None:
        """Wait for so long within a callback, as for a disk, and for as long as it is held up.

        The world goes on around the loop, which may be dead afterwards.
        """
        agenda, until = self.agenda, self.agenda.now + wait
        while not self.dead and agenda.due and agenda.due[0][0] <= max(until, held()):
            agenda.now = self.wakes_at = max(agenda.now, agenda.due[0][0])
            agenda.run_due()
        if not self.dead:
            agenda.now = self.wakes_at = max(agenda.now, until, held())
            events._set_running_loop(self)  # noqa: SLF001 # who was asked something has unset it

    def die(self) -> None:
        """Stop for good: the process is dead."""
        self.dead = True

    def bury(self) -> None:
        """Close all coroutines that were under way now, and not when Python collects them.

        What a coroutine does when it is closed is done on this loop, and so comes to nothing;
        later, it would be done in the middle of another loop's turn.
        """
        events._set_running_loop(self)  # noqa: SLF001 # as a loop does
        for task in sorted(self._tasks, key=self._tasks.__getitem__):
            coro = task.get_coro()
            if not task.done() and inspect.iscoroutine(coro):
                with suppress(Exception):  # nobody is there any more who would hear of it
                    coro.close()
        events._set_running_loop(None)  # noqa: SLF001
        self._tasks.clear()
        self._waiting.clear()
        self._turn.clear()
        self._timers.clear()

    def _rest(self) -> None:
        """Work out when the loop has something to do again."""
        timers = self._timers
        if self._turn or self._waiting or self._signalled:
            self.wakes_at = self.agenda.now
            return
        while timers and timers[0][2].cancelled():
            heappop(timers)
        self.wakes_at = timers[0][0] if timers else NEVER

    def _begin_turn(self) -> None:
        turn, waiting, timers = self._turn, self._waiting, self._timers
        if self._signalled:
            self._signalled = False
            seen = self.chance.shuffled(self.sockets())
            if self.chance.below(2):  # a loop may read before it does what was ready, or after
                turn.extend(seen)
                turn.extend(waiting)
            else:
                turn.extend(waiting)
                turn.extend(seen)
        else:
            turn.extend(waiting)
        waiting.clear()
        while timers and timers[0][0] <= self.agenda.now:
            turn.append(heappop(timers)[2])

    # -- what fair time asks

    def idle(self) -> Micros:
        """How many microseconds the loop has waited at its sockets."""
        return self._waited // MICRO

    def delayed(self) -> Micros:
        """How long it could have run and got no processor."""
        return self._kept // MICRO

    def soon(self, work: Callable[[], object]) -> None:
        """Call this in the next turn."""
        self.call_soon(work)

    def watch(self) -> int:
        """A clock by which work is measured: looking at it takes a while, as work does."""
        self.agenda.now += LOOK
        return self.agenda.now

    # -- what asyncio calls

    def time(self) -> float:
        """The time of the agenda in seconds, by which timers run."""
        return self.agenda.now / SECOND

    def get_debug(self) -> bool:
        """False: this loop has no debug mode."""
        return False

    def is_running(self) -> bool:
        """Whether the process of the loop lives."""
        return not self.dead

    def is_closed(self) -> bool:
        """Whether the process of the loop is dead."""
        return self.dead

    def create_task(self, coro: Any, **how: Any) -> asyncio.Task[Any]:  # Any: as asyncio has it
        """Make a task, and remember it for when the process dies."""
        task: asyncio.Task[Any] = super().create_task(coro, **how)
        self._count += 1
        self._tasks[task] = self._count
        return task

    def call_soon(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> events.Handle:
        """Call this in the next turn."""
        handle = events.Handle(callback, args, self, context)
        self._waiting.append(handle)
        if self.wakes_at > (now := self.agenda.now):
            self.wakes_at = now
        return handle

    def call_soon_threadsafe(
        self,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> events.Handle:
        """The same: there are no threads."""
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> events.TimerHandle:
        """Call this after so many seconds."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> events.TimerHandle:
        """Call this at that time of the loop, in seconds."""
        timer = events.TimerHandle(when, callback, args, self, context)
        self._count += 1
        due = round(when * SECOND)
        heappush(self._timers, (due, self._count, timer))
        self.wakes_at = min(self.wakes_at, due)
        return timer

    def _timer_handle_cancelled(self, _: events.TimerHandle) -> None:
        """Do nothing: a cancelled timer is dropped when its time comes."""

    def run_in_executor(  # type: ignore[override] # a future is awaited, whichever kind it is
        self, executor: object, func: Callable[..., T], *args: Any
    ) -> asyncio.Future[T]:
        """Do work beside the loop: at one moment, some time from now.

        Work for an executor of its own is done at once, and its result told some time from now:
        code that shuts an executor down waits for its work.
        """
        done: asyncio.Future[T] = self.create_future()
        wait, work = self.chance.between(*JOB), partial(func, *args)
        told = None if executor is None else _done(work)

        def tell() -> None:
            if not self.dead and not done.cancelled():
                self.call_soon(told or _done(work), done)

        self.agenda.after(wait, tell)
        return done

    async def create_server(  # type: ignore[override] # of its many ways, the one we use
        self, make: Make, host: str, port: int, **_: object
    ) -> object:
        """Listen at a port of the network."""
        assert self.listen is not None, "a process has a network"
        return self.listen(make, host, port)

    async def subprocess_exec(  # type: ignore[override] # of its many ways, the one we use
        self, make: Callable[[], asyncio.SubprocessProtocol], *command: object, **__: object
    ) -> Any:  # as asyncio has it
        """A process that thinks, pairs or has a job of this world's. Raises OSError."""
        task = str(command[min(3, len(command) - 1)])  # python -m MODULE TASK, or no task
        if task not in KNOWN and task not in self.jobs:
            raise OSError("there are no such processes in this world")
        protocol = make()
        worker = SimWorker(self, protocol, task)
        worker.begin()
        return worker, protocol

    def set_exception_handler(
        self, handler: Callable[[asyncio.AbstractEventLoop, Complaint], object] | None
    ) -> None:
        """Set the handler that is told of errors in callbacks."""
        self._complain = handler

    def default_exception_handler(self, context: Complaint) -> None:
        """Raise AssertionError: an error that no handler takes is a mistake."""
        raise AssertionError(f"{context.get('message')}: {context.get('exception')!r}")

    def call_exception_handler(self, context: Complaint) -> None:
        """Tell the handler of an error in a callback, unless the process is dead."""
        if self.dead:
            return  # what the dead leave behind
        if self._complain is None:
            self.default_exception_handler(context)
        else:
            self._complain(self, context)


def _raise(wrong: Exception) -> None:
    raise wrong


def _done(work: Callable[[], T]) -> Tell[T]:
    """Do the work now; returns what tells its result, or its error, to the future that waits."""
    try:
        found = work()
    except Exception as wrong:  # noqa: BLE001 # it is for who waits
        return partial(_fail, wrong=wrong)
    return partial(_fulfil, found=found)


def _fulfil(done: asyncio.Future[T], found: T) -> None:
    if not done.done():
        done.set_result(found)


def _fail(done: asyncio.Future[T], wrong: Exception) -> None:
    if not done.done():
        done.set_exception(wrong)
