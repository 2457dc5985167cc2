"""Boards for a terminal: what a viewer sees of a game, as text with colours.

One file a game and one `case` below, and `plain` for all others: a drawing is a pure function
from a view, and what to point out in it, to a `rich` text. Colours only repeat what the
characters say, so the same drawing serves a terminal, a pipe and somebody who cannot tell red
from green.
"""

from rich.text import Text

from rookery.cli.drawing.bughouse import draw_bughouse
from rookery.cli.drawing.fish import draw_fish
from rookery.cli.drawing.guess import draw_guess
from rookery.cli.drawing.look import Look
from rookery.cli.drawing.nim import draw_nim
from rookery.cli.drawing.plain import draw_plain
from rookery.cli.drawing.reversi import draw_reversi
from rookery.cli.drawing.tictactoe import draw_tictactoe
from rookery.core.game import AnyView
from rookery.games.bughouse import BughouseView
from rookery.games.fish import FishView
from rookery.games.guess import GuessView
from rookery.games.nim import NimView
from rookery.games.reversi import ReversiView
from rookery.games.tictactoe import TictactoeView

__all__ = ["Look", "draw"]


def draw(view: AnyView, look: Look) -> Text:
    """The position, without a line end behind it."""
    match view:
        case BughouseView():
            return draw_bughouse(view, look)
        case FishView():
            return draw_fish(view, look)
        case GuessView():
            return draw_guess(view)
        case NimView():
            return draw_nim(view, look)
        case ReversiView():
            return draw_reversi(view, look)
        case TictactoeView():
            return draw_tictactoe(view, look)
        case _:
            return draw_plain(view)
