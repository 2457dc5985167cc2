"""The ice of fish as a client of either of its languages sees it, and the game it is."""

from collections.abc import Sequence
from typing import TypeAlias

from rookery.core.ids import Seat
from rookery.games.fish import Fish, FishView, Flock
from rookery.games.fish.state import COLORS

Rows: TypeAlias = Sequence[Sequence[int]]


def fish_view(
    phase: str, board: Rows, players: Sequence[Flock], seats: int, turn: Seat
) -> FishView:
    """The view of ice with these players; of the first `seats` colours, those missing are out."""
    wide = max(map(len, board), default=0)
    square = tuple((*row, *[0] * (wide - len(row))) for row in board)  # rows may be ragged
    there = {flock.seat: flock for flock in players}
    flocks = (there.get(Seat(n), _removed(Seat(n))) for n in range(seats))
    return FishView(phase, square, tuple(flocks), turn)


def game_on(view: FishView) -> Fish:
    """The game that is played on this ice. Raises BadOption where there is none."""
    return Fish(rows=len(view.board), cols=len(view.board[0]))


def _removed(seat: Seat) -> Flock:
    return Flock(seat, COLORS[seat], 0, (), removed=True)
