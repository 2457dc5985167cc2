"""Many worlds, in as many processes as there are cores: each a seed, an outcome, and figures."""

import gc
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from traceback import extract_tb, format_exception
from typing import Final, TypeAlias

from msgspec import Struct

from rookery.core.errors import TookTooLong
from rookery.core.events import Banned, Ended, Muted, Played, Started, TourEnded
from rookery.plugins.watchdog import at_most
from rookery_tools.sim.machine.agenda import Nanos
from rookery_tools.sim.mutants import SOURCES
from rookery_tools.sim.observer.observer import judge
from rookery_tools.sim.observer.verdict import Failing
from rookery_tools.sim.script import WorldScript, draw_script
from rookery_tools.sim.world import WorldDay, play

JUDGED: Final = "every world can be judged"
TOO_LONG: Final = "every world comes to its end"
SLIPS: Final = (AttributeError, ImportError, NameError, SyntaxError, TypeError)
MOST: Final = 120.0  # seconds of a processor: a world takes half a second, and some take three
AT_ONCE: Final = 10  # worlds that a process is given at a time
LOOK: Final = 0.2  # seconds until one looks again whether it is to end

Ends: TypeAlias = Callable[[], bool]


def never() -> bool:
    """False: the default for runs that nobody wants to end early."""
    return False


_ends: Ends = never  # in a process that plays worlds for another


class RaisedError(Struct, frozen=True):
    """An error that ended a process or a request of the server."""

    kind: str
    file: str  # in which it was raised, relative to the sources
    slip: bool  # nobody meant to raise it: a name is wrong, or an argument missing


class WorldOutcome(Struct, frozen=True):
    """The failings and figures of a world that was played."""

    seed: int
    failings: tuple[Failing, ...]
    counts: dict[str, int]
    longest_wait: Nanos
    lasted: Nanos
    digest: str
    raised: tuple[RaisedError, ...] = ()


def run_world(seed: int, most: float = MOST) -> WorldOutcome:
    """Play the world of this seed.

    It has `most` seconds of CPU time. A world that takes more, or breaks its judge, ends no other.
    """
    try:
        with at_most(0, work=most):
            day, failings = run_script(draw_script(seed))
    except (Exception, TookTooLong) as wrong:  # noqa: BLE001 # see above
        words = "".join(format_exception(wrong))
        judgement = TOO_LONG if isinstance(wrong, TookTooLong) else JUDGED
        return WorldOutcome(seed, (Failing(judgement, words),), {}, 0, 0, "")
    raised = tuple(map(_describe, day.raised))
    return WorldOutcome(
        seed, tuple(failings), _figures(day), day.longest_wait, day.lasted, day.digest, raised
    )


def _describe(wrong: BaseException) -> RaisedError:
    frames = extract_tb(wrong.__traceback__)
    file = Path(frames[-1].filename) if frames else Path()
    known = file.relative_to(SOURCES) if file.is_relative_to(SOURCES) else file
    return RaisedError(type(wrong).__name__, str(known), isinstance(wrong, SLIPS))


def run_script(script: WorldScript) -> tuple[WorldDay, list[Failing]]:
    """Play the world of this script, and judge it."""
    day = play(script)
    return day, list(judge(day))


def _figures(day: WorldDay) -> dict[str, int]:
    counts = Counter(day.counts)
    kinds = Counter(type(record.event) for record in day.records)
    counts["records"] = len(day.records)
    counts["moves"] = kinds[Played]
    counts["games"] = kinds[Started]
    counts["games ended"] = kinds[Ended]
    counts["tours ended"] = kinds[TourEnded]
    counts["muted"], counts["banned"] = kinds[Muted], kinds[Banned]
    counts["connections"] = len(day.net.lines)
    counts["outages"] = len(day.outages)
    counts["people"] = len(day.people)
    return dict(counts)


def run_worlds(seeds: Iterable[int], jobs: int = 0, ends: Ends = never) -> Iterator[WorldOutcome]:
    """Yields the outcomes of worlds as they come; begins no more once `ends` says so."""
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1:
        for some in _parts(seeds):
            yield from _play(some, ends)
        return
    enough = get_context().Event()
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(enough,)) as pool:
        parts, under_way = _parts(seeds), set[Future[list[WorldOutcome]]]()
        try:
            while not ends():
                under_way |= {
                    pool.submit(run_some, some) for some in islice(parts, 2 * jobs - len(under_way))
                }
                if not under_way:
                    return
                done, under_way = wait(under_way, LOOK, FIRST_COMPLETED)
                for one in done:
                    yield from one.result()
        finally:
            enough.set()
        for one in under_way:  # each ends with the world that it is at
            yield from one.result()


def _begin(enough: Event) -> None:
    """Set up a process that plays worlds: it ignores Ctrl-C, and ends when this event is set."""
    global _ends  # noqa: PLW0603 # each process has one
    signal(SIGINT, SIG_IGN)
    _ends = enough.is_set


def run_some(seeds: tuple[int, ...]) -> list[WorldOutcome]:
    """Play some worlds, one after the other."""
    return list(_play(seeds, _ends))


def _play(seeds: tuple[int, ...], ends: Ends) -> Iterator[WorldOutcome]:
    gc.disable()  # a world leaves little, and it is swept up here
    try:
        for seed in seeds:
            if ends():
                return
            yield run_world(seed)
    finally:
        gc.enable()
        gc.collect()


def _parts(seeds: Iterable[int]) -> Iterator[tuple[int, ...]]:
    rest = iter(seeds)
    while some := tuple(islice(rest, AT_ONCE)):
        yield some
