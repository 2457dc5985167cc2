"""Declared boards: squares with edges as moves call them, and hexagons, each row half a cell over.

A star stands where one may play. Where cells are counted and not named, every free one has its
number in it.
"""

from typing import Final

from rich.cells import cell_len
from rich.text import Text

from rookery.cli.drawing.look import FAINT, HINT, DrawnCell, Look, lines, row_of, style_of
from rookery.cli.drawing.reading import ReadCell, hinted, letter, marked, piece_of, spots_of
from rookery.core.game import AnyView
from rookery.core.presentation import Grid, HexGrid, Showing, clicks_of

MANY: Final = 12  # free cells; where one may play on all of so many, stars would say nothing
FREE: Final = "."


def draw_grid(view: AnyView, look: Look, shown: Showing, board: Grid) -> Text:
    """The board, with brackets around the last move."""
    spots = spots_of(board, view)
    ends = {end for move in look.moves if (end := hinted(board, spots, move)) is not None}
    free = [spot for spot in spots if spot.says is None]
    if len(free) > MANY and set(free) <= ends:
        ends = set()
    last = marked(board, spots, look.newest)
    rows = _rows(spots, turned=board.turned and look.viewer is not None and look.viewer % 2 == 1)
    if "{slot" in board.names:
        return _ruled(rows, shown, board, last)
    tops = _labels(rows, board, clicks_of(board.click))
    wide = max(cell_len(text) for text in [*tops, *(_glyph(board, spot) for spot in spots), FREE])
    heading = Text(f"   {' '.join(['', *(f'{top:>{wide}}' for top in tops)])}", FAINT)
    drawn = [heading] if any(tops) else []
    for row in rows:
        cells = [
            _cell(spot, shown, board, wide, hint=spot in ends, last=spot in last) for spot in row
        ]
        side = _side(board, row, rows)
        drawn.append(Text.assemble((f"{side:>2} ", FAINT), row_of(cells), (side, FAINT)))
    return lines([*drawn, heading.copy()] if any(tops) else drawn)


def _rows(spots: tuple[ReadCell, ...], *, turned: bool) -> list[list[ReadCell]]:
    rows: dict[int, list[ReadCell]] = {}
    for spot in spots:
        rows.setdefault(spot.row, []).append(spot)
    found = list(rows.values())
    return [row[::-1] for row in found[::-1]] if turned else found


def _labels(rows: list[list[ReadCell]], board: Grid, clicks: tuple[str, ...]) -> list[str]:
    """The labels of the columns, as moves name them, else as cells do; empty where neither does."""
    pattern = next((one for one in (*clicks, board.names) if _says_column(one)), "")
    cols = [spot.col for spot in rows[0]] if rows else []
    if "{letter}" in pattern:
        return [letter(col) for col in cols]
    first = 1 if "{col1}" in pattern else 0
    return [str(col + first) if pattern else "" for col in cols]


def _says_column(pattern: str) -> bool:
    return any(word in pattern for word in ("{col}", "{col1}", "{letter}"))


def _side(board: Grid, row: list[ReadCell], rows: list[list[ReadCell]]) -> str:
    """The label of a row; empty where moves name columns alone."""
    if any(_says_column(one) for one in clicks_of(board.click)):
        return ""
    numbers = {"{row}": row[0].row, "{row1}": row[0].row + 1, "{rank}": len(rows) - row[0].row}
    return next((str(number) for word, number in numbers.items() if word in board.names), "")


def _glyph(board: Grid, spot: ReadCell) -> str:
    if spot.says is None:
        return FREE
    piece = piece_of(board, spot)
    return piece.glyph or spot.says if piece else spot.says


def _cell(
    spot: ReadCell, shown: Showing, board: Grid, wide: int, *, hint: bool, last: bool
) -> DrawnCell:
    piece = piece_of(board, spot)
    blank = " " * (wide - cell_len(_glyph(board, spot)))
    if spot.says is None:
        return DrawnCell(blank + "*", HINT) if hint else DrawnCell(blank + FREE, FAINT, last)
    style = style_of(shown, piece)
    return DrawnCell(blank + _glyph(board, spot), style, last, "*" if hint else " ")


def _ruled(
    rows: list[list[ReadCell]], shown: Showing, board: Grid, last: frozenset[ReadCell]
) -> Text:
    """Draw the cells with lines between them, and in each free cell its name."""
    wide = max(len(spot.name) for row in rows for spot in row)
    rule = Text("+".join("-" * (wide + 2) for _ in rows[0]), FAINT)
    drawn: list[Text] = []
    for n, row in enumerate(rows):
        if n:
            drawn.append(rule.copy())
        cells = []
        for spot in row:
            left, right = "[]" if spot in last else "  "
            free = spot.says is None
            text = spot.name if free else _glyph(board, spot)
            style = FAINT if free else style_of(shown, piece_of(board, spot))
            cells.append(Text.assemble(left, (f"{text:>{wide}}", style), right))
        drawn.append(Text("|", FAINT).join(cells))
    return lines(drawn)


def draw_hexes(view: AnyView, look: Look, shown: Showing, board: HexGrid) -> Text:
    """Draw every cell in its place, and before each row the name of its first cell."""
    spots = spots_of(board, view)
    ends = {end for move in look.moves if (end := hinted(board, spots, move)) is not None}
    if ends >= {spot for spot in spots if spot.says is None}:
        ends = set()  # everywhere: stars would say nothing
    last = marked(board, spots, look.newest)
    wide = max([cell_len(_hex_glyph(board, spot)) for spot in spots], default=1)
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
            line.append_text(
                _hex_cell(spot, shown, board, wide, hint=spot in ends, last=spot in last)
            )
        drawn.append(line)
    return lines(drawn)


def _hex_glyph(board: HexGrid, spot: ReadCell) -> str:
    piece = piece_of(board, spot)
    return (piece.glyph if piece else "") or spot.says or FREE


def _hex_cell(
    spot: ReadCell, shown: Showing, board: HexGrid, wide: int, *, hint: bool, last: bool
) -> Text:
    left, right = "[]" if last else (" ", "*" if hint and spot.says is not None else " ")
    glyph = _hex_glyph(board, spot)
    if spot.says is None:
        middle = Text("*" if hint else FREE, HINT if hint else FAINT)
    else:
        middle = Text(glyph, style_of(shown, piece_of(board, spot)))
    middle.pad_left(wide - cell_len(middle.plain))
    return Text.assemble(left, middle, right)
