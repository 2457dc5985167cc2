"""What a move of reversi does beside placing a disc."""

from collections.abc import Callable
from typing import ClassVar

from rookery.core.game import Effect
from rookery.core.ids import Seat


class Flipped(Effect, frozen=True, tag="flipped"):
    """The disc on this square changed sides."""

    many: ClassVar = "{} discs turn over"

    col: int
    row: int

    def words(self, who: Callable[[Seat], str]) -> str:
        """The words for a single disc; `many` has those for several."""
        return "1 disc turns over"


class Passed(Effect, frozen=True, tag="passed"):
    """This seat had no move, and was passed over."""

    seat: Seat

    def words(self, who: Callable[[Seat], str]) -> str:
        """Says which player is passed over."""
        return f"{who(self.seat)} cannot move and is passed over"
