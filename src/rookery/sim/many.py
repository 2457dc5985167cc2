"""Many worlds, in as many processes as there are cores: each a seed, an outcome, and figures."""

import gc
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from traceback import format_exception
from typing import Final

from msgspec import Struct

from rookery.core.events import Ended, Played, Started
from rookery.core.people.community_events import Banned, Muted
from rookery.core.tours.tour_events import TourEnded
from rookery.sim.machine.agenda import Nanos
from rookery.sim.mutations import MUTATIONS
from rookery.sim.observer.observer import judge
from rookery.sim.observer.verdict import Failing
from rookery.sim.script import Script, draw_script
from rookery.sim.world import Day, play

JUDGED: Final = "every world can be judged"
AT_ONCE: Final = 10  # worlds that a process is given at a time


class Outcome(Struct, frozen=True):
    """What became of a world."""

    seed: int
    failings: tuple[Failing, ...]
    counts: dict[str, int]
    longest_wait: Nanos
    lasted: Nanos
    digest: str


def run_world(seed: int, mutation: str = "") -> Outcome:
    """Play the world of this seed, with the server as it is or with one thing wrong in it."""
    try:
        day, failings = run_script(draw_script(seed), mutation)
    except Exception as wrong:  # noqa: BLE001 # one world that breaks its judge ends no other
        words = "".join(format_exception(wrong))
        return Outcome(seed, (Failing(JUDGED, words),), {}, 0, 0, "")
    return Outcome(seed, tuple(failings), _figures(day), day.longest_wait, day.lasted, day.digest)


def run_script(script: Script, mutation: str = "") -> tuple[Day, list[Failing]]:
    """Play this world, and judge it."""
    if not mutation:
        day = play(script)
        return day, list(judge(day))
    with MUTATIONS[mutation].applied():
        day = play(script)
    return day, list(judge(day))


def _figures(day: Day) -> dict[str, int]:
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


def run_worlds(seeds: Iterable[int], mutation: str = "", jobs: int = 0) -> Iterator[Outcome]:
    """The outcomes of all these worlds, as they come."""
    work = partial(run_some, mutation=mutation)
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1:
        for some in _parts(seeds):
            yield from work(some)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for outcomes in pool.map(work, _parts(seeds)):
            yield from outcomes


def run_some(seeds: tuple[int, ...], mutation: str = "") -> list[Outcome]:
    """Some worlds, one after the other."""
    gc.disable()  # a world leaves little, and it is swept up here
    try:
        return [run_world(seed, mutation) for seed in seeds]
    finally:
        gc.enable()
        gc.collect()


def _parts(seeds: Iterable[int]) -> Iterator[tuple[int, ...]]:
    rest = iter(seeds)
    while some := tuple(islice(rest, AT_ONCE)):
        yield some
