"""Nim: a line a row, what was taken last, and what the last stick is worth."""

from rich.text import Text

from rookery.cli.drawing.heaps import strokes
from rookery.cli.drawing.look import FAINT, Look, lines
from rookery.core.errors import BadNotation
from rookery.games.nim import Nim, NimView


def draw_nim(view: NimView, look: Look) -> Text:
    """A line a row, and what the last stick is worth."""
    row, taken = _last(look.newest)
    width = max(len(strokes(has)) for has in view.rows)
    drawn = []
    for n, has in enumerate(view.rows):
        line = Text.assemble((f"row {n:>2}  ", FAINT), f"{strokes(has):<{width}}  ")
        line.append(f"{has:>4}", "bold" if has else FAINT)
        if n == row:
            line.append(f"   {taken} taken", FAINT)
        drawn.append(line)
    ends = "loses" if view.misere else "wins"
    drawn.append(Text(f"Whoever takes the last stick {ends}.", FAINT))
    return lines(drawn)


def _last(move: str) -> tuple[int, int]:
    try:
        take = Nim().parse_move(move)
    except BadNotation:
        return -1, 0  # nobody has moved yet
    return take.row, take.take
