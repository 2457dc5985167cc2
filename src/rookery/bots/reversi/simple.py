"""The first levels at reversi: any move, greed, and squares that are worth something.

Greed is what most people play in their first games. It loses because discs in the middle of the
game are worth little, and the squares around a corner cost more than they bring. Each square has
a worth by its distance from the two nearest sides, the same on boards of every size; those beside
a corner are bad only while it is free.
"""

from functools import cache
from typing import Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.reversi.lines import Lines, lines_of, look
from rookery.core.chance import Chance


class RandomBot(Struct, frozen=True):
    """Plays each legal move as likely as any other."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Draw one of the moves by chance."""
        return chance.choice(sight.moves)


class GreedyBot(Struct, frozen=True):
    """Takes a corner, or else turns over the most discs; of several such moves any."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """The move that turns over the most, of those into a corner if there are any."""
        lines, own, theirs = look(sight)
        moves = lines.moves(own, theirs)
        corners = {at: flips for at, flips in moves.items() if lines.marks[at] & lines.edges}
        gains = {at: flips.bit_count() for at, flips in (corners or moves).items()}
        most = max(gains.values())
        return lines.text(chance.choice([at for at, gain in gains.items() if gain == most]))


# The worth of a square by how far it is from the nearest side (row) and from the other of
# the two (column); from the fourth on as the last.
_WORTHS: Final = (
    (100, 5, 10, 5),
    (5, 0, -2, -2),
    (10, -2, 4, 1),
    (5, -2, 1, 1),
)
_BESIDE_STRAIGHT, _BESIDE_SLANTED = -25, -50  # of a free corner


class PositionalBot(Struct, frozen=True):
    """Takes the good squares, and keeps off the bad ones."""

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """The move after which its squares are worth most against the other side's."""
        lines, own, theirs = look(sight)
        worths = {
            at: _worth(lines, own | lines.marks[at] | flips, theirs ^ flips)
            for at, flips in lines.moves(own, theirs).items()
        }
        most = max(worths.values())
        return lines.text(chance.choice([at for at, worth in worths.items() if worth == most]))


def _worth(lines: Lines, own: int, theirs: int) -> int:
    beside = ((lines.full ^ own ^ theirs) & lines.starts) << 1
    straight = beside & lines.straight
    worths = (
        (_BESIDE_STRAIGHT, straight),
        (_BESIDE_SLANTED, beside ^ straight),
        *_squares_by_worth(lines.size),
    )
    return sum(
        worth * ((own & where).bit_count() - (theirs & where).bit_count())
        for worth, where in worths
    )


@cache
def _squares_by_worth(size: int) -> tuple[tuple[int, int], ...]:
    """Each worth of a square, with the squares that have it."""
    lines = lines_of(size)
    found: dict[int, int] = {}
    last = size - 1
    for at, mark in enumerate(lines.marks):
        row, col = divmod(at, size)
        worth = _WORTHS[min(row, last - row, 3)][min(col, last - col, 3)]
        found[worth] = found.get(worth, 0) | (mark & lines.once)
    return tuple(found.items())
