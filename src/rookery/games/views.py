"""Every game's view, and every game's effects, as one type each: what JSON is read as.

The tag in a view or an effect says whose it is. A new game adds its own here.
"""

from typing import TypeAlias

from rookery.games.bughouse import BughouseView, Castled, Dropped, EnPassant, Handed, Promoted
from rookery.games.fish import FishView, Removed, Scored, Skipped
from rookery.games.guess import Answered, GuessView
from rookery.games.nim import NimView
from rookery.games.reversi import Flipped, Passed, ReversiView
from rookery.games.tictactoe import TictactoeView

AnyView: TypeAlias = BughouseView | FishView | GuessView | NimView | ReversiView | TictactoeView

AnyEffect: TypeAlias = (
    Answered
    | Castled
    | Dropped
    | EnPassant
    | Flipped
    | Handed
    | Passed
    | Promoted
    | Removed
    | Scored
    | Skipped
)
