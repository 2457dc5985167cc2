"""A reversi board as its lines: all moves and all they turn over, in a few big additions.

A side is one integer in which every line of the board stands eight times, once for each
direction it can be walked in, with a spare bit after it that is never set. One step in any
direction is then one bit up, so a single addition walks every line of the board at once:
the carry runs through a row of the other side's discs and comes out where it ends.

The discs between two places of a line are the difference of two running sums, and those
are kept with all eight copies of each disc, so a move is played on all lines together.
"""

from functools import cache
from typing import Final

from msgspec import Struct

from rookery.bots.base import Sight
from rookery.games.reversi import ReversiView

_STRAIGHT: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
_SLANTED: Final = ((1, 1), (1, -1), (-1, -1), (-1, 1))

_SPARE: Final = -1  # the square of a spare bit


class Lines(Struct, frozen=True):
    """What is true of every position on a board of this size. Squares count row by row."""

    size: int
    squares: tuple[int, ...]  # which square a bit is; -1 for a spare one
    marks: tuple[int, ...]  # a disc on this square, in all of its lines
    sums: tuple[int, ...]  # all discs below this bit together, for the difference of two
    bits: tuple[int, ...]  # a bit by itself
    under: tuple[int, ...]  # all bits below it
    full: int  # discs on all squares
    once: int  # every square in one of its lines only
    starts: int  # where a line begins in a corner
    straight: int  # all bits of rows and columns
    edges: int  # where one of the board's four sides begins
    rim: int  # the sides and what is slantwise beside a corner, once

    def moves(self, own: int, theirs: int) -> dict[int, int]:
        """The discs turned over by each move there is, by square; always in the same order."""
        squares, sums, bits, under = self.squares, self.sums, self.bits, self.under
        found: dict[int, int] = {}
        ends = (((own << 1) & theirs) + theirs) & (self.full ^ own ^ theirs)
        while ends:
            at = ends.bit_length() - 1
            ends ^= bits[at]
            square = squares[at]
            flips = sums[at] ^ sums[(own & under[at]).bit_length()]
            found[square] = found[square] ^ flips if square in found else flips
        return found

    def turned(self, own: int, theirs: int, square: int) -> int:
        """The discs turned over by this move; none where it is not one."""
        ends = (((own << 1) & theirs) + theirs) & self.marks[square]
        flips = 0
        while ends:
            at = ends.bit_length() - 1
            ends ^= self.bits[at]
            flips ^= self.sums[at] ^ self.sums[(own & self.under[at]).bit_length()]
        return flips

    def can_move(self, own: int, theirs: int) -> bool:
        """Whether there is a move at all; far quicker than asking which."""
        return (((own << 1) & theirs) + theirs) & (self.full ^ own ^ theirs) != 0

    def lead(self, own: int, theirs: int) -> int:
        """How many discs more than the other side has."""
        return (own & self.once).bit_count() - (theirs & self.once).bit_count()

    def empties(self, own: int, theirs: int) -> int:
        """How many squares are free."""
        return ((self.full ^ own ^ theirs) & self.once).bit_count()

    def text(self, square: int) -> str:
        """The move as the game writes it."""
        return f"{chr(ord('a') + square % self.size)}{square // self.size + 1}"


def look(sight: Sight) -> tuple[Lines, int, int]:
    """The board's lines, and the discs of the seat that moves and of the other one."""
    view = sight.view
    assert isinstance(view, ReversiView), "a reversi bot plays reversi"
    lines = lines_of(view.size)
    marks = "XO" if sight.seat == 0 else "OX"
    discs = [0, 0]
    for square, mark in enumerate("".join(view.rows)):
        if mark in marks:
            discs[marks.index(mark)] |= lines.marks[square]
    return lines, discs[0], discs[1]


@cache
def lines_of(size: int) -> Lines:
    """The lines of a board of this size, worked out once."""
    laid = [_laid(size, step) for step in (*_STRAIGHT, *_SLANTED)]
    squares = [square for block in laid for square in block]
    marks = [0] * (size * size)
    for at, square in enumerate(squares):
        if square != _SPARE:
            marks[square] |= 1 << at
    sums = [0]
    for square in squares:
        sums.append(sums[-1] if square == _SPARE else sums[-1] ^ marks[square])
    last = size - 1
    corners = {0, last, size * last, size * size - 1}
    rim = [
        square
        for square in range(size * size)
        if not {0, last}.isdisjoint(divmod(square, size))
        or {1, last - 1}.issuperset(divmod(square, size))
    ]
    once = sum(marks) & ((1 << len(laid[0])) - 1)
    begins = [at for at in range(len(squares)) if at == 0 or squares[at - 1] == _SPARE]
    # A slanted line may be one corner alone: it leads nowhere, and does not count.
    starts = [at for at in begins if squares[at] in corners and squares[at + 1] != _SPARE]
    straight = sum(len(block) for block in laid[: len(_STRAIGHT)])
    return Lines(
        size=size,
        squares=tuple(squares),
        marks=tuple(marks),
        sums=tuple(sums),
        bits=tuple(1 << at for at in range(len(squares))),
        under=tuple((1 << at) - 1 for at in range(len(squares))),
        full=sum(marks),
        once=once,
        starts=sum(1 << at for at in starts),
        straight=(1 << straight) - 1,
        edges=sum(1 << at for at in starts if at < straight),
        rim=sum(marks[square] & once for square in rim),
    )


def _laid(size: int, step: tuple[int, int]) -> list[int]:
    """The squares of all lines in this direction, one line after the other."""
    right, down = step
    on = range(size)
    squares: list[int] = []
    for row in on:
        for col in on:
            if col - right in on and row - down in on:
                continue  # its line began before it
            x, y = col, row
            while x in on and y in on:
                squares.append(y * size + x)
                x, y = x + right, y + down
            squares.append(_SPARE)
    return squares
