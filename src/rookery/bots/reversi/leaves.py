"""The last move before the guess: most of what a search looks at, and so all in one loop.

`evaluation.worth` says what a position is worth; here the same is worked out for all moves of
one position. Much of it is the same for all of them, or follows from the position before:
which squares are free, the stage of the game, who will have the last move, how many discs
there are. What the corners and the sides tell is looked up: few of them change in a search.
A move's discs are turned only when it is its turn, for often the first one is enough.

It remembers sides, for one search on one board.
"""

from typing import Final

from rookery.bots.reversi.evaluation import WON, Weights, settled, sides, stage
from rookery.bots.reversi.lines import Lines

_INFINITE: Final = 10 * WON
_KEEP_MOST: Final = 60_000  # sides remembered at once: some 20 MB on the usual board
_COPIES: Final = 8  # of each disc, one for each direction

Best = tuple[int, int]  # what the best move is worth, and how many were looked at


class Leaves:
    """Looks one move ahead on one board."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._by: Weights | None = None
        self._known: dict[tuple[int, int], int] = {}  # of corners and sides, at this stage

    def best(self, own: int, theirs: int, beta: int) -> Best | None:
        """The worth of the best move to the side to move, or of the first that reaches `beta`.

        None: there is no move.
        """
        empty = self._lines.full ^ own ^ theirs
        if not (ends := (((own << 1) & theirs) + theirs) & empty):
            return None
        free = empty.bit_count() // _COPIES - 1
        lead = (own.bit_count() - theirs.bit_count()) // _COPIES + 1
        by = self._stage(free)
        fixed = by.discs * lead - (by.last if free % 2 else -by.last)
        return self._best((own, theirs, empty), ends, by, (lead, fixed), beta)

    def _best(
        self, board: tuple[int, int, int], ends: int, by: Weights, same: tuple[int, int], beta: int
    ) -> Best:
        """The best of the moves to where lines end; `same` are the numbers that all share."""
        (own, theirs, empty), (lead, fixed) = board, same
        lines, known = self._lines, self._known
        squares, sums, bits, under = lines.squares, lines.sums, lines.bits, lines.under
        marks, rim = lines.marks, lines.rim
        by_moves, by_frontier, by_turned = by.moves, by.frontier, 2 * by.discs
        most, tried = -_INFINITE, 0
        while ends:
            square = squares[ends.bit_length() - 1]
            mark = marks[square]
            here = ends & mark
            ends ^= here
            flips = 0
            while here:
                at = here.bit_length() - 1
                here ^= bits[at]
                flips ^= sums[at] ^ sums[(own & under[at]).bit_length()]
            mine, other, left = own | mark | flips, theirs ^ flips, empty ^ mark
            after, replied = mine << 1, other << 1
            again = ((after & other) + other) & left
            replies = ((replied & mine) + mine) & left
            key = (other & rim, mine & rim)
            if (rims := known.get(key)) is None:
                rims = known[key] = sides(lines, by, other, mine)
            tried, turned = tried + 1, flips.bit_count() // _COPIES
            if again or replies:
                got = (
                    by_moves * (again.bit_count() - replies.bit_count())
                    + by_frontier * ((after & left).bit_count() - (replied & left).bit_count())
                    + (by_turned * turned + fixed - rims)
                )
            else:
                got = settled(lead + 2 * turned)
            if got > most:
                most = got
                if got >= beta:
                    break
        return most, tried

    def _stage(self, free: int) -> Weights:
        """The weights with so many squares free; a new stage forgets the sides remembered."""
        by = stage(self._lines, free)
        if by is not self._by or len(self._known) > _KEEP_MOST:
            self._by, self._known = by, {}
        return by
