"""What a plug-in imports: the words of a game, and nothing else of the house.

A game needs this module alone; `rookery.sdk.bots`, `rookery.sdk.dialects` and
`rookery.sdk.formats` have the words of the others. What stands here keeps its name and its
meaning as `docs/plugins.md` says; everything else in the house may change any day.
"""

from typing import Final

from rookery.core.chance import Chance
from rookery.core.errors import (
    GAME_OVER,
    NOT_YOUR_TURN,
    BadNotation,
    BadOption,
    BadPosition,
    IllegalMove,
    Mistake,
    game_over,
    not_your_turn,
)
from rookery.core.game import (
    OVER,
    Aside,
    Effect,
    Evaluating,
    Forfeit,
    Forfeited,
    Game,
    Imagining,
    Opening,
    Outcome,
    Positioned,
    Step,
    View,
    cap,
    draw,
    other,
    win,
)
from rookery.core.ids import NOBODY, Micros, Seat, alone
from rookery.core.options import check_flag, check_whole, check_wholes, parse_integer
from rookery.core.presentation import (
    Grid,
    Heaps,
    HexGrid,
    Lesson,
    Piece,
    Pile,
    Showing,
    Teaching,
    TextBoard,
)

VERSION: Final = "1.5"  # what a plug-in may ask for: the first number is raised when a word goes

__all__ = [
    "GAME_OVER",
    "NOBODY",
    "NOT_YOUR_TURN",
    "OVER",
    "VERSION",
    "Aside",
    "BadNotation",
    "BadOption",
    "BadPosition",
    "Chance",
    "Effect",
    "Evaluating",
    "Forfeit",
    "Forfeited",
    "Game",
    "Grid",
    "Heaps",
    "HexGrid",
    "IllegalMove",
    "Imagining",
    "Lesson",
    "Micros",
    "Mistake",
    "Opening",
    "Outcome",
    "Piece",
    "Pile",
    "Positioned",
    "Seat",
    "Showing",
    "Step",
    "Teaching",
    "TextBoard",
    "View",
    "alone",
    "cap",
    "check_flag",
    "check_whole",
    "check_wholes",
    "draw",
    "game_over",
    "not_your_turn",
    "other",
    "parse_integer",
    "win",
]
