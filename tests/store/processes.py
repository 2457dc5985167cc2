"""Programs that open a store, to be run as processes of their own and killed."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Holds the store until its input ends.
HOLD = """
import sys
from pathlib import Path
from rookery.store.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""

# Appends batches of 10 until it is killed, or has appended as many as it was told; says
# when each begins and when it is safe.
APPEND = """
import sys
from pathlib import Path
from rookery.store.sqlite import SqliteStore
from tests.store.logs import moves
store = SqliteStore(Path(sys.argv[1]))
for first in range(store.last_seq() + 1, int(sys.argv[2]) * 10, 10):
    batch = moves(10, first=first)
    print("append", first, flush=True)
    store.append(batch)
    print("safe", first + 9, flush=True)
print("done", flush=True)
store.close()
"""

ROOT = Path(__file__).parent.parent.parent


def command(program: str, *words: object) -> list[str]:
    """How to run this program."""
    return [sys.executable, "-c", program, *map(str, words)]


@contextmanager
def running(words: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """The program, which is killed and gone at the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as process:
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def lines(process: subprocess.Popen[str]) -> Iterator[str]:
    """What it says, line by line, as it comes."""
    assert process.stdout is not None
    for line in process.stdout:
        yield line.strip()
