"""A cache of what rules have said and would say again: which move a text is, and whose turn it is.

Rules are pure: a text always means the same move, and a set of seats that was valid once stays
valid. Asking again costs a twentieth of deciding a move, in a game with a long notation more.
The keys are identities, so only the very same game, or the very same set, is answered from
here. Both caches mutate, and are bounded.
"""

from typing import Any, Final

from msgspec import Struct

from rookery.core.ids import Seat
from rookery.games import AnyGame
from rookery.hall.tables.telling.news import in_order

TEXTS_KEPT: Final = 4_096  # all that there are on some boards; then all are forgotten
ACTS_KEPT: Final = 256  # games mostly have one a seat, but they may make a new one each time


class Reading(Struct, frozen=True, gc=False):
    """A move that a game reads from a text, and writes as the same text."""

    game: AnyGame  # which is kept, so that nothing else can have its identity
    move: Any  # Any: only the game can read it


class MoveCache:
    """Moves that were read before; `known` is keyed by the game's identity and the text."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, str], Reading] = {}

    def read(self, game: AnyGame, text: str) -> Reading | None:
        """Read the move of this text and remember it; None where the game writes it otherwise.

        The referee then checks whether the game can read its own writing. Raises as the rules do.
        """
        move = game.parse_move(text)
        if game.format_move(move) != text:
            return None
        reading = Reading(game, move)
        try:
            hash(move)
        except TypeError:
            return reading  # a move that can be changed is not kept
        if len(self.known) >= TEXTS_KEPT:
            self.known.clear()
        self.known[id(game), text] = reading
        return reading


class Acting(Struct, frozen=True, gc=False):
    """The seats whose turn it is, as a game said it: at least one, and all of them can be seats."""

    acts: frozenset[Seat]  # which is kept, as the game is above
    listed: tuple[Seat, ...]  # the lowest first
    seats: int  # that a table must have for it


class ToActCache:
    """Sets of seats that were checked before; `known` is keyed by their identity."""

    def __init__(self) -> None:
        self.known: dict[int, Acting] = {}

    def look_at(self, acts: frozenset[Seat]) -> Acting | None:
        """Check the seats a game says are to act; None if they are none, or cannot be seats."""
        if type(acts) is not frozenset or not acts:
            return None
        if not all(type(seat) is int and seat >= 0 for seat in acts):
            return None
        if len(self.known) >= ACTS_KEPT:
            self.known.clear()
        acting = self.known[id(acts)] = Acting(acts, in_order(acts), max(acts) + 1)
        return acting
