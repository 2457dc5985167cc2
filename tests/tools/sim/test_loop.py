"""The loop of a world: its time is its own, and what is done in it is asyncio's."""

import asyncio
from asyncio.events import _set_running_loop
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from rookery.core.chance import Chance
from rookery_tools.sim.machine.agenda import MILLI, NEVER, SECOND, WorldAgenda
from rookery_tools.sim.machine.loop import SimLoop


class Bench:
    """A loop that is stepped until nothing is left to do."""

    def __init__(self) -> None:
        self.agenda = WorldAgenda()
        self.loop = SimLoop(self.agenda, Chance(1))

    def run(self) -> None:
        while (wakes := self.loop.wakes_at) < NEVER or self.agenda.due:
            due = self.agenda.due[0][0] if self.agenda.due else NEVER
            self.agenda.now = max(self.agenda.now, min(wakes, due))
            if wakes <= due:
                self.loop.step()
            else:
                self.agenda.run_due()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    _set_running_loop(made.loop)
    yield made
    _set_running_loop(None)
    made.loop.dead = True


def test_a_day_passes_in_a_moment(bench: Bench) -> None:
    async def wait() -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 86_400)
        return bench.loop.time()

    task = bench.loop.create_task(wait())
    bench.run()
    assert 86_400 <= task.result() < 86_400.01


def test_what_is_due_at_once_is_done_in_the_order_it_was_asked_for(bench: Bench) -> None:
    done: list[int] = []
    for n in range(5):
        bench.loop.call_later(1.0, done.append, n)
    bench.run()
    assert done == [0, 1, 2, 3, 4]


def test_a_timer_that_was_cancelled_does_not_ring(bench: Bench) -> None:
    done: list[int] = []
    timer = bench.loop.call_later(1.0, done.append, 1)
    bench.loop.call_soon(timer.cancel)
    bench.run()
    assert done == []
    assert bench.agenda.now < SECOND


def test_the_work_of_a_thread_is_done_some_time_later_and_can_fail(bench: Bench) -> None:
    async def ask() -> int:
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 // 0)
        return await asyncio.to_thread(lambda: 7)

    task = bench.loop.create_task(ask())
    bench.run()
    assert task.result() == 7
    assert bench.agenda.now < 10 * MILLI


def test_what_an_executor_was_given_is_done_before_it_can_be_shut_down(bench: Bench) -> None:
    done: list[int] = []
    bench.loop.run_in_executor(ThreadPoolExecutor(1), done.append, 1)
    assert done == [1]
    bench.run()
    assert bench.agenda.now > 0


def test_there_are_no_processes_but_those_that_think_and_pair(bench: Bench) -> None:
    async def start() -> None:
        with pytest.raises(OSError, match="no such processes"):
            await asyncio.create_subprocess_exec("true")

    task = bench.loop.create_task(start())
    bench.run()
    assert task.result() is None


def test_what_a_dead_process_was_at_is_let_go_of_at_once_and_in_order(bench: Bench) -> None:
    """Else it would be whenever Python finds it, on the loop of whoever runs just then."""
    done: list[tuple[int, object]] = []

    async def work(n: int) -> None:
        try:
            await bench.loop.create_future()
        finally:
            done.append((n, asyncio.get_running_loop()))

    tasks = [bench.loop.create_task(work(n)) for n in range(3)]
    bench.run()
    tasks.reverse()
    other = SimLoop(bench.agenda, Chance(2))
    _set_running_loop(other)
    bench.loop.die()
    bench.loop.bury()
    assert done == [(n, bench.loop) for n in range(3)]
    assert other.wakes_at == NEVER
    other.dead = True
