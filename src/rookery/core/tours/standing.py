"""Where everybody stands: the rows of a tour's table, and a player's rating.

Both are worked out from results and never decided, so a row may be told to anybody, and
what a rating was worth is found again from the matches that made it.
"""

from msgspec import Struct


class Rating(Struct, frozen=True):
    """How strong a player seems to be: a mean, and how sure that is."""

    mu: float
    sigma: float


class Row(Struct, frozen=True, omit_defaults=True):
    """One entrant of a tour, and how it did in the matches that have come out."""

    place: int  # from 1; equals share it
    entrant: int
    name: str
    points: float
    played: int  # wins, draws and losses, those without a game among them; byes are not
    wins: int  # first, and somebody was not
    draws: int  # first, and so was everybody
    losses: int  # anything else, though it may have brought points where more than two played
    byes: int
    forfeits: int  # matches it lost without being beaten
    ties: tuple[float, ...]  # what each of the plan's tie-breaks says, in the plan's order
    out: str = ""  # why it is in the tour no more
    rating: float | None = None  # as it is shown to people
    uncertainty: float | None = None  # of the rating, in the same unit
    paused: bool = False  # whether it has been away for longer than the plan allows
