"""All that is measured of a whole server, at one scale.

What this machine does not let us measure is left out, and `notes` says why: a benchmark
that stops half-way has wasted somebody's minute.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from rookery.bench.house import HouseBots, house_bots
from rookery.bench.idle import Idle, idle_sessions
from rookery.bench.moves import Load, disk_micros, full_load, light_load
from rookery.bench.restart import Restart, restart
from rookery.bench.spectators import Spectators, spectators
from rookery.bench.tour import TourCourse, tournament
from rookery.core.errors import Mistake

T = TypeVar("T")


class Scale(Struct, frozen=True):
    """How much of everything."""

    tables: int = 100  # at full load, played at the same time
    games: int = 5  # that each pair plays one after the other; of nim, twice as many
    rounds: int = 5
    light_games: int = 20
    sessions: int = 10_000
    idle_seconds: float = 2.0
    running: int = 10_000  # tables at a restart
    watchers: int = 1_000  # of one table
    clients: int = 16  # of a tournament
    bots: int = 100  # tables with a house bot, beside which people play
    flooded: tuple[int, int] = (10, 5)  # games beside a flood, and how often


FULL: Final = Scale()
QUICK: Final = Scale(
    tables=2,
    games=1,
    rounds=1,
    light_games=1,
    sessions=20,
    idle_seconds=0.1,
    running=10,
    watchers=20,
    clients=4,
    bots=2,
    flooded=(1, 1),
)


class ServerReport(Struct, frozen=True):
    """What a server costs; None, and a note, where that could not be measured."""

    disk_micros: int | None  # to make one page safe, where the logs were
    light: Load | None
    full: Load | None
    idle: Idle | None
    spectators: Spectators | None
    restart: Restart | None
    tour: TourCourse | None
    house: HouseBots | None
    notes: dict[str, str]  # by the names of the fields above


def measure_server(scale: Scale, folder: Path, say: Callable[[str], None]) -> ServerReport:
    """Measure all of it, with the logs in this folder; `say` is told what comes next."""
    notes: dict[str, str] = {}
    attempt = partial(_attempt, notes, say)
    return ServerReport(
        disk_micros=attempt("disk_micros", "The disk…", lambda: disk_micros(folder)),
        light=attempt("light", "One table…", lambda: light_load(scale.light_games, folder)),
        full=attempt(
            "full",
            f"{scale.tables} tables, {scale.rounds} times, and the same bytes bare…",
            lambda: full_load(scale.tables, scale.games, scale.rounds, folder),
        ),
        idle=attempt(
            "idle",
            f"{scale.sessions} idle sessions…",
            lambda: idle_sessions(scale.sessions, scale.idle_seconds, folder),
        ),
        spectators=attempt(
            "spectators",
            f"One table, {scale.watchers} look on…",
            lambda: spectators(scale.watchers, folder),
        ),
        restart=attempt(
            "restart",
            f"A restart with {scale.running} running tables…",
            lambda: restart(scale.running, folder),
        ),
        tour=attempt(
            "tour",
            f"A tournament of {scale.clients} nim clients…",
            lambda: tournament(scale.clients, folder),
        ),
        house=attempt(
            "house",
            f"One table, beside {scale.bots} with house bots…",
            lambda: house_bots(scale.bots, scale.light_games, folder),
        ),
        notes=notes,
    )


def _attempt(
    notes: dict[str, str],
    say: Callable[[str], None],
    name: str,
    sentence: str,
    measure: Callable[[], T],
) -> T | None:
    """What is measured; None, and a note, where it cannot be."""
    if sys.platform != "linux":
        notes[name] = "Servers are measured on Linux only."
        return None
    say(sentence)
    try:
        return measure()
    except (Mistake, OSError) as wrong:
        notes[name] = str(wrong)
        return None
