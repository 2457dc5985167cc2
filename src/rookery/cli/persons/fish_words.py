"""The messages of fish as a client reads them, and what follows from a state."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from rookery.core.ids import Seat
from rookery.games.fish.ice import Square, bit_of, lines_from, square_of
from rookery.games.fish.state import COLORS


class Player(Struct, frozen=True):
    """One player of a state; who was removed is not in it."""

    id: str
    color: Literal["red", "white", "brown", "black"]
    score: int
    places: tuple[Square, ...]

    @property
    def seat(self) -> Seat:
        """Colours are given out in the order of turns."""
        return Seat(COLORS.index(self.color))


class State(Struct, frozen=True):
    """The ice, and the players from the one to act on."""

    phase: str = ""
    players: tuple[Player, ...] = ()
    board: tuple[tuple[int, ...], ...] = ()

    def free(self) -> frozenset[Square]:
        """The tiles with fish and no penguin."""
        taken = {place for player in self.players for place in player.places}
        tiles = {(r, c) for r, row in enumerate(self.board) for c, fish in enumerate(row) if fish}
        return frozenset(tiles - taken)

    def slides(self) -> Iterator[tuple[Square, Square]]:
        """What whoever is to act can do, from where to where."""
        cols = max(map(len, self.board), default=0)
        free = sum(1 << bit_of(cols, tile) for tile in self.free())
        for player in self.players[:1]:
            for start in player.places:
                ends = lines_from(cols, free, bit_of(cols, start))
                yield from ((start, square_of(cols, end)) for end in ends)


class SendGameState(Struct, frozen=True, tag=True):
    """How the game stands."""

    state: State


class AssignColor(Struct, frozen=True, tag=True, rename="camel"):
    """Who we are."""

    color: str
    penguin_count: int


class RequestPlacement(Struct, frozen=True, tag=True):
    """We are to place a penguin."""


class RequestMove(Struct, frozen=True, tag=True):
    """We are to move one."""


class NotifyGameOver(Struct, frozen=True, tag=True):
    """The end."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    cheaters: tuple[str, ...]
    scores: dict[str, int] = {}


class Waiting(Struct, frozen=True, tag=True):
    """We have joined, and wait."""

    message: str


class Error(Struct, frozen=True, tag=True):
    """What we said could not be taken, or why we were removed."""

    message: str


Message: TypeAlias = (
    SendGameState | AssignColor | RequestPlacement | RequestMove | NotifyGameOver | Waiting | Error
)
