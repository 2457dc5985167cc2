"""Reversi: X is black, O is white, and a star is where one may play."""

from rich.text import Text

from rookery.cli.drawing.look import FAINT, HINT, SEAT_STYLES, Cell, Look, lines, row_of
from rookery.games.reversi import ReversiView


def draw_reversi(view: ReversiView, look: Look) -> Text:
    """Columns by letter, rows by number from the top, and how many discs each side has."""
    letters = [chr(ord("a") + col) for col in range(view.size)]
    heading = Text(f"   {' '.join(['', *letters])}", FAINT)
    drawn = [heading]
    for n, row in enumerate(view.rows, 1):
        cells = [_cell(mark, f"{letters[col]}{n}", look) for col, mark in enumerate(row)]
        drawn.append(Text.assemble((f"{n:>2} ", FAINT), row_of(cells), (f"{n}", FAINT)))
    drawn += [heading.copy(), _count(view)]
    return lines(drawn)


def _cell(mark: str, square: str, look: Look) -> Cell:
    if mark == "X":
        return Cell(mark, SEAT_STYLES[0], look.newest == square)
    if mark == "O":
        return Cell(mark, SEAT_STYLES[1], look.newest == square)
    return Cell("*", HINT) if square in look.moves else Cell(mark, FAINT)


def _count(view: ReversiView) -> Text:
    black, white = view.discs
    return Text.assemble(
        "    ",
        ("X", SEAT_STYLES[0]),
        f" black {black}   ",
        ("O", SEAT_STYLES[1]),
        f" white {white}",
    )
