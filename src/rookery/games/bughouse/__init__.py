"""Bughouse: chess on two boards by two teams of two, where what you capture your partner drops.

`seats` says who sits where, `notation` how moves are written, `board` what one board is,
`rules` what a move does to it, `quick` the same of an ordinary one, `game` how two boards
make one game; `fen` writes positions down and `perft` counts them.
"""

from rookery.games.bughouse.effects import Castled, Dropped, EnPassant, Handed, Promoted
from rookery.games.bughouse.game import Bughouse, BughouseView, State
from rookery.games.bughouse.notation import Drop, Go, Move
from rookery.games.bughouse.perft import board_perft
from rookery.games.bughouse.rules import board_of, is_white, partner, seat_on

__all__ = [
    "Bughouse",
    "BughouseView",
    "Castled",
    "Drop",
    "Dropped",
    "EnPassant",
    "Go",
    "Handed",
    "Move",
    "Promoted",
    "State",
    "board_of",
    "board_perft",
    "is_white",
    "partner",
    "seat_on",
]
