"""Every row of the measurement by its name, in the order of the table.

A row that is long runs only when it is asked for by name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from msgspec import Struct

from rookery_tools.bench.bench_setup import BenchSetup
from rookery_tools.bench.figures import Sample
from rookery_tools.bench.languages import LANGUAGES
from rookery_tools.bench.languages.measuring import a_move
from rookery_tools.bench.server.cluster import cluster
from rookery_tools.bench.server.crowd import crowd
from rookery_tools.bench.server.failover import failover
from rookery_tools.bench.server.growing import growing
from rookery_tools.bench.server.house import house_bots
from rookery_tools.bench.server.idle import idle_sessions
from rookery_tools.bench.server.moves import disk_alone, one_table
from rookery_tools.bench.server.offered import offered
from rookery_tools.bench.server.reads import reads
from rookery_tools.bench.server.restart import after_many, restart
from rookery_tools.bench.server.spectators import spectators
from rookery_tools.bench.server.thinking import GAMES, LEVEL, think_there
from rookery_tools.bench.server.tour import long_tournament, tournament


class BenchRow(Struct, frozen=True):
    """One thing to measure: what it is, and one run of it."""

    what: str
    run: Callable[[BenchSetup], Iterable[Sample]]
    long: bool = False


def thinking(setup: BenchSetup) -> Iterator[Sample]:
    """Nodes a second of the best bots."""
    for game in GAMES:
        build = setup.build
        nodes = think_there(build.python, build.environment, game, setup.scale.thoughts)
        yield Sample(f"nodes, {game} level {LEVEL}", nodes, "/s", more=True)


ROWS: Final[Mapping[str, BenchRow]] = {
    "disk": BenchRow("the disk alone", disk_alone),
    **{
        name: BenchRow(f"many tables at once, {name}", partial(a_move, language))
        for name, language in LANGUAGES.items()
    },
    "one": BenchRow("one table", one_table),
    "tour": BenchRow("a tournament", tournament),
    "spectators": BenchRow("a table that many look at", spectators),
    "reads": BenchRow("reads over HTTP", reads),
    "idle": BenchRow("idle sessions", idle_sessions),
    "restart": BenchRow("a restart with running tables", restart),
    "finished": BenchRow("a start with finished games in the log", after_many),
    "bots": BenchRow("what bots look at in a second", thinking),
    "house": BenchRow("players beside house bots", house_bots),
    "growing": BenchRow("from one table to ten thousand", growing, long=True),
    "offered": BenchRow("answers at a given load", offered, long=True),
    "cluster": BenchRow("edges and a hall, beside one process", cluster, long=True),
    "failover": BenchRow("another hall takes over", failover, long=True),
    "crowd": BenchRow("a table that very many look at over two edges", crowd, long=True),
    "long-tour": BenchRow("a tournament of very many", long_tournament, long=True),
}
