"""Whether anybody can keep others waiting: answers to a pair's moves, with and without a flood.

A pair plays nim as fast as it is answered, in turns alone and beside connections from the
same host that ask one thing as fast as it is taken. The server, the pair and the flood are
processes of their own; each flood has a server of its own. That all are on one machine, and
of one host to the server, is the worst case: who is elsewhere has a host's share.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct

from rookery.bench.hostile.floods import FLOODS, NAMES, SHAKERS, SHAKING
from rookery.bench.load.load import play
from rookery.bench.load.processes import CannotMeasure, Server, rookery
from rookery.bench.load.scripts import NIM
from rookery.bench.load.seats import parties, seated

BUDGET: Final = 2.0  # times a bystander's p99 without the flood
CONNECTIONS: Final = 10
STOP_PATIENCE: Final = 30.0
LOOK, IDLE = 0.2, 0.1  # a server is at rest that uses less than a tenth of a CPU for so long


class Beset(Struct, frozen=True):
    """A bystander beside one flood; times are microseconds."""

    flood: str
    connections: int
    moves: int  # of the bystanders, each way
    p50: int  # without the flood; of all percentiles the median of the rounds
    p99: int
    flooded_p50: int
    flooded_p99: int
    flood_a_second: int  # answers that the flooders had
    ratio: float  # of the p99
    within: bool


def hostile(
    games: int,
    rounds: int,
    folder: Path,
    say: Callable[[str], None],
    names: Sequence[str] = NAMES,
) -> tuple[Beset, ...]:
    """Measure every flood. Raises CannotMeasure."""
    found = []
    for name in names:
        say(f"A flood: {name}…")
        found.append(_beset(name, games, rounds, folder))
    return tuple(found)


def _beset(name: str, games: int, rounds: int, folder: Path) -> Beset:
    alone, beside, rates = [], [], []
    connections = FLOODS[name].connections or CONNECTIONS if name in FLOODS else SHAKERS
    with TemporaryDirectory(dir=folder) as log:
        tls = _certificate(Path(log)) if name == SHAKING else ()
        with rookery(Path(log) / "data", "off", *tls) as server:
            for _ in range(rounds):
                _calm(server)
                alone.append(_answers(server.port, games))
                with _flooding(server.port, name, connections) as stop:
                    beside.append(_answers(server.port, games))
                    rates.append(stop())
    p99, flooded = _middle(alone, 99), _middle(beside, 99)
    return Beset(
        flood=name,
        connections=connections,
        moves=sum(map(len, alone)),
        p50=_middle(alone, 50),
        p99=p99,
        flooded_p50=_middle(beside, 50),
        flooded_p99=flooded,
        flood_a_second=round(median(rates)),
        ratio=round(flooded / p99, 2),
        within=flooded <= BUDGET * p99,
    )


def _calm(server: Server) -> None:
    """Wait until the server has done what a flood before this asked."""
    until = time.monotonic() + STOP_PATIENCE
    while time.monotonic() < until:
        before = server.cpu()
        time.sleep(LOOK)
        if server.cpu() - before < IDLE * LOOK * 1e9:
            return
    raise CannotMeasure("The server did not come to rest after a flood.")


def _answers(port: int, games: int) -> tuple[int, ...]:
    """How long each answer took, in nanoseconds, sorted."""
    with seated(port, parties(NIM, 1, games)) as pairs:
        return play(pairs).answers


@contextmanager
def _flooding(port: int, name: str, lines: int) -> Iterator[Callable[[], float]]:
    """A flood; it ends when what is given is called, which says how many answers a second."""
    command = [sys.executable, "-m", "rookery.bench.hostile.floods", str(port), name, str(lines)]
    process = subprocess.Popen(  # noqa: S603 # our own words, and no shell
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None, "its input is a pipe"
    assert process.stdout is not None, "its output is a pipe"
    hear, tell = process.stdout, process.stdin

    def stop() -> float:
        tell.close()
        answers, seconds = hear.readline().split()
        return int(answers) / float(seconds)

    try:
        if hear.readline() != b"ready\n":
            raise CannotMeasure(f"The flood of {name} did not begin.")
        yield stop
    finally:
        tell.close()
        process.kill()
        process.wait(STOP_PATIENCE)
        hear.close()


def _certificate(folder: Path) -> tuple[str, ...]:
    """A certificate of our own for the server, as its settings. Raises CannotMeasure."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    words = ["-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    try:
        subprocess.run(  # noqa: S603 # our own words, and no shell
            ["openssl", "req", "-x509", *words, *files],  # noqa: S607 # as people run it
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        raise CannotMeasure("openssl makes no certificate here.") from None
    return ("--tls-cert", str(certificate), "--tls-key", str(key))


def _middle(rounds: list[tuple[int, ...]], percent: int) -> int:
    """The percentile of a round, of all rounds the median, in microseconds."""
    return round(median(one[min(len(one) - 1, len(one) * percent // 100)] for one in rounds) / 1000)
