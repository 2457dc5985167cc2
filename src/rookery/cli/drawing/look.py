"""What to point out in a drawing, and the pieces and colours that several drawings are made of.

Black and white would be lost on a dark or a light ground: they get the style of their seat.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from rich.text import Text

from rookery.core.ids import Seat
from rookery.core.presentation import Colour, Piece, Showing

SEAT_STYLES: Final = ("bold cyan", "bold yellow", "bold magenta", "bold green")  # by seat
FAINT: Final = "dim"  # coordinates, and what is not there
HINT: Final = "green"  # where one may play


class Look(Struct, frozen=True):
    """What to point out in a drawing: the viewer's seat and moves, and each seat's last move."""

    viewer: Seat | None = None
    moves: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    unicode: bool = False  # whether chess pieces are drawn as figures
    names: tuple[str, ...] = ()  # of the players, by seat, where they are known

    @property
    def newest(self) -> str:
        """The last move of all; empty before the first."""
        return self.last[-1] if self.last else ""


class DrawnCell(Struct, frozen=True):
    """One square: a character, and whether the last move was here; `tail` goes behind it."""

    mark: str
    style: str = ""
    framed: bool = False
    tail: str = " "


def row_of(cells: Sequence[DrawnCell]) -> Text:
    """Squares side by side, those of the last move in brackets: ` . X[O]. `."""
    row = Text()
    before = DrawnCell("")
    for cell in cells:
        row.append(_between(before, cell))
        row.append(cell.mark, cell.style)
        before = cell
    return row.append(_between(before, DrawnCell("")))


def lines(rows: Sequence[Text]) -> Text:
    """Rows one below the other, without blanks at their ends."""
    for row in rows:
        row.rstrip()
    return Text("\n").join(rows)


def _between(before: DrawnCell, after: DrawnCell) -> str:
    if before.framed and after.framed:
        return "|"
    return "]" if before.framed else "[" if after.framed else before.tail


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
