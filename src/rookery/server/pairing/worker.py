"""A process that pairs: `python -m rookery.server.pairing.worker`.

It reads rounds to pair from standard input, a JSON object a line, and answers each with a
line. It loads what it needs before it is asked. It dies with its standard input, and by its
own alarm if a round goes on for ever: the server that started it may be gone.
"""

import signal
import sys
from typing import Final

import msgspec

from rookery.core.tour_values import Pairs, Puzzle
from rookery.hall.tours.formats.dutch import solve, warm

ALARM: Final = 3600  # seconds; the server loses its patience long before
READY: Final = b"ready"  # the line it says first

_encoder: Final = msgspec.json.Encoder()
_puzzles: Final[msgspec.json.Decoder[Puzzle]] = msgspec.json.Decoder(Puzzle)
_pairs: Final[msgspec.json.Decoder[Pairs | None]] = msgspec.json.Decoder(Pairs | None)


def write(said: Puzzle | Pairs | None) -> bytes:
    """Write a round, or its pairs, as a line."""
    return _encoder.encode(said) + b"\n"


def read_pairs(line: bytes) -> Pairs | None:
    """Read the pairs in a worker's answer. Raises msgspec.DecodeError if it is none."""
    return _pairs.decode(line)


def main() -> None:
    """Pair until nobody asks any more."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # nobody hears us: go without a word
    warm()
    out = sys.stdout.buffer
    out.write(READY + b"\n")
    out.flush()
    for line in sys.stdin.buffer:
        signal.alarm(ALARM)
        out.write(write(solve(_puzzles.decode(line))))
        out.flush()
        signal.alarm(0)


if __name__ == "__main__":
    main()
