"""What a bughouse move does beside what its text says, in the order it happens.

These are enough to draw both boards and all hands without knowing the rules. Boards
are 1 and 2, squares are names like `e4`, pieces are letters from `PNBRQ`.
"""

from rookery.core.game import Effect
from rookery.core.ids import Seat


class Castled(Effect, frozen=True):
    """The king's move took the rook along."""

    board: int
    rook_start: str
    rook_end: str


class EnPassant(Effect, frozen=True):
    """The pawn that was captured stood here, not where the capturing pawn went."""

    board: int
    victim: str


class Promoted(Effect, frozen=True):
    """The pawn that came to this square is this piece now.

    `held` is how many pieces the seat has in hand, which a promotion does not change:
    a wire language without promotions passes the new piece through that place.
    """

    board: int
    at: str
    piece: str
    held: int


class Dropped(Effect, frozen=True):
    """This seat took the piece at this index out of its hand; later ones move up by one."""

    seat: Seat
    index: int


class Handed(Effect, frozen=True):
    """The captured piece went to the end of the partner's hand; a promoted one as a pawn."""

    giver: Seat
    taker: Seat
    piece: str
    index: int
