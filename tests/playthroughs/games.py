"""The whole games that are kept as text, one file each.

A registered game that is not named here is kept all the same: once to its end, and once
with a forfeit.
"""

from typing import Final

from msgspec import Struct

from rookery.core.game import Forfeit
from rookery.core.ids import Seat
from rookery.games import GAMES


class Quit(Struct, frozen=True):
    """A forfeit instead of the move with this number."""

    ply: int
    seat: Seat
    why: Forfeit


class Recorded(Struct, frozen=True):
    """One game to keep. Views are drawn at the start, at the end and every so many plies."""

    title: str  # of its file
    variant: str
    seats: int = 2
    seed: int = 1
    every: int = 10
    quits: tuple[Quit, ...] = ()


CHOSEN: Final = (
    Recorded("bughouse", "bughouse", 4, seed=25, every=20),
    Recorded("bughouse-plies", "bughouse plies=40", 4, seed=2, every=20),
    Recorded("bughouse-late", "bughouse", 4, quits=(Quit(12, Seat(2), Forfeit.LATE),)),
    Recorded("fish-2", "fish rows=5 cols=5 fish=2"),
    Recorded("fish-3", "fish", 3, every=20),
    Recorded(
        "fish-4-removed",
        "fish rows=6 cols=4 holes=4",
        4,
        quits=(Quit(5, Seat(3), Forfeit.CHEATED), Quit(11, Seat(0), Forfeit.LATE)),
    ),
    Recorded(
        "fish-all-gone",
        "fish rows=6 cols=4",
        quits=(Quit(10, Seat(1), Forfeit.GONE), Quit(12, Seat(0), Forfeit.GONE)),
    ),
    Recorded("guess", "guess high=20", seed=3),
    Recorded("guess-both", "guess low=-1 high=1 rounds=4", seed=17),
    Recorded("guess-nobody", "guess low=-9 high=9 rounds=2"),
    Recorded("guess-late", "guess", quits=(Quit(6, Seat(1), Forfeit.LATE),)),
    Recorded("nim", "nim"),
    Recorded("nim-misere", "nim sticks=3,4,5 misere=true", every=4),
    Recorded("nim-resigned", "nim rows=4", quits=(Quit(3, Seat(0), Forfeit.RESIGNED),)),
    Recorded("reversi-4", "reversi size=4", every=4),
    Recorded("reversi-8", "reversi"),
    Recorded("reversi-10", "reversi size=10", seed=2, every=24),
    Recorded("reversi-gone", "reversi", quits=(Quit(8, Seat(1), Forfeit.GONE),)),
    Recorded("tictactoe", "tictactoe", every=3),
    Recorded("tictactoe-cheated", "tictactoe", quits=(Quit(4, Seat(0), Forfeit.CHEATED),)),
)


def every_game() -> tuple[Recorded, ...]:
    """The chosen ones, and two of each registered game that none was chosen of."""
    named = {one.variant.split()[0] for one in CHOSEN}
    others = [
        one
        for name, game in GAMES.items()
        if name not in named
        for one in _unchosen(name, max(game.seat_counts))
    ]
    return (*CHOSEN, *others)


def _unchosen(name: str, seats: int) -> tuple[Recorded, Recorded]:
    quit_early = Quit(12, Seat(0), Forfeit.RESIGNED)
    return (
        Recorded(name, name, seats, every=20),
        Recorded(f"{name}-resigned", name, seats, every=20, quits=(quit_early,)),
    )
