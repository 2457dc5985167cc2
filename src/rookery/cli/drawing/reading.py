"""What a declared board finds in a view: cells with names, and the cells of a move.

The page does the same in `web/src/boards/reading.ts`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from rookery.core.game import AnyView
from rookery.core.presentation import BLANK, Grid, HexGrid, Piece, clicks_of

_WORD: Final = re.compile(r"\{(\w+)\}")
_PARTS: Final = ("cell", "from", "to")  # of a move's pattern, that are cells


class ReadCell(Struct, frozen=True):
    """A cell of a board: its place, its name, and its text, `None` where it is empty.

    `x` counts halves of cells, so that rows of hexagons can lie between each other.
    """

    row: int
    col: int
    x: int
    name: str
    says: str | None


def field(view: AnyView, name: str) -> object:
    """A field of a view; None where it has none of that name."""
    return getattr(view, name, None)


def text_of(value: object) -> str:
    """The text of a cell's value, or of a part of a note."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)


def spots_of(board: Grid | HexGrid, view: AnyView) -> tuple[ReadCell, ...]:
    """The cells that there are, row by row."""
    found = field(view, board.cells)
    if isinstance(found, Mapping):
        return _mapped(board, {str(name): value for name, value in found.items()})
    rows = _rows(board, view, found)
    spots = []
    for row, values in enumerate(rows):
        for col, value in enumerate(values):
            if isinstance(board, HexGrid) and (value is None or value == " "):
                continue  # there is no cell
            name = _name(board.names, _words(row, col, len(rows), len(values)))
            x = _lean(board, row, len(values)) + 2 * col
            spots.append(ReadCell(row, col, x, name, _said(board, value)))
    return _shifted(spots)


def hinted(board: Grid | HexGrid, spots: Sequence[ReadCell], move: str) -> ReadCell | None:
    """The cell where a move would end; of one that says a column alone, where things fall to."""
    cells, column = _touched(board, spots, move)
    if not column:
        return cells[-1] if cells else None
    free: ReadCell | None = None
    for spot in cells:
        if spot.says is not None:
            break
        free = spot
    return free


def marked(board: Grid | HexGrid, spots: Sequence[ReadCell], move: str) -> frozenset[ReadCell]:
    """The cells of a move that was made; of a column, what lies on top."""
    cells, column = _touched(board, spots, move)
    if column:
        return frozenset([spot for spot in cells if spot.says is not None][:1])
    return frozenset(cells)


def piece_of(board: Grid | HexGrid, spot: ReadCell) -> Piece | None:
    """The declared piece that stands in a cell."""
    piece = None if spot.says is None else board.pieces.get(spot.says)
    return Piece(piece) if isinstance(piece, int) else piece


def letter(col: int) -> str:
    """Columns as letters: a to z, then aa."""
    return (letter(col // 26 - 1) if col >= 26 else "") + chr(ord("a") + col % 26)


def _touched(
    board: Grid | HexGrid, spots: Sequence[ReadCell], move: str
) -> tuple[tuple[ReadCell, ...], bool]:
    """The cells that a move names, or its column's from above; and whether it is a column."""
    named = {spot.name: spot for spot in spots}
    for pattern in clicks_of(board.click):
        words = _WORD.findall(pattern)
        cells = [word for word in words if word in _PARTS]
        split = _split(pattern, named, move)
        if split is None or not words:
            continue
        if cells:
            return tuple(named[split[word]] for word in cells), False
        if "col" in split or "col1" in split or "letter" in split:
            col = _place(split, 1)
            return tuple(spot for spot in spots if spot.col == col), True
    return (), False


def _rows(board: Grid | HexGrid, view: AnyView, found: object) -> list[Sequence[object]]:
    if not isinstance(found, Sequence):
        return []
    cols = _size(view, board.cols) if isinstance(board, Grid) else None
    if not isinstance(found, str) and all(_is_row(one, cols) for one in found):
        return list(found)
    cols = cols or len(found)
    return [found[at : at + cols] for at in range(0, len(found), max(1, cols))]


def _is_row(one: object, cols: int | None) -> bool:
    return isinstance(one, Sequence) and (cols is None or len(one) == cols)


def _size(view: AnyView, size: int | str | None) -> int | None:
    """A declared size: the number itself, or the view's field of this name; None: neither."""
    found = field(view, size) if isinstance(size, str) else size
    return found if isinstance(found, int) else None


def _said(board: Grid | HexGrid, value: object) -> str | None:
    said = text_of(value)
    return None if said in BLANK and said not in board.pieces else said


def _words(row: int, col: int, rows: int, cols: int) -> dict[str, str]:
    numbers = {
        "row": row,
        "col": col,
        "row1": row + 1,
        "col1": col + 1,
        "slot": row * cols + col,
        "slot1": row * cols + col + 1,
        "rank": rows - row,
    }
    return {"letter": letter(col)} | {word: str(number) for word, number in numbers.items()}


def _name(pattern: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda found: words.get(found[1], ""), pattern)


def _lean(board: Grid | HexGrid, row: int, cols: int) -> int:
    """How many halves of a cell a row begins further right."""
    match board:
        case HexGrid(lean="odd"):
            return row % 2
        case HexGrid(lean="even"):
            return 1 - row % 2
        case HexGrid(lean="right"):
            return row
        case HexGrid(lean="left"):
            return -row
        case HexGrid(lean="centre"):
            return -cols
        case _:
            return 0


def _mapped(board: Grid | HexGrid, found: Mapping[str, object]) -> tuple[ReadCell, ...]:
    """The cells of a board that is a map by name; each name tells the place of its cell."""
    spots = []
    for name, value in found.items():
        split = _split(board.names, (), name)
        if split is None:
            continue
        row, col = _place(split, 0), _place(split, 1)
        axial = "q" in split
        x = 2 * col + (row if axial else _lean(board, row, 0))
        spots.append(ReadCell(row, col, x, name, _said(board, value)))
    return _shifted(sorted(spots, key=lambda spot: (spot.row, spot.x)))


def _place(split: Mapping[str, str], axis: int) -> int:
    """The row, or the column, that these words of a name mean."""
    if axis == 0 and "rank" in split:
        return -int(split["rank"])
    if axis == 1 and "letter" in split:
        number = 0
        for one in split["letter"]:
            number = 26 * number + ord(one.lower()) - ord("a") + 1
        return number - 1
    words = (("row", "row1", "r"), ("col", "col1", "q"))[axis]
    return next((int(split[word]) - word.endswith("1") for word in words if word in split), 0)


def _shifted(spots: Sequence[ReadCell]) -> tuple[ReadCell, ...]:
    """The cells moved together so that they begin at the top left."""
    left = min((spot.x for spot in spots), default=0)
    top = min((spot.row for spot in spots), default=0)
    return tuple(
        ReadCell(spot.row - top, spot.col, spot.x - left, spot.name, spot.says) for spot in spots
    )


def _split(pattern: str, cells: Iterable[str], text: str) -> dict[str, str] | None:
    """The text for each word of a pattern, or None; more may follow, as a promotion does."""
    cell = "|".join(sorted(map(re.escape, cells), key=len, reverse=True))
    regex, words = "", []
    for n, part in enumerate(_WORD.split(pattern)):
        if n % 2 == 0:
            regex += re.escape(part)
            continue
        words.append(part)
        regex += f"({cell})" if part in _PARTS else "([a-z]+)" if part == "letter" else r"(-?\d+)"
    found = re.match(rf"{regex}(?!\d)", text)
    return None if found is None else dict(zip(words, found.groups(), strict=True))
