"""A process that thinks: `python -m rookery.runtime.thinker MEGABYTES`.

It reads thoughts from standard input and answers each with a line, of games of plug-ins too.
It may use so much memory and no more; it watches the time of a thought itself, and the process
that started it kills it when that is not enough. It dies with its standard input, and by its
own alarm if a thought goes on for ever: the process that started it may be gone.
"""

import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Final, TypeVar

from msgspec import Struct

from rookery.bots.answering import think
from rookery.bots.asking import Answer, read_thought, write
from rookery.bots.base import Halt
from rookery.plugins import load

MEGABYTE: Final = 1 << 20
ALARM: Final = 30.0  # seconds over its time after which a thought ends the process

T = TypeVar("T")


def main(megabytes: int) -> None:
    """Think until nobody asks any more."""
    answer_lines(
        megabytes,
        read_thought,
        lambda thought: thought.millis,
        lambda thought: Answer(think(thought, halt_after(thought.millis))),
    )


def answer_lines(
    megabytes: int,
    read: Callable[[bytes], T],
    millis: Callable[[T], int],
    answer: Callable[[T], Struct],
) -> None:
    """Answer questions from standard input, a line each, within their milliseconds."""
    load()
    most = megabytes * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody hears us: go without a word
    for line in sys.stdin.buffer:
        asked = read(line)
        signal.setitimer(signal.ITIMER_REAL, millis(asked) / 1000 + ALARM)
        found = answer(asked)
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout.buffer.write(write(found))
        sys.stdout.buffer.flush()


def halt_after(millis: int) -> Halt:
    """Return a function that says whether so many milliseconds have passed."""
    until = time.monotonic_ns() + millis * 1_000_000
    return lambda: time.monotonic_ns() >= until


if __name__ == "__main__":
    main(int(sys.argv[1]))
