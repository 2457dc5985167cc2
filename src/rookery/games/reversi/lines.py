"""The lines of a reversi board: which squares enclose discs, and which discs they enclose.

A side's discs are the bits of one integer. Rows are one bit wider than the board, and the
spare bit is never set, so that a line of discs shifted by one step in any of the eight
directions stops at the edge by itself and needs no masks.
"""

from collections.abc import Iterable
from functools import cache

Ray = tuple[int, int]  # the square next to one, and all of them to the edge, as bits


def mobility(size: int, own: int, theirs: int) -> int:
    """The empty squares from which `own` would enclose some of `theirs`."""
    ends = 0
    stride = size + 1
    for step in (1, stride - 1, stride, stride + 1):
        up = (own << step) & theirs
        while up:
            up <<= step
            ends |= up
            up &= theirs
        down = (own >> step) & theirs
        while down:
            down >>= step
            ends |= down
            down &= theirs
    return ends & ~(own | theirs) & squares_of(size)


def can_move(size: int, own: int, theirs: int) -> bool:
    """Whether there is a square from which `own` would enclose some of `theirs`.

    It stops at the first direction that has one, where `mobility` looks in all eight.
    """
    empty = squares_of(size) ^ own ^ theirs
    stride = size + 1
    for step in (1, stride - 1, stride, stride + 1):
        up = (own << step) & theirs
        while up:
            up <<= step
            if up & empty:
                return True
            up &= theirs
        down = (own >> step) & theirs
        while down:
            down >>= step
            if down & empty:
                return True
            down &= theirs
    return False


def flips_of(size: int, at: int, own: int, theirs: int) -> int:
    """The discs of `theirs` that a disc on the empty square `at` encloses."""
    flips = 0
    up, down = rays_of(size)[at]
    for near, ray in up:
        if near & theirs and (ends := ray & own):
            line = ray & (ends & -ends) - 1
            if line & theirs == line:
                flips |= line
    for near, ray in down:
        if near & theirs and (ends := ray & own):
            beyond = ends.bit_length()
            line = ray >> beyond << beyond
            if line & theirs == line:
                flips |= line
    return flips


@cache
def rays_of(size: int) -> tuple[tuple[tuple[Ray, ...], tuple[Ray, ...]], ...]:
    """The rays from each square: those to higher bits, and those to lower ones."""
    stride, board = size + 1, squares_of(size)
    found = []
    for at in range(size * stride):
        up: list[Ray] = []
        down: list[Ray] = []
        for step in (1, stride - 1, stride, stride + 1):
            for rays, way in ((up, step), (down, -step)):
                ray, to = 0, at + way
                while to >= 0 and board >> to & 1:
                    ray |= 1 << to
                    to += way
                if ray:
                    rays.append((1 << at + way, ray))
        found.append((tuple(up), tuple(down)))
    return tuple(found)


@cache
def squares_of(size: int) -> int:
    """All squares of the board, and none of the spare bits."""
    row = (1 << size) - 1
    return sum(row << (n * (size + 1)) for n in range(size))


def indexes_of(bits: int) -> Iterable[int]:
    """The numbers of the bits that are set, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
