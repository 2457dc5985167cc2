"""The colours that a game declares, as styles of a terminal.

Black and white would be lost on a dark or a light ground: they get the style of their seat.
"""

from collections.abc import Mapping
from typing import Final

from rookery.cli.drawing.look import SEAT_STYLES
from rookery.core.presentation import Colour, Piece, Showing

_STYLES: Final[Mapping[Colour, str]] = {
    "red": "bold red",
    "blue": "bold blue",
    "yellow": "bold yellow",
    "green": "bold green",
    "orange": "bold bright_red",
    "purple": "bold magenta",
    "brown": "yellow",
    "grey": "bright_black",
}


def style_of(shown: Showing, piece: Piece | None) -> str:
    """The style in which a piece is drawn."""
    if piece is None:
        return ""
    if piece.colour is not None and piece.colour in _STYLES:
        return _STYLES[piece.colour]
    return "bold" if piece.seat is None else seat_style(shown, piece.seat)


def seat_style(shown: Showing, seat: int) -> str:
    """The style in which a seat's pieces and its name are drawn."""
    colour = shown.colours[seat] if seat < len(shown.colours) else None
    if colour is not None and colour in _STYLES:
        return _STYLES[colour]
    return SEAT_STYLES[seat % len(SEAT_STYLES)]
