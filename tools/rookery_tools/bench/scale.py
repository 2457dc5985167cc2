"""How much of everything is measured."""

from typing import Final

from msgspec import Struct


class Scale(Struct, frozen=True):
    """How many tables, sessions and seconds the rows measure with."""

    tables: int = 100  # played at the same time
    light_games: int = 10  # at one table
    sessions: int = 10_000
    idle_seconds: float = 2.0
    running: int = 10_000  # tables at a restart
    finished: tuple[int, ...] = (2_000, 20_000)  # games that are over, in the log of a restart
    watchers: int = 1_000  # of one table
    crowd: int = 10_000  # of one table, over two edges
    leases: tuple[float, ...] = (2.0, 6.0)  # seconds, of halls whose leader is killed
    rests: float = 2.0  # seconds in which a stand-by makes itself ready
    clients: int = 16  # of a tournament
    many_clients: int = 128  # of a long one
    bots: int = 100  # tables with a house bot, beside which people play
    bots_seconds: float = 4.0  # each way: a bot takes its time for a move
    reads: int = 2_000  # HTTP requests of each kind
    thoughts: int = 4  # positions that a bot thinks about
    growing: tuple[int, ...] = (1, 10, 100, 1_000, 10_000)  # tables
    growing_moves: int = 6_000  # over all tables; at each at least one
    offered: tuple[int, ...] = (500, 1_000, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 16_000)
    offered_seconds: float = 2.0  # of each load
    flooded: int = 10  # games beside a flood, and as many without, in each slice
    slices: int = 9


FULL: Final = Scale()
QUICK: Final = Scale(
    tables=2,
    light_games=1,
    sessions=20,
    idle_seconds=0.1,
    running=10,
    finished=(4,),
    watchers=20,
    crowd=20,
    leases=(),
    rests=0.1,
    clients=4,
    many_clients=6,
    bots=2,
    bots_seconds=0.2,
    reads=20,
    thoughts=1,
    growing=(2,),
    growing_moves=20,
    offered=(100,),
    offered_seconds=0.2,
    flooded=1,
    slices=1,
)
