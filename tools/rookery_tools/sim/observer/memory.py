"""Judges that a server's memory grows with its people only, however long it runs.

There is no list of places to look at: every container that can be reached from the server's own
objects is measured, by the class and the name under which it is kept. When everyone has gone,
and what is held for a while has been let go, none may be longer than people are many.
"""

import types
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rookery.core.events import PlayerMade, Record
from rookery.core.intents import INTENTS
from rookery.hall.tables.quick_move import ACTS_KEPT, TEXTS_KEPT
from rookery.server.metrics import BUCKETS
from rookery_tools.sim.observer.verdict import Failing

MEMORY: Final = "memory is bounded by people"
OWN: Final = "rookery."
# Of these nothing is kept by a server: what is fixed, and what belongs to the world.
FOREIGN: Final = ("rookery_tools.sim", "rookery.games", "rookery.dialects", "rookery.core")
CONTAINERS: Final = (dict, list, set, deque, bytearray)
LEAST: Final = 12  # a container this long is no leak yet

Sizes = dict[str, int]


def measure(root: object) -> Sizes:
    """The longest container by the name it is kept under, of all that can be reached from here."""
    sizes: Sizes = {}
    seen: set[int] = set()
    todo: list[tuple[str, Any]] = [(type(root).__name__, root)]  # Any: whatever it is
    while todo:
        name, thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, CONTAINERS):
            sizes[name] = max(sizes.get(name, 0), len(thing))
            todo += ((name, one) for one in _inside(thing))
        elif isinstance(thing, types.MethodType):
            todo.append((name, thing.__self__))
        elif type(thing).__module__.startswith(OWN) and not type(thing).__module__.startswith(
            FOREIGN
        ):
            todo += ((f"{type(thing).__name__}.{part}", one) for part, one in _parts(thing))
    return sizes


def _inside(thing: Any) -> Iterator[Any]:
    if isinstance(thing, dict):
        yield from thing.keys()
        yield from thing.values()
    elif not isinstance(thing, bytearray):
        yield from thing


def _parts(thing: object) -> Iterator[tuple[str, Any]]:
    """The attributes of an object by name, in its `__dict__` and its slots."""
    yield from getattr(thing, "__dict__", {}).items()
    for kind in type(thing).__mro__:
        slots = getattr(kind, "__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(thing, name):
                yield name, getattr(thing, name)


def judge_memory(kept: Sizes, people: int, records: Sequence[Record]) -> Iterator[Failing]:
    """Whether what is left in memory is as much as there were people."""
    players = sum(isinstance(record.event, PlayerMade) for record in records)
    streams = len({record.stream for record in records})
    kinds = len({type(record.event) for record in records})
    may = {
        "PlayerRegistry._all": players,  # where nobody has a name, each call is a new player
        "PlayerRegistry._homes": players,
        "Gatherings._names": players,  # that were ever waited under: of each the last who did
        "Dispatcher._ids": players,  # of bots that ever sat at once; their names are used again
        "Dispatcher._ours": players,
        "Numbers._ids": max(players, streams),  # a dialect's own, by which its people are known
        "Numbers._numbers": max(players, streams),
        "DirectoryCopy._things": max(players, streams),  # the same, at an edge
        "DirectoryCopy._numbers": max(players, streams),
        "DirectoryCopy._names": players,
        "Counters._written": kinds,
        "Counters._taken_up": kinds,
        "Tips._tips": streams,  # of the last 20,000 records
        "PostgresStore._ended": streams,  # of a cache that is emptied when it is full
        "Histogram._counts": len(BUCKETS) + 1,  # of a histogram
        "TableRegistry.lines": streams,  # of a cache that is emptied when it is full
        "MoveCache.known": TEXTS_KEPT,  # the same
        "ToActCache.known": ACTS_KEPT,
        "Hall._routes": len(INTENTS),
    }
    for name, size in sorted(kept.items()):
        if size > max(LEAST, people, may.get(name, 0)):
            yield Failing(MEMORY, f"{name} has {size} of something, and there were {people} people")
