"""The ice: hexagons in rows, numbered so that a step is the same number everywhere.

A tile is called by row and column from 0. Odd rows lie half a tile to the right, so
let x be twice the column, plus one in an odd row: then a step is the same from every
row, (−2, 0) for north and (−1, +1) for north-east, and looking at the row's parity
afresh at every step is done once and for all. Tile (row, x) is bit row × 2·cols + x
of an integer. Half of the bits are never a tile, and a step over the left or right
edge always ends on one of those, so that lines stop by themselves.
"""

from collections.abc import Iterable

Square = tuple[int, int]  # row from the top and column from the left, both from 0


def bit_of(cols: int, square: Square) -> int:
    """The number of this tile's bit."""
    row, col = square
    return 2 * (row * cols + col) + (row & 1)


def square_of(cols: int, at: int) -> Square:
    """The row and column of the tile with this bit."""
    return divmod(at >> 1, cols)


def places_of(cols: int, penguins: tuple[int, ...]) -> tuple[Square, ...]:
    """The rows and columns of the tiles with these bits, in the same order."""
    return tuple([divmod(at >> 1, cols) for at in penguins])


def bits_of(cols: int, fish: bytes) -> int:
    """The bits of all tiles that have fish, given row by row."""
    squares = (divmod(tile, cols) for tile, number in enumerate(fish) if number)
    return sum(1 << bit_of(cols, square) for square in squares)


def squares_of(cols: int, bits: int) -> Iterable[Square]:
    """The tiles whose bits are set, by row, then column."""
    return (square_of(cols, at) for at in range(bits.bit_length()) if bits >> at & 1)


def step_towards(cols: int, start: Square, end: Square) -> int:
    """One step from start towards end, as a difference of bits; 0 where no line leads there."""
    down = end[0] - start[0]
    right = 2 * (end[1] - start[1]) + (end[0] & 1) - (start[0] & 1)
    width = 2 * cols
    if right == 0:
        return 2 * width * ((down > 0) - (down < 0))
    if abs(right) != abs(down):
        return 0
    return (width if down > 0 else -width) + (1 if right > 0 else -1)


def lines_from(cols: int, free: int, at: int) -> Iterable[int]:
    """The bits one can slide to: clockwise from north, the nearest first."""
    width = 2 * cols
    for step in (-2 * width, 1 - width, width + 1, 2 * width, width - 1, -width - 1):
        to = at + step
        while to >= 0 and free >> to & 1:
            yield to
            to += step


def beside(cols: int, free: int) -> int:
    """The bits of all places with a free tile next to them."""
    width = 2 * cols
    diagonal = free << 1 | free >> 1
    # One step right or left, then one row up or down: the four slanting neighbours.
    return free << 2 * width | free >> 2 * width | diagonal << width | diagonal >> width
