"""Boards for a terminal: what a viewer sees of a game, as text with colours.

A game is drawn as it declares itself; the few whose drawing says more have a file here and a
`case` below. A drawing is a pure function from a view, and what to point out in it, to a
`rich` text. Colours only repeat what the characters say, so the same drawing serves a
terminal, a pipe and somebody who cannot tell red from green.
"""

from rich.text import Text

from rookery.cli.drawing.bughouse import draw_bughouse, meant, noted, told
from rookery.cli.drawing.fish import draw_fish
from rookery.cli.drawing.guess import draw_guess
from rookery.cli.drawing.look import Look
from rookery.cli.drawing.nim import draw_nim
from rookery.cli.drawing.shown import draw_plain, draw_shown
from rookery.core.game import AnyView
from rookery.core.ids import Seat
from rookery.core.presentation import shown_of
from rookery.games import GAMES, AnyGame, view_type
from rookery.games.bughouse import BughouseView
from rookery.games.fish import FishView
from rookery.games.guess import GuessView
from rookery.games.nim import NimView

__all__ = ["Look", "draw", "meant", "noted", "told"]


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
        case _:
            return _declared(view, look)


def _declared(view: AnyView, look: Look) -> Text:
    kind = next((kind for kind in GAMES.values() if view_type(kind) is type(view)), None)
    if kind is None:
        return draw_plain(view)
    game: AnyGame = kind()
    seats = [game.seat_name(Seat(n)) for n in range(game.seat_counts[-1])]
    return draw_shown(view, look, shown_of(kind), seats)
