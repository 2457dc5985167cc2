"""A process that studies positions: `python -m rookery.runtime.analyst MEGABYTES`.

The same as `thinker`, but it is asked how a position stands, and answers with what it found.
What it cannot study (a move that its rules do not know) is answered with no choices.
"""

import resource
import signal
import sys
from typing import Final

from rookery.bots.answering import study
from rookery.bots.asking import write
from rookery.bots.studying import Studied, read_study
from rookery.core.errors import BROKEN
from rookery.plugins import load
from rookery.runtime.thinker import ALARM, MEGABYTE, halt_after

NOTHING: Final = Studied((), 0)


def main(megabytes: int) -> None:
    """Study until nobody asks any more."""
    load()
    most = megabytes * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody hears us: go without a word
    for line in sys.stdin.buffer:
        wanted = read_study(line)
        most = wanted.millis + wanted.proving
        signal.setitimer(signal.ITIMER_REAL, most / 1000 + ALARM)
        try:
            found = study(wanted, halt_after(wanted.millis), halt_after(most))
        except BROKEN:
            found = NOTHING
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.stdout.buffer.write(write(found))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
