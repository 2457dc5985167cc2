"""A process that studies positions: `python -m rookery.runtime.analyst MEGABYTES`.

It works as `thinker` does, but is asked how a position stands, and answers with what it found.
A position that it cannot study (a move that its rules do not know) is answered with no choices.
"""

import sys
from typing import Final

from rookery.bots.answering import study
from rookery.bots.studying import Studied, Study, read_study
from rookery.core.errors import BROKEN
from rookery.runtime.thinker import answer_lines, halt_after

NOTHING: Final = Studied((), 0)


def main(megabytes: int) -> None:
    """Study positions until nobody asks any more."""
    answer_lines(megabytes, read_study, lambda wanted: wanted.millis + wanted.proving, _studied)


def _studied(wanted: Study) -> Studied:
    last = halt_after(wanted.millis + wanted.proving)
    try:
        return study(wanted, halt_after(wanted.millis), last)
    except BROKEN:
        return NOTHING


if __name__ == "__main__":
    main(int(sys.argv[1]))
