"""Where pieces can go on an empty board, worked out once: squares 0 for a1 to 63 for h8."""

from typing import Final

Steps = tuple[int, ...]
Rays = tuple[Steps, ...]


def _step(at: int, right: int, up: int) -> int:
    """The square so far away; -1 off the board."""
    rank, file = divmod(at, 8)
    rank, file = rank + up, file + right
    return rank * 8 + file if 0 <= rank < 8 and 0 <= file < 8 else -1


def _steps(at: int, ways: tuple[tuple[int, int], ...]) -> Steps:
    return tuple(to for right, up in ways if (to := _step(at, right, up)) >= 0)


def _rays(at: int, ways: tuple[tuple[int, int], ...]) -> Rays:
    rays = []
    for right, up in ways:
        ray, to = [], _step(at, right, up)
        while to >= 0:
            ray.append(to)
            to = _step(to, right, up)
        if ray:
            rays.append(tuple(ray))
    return tuple(rays)


_STRAIGHT: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))
_SLANTED: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

ROOK_RAYS: Final = tuple(_rays(at, _STRAIGHT) for at in range(64))
BISHOP_RAYS: Final = tuple(_rays(at, _SLANTED) for at in range(64))
KNIGHT_STEPS: Final = tuple(_steps(at, _JUMPS) for at in range(64))
KING_STEPS: Final = tuple(_steps(at, (*_STRAIGHT, *_SLANTED)) for at in range(64))
# By side: the squares that a pawn here captures on.
PAWN_STEPS: Final = (
    tuple(_steps(at, ((-1, 1), (1, 1))) for at in range(64)),
    tuple(_steps(at, ((-1, -1), (1, -1))) for at in range(64)),
)
# By square: the rights that are left when a piece goes from it or comes to it. A right is
# the bit of the rook's square, as in the game's own board.
_HOMES: Final = {
    0: 1 << 0,
    7: 1 << 7,
    56: 1 << 56,
    63: 1 << 63,
    4: 1 | 1 << 7,
    60: 1 << 56 | 1 << 63,
}
CASTLING_LOST: Final = tuple(~_HOMES.get(at, 0) for at in range(64))
