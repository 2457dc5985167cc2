"""Turns: everybody who says something is heard for a moment, and then others are.

One for all kinds of connections. Where nobody waits who has taken less, and this turn of
the event loop has time left, who says something is heard at once. Else it waits, and is
heard in the order of `shares`: by the time that it and its host have taken. A turn of the
loop hears for a small budget of time and then looks at the sockets again, so whoever says
little waits for about one budget, whatever others say. When only those wait who keep us
busy all by themselves, we rest a moment between turns: the log is written meanwhile. It
mutates, and lives in the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from time import perf_counter_ns
from typing import Any, Final

from rookery.server.fairness.pace import PACE
from rookery.server.fairness.shares import Flow, Shares

BUDGET: Final = 1_000_000  # nanoseconds of hearing in one turn of the event loop
QUANTUM: Final = 250_000  # nanoseconds that one is heard for, before another who waits is
WINDOW: Final = 100_000_000  # nanoseconds in which
MUCH: Final = 5_000_000  # nanoseconds are much for one
REST: Final = 0.001  # seconds between turns, when much was said by who is next

Hear = Callable[[int], bool]  # until then; whether there is more to hear


class Speaker:
    """Somebody who is heard in turns. It mutates."""

    __slots__ = ("flow", "hear", "later", "much")

    def __init__(self, flow: Flow, hear: Hear, *, later: bool = False) -> None:
        self.flow = flow
        self.hear = hear
        self.later = later  # it only begins in its turn, and does its work right after
        self.much = False  # whether it has much to say


class Turns:
    """Everyone who waits to be heard, of all kinds."""

    def __init__(self, clock: Callable[[], int] = perf_counter_ns) -> None:
        self.clock = clock
        self._shares = Shares()
        self._speakers: dict[Flow, Speaker] = {}  # of those who wait
        self._spent = 0  # in this turn of the loop
        self._since = 0  # when the window began
        self._taken: dict[Flow, int] = {}  # in this window, by those who did not say little
        self._called = False  # we are next in the loop

    def speaker(self, host: str, hear: Hear, *, later: bool = False) -> Speaker:
        """Somebody new from this host; `hear` is called when it is to be heard."""
        return Speaker(self._shares.flow(host), hear, later=later)

    def leave(self, speaker: Speaker) -> None:
        """It will say no more."""
        self._shares.leave(speaker.flow)

    @property
    def free(self) -> bool:
        """Whether nobody waits, and this turn of the loop has time left."""
        return self._spent < BUDGET and not self._shares

    def ask(self, speaker: Speaker) -> None:
        """It has something to say: it is heard at once, or in its turn."""
        if speaker.flow.waits:
            return
        shares = self._shares
        first = not shares or (not speaker.much and shares.is_first(speaker.flow))
        if first and self._spent < BUDGET:
            self._give(speaker)
        else:
            self.wait(speaker)

    def wait(self, speaker: Speaker) -> None:
        """It has something to say, which is heard in its turn."""
        self._speakers[speaker.flow] = speaker
        self._shares.wait(speaker.flow, much=speaker.much)
        PACE.hurry(self, hurried=True)
        self._call()

    def charge(self, speaker: Speaker, spent: int) -> None:
        """So many nanoseconds were its doing."""
        self._shares.charge(speaker.flow, spent)
        self._spent += spent
        self._call()

    def _give(self, speaker: Speaker) -> None:
        began = self.clock()
        more = speaker.hear(began + QUANTUM)
        spent = self.clock() - began
        self._spent += spent
        if more or self._shares:
            self._shares.charge(speaker.flow, spent)
        if more:
            self._taken[speaker.flow] = self._taken.get(speaker.flow, 0) + spent
            self._speakers[speaker.flow] = speaker
            self._shares.again(speaker.flow)
            PACE.hurry(self, hurried=True)
            self._call()
            return
        if speaker.flow.new:
            self._shares.settle(speaker.flow)
        if not self._called:
            self._call()  # the next turn of the loop has its own budget

    def _call(self) -> None:
        if not self._called:
            self._called = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._called = True  # nobody else need call us
        self._spent = 0
        speaker = None
        while self._spent < BUDGET and (flow := self._shares.next()) is not None:
            speaker = self._speakers.pop(flow)
            self._give(speaker)
            if speaker.later:
                break
        self._called = False
        if not self._shares:
            PACE.hurry(self, hurried=False)
        elif speaker is not None and self._says_much(speaker):
            self._rest()
            return
        if self._shares or self._spent:
            self._call()

    def _says_much(self, speaker: Speaker) -> bool:
        now = self.clock()
        much = self._taken.get(speaker.flow, 0) > MUCH
        if now - self._since > WINDOW:
            self._since = now
            self._taken.clear()
        return much

    def _rest(self) -> None:
        """Leave it at that for a moment; who says little is heard all the same."""
        self._called = True
        self._spent = 0
        asyncio.get_running_loop().call_later(REST, self._turn)


class Paced:
    """The work of one request, step by step in the turns of who made it. It mutates.

    A step is what a coroutine does between two waits. It is awaited in a task like any
    other, so time-outs and cancelling are the task's.
    """

    def __init__(self, turns: Turns, host: str) -> None:
        self._turns = turns
        self._speaker = turns.speaker(host, self._begin, later=True)
        self._granted: deque[asyncio.Future[None]] = deque()

    def leave(self) -> None:
        """There will be no more."""
        self._turns.leave(self._speaker)

    def run(self, work: Coroutine[Any, Any, None]) -> "_Steps":
        """Do this; it is to be awaited."""
        return _Steps(self, work)

    def turn(self) -> "asyncio.Future[None] | None":
        """What to wait for before the next step, if anything."""
        if self._turns.free and not self._granted:
            return None
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._granted.append(granted)
        self._turns.wait(self._speaker)
        return granted

    def step(self, work: Callable[[], Any]) -> Any:  # Any: what a coroutine waits for
        """Do one step, and charge for it."""
        clock = self._turns.clock
        began = clock()
        try:
            return work()
        finally:
            self._turns.charge(self._speaker, clock() - began)

    def _begin(self, _: int) -> bool:
        while self._granted:
            granted = self._granted.popleft()
            if not granted.done():  # else who waited has been cancelled
                granted.set_result(None)
                break
        return bool(self._granted)


class _Steps:
    """One piece of work, to be awaited."""

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
                except BaseException as thrown:  # noqa: BLE001 # it is for the work
                    wrong = thrown
            step, wrong = _step(work, wrong), None
            try:
                waits = self._paced.step(step)
            except StopIteration:
                return
            try:
                yield waits
            except BaseException as thrown:  # noqa: BLE001 # it is for the work
                wrong = thrown


def _step(work: Coroutine[Any, Any, None], wrong: BaseException | None) -> Callable[[], Any]:
    """The next step of this: going on, or being told what went wrong."""
    if wrong is None:
        return lambda: work.send(None)
    return lambda: work.throw(wrong)
