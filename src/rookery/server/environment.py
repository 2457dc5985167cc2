"""What a server takes from the machine it runs on: clocks, chance, and a thread that writes.

All of it is injected as one value, so a server also runs on a simulated machine, where the same
seed gives the same day (`rookery_tools.sim`).
"""

import asyncio
import gc
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter_ns, thread_time_ns
from typing import Final

from msgspec import Struct

from rookery.core.chance import SEED_BITS
from rookery.core.ids import Micros
from rookery.server.actor.heartbeat import loop_metrics
from rookery.server.actor.log_writer import LogWriter, Writer, Written
from rookery.server.cluster.nats import NatsClient, nats_client
from rookery.server.fairtime import LoopMetrics, monotonic, wall
from rookery.server.jobs import SNAPSHOT_EVERY, MakeSnapshot, snapshot_by_process
from rookery.server.web.passphrases import COSTS, HashCosts, draw_salt
from rookery.store import Store
from rookery.store.address import HERE, Reach


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pause Python's search for cycles while much is made that stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def settle() -> None:
    """Spare what was taken up from the search for cycles.

    It stays, and nearly everything made later dies young: searching it as often as Python would
    costs a tenth of the CPU. We do not search it first: a start leaves no cycles, and with 10,000
    tables a search takes a tenth of a second.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


class Environment(Struct, frozen=True):
    """What a server takes from the machine it runs on."""

    monotonic: Callable[[], Micros] = monotonic
    wall: Callable[[], Micros] = wall
    loop_metrics: Callable[[asyncio.AbstractEventLoop], LoopMetrics | None] = loop_metrics
    elapsed: Callable[[], int] = perf_counter_ns  # how long others wait, in nanoseconds
    worked: Callable[[], int] = thread_time_ns  # and how much of it was work
    seed: Callable[[], int] = lambda: secrets.randbits(SEED_BITS)
    token: Callable[[], str] = lambda: secrets.token_urlsafe(18)
    writer: Callable[[Store, Written], Writer] = LogWriter
    file: type[sqlite3.Connection] = sqlite3.Connection  # how a log is read beside its writer
    reach: Reach = HERE  # how a log in a database is reached
    nats_client: Callable[[], NatsClient] = nats_client  # to the broker
    snapshot_every: int = SNAPSHOT_EVERY  # records of the hall's own stream
    snapshots: MakeSnapshot = snapshot_by_process
    settle: Callable[[], None] = settle  # once the log has been taken up
    hashing: HashCosts = COSTS  # of passphrases
    salt: Callable[[], bytes] = draw_salt  # for each of them


THIS_MACHINE: Final = Environment()
