"""The scheduler: hears every speaker for a moment, and then others.

One for all kinds of connections. A speaker is heard at once if nobody waits who has taken less
and this turn of the event loop has time left. Else the speaker waits, and is heard in the
order of `precedence`: who says little first. A turn of the loop hears for a small budget of
time and then looks at the sockets again, so a speaker who says little waits for about one
budget, whatever others say. A speaker with more to say than one moment also waits while the
hall decides, writes and tells what others asked, but not for long. The scheduler mutates, and
lives in the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from time import perf_counter_ns
from typing import Any, Final

from rookery.server.fairness.precedence import Claim, Precedence, Rank
from rookery.server.fairness.thread_switching import SWITCHING
from rookery.server.fairness.throttle import RESTS_OF_HEARING, Pieces, Throttle

BUDGET: Final = 4_000_000  # nanoseconds of hearing speakers, in one turn of the loop
QUANTUM: Final = 250_000  # nanoseconds that a speaker is heard for, before the next
REST: Final = 1_000_000  # nanoseconds that a speaker who says much waits for a busy hall

Hear = Callable[[int], bool]  # until then; whether there is more to hear


class Speaker(Claim):
    """A connection, or the work for one, that is heard in turns. It mutates."""

    __slots__ = ("hear", "later", "much_to_say")

    def __init__(self, home: str, hear: Hear, *, later: bool = False) -> None:
        super().__init__(home)
        self.hear = hear
        self.later = later  # its turn only lets it begin, and its work is done right after
        self.much_to_say = True  # also before its first word: some connect anew for each word


class Scheduler:
    """Hears all speakers, of all kinds of connections.

    `busy` says whether the hall has something to decide or to write. By `clock` a turn of the
    loop ends. What a speaker owes is counted by `work`, where that is another clock: while the
    process stood still nobody took anything, and a speaker who was charged for that would wait
    as long for each of 300 others. Reading `work` is dear, so we do it only if somebody waits.
    """

    def __init__(
        self,
        clock: Callable[[], int] = perf_counter_ns,
        busy: Callable[[], bool] = lambda: False,
        work: Callable[[], int] | None = None,
        throttle: Throttle | None = None,
    ) -> None:
        self.clock = clock
        self.work = work or clock
        self._busy = busy
        self._pieces = Pieces(throttle or Throttle(clock), RESTS_OF_HEARING)
        self._order: Precedence[Speaker] = Precedence()
        self._spent = 0  # in this turn of the loop
        self._called = False  # the loop is going to call `_turn`
        self._resting: asyncio.TimerHandle | None = None  # until then who says much waits

    def leave(self, speaker: Speaker) -> None:
        """Forget a speaker who will say no more."""
        self._order.leave(speaker)

    @property
    def free(self) -> bool:
        """Whether nobody waits, the hall has nothing to do, and this turn has time left."""
        idle = not self._order and not self._busy()
        return idle and self._spent < BUDGET and not self._pieces.pause()

    def played_lately(self) -> bool:
        """Whether the hall has had something to decide or to write just now."""
        return self._busy() or self._pieces.throttle.lately()

    def ask(self, speaker: Speaker) -> None:
        """Hear a speaker who has something to say: at once, or in turn."""
        if speaker.waits:
            return
        if speaker.much_to_say:
            at_once = self.free
        else:
            at_once = self._spent < BUDGET and self._order.is_first(speaker)
        if at_once:
            self._give(speaker)
        else:
            self.wait(speaker)

    def begin(self, speaker: Speaker) -> int | None:
        """Return the clock's time if the caller may hear this speaker now; None: it must wait.

        Nearly always it may. The caller then hears the speaker by itself and calls `heard`. This
        comes to the same as `ask`, which is for what already waits in a connection.
        """
        waits = speaker.waits or speaker.much_to_say or self._order.claims
        return None if waits or self._spent >= BUDGET else self.clock()

    def heard(self, speaker: Speaker, began: int) -> None:
        """Count the time since `began`, in which the caller heard this speaker by itself."""
        spent = self.clock() - began
        self._spent += spent
        if self._order.claims:  # somebody has begun to wait
            speaker.rank = None if speaker.flows[Rank.LITTLE] is None else Rank.LITTLE
            self._order.charge(speaker, spent)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget

    def wait(self, speaker: Speaker) -> None:
        """Put a speaker who has something to say into the queue, to be heard in turn."""
        self._order.wait(speaker, Rank.MUCH if speaker.much_to_say else Rank.LITTLE)
        if speaker.much_to_say:
            SWITCHING.hurry(self, hurried=True)
        else:
            self._go_on()
        self._call()

    def charge(self, speaker: Speaker, spent: int) -> None:
        """Charge a speaker for so many nanoseconds of work."""
        self._order.charge(speaker, spent)
        self._spent += spent
        self._pieces.took(spent)
        self._call()

    def wake(self) -> None:
        """Hear those who waited for the hall, because the hall has nothing more to do."""
        if not self._pieces.pause():
            self._go_on()

    def _go_on(self) -> None:
        if self._resting is not None:
            self._resting.cancel()
            self._resting = None
            self._called = False
            self._call()

    def _give(self, speaker: Speaker) -> bool:
        """Hear this speaker for a moment; return whether there is more to hear."""
        others, much = bool(self._order), speaker.much_to_say
        worked = self.work() if others else 0
        began = self.clock()
        more = speaker.hear(began + QUANTUM)
        spent = self.clock() - began
        self._spent += spent
        if much and not speaker.later:
            self._pieces.took(spent)
        speaker.much_to_say = more or speaker.later
        if more or self._order:
            self._order.charge(speaker, self.work() - worked if others else spent)
        if more:
            self._order.again(speaker)
            SWITCHING.hurry(self, hurried=True)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget
        return more

    def _call(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self, *, rested: bool = False) -> None:
        self._called = True  # nobody else need call us
        self._resting = None
        self._spent = 0
        if not self._order:  # nearly always, and at a single table once a move
            self._called = False
            SWITCHING.hurry(self, hurried=False)
            return
        more = False
        while not more and self._spent < BUDGET:
            rests = self._pause(rested=rested) > 0
            speaker = self._order.next(Rank.LITTLE if rests else Rank.MUCH)
            if speaker is None:
                break
            more = self._give(speaker)
            if speaker.later:
                break
        self._called = False
        if not self._order.waits(Rank.MUCH):
            SWITCHING.hurry(self, hurried=False)
        elif not self._order.waits(Rank.LITTLE) and (pause := self._pause()):
            self._called = True
            # A speaker who has rested for others who play still waits for a busy hall, but once.
            turn = partial(self._turn, rested=rested or not self._pieces.pause())
            self._resting = asyncio.get_running_loop().call_later(pause / 1e9, turn)
            self._spent = 0
            return
        if self._order or self._spent:
            self._call()

    def _pause(self, *, rested: bool = False) -> int:
        """Nanoseconds that who says much must wait; `rested`: they waited for the hall already."""
        return self._pieces.pause() or (REST if not rested and self._busy() else 0)


class Paced:
    """Does the work of an HTTP client's requests step by step, in that client's turns. It mutates.

    A step is what a coroutine does between two waits. The work is awaited in a task like any
    other, so time-outs and cancelling are the task's.
    """

    def __init__(self, scheduler: Scheduler, host: str) -> None:
        self._scheduler = scheduler
        self._speaker = Speaker(host, self._begin, later=True)
        self._granted: deque[asyncio.Future[None]] = deque()

    def leave(self) -> None:
        """Give up the place among the speakers: no more work will come."""
        self._scheduler.leave(self._speaker)

    def run(self, work: Coroutine[Any, Any, None]) -> "_Steps":
        """Return something to await that does this work in turns."""
        return _Steps(self, work)

    def turn(self) -> "asyncio.Future[None] | None":
        """Return what to wait for before the next step; None if it may be done now."""
        if self._scheduler.free and not self._granted:
            return None
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._granted.append(granted)
        self._scheduler.wait(self._speaker)
        return granted

    def step(self, work: Callable[[], Any]) -> Any:  # Any: what a coroutine waits for
        """Do one step of the work, and charge the client for the time it took."""
        worked = self._scheduler.work
        began = worked()
        try:
            return work()
        finally:
            self._scheduler.charge(self._speaker, worked() - began)

    def _begin(self, _: int) -> bool:
        while self._granted:
            granted = self._granted.popleft()
            if not granted.done():  # else the task that waited has been cancelled
                granted.set_result(None)
                break
        return bool(self._granted)


class _Steps:
    """One coroutine, to be awaited, that takes its steps in turns."""

    __slots__ = ("_paced", "_work")

    def __init__(self, paced: Paced, work: Coroutine[Any, Any, None]) -> None:
        self._paced = paced
        self._work = work

    def __await__(self) -> Generator[Any, None, None]:
        work, wrong = self._work, None
        while True:
            if (turn := self._paced.turn()) is not None:
                try:
                    yield from turn
                except GeneratorExit:  # the loop is gone: nobody has turns any more
                    work.close()
                    raise
                except BaseException as thrown:  # noqa: BLE001 # it is for the work
                    wrong = thrown
            step, wrong = _step(work, wrong), None
            try:
                waits = self._paced.step(step)
            except StopIteration:
                return
            try:
                yield waits
            except GeneratorExit:
                work.close()
                raise
            except BaseException as thrown:  # noqa: BLE001 # it is for the work
                wrong = thrown


def _step(work: Coroutine[Any, Any, None], wrong: BaseException | None) -> Callable[[], Any]:
    """Return the coroutine's next step: to go on, or to be thrown what went wrong."""
    if wrong is None:
        return lambda: work.send(None)
    return lambda: work.throw(wrong)
