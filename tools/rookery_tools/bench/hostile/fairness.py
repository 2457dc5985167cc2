"""Measures whether the server charges time that is its own: short clocks on a busy machine.

Pairs play tictactoe with 0.2 s for all moves and 2 ms more for each, and keep their own
account (`fair_players`), in three situations: left alone, with all processors kept busy,
and with a flood of HTTP requests from one host besides. Server, players and flood are processes
of their own. No flag may fall that would not have fallen by the player's own account.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from msgspec import Struct

from rookery_tools.bench.hostile.fair_players import Account
from rookery_tools.bench.load.processes import CannotMeasure, rookery

PAIRS: Final = 10  # that play at the same time
FLOOD: Final = 20  # connections
BUSY: Final = "while True: pass"
PATIENCE: Final = 3600.0  # seconds for a machine that is very busy


class Fairness(Struct, frozen=True):
    """What players with short clocks lost to the server; times are microseconds."""

    situation: str
    games: int
    moves: int
    flags: int  # that fell
    robbed: int  # of them, with time left by the player's own account
    over: int  # moves charged with more than was the player's own
    worst: int  # the most that one was
    own: int  # what a move took by the player's own account, on average
    charged: int  # and what was charged for it
    within: bool


def fairness(games: int, folder: Path, say: Callable[[str], None]) -> tuple[Fairness, ...]:
    """Play so many games in each situation. Raises CannotMeasure."""
    found = []
    for situation in ("alone", "processors busy", "flood, processors busy"):
        say(f"{games} games at 0.2 s + 2 ms, {situation}…")
        found.append(_play(situation, games, folder))
    return tuple(found)


def _play(situation: str, games: int, folder: Path) -> Fairness:
    pairs = min(PAIRS, games)
    with TemporaryDirectory(dir=folder) as log, rookery(Path(log)) as server:
        port = str(server.port)
        with _beside(situation, port):
            words = [sys.executable, "-m", "rookery_tools.bench.hostile.fair_players"]
            done = subprocess.run(  # noqa: S603 # our own words, and no shell
                [*words, port, str(pairs), str(-(-games // pairs))],
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
    if done.returncode:
        last = done.stderr.decode(errors="replace").splitlines()[-1:]
        raise CannotMeasure(f"The players stopped: {' '.join(last)}")
    return _summed(situation, msgspec.json.decode(done.stdout, type=Account))


def _summed(situation: str, found: Account) -> Fairness:
    moves = max(1, found.moves)
    return Fairness(
        situation=situation,
        games=found.games,
        moves=found.moves,
        flags=found.flags,
        robbed=found.robbed,
        over=found.over,
        worst=found.worst,
        own=found.own // moves,
        charged=found.charged // moves,
        within=not found.robbed,
    )


@contextmanager
def _beside(situation: str, port: str) -> Iterator[None]:
    """Let the machine do within `with` what this situation has: busy loops, a flood, or nothing."""
    beside: list[list[str]] = []
    if "busy" in situation:
        beside += [["-c", BUSY]] * (cpu_count() or 1)
    if "flood" in situation:
        beside.append(["-m", "rookery_tools.bench.hostile.http_flood", port, str(FLOOD)])
    processes = [
        subprocess.Popen([sys.executable, *words])  # noqa: S603 # our own words, and no shell
        for words in beside
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()
