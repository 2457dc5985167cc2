"""The child process of `workers.py` and `jobs.py`: it thinks, studies, pairs or makes snapshots.

    python -m rookery.server.worker_main think MEGABYTES    chooses the moves of bots
    python -m rookery.server.worker_main study MEGABYTES    says how positions stand
    python -m rookery.server.worker_main pair               pairs rounds of tours
    python -m rookery.server.worker_main snapshot           makes snapshots of logs

Each line of standard input is a question, and is answered with one line; a log's address, too, is
read there, as it may have a password in it that a list of processes must not show. Everything is
imported before the first question is read. A worker ends with its standard input, and by an alarm
of its own if an answer takes for ever: its parent may be gone.
"""

import resource
import signal
import sys
import time
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from rookery.bots.answering import study, think
from rookery.bots.asking import Answer, Thought, read_thought
from rookery.bots.base import Halt
from rookery.bots.studying import Studied, Study, read_study
from rookery.core.errors import BROKEN
from rookery.core.tour_values import Pairs, Puzzle
from rookery.hall.tours.formats.dutch import solve, warm
from rookery.plugins import load

MEGABYTE: Final = 1 << 20
OVERTIME_S: Final = 30.0  # over its own time, after which a thought or a study ends the process
PAIRING_MAX_S: Final = 3600.0  # for a round; the server gives up long before
SNAPSHOT_MAX_S: Final = 3600.0
NOTHING_FOUND: Final = Studied((), 0)

T = TypeVar("T")
_texts: Final = msgspec.json.Decoder(str)
_puzzles: Final[msgspec.json.Decoder[Puzzle]] = msgspec.json.Decoder(Puzzle)


def main(task: str, *words: str) -> None:
    """Do this task until nobody asks any more."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # our parent is gone: go without a word
    if task == "pair":
        warm()
        _say(b"ready")  # the library it pairs with takes half a second to load
        _answer_lines(_puzzles.decode, solve, lambda _: PAIRING_MAX_S)
        return
    load()  # games and bots of plug-ins too, and dialects: they say which players are the same
    if task == "snapshot":
        from rookery.server.hall_log import make_at  # noqa: PLC0415 # SQLite, and more

        _answer_lines(_texts.decode, make_at, lambda _: SNAPSHOT_MAX_S)
        return
    most = int(*words) * MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    if task == "think":
        _answer_lines(read_thought, _think, lambda asked: asked.millis / 1000 + OVERTIME_S)
    else:
        assert task == "study", f"nobody can {task}"
        _answer_lines(read_study, _study, lambda asked: _study_millis(asked) / 1000 + OVERTIME_S)


def _answer_lines(
    read: Callable[[bytes], T],
    answer: Callable[[T], Struct | Pairs | None],
    seconds: Callable[[T], float],
) -> None:
    for line in sys.stdin.buffer:
        asked = read(line)
        signal.setitimer(signal.ITIMER_REAL, seconds(asked))
        found = answer(asked)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _say(msgspec.json.encode(found))


def _say(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def _think(thought: Thought) -> Answer:
    return Answer(think(thought, _halt_after(thought.millis)))


def _study(wanted: Study) -> Studied:
    last = _halt_after(_study_millis(wanted))
    try:
        return study(wanted, _halt_after(wanted.millis), last)
    except BROKEN:  # such as a move that the rules do not know
        return NOTHING_FOUND


def _study_millis(wanted: Study) -> int:
    return wanted.millis + wanted.proving


def _halt_after(millis: int) -> Halt:
    """Return a function that says whether this many milliseconds have passed."""
    until = time.monotonic_ns() + millis * 1_000_000
    return lambda: time.monotonic_ns() >= until


if __name__ == "__main__":
    main(*sys.argv[1:])
