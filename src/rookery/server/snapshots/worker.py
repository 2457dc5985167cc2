"""A process that makes a snapshot: `python -m rookery.server.snapshots.worker`.

It reads from standard input where the log is, as a JSON text in a line (an address may have a
password in it, which is nobody's to read in a list of processes), and answers with a line.
"""

import signal
import sqlite3
import sys
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.plugins import load
from rookery.server.opening import open_beside
from rookery.server.snapshots.hall_snapshot import make

ALARM: Final = 3600  # seconds; the server that started us may be gone


class Made(Struct, frozen=True):
    """The record that a new snapshot reaches to; or why there is none."""

    seq: int = 0
    why: str = ""


def write_place(data: str) -> bytes:
    """Write where a log is, as a line."""
    return msgspec.json.encode(data) + b"\n"


def write_made(made: Made) -> bytes:
    """Write an answer, as a line."""
    return msgspec.json.encode(made) + b"\n"


def read_made(line: bytes) -> Made:
    """Read a worker's answer. Raises msgspec.DecodeError if it is none."""
    return msgspec.json.decode(line, type=Made)


def make_at(data: str) -> Made:
    """Make a snapshot of the log that is here."""
    try:
        log = open_beside(data, sqlite3.Connection)
        assert log is not None, "what is in memory alone has no snapshot"
        try:
            return Made(make(log))
        finally:
            log.close()
    except Mistake as wrong:
        return Made(why=str(wrong))


def main() -> None:
    """Make the snapshots that are asked for, until nobody asks any more."""
    load()  # which players are the same depends on what dialects, also of plug-ins, declare
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody hears us: go without a word
    signal.alarm(ALARM)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(write_made(make_at(msgspec.json.decode(line, type=str))))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
