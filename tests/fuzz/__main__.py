"""`python -m tests.fuzz [--of KIND] [--dialect NAME] [--runs N] [--seed S]`: hostile, at length.

Four kinds: the bytes of every dialect, the same at the port of a tour, well-formed wishes with
hostile values, and plans of tours that are played to their end. Prints how far it is, and on a
failure the seed that shows it again.
"""

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial

from rookery.core.errors import Mistake
from rookery.dialects import DIALECTS
from rookery.hall.tours.planning import read_plan
from tests.fuzz.bound import bound
from tests.fuzz.feeding import feed
from tests.fuzz.wishes import wish
from tests.laws.plans import any_case
from tests.laws.tour_stories import Season


def main() -> None:
    """Run every kind, or one, so many times."""
    reader = argparse.ArgumentParser(prog="python -m tests.fuzz")
    reader.add_argument("--of", choices=["bytes", "tours", "wishes", "plans"])
    reader.add_argument("--dialect", choices=list(DIALECTS))
    reader.add_argument("--runs", type=int, default=2_000, help="runs for each kind and dialect")
    reader.add_argument("--seed", type=int, default=1, help="the first seed")
    wanted = reader.parse_args()
    kinds = [wanted.of] if wanted.of else ["bytes", "tours"] if wanted.dialect else None
    seeds = range(wanted.seed, wanted.seed + wanted.runs)
    if kinds is None or "bytes" in kinds:
        for name in [wanted.dialect] if wanted.dialect else DIALECTS:
            run(f"--of bytes --dialect {name}", partial(feed, name), seeds)
    if kinds is None or "tours" in kinds:
        for name in [wanted.dialect] if wanted.dialect else DIALECTS:
            run(f"--of tours --dialect {name}", partial(bound, name), seeds)
    if kinds is None or "wishes" in kinds:
        run("--of wishes", wish, seeds)
    if kinds is None or "plans" in kinds:
        run("--of plans", live, seeds)


def live(seed: int) -> int:
    """Play the tour of this seed, if it is accepted; how many records that made."""
    case = any_case(seed)
    try:
        read_plan(case.plan)
    except Mistake:
        return 0
    return len(Season(case, seed).live().house.log)


def run(what: str, play: Callable[[int], int], seeds: range) -> None:
    """Play one kind from all these seeds, and say how it went."""
    began, done = time.monotonic(), 0
    for seed in seeds:
        try:
            done += play(seed)
        except BaseException:
            sys.stderr.write(f"\nIt fails: {what} --runs 1 --seed {seed}\n")
            raise
        if seed % 100 == 0:
            sys.stderr.write(f"\r{what}: {seed - seeds.start + 1} runs, {done} inputs")
            sys.stderr.flush()
    spent = time.monotonic() - began
    sys.stderr.write("\r")
    print(f"{what}: {len(seeds)} runs, {done} inputs, {spent:.0f} s, nothing broke")  # noqa: T201


main()
