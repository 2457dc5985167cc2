"""The colours that a game declares, as those of a terminal.

Black and white would be lost on one ground or the other: they are as the seat's name is.
"""

from collections.abc import Mapping
from typing import Final

from rookery.cli.drawing.look import SEAT_STYLES
from rookery.core.showing import Colour, Piece, Showing

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
    """How this piece is drawn."""
    if piece is None:
        return ""
    if piece.colour is not None and piece.colour in _STYLES:
        return _STYLES[piece.colour]
    return "bold" if piece.seat is None else seat_style(shown, piece.seat)


def seat_style(shown: Showing, seat: int) -> str:
    """How what belongs to this seat is drawn, and its name."""
    colour = shown.colours[seat] if seat < len(shown.colours) else None
    if colour is not None and colour in _STYLES:
        return _STYLES[colour]
    return SEAT_STYLES[seat % len(SEAT_STYLES)]
