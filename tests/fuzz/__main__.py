"""`python -m tests.fuzz [--dialect NAME] [--runs N] [--seed S]`: hostile bytes at length.

Prints how far it is, and on a failure the dialect and the seed that show it again.
"""

import argparse
import sys
import time

from rookery.dialects import DIALECTS
from tests.fuzz.feeding import feed


def main() -> None:
    """Run every dialect, or one, so many times."""
    reader = argparse.ArgumentParser(prog="python -m tests.fuzz")
    reader.add_argument("--dialect", choices=list(DIALECTS))
    reader.add_argument("--runs", type=int, default=2_000, help="runs for each dialect")
    reader.add_argument("--seed", type=int, default=1, help="the first seed")
    wanted = reader.parse_args()
    for name in [wanted.dialect] if wanted.dialect else DIALECTS:
        began, sent = time.monotonic(), 0
        for seed in range(wanted.seed, wanted.seed + wanted.runs):
            try:
                sent += feed(name, seed)
            except BaseException:
                sys.stderr.write(f"\n{name} fails: --dialect {name} --runs 1 --seed {seed}\n")
                raise
            if seed % 100 == 0:
                sys.stderr.write(f"\r{name}: {seed - wanted.seed + 1} runs, {sent} inputs")
                sys.stderr.flush()
        spent = time.monotonic() - began
        sys.stderr.write("\r")
        print(f"{name}: {wanted.runs} runs, {sent} inputs, {spent:.0f} s, nothing broke")  # noqa: T201


main()
