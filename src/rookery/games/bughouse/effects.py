"""What a bughouse move does beside what its text says, in the order it happens.

These are enough to draw both boards and all hands without knowing the rules. Boards
are 1 and 2, squares are names like `e4`, pieces are letters from `PNBRQ`.
"""

from collections.abc import Callable
from typing import Final

from rookery.core.game import Effect
from rookery.core.ids import Seat

_PIECES: Final = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen"}


class Castled(Effect, frozen=True, tag="castled"):
    """The king's move took the rook along."""

    board: int
    rook_start: str
    rook_end: str

    def words(self, who: Callable[[Seat], str]) -> str:
        """The word `castling`, because the move alone looks like a king's."""
        return "castling"


class EnPassant(Effect, frozen=True, tag="en_passant"):
    """The pawn that was captured stood here, not where the capturing pawn went."""

    board: int
    victim: str

    def words(self, who: Callable[[Seat], str]) -> str:
        """The capture as chess calls it."""
        return "en passant"


class Promoted(Effect, frozen=True, tag="promoted"):
    """The pawn that came to this square is this piece now.

    `held` is how many pieces the seat has in hand, which a promotion does not change:
    a wire language without promotions passes the new piece through that place.
    """

    board: int
    at: str
    piece: str
    held: int

    def words(self, who: Callable[[Seat], str]) -> str:
        """Says which piece the pawn becomes."""
        return f"the pawn becomes a {_PIECES.get(self.piece, self.piece)}"


class Dropped(Effect, frozen=True, tag="dropped"):
    """This seat took the piece at this index out of its hand; later ones move up by one."""

    seat: Seat
    index: int


class Handed(Effect, frozen=True, tag="handed"):
    """The captured piece went to the end of the partner's hand; a promoted one as a pawn."""

    giver: Seat
    taker: Seat
    piece: str
    index: int

    def words(self, who: Callable[[Seat], str]) -> str:
        """Says which player gets the captured piece."""
        return f"{who(self.taker)} gets a {_PIECES.get(self.piece, self.piece)}"
