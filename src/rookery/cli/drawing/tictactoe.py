"""Tic-tac-toe: nine slots, the free ones with the number that is their move."""

from rich.text import Text

from rookery.cli.drawing.look import FAINT, SEAT_STYLES, Look, lines
from rookery.games.tictactoe import EMPTY, MARKS, TictactoeView


def draw_tictactoe(view: TictactoeView, look: Look) -> Text:
    """Three rows with rules between them."""
    drawn: list[Text] = []
    for n, row in enumerate(view.rows):
        if n:
            drawn.append(Text("---+---+---", FAINT))
        cells = [_cell(mark, str(3 * n + k), look) for k, mark in enumerate(row)]
        drawn.append(Text("|", FAINT).join(cells))
    return lines(drawn)


def _cell(mark: str, slot: str, look: Look) -> Text:
    if mark == EMPTY:
        return Text(f" {slot} ", FAINT)
    left, right = "[]" if look.newest == slot else "  "
    return Text.assemble(left, (mark, SEAT_STYLES[MARKS.find(mark)]), right)
