"""Where pieces can go on an empty board, worked out once: squares 0 for a1 to 63 for h8."""

from typing import Final

Steps = tuple[int, ...]
Rays = tuple[Steps, ...]


def _step(at: int, right: int, up: int) -> int:
    """The square so many files and ranks away; -1 off the board."""
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


def _through(at: int) -> tuple[tuple[Steps, int], ...]:
    """For each square the ray from here on which it lies, and whether that is a diagonal."""
    found: list[tuple[Steps, int]] = [((), 0)] * 64
    for slanted, rays in enumerate((ROOK_RAYS[at], BISHOP_RAYS[at])):
        for ray in rays:
            for to in ray:
                found[to] = ray, slanted
    return tuple(found)


# By two squares: the ray from the first through the second, where there is one.
THROUGH: Final = tuple(_through(at) for at in range(64))


def _aims(piece: int, at: int) -> Steps:
    """The squares that a piece (as `quick` has them) attacks from here on an empty board."""
    match piece & 7:
        case 1:
            return PAWN_STEPS[piece >> 3][at]
        case 2:
            return KNIGHT_STEPS[at]
        case 6:
            return KING_STEPS[at]
        case slider:
            straight, slanted = slider in {4, 5}, slider in {3, 5}
            rays = (*(ROOK_RAYS[at] if straight else ()), *(BISHOP_RAYS[at] if slanted else ()))
            return tuple(to for ray in rays for to in ray)


def _marked(squares: Steps) -> bytes:
    """A byte for each square: 1 for these squares, 0 for the others."""
    return bytes(at in squares for at in range(64))


# By piece and square, a byte for each square: whether it is attacked if nothing is between.
AIMS: Final = tuple(tuple(_marked(_aims(piece, at)) for at in range(64)) for piece in range(16))
