"""What a reversi position is worth to the side that moves, in hundredths of a disc.

Counted are, each as own minus theirs: lines along which there is a move, free neighbours
of discs (few are good: they are what the other side moves to), corners, discs beside a
free corner (slantwise and straight), discs along a side that hang together with a corner
and so stay for ever, and discs; and who will have the last move. How much each tells
depends on how full the board is; the numbers began as a fit to how the bot's own games
ended on the usual board, and were then rounded and smoothed by hand.
"""

from typing import Final

from msgspec import Struct

from rookery.bots.reversi.lines import Lines

WON: Final = 1_000_000  # more than any guess; a won game is this and its margin


class Weights(Struct, frozen=True):
    """What one more of each feature is worth at some stage of the game."""

    moves: int
    frontier: int
    corners: int
    slanted: int
    straight: int
    anchored: int
    discs: int
    last: int  # to have the last move, if nobody passes any more


# From a full board to an empty one, in steps of a sixth.
_STAGES: Final = (
    Weights(120, -40, 100, -330, -90, 30, 70, 120),
    Weights(75, -45, 250, -460, -60, 50, 25, 60),
    Weights(40, -50, 410, -800, -130, 90, 10, 30),
    Weights(35, -45, 450, -950, -300, 200, 0, 0),
    Weights(30, -40, 450, -1000, -400, 250, 0, 0),
    Weights(30, -40, 450, -1000, -400, 250, 0, 0),
    Weights(30, -40, 450, -1000, -400, 250, 0, 0),
)


def worth(lines: Lines, own: int, theirs: int) -> int:
    """A guess at the margin, or the margin itself where neither side can move."""
    empty = lines.full ^ own ^ theirs
    own_next, their_next = own << 1, theirs << 1
    own_moves = ((own_next & theirs) + theirs) & empty
    their_moves = ((their_next & own) + own) & empty
    once = lines.once
    if not own_moves and not their_moves:
        return final(lines, own, theirs)
    empties = (empty & once).bit_count()
    by = stage(lines, empties)
    return (
        by.moves * (own_moves.bit_count() - their_moves.bit_count())
        + by.frontier * ((own_next & empty).bit_count() - (their_next & empty).bit_count())
        + sides(lines, by, own, theirs)
        + by.discs * ((own & once).bit_count() - (theirs & once).bit_count())
        + (by.last if empties % 2 else -by.last)
    )


def stage(lines: Lines, empties: int) -> Weights:
    """The weights of the features with so many squares free."""
    return _STAGES[empties * 6 // len(lines.marks)]


def sides(lines: Lines, by: Weights, own: int, theirs: int) -> int:
    """The part of a position's worth that its rim (`Lines.rim`) decides: corners and sides."""
    beside = ((lines.full ^ own ^ theirs) & lines.starts) << 1
    straight = beside & lines.straight
    slanted = beside ^ straight
    edges = lines.edges
    return (
        by.corners * ((own & edges).bit_count() - (theirs & edges).bit_count())
        + by.slanted * ((own & slanted).bit_count() - (theirs & slanted).bit_count())
        + by.straight * ((own & straight).bit_count() - (theirs & straight).bit_count())
        + by.anchored * (_anchored(own, edges) - _anchored(theirs, edges))
    )


def final(lines: Lines, own: int, theirs: int) -> int:
    """The worth of a game that is over."""
    return settled(lines.lead(own, theirs))


def settled(lead: int) -> int:
    """The worth of a game that has ended with so many discs more."""
    if lead > 0:
        return WON + lead
    return lead - WON if lead else 0


def _anchored(discs: int, edges: int) -> int:
    """Discs in a row from a corner along a side: those that the carry runs through."""
    return (discs & ~(discs + (discs & edges))).bit_count()
