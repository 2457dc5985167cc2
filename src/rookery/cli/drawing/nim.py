"""Nim: a stick is a stroke, and every row says how many it has."""

from typing import Final

from rich.text import Text

from rookery.cli.drawing.look import FAINT, Look, lines
from rookery.core.errors import BadNotation
from rookery.games.nim import Nim, NimView

DRAWN: Final = 40  # sticks of a row; who has more counts on the number
BUNDLE: Final = 5  # sticks without a gap: more cannot be counted at a glance


def draw_nim(view: NimView, look: Look) -> Text:
    """A line a row, and what the last stick is worth."""
    row, taken = _last(look.newest)
    width = max(len(_sticks(has)) for has in view.rows)
    drawn = []
    for n, has in enumerate(view.rows):
        line = Text.assemble((f"row {n:>2}  ", FAINT), f"{_sticks(has):<{width}}  ")
        line.append(f"{has:>4}", "bold" if has else FAINT)
        if n == row:
            line.append(f"   {taken} taken", FAINT)
        drawn.append(line)
    ends = "loses" if view.misere else "wins"
    drawn.append(Text(f"Whoever takes the last stick {ends}.", FAINT))
    return lines(drawn)


def _sticks(has: int) -> str:
    shown = min(has, DRAWN)
    bundles = ["|" * min(BUNDLE, shown - at) for at in range(0, shown, BUNDLE)]
    return " ".join([*bundles, "..."] if has > DRAWN else bundles) or "-"


def _last(move: str) -> tuple[int, int]:
    try:
        take = Nim().parse_move(move)
    except BadNotation:
        return -1, 0  # nobody has moved yet
    return take.row, take.take
