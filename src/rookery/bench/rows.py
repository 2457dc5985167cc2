"""Every row of the measurement by its name, in the order of the table.

A row that is long runs only when it is asked for by name.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

from msgspec import Struct

from rookery.bench.bed import Bed
from rookery.bench.figures import Sample
from rookery.bench.languages import LANGUAGES
from rookery.bench.languages.measuring import a_move
from rookery.bench.server.cluster import cluster
from rookery.bench.server.crowd import crowd
from rookery.bench.server.failover import failover
from rookery.bench.server.growing import growing
from rookery.bench.server.house import house_bots
from rookery.bench.server.idle import idle_sessions
from rookery.bench.server.moves import disk_alone, one_table
from rookery.bench.server.offered import offered
from rookery.bench.server.reads import reads
from rookery.bench.server.restart import after_many, restart
from rookery.bench.server.spectators import spectators
from rookery.bench.server.thinking import GAMES, LEVEL, think_there
from rookery.bench.server.tour import long_tournament, tournament


class Row(Struct, frozen=True):
    """One thing to measure: what it is, and one run of it."""

    what: str
    run: Callable[[Bed], Iterable[Sample]]
    long: bool = False


def thinking(bed: Bed) -> Iterator[Sample]:
    """Nodes a second of the best bots."""
    for game in GAMES:
        build = bed.build
        nodes = think_there(build.python, build.environment, game, bed.scale.thoughts)
        yield Sample(f"nodes, {game} level {LEVEL}", nodes, "/s", more=True)


ROWS: Final[Mapping[str, Row]] = {
    "disk": Row("the disk alone", disk_alone),
    **{
        name: Row(f"many tables at once, {name}", partial(a_move, language))
        for name, language in LANGUAGES.items()
    },
    "one": Row("one table", one_table),
    "tour": Row("a tournament", tournament),
    "spectators": Row("a table that many look at", spectators),
    "reads": Row("reads over HTTP", reads),
    "idle": Row("idle sessions", idle_sessions),
    "restart": Row("a restart with running tables", restart),
    "finished": Row("a start with finished games in the log", after_many),
    "bots": Row("what bots look at in a second", thinking),
    "house": Row("players beside house bots", house_bots),
    "growing": Row("from one table to ten thousand", growing, long=True),
    "offered": Row("answers at a given load", offered, long=True),
    "cluster": Row("edges and a hall, beside one process", cluster, long=True),
    "failover": Row("another hall takes over", failover, long=True),
    "crowd": Row("a table that very many look at over two edges", crowd, long=True),
    "long-tour": Row("a tournament of very many", long_tournament, long=True),
}
