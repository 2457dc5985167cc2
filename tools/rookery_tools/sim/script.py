"""The script of a world: who is there, what they look for, and what goes wrong when.

All of it is drawn from the seed, once, before anything happens; so a smaller script with the
same failure can be looked for by leaving things out.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import SEED_BITS, Chance
from rookery.server.cluster.gateway import EDGE_LOST_US
from rookery_tools.sim.clients.person import Fare, Habits
from rookery_tools.sim.machine.agenda import MICRO, MILLI, SECOND, Nanos

DAY: Final = 15 * SECOND  # in which things go wrong
FIRST: Final = SECOND  # until then they do not
CLOCKS: Final = ("20s", "10s+1s", "5s/move", "30s")
GAMES: Final = (
    ("nim sticks=3,4,5", 2),
    ("nim sticks=2,2", 2),
    ("tictactoe", 2),
    ("tictactoe", 2),
    ("reversi size=4", 2),
    ("guess high=8", 2),
    ("guess high=20", 2),
    ("fish rows=3 cols=5", 2),
    ("bughouse plies=24", 4),
)
# What goes wrong, each as likely; some are here twice.
KINDS: Final = (
    *("kill", "kill", "power", "stop", "disk", "disk", "disk"),
    *("hold", "hold", "jerks", "cut", "cut", "clock"),
)
# And where there are many processes: with which of them, between them, or beneath them.
KINDS_OF_MANY: Final = (
    *("hall kill", "hall kill", "hall stop", "hall late", "hall late", "hall kept", "hall jerks"),
    *("hall clock", "edge kill", "edge stop", "edge kept", "edge frozen", "edge clock"),
    *("nats down", "nats cut", "nats cut", "nats bad", "nats bad"),
    *("database away", "database slow", "database before", "database after"),
    *("database under way", "database under way", "cut", "cut"),
)
GIVEN_UP: Final = EDGE_LOST_US * MICRO  # a hall gives an edge up that is silent for so long
CLUSTERS: Final = 4  # one world in so many is of many processes
HOSTILE_KINDS: Final = ("flooder", "liar", "mute", "thief")
FRAMED: Final = ("native", "host", "member")  # who may speak over a WebSocket


class Fault(Struct, frozen=True):
    """Something that goes wrong at a moment, or after so many writes."""

    kind: str
    at: Nanos
    lasts: Nanos = 0
    number: int = 0  # how much, which or after how many; each kind knows


class WorldScript(Struct, frozen=True):
    """All that is drawn of a world before it begins: people, faults, options."""

    seed: int
    fares: tuple[Fare, ...]
    people: tuple[Habits, ...]
    faults: tuple[Fault, ...]
    bookmark_every: int = 20_000
    snapshot_every: int = 20_000  # records of the hall's own stream
    house: int = 0  # seconds until house bots come; 0: there are none
    checkpoint_every: int = 1000  # pages
    quick: bool = False  # whether the disk is, so that the loop waits for it itself
    flips: bool = False  # whether a bit of the log flips when the day is over
    lingers: bool = False  # whether the server runs on for a while when everyone has gone
    edges: int = 0  # processes that people are connected to; 0: there is one process for all
    lease: float = 6.0  # seconds that a hall's lease lasts


def draw_script(seed: int) -> WorldScript:
    """Draw the script of the world of this seed."""
    chance = Chance(seed & ((1 << SEED_BITS) - 1))
    for _ in range(3):
        chance.bits()  # neighbours are strangers
    fares = tuple(_fare(chance) for _ in range(chance.between(1, 3)))
    people: tuple[Habits, ...] = tuple(_people(chance))
    people += _moderators(seed, len(people) + 1)
    faults = tuple(_faults(chance))
    every, house = chance.choice((20, 200, 20_000)), chance.choice((0, 0, 0, 1, 2, 5))
    pages, flips, lingers = chance.choice((1000, 40, 10)), chance.below(4), chance.below(8)
    alone = WorldScript(
        seed,
        fares,
        people,
        faults,
        bookmark_every=every,
        snapshot_every=Chance(seed & 0xFFFF).choice((1, 2, 5, 20_000)),  # drawn apart: it came late
        house=house,
        checkpoint_every=pages,
        quick=_is_quick(seed),
        flips=not flips,
        lingers=not lingers,
    )
    return alone if chance.below(CLUSTERS) else _many(alone, chance)


def _many(alone: WorldScript, chance: Chance) -> WorldScript:
    """The same people, at a server of many processes."""
    edges, lease = chance.between(1, 3), chance.choice((2.0, 6.0))
    first = len(alone.people) + 1
    peepers = [
        Habits("peeper", number, chance.bits(), comes=chance.below(3 * SECOND))
        for number in range(first, first + chance.between(1, 2))
    ]
    many = chance.choice((0, 1, 2, 2, 3, 3, 4, 6))
    faults = [*(_fault_of_many(chance) for _ in range(many)), *_deep_faults(alone)]
    return replace(
        alone,
        people=(*alone.people, *peepers),
        faults=tuple(sorted(faults, key=lambda one: one.at)),
        flips=False,
        lingers=alone.lingers and not chance.below(2),
        edges=edges,
        lease=lease,
    )


def _fault_of_many(chance: Chance) -> Fault:
    kind, at = chance.choice(KINDS_OF_MANY), FIRST + chance.below(DAY - FIRST)
    lasts = chance.choice((30 * MILLI, 300 * MILLI, SECOND, 4 * SECOND)) * chance.between(1, 2)
    return Fault(kind, at, lasts, chance.below(1 << 20))


def _deep_faults(alone: WorldScript) -> Iterator[Fault]:
    """Draw faults that no world meets by chance; drawn apart, since they were added late.

    A hall dies when records are safe and nobody was told. An edge is not heard until its people
    were given up, had their grace and have a clock again; it has told them that none runs. A
    database answers nothing for a while, with all its connections open. The hall that leads, alone,
    is cut off from the broker.
    """
    chance = Chance(alone.seed & 0xFFFF)
    for _ in range(3):
        chance.bits()
    if not chance.below(3):
        yield Fault("hall written", FIRST + chance.below(DAY - FIRST), 0, chance.below(1 << 20))
    if not chance.below(3):
        at, more = FIRST + chance.below(3 * SECOND), SECOND + chance.below(2 * SECOND)
        lasts = GIVEN_UP + chance.choice(alone.fares).grace + more
        yield Fault("edge lost", at, lasts, chance.below(1 << 20))
    if not chance.below(3):
        lasts = chance.choice((300 * MILLI, SECOND, 4 * SECOND))
        yield Fault("database hangs", FIRST + chance.below(DAY - FIRST), lasts)
    if not chance.below(3):
        lasts = chance.between(1, 12) * SECOND
        yield Fault("hall deaf", FIRST + chance.below(DAY - FIRST - 8 * SECOND), lasts)


def _fare(chance: Chance) -> Fare:
    variant, seats = chance.choice(GAMES)
    return Fare(variant, seats, chance.choice(CLOCKS), chance.between(3, 10) * SECOND)


def _people(chance: Chance) -> list[Habits]:
    kinds = ["native"] * chance.between(3, 7)
    kinds += ["member"] * chance.choice((0, 0, 0, 1, 2))
    kinds += chance.choice(((), (), ("host",), ("organiser",)))
    if {"host", "organiser"} & set(kinds):
        kinds += ["tourney"] * chance.choice((0, 1, 2))
    kinds += ["reader"] * chance.choice((0, 0, 1, 2))
    kinds += ["bughouse"] * chance.choice((0, 0, 0, 0, 0, 4))
    kinds += ["othello"] * chance.choice((0, 0, 2, 3))
    kinds += ["blackwhite"] * chance.choice((0, 0, 0, 2, 3))
    kinds += ["fish"] * chance.choice((0, 0, 0, 2, 3))
    kinds += ["fishcom"] * chance.choice((0, 0, 0, 0, 2))
    kinds += [chance.choice(HOSTILE_KINDS) for _ in range(chance.choice((0, 0, 1, 2)))]
    return [
        Habits(
            kind,
            number,
            chance.bits(),
            games=chance.between(1, 4),
            think=chance.choice((20, 100, 400, 1500)) * MILLI,
            flaky=chance.choice((0, 0, 0, 30, 100)),
            comes=chance.below(3 * SECOND),
            honest=kind not in HOSTILE_KINDS,
            framed=kind in FRAMED and not chance.below(3),
        )
        for number, kind in enumerate(kinds, 1)
    ]


def _is_quick(seed: int) -> bool:
    """Draw whether the disk is quick; drawn apart, since it was added late."""
    chance = Chance(seed & 0xFFFF)
    for _ in range(6):
        chance.bits()
    return not chance.below(2)


def _moderators(seed: int, number: int) -> tuple[Habits, ...]:
    """Draw a moderator, or none; drawn apart, so that all others are the same with and without."""
    chance = Chance(seed & 0xFFFF)
    chance.bits()
    if chance.below(5):
        return ()
    return (Habits("moderator", number, chance.bits(), comes=chance.below(5 * SECOND)),)


def _faults(chance: Chance) -> list[Fault]:
    """Draw the faults of a world: none on good days, two or three on most, many on some."""
    many = chance.choice((0, 1, 2, 2, 3, 3, 4, 6, 10))
    return sorted((_fault(chance) for _ in range(many)), key=lambda one: one.at)


def _fault(chance: Chance) -> Fault:
    at = FIRST + chance.below(DAY - FIRST)
    some = chance.choice((30 * MILLI, 300 * MILLI, SECOND, 4 * SECOND))
    match chance.choice(KINDS):
        case "kill" | "power" as kind:
            return Fault(kind, at, number=chance.below(12))
        case "stop":
            return Fault("stop", at)
        case "disk":
            how = chance.choice(("full", "write", "commit", "read", "slow", "thread"))
            return Fault(f"disk {how}", at, chance.between(1, 4) * some, chance.below(some))
        case "hold":
            if chance.below(2):
                return Fault("frozen", at, max(400 * MILLI, some))
            return Fault("kept", at, some)
        case "jerks":
            return Fault("jerks", at, 4 * SECOND, chance.bits())
        case "clock":
            return Fault("clock", at, number=chance.between(-7200, 7200))
        case _:
            return Fault("cut", at, number=chance.below(1 << 20))
