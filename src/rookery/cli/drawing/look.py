"""What to point out in a drawing, and the pieces that several drawings are made of."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.text import Text

from rookery.core.ids import Seat

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
