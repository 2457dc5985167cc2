"""A declared board of hexagons: rows that lie half a cell between each other."""

from rich.cells import cell_len
from rich.text import Text

from rookery.cli.drawing.look import FAINT, HINT, Look, lines, style_of
from rookery.cli.drawing.reading import ReadCell, hinted, marked, piece_of, spots_of
from rookery.core.game import AnyView
from rookery.core.presentation import HexGrid, Showing

FREE = "."


def draw_hexes(view: AnyView, look: Look, shown: Showing, board: HexGrid) -> Text:
    """Draw every cell in its place, and before each row the name of its first cell."""
    spots = spots_of(board, view)
    ends = {end for move in look.moves if (end := hinted(board, spots, move)) is not None}
    if ends >= {spot for spot in spots if spot.says is None}:
        ends = set()  # everywhere: stars would say nothing
    last = marked(board, spots, look.newest)
    wide = max([cell_len(_glyph(board, spot)) for spot in spots], default=1)
    half = (wide + 4) // 2  # columns for half a cell, with brackets and a gap
    rows: dict[int, list[ReadCell]] = {}
    for spot in spots:
        rows.setdefault(spot.row, []).append(spot)
    margin = max([len(row[0].name) for row in rows.values()], default=0)
    drawn = []
    for row in rows.values():
        line = Text(f"{row[0].name:>{margin}} ", FAINT)
        for spot in row:
            line.append(" " * (margin + 1 + half * spot.x - cell_len(line.plain)))
            line.append_text(_cell(spot, shown, board, wide, hint=spot in ends, last=spot in last))
        drawn.append(line)
    return lines(drawn)


def _glyph(board: HexGrid, spot: ReadCell) -> str:
    piece = piece_of(board, spot)
    return (piece.glyph if piece else "") or spot.says or FREE


def _cell(
    spot: ReadCell, shown: Showing, board: HexGrid, wide: int, *, hint: bool, last: bool
) -> Text:
    left, right = "[]" if last else (" ", "*" if hint and spot.says is not None else " ")
    glyph = _glyph(board, spot)
    if spot.says is None:
        middle = Text("*" if hint else FREE, HINT if hint else FAINT)
    else:
        middle = Text(glyph, style_of(shown, piece_of(board, spot)))
    middle.pad_left(wide - cell_len(middle.plain))
    return Text.assemble(left, middle, right)
