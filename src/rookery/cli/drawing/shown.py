"""Any game's view, drawn as the game declares it: its board, who has how many, and its notes.

A view that declares nothing is its fields, a line each, and lists of lines as boards.
"""

from collections.abc import Sequence

from msgspec.structs import asdict
from rich.text import Text

from rookery.cli.drawing.grid import draw_grid, draw_hexes
from rookery.cli.drawing.heaps import draw_heaps
from rookery.cli.drawing.look import Look, seat_style
from rookery.cli.drawing.reading import field
from rookery.core.game import AnyView, View
from rookery.core.presentation import Grid, Heaps, HexGrid, Piece, Showing, TextBoard


def draw_plain(view: AnyView, fields: Sequence[str] = ()) -> Text:
    """Draw the view's fields as lines, in the order the game has them; or only these fields."""
    assert isinstance(view, View), "what a game shows is a view"
    told = asdict(view)
    wanted = [name for name in fields or told if name in told]
    return Text("\n".join(_field(name, told[name]) for name in wanted))


def row_text(value: object) -> str:
    """A value as one line of text."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(str, value))
    return "-" if value is None else str(value)


def _field(name: str, value: object) -> str:
    if isinstance(value, Sequence) and value and not isinstance(value, str):
        rows = [row_text(one) for one in value]
        if all(isinstance(one, str) or len(row) > 1 for one, row in zip(value, rows, strict=True)):
            return "\n".join([f"{name}:", *(f"  {row}" for row in rows)])
    return f"{name}: {row_text(value)}"


def draw_shown(view: AnyView, look: Look, shown: Showing, seats: Sequence[str]) -> Text:
    """Draw the position; `seats` are the names that the rules give the seats."""
    match shown.board:
        case Grid() as board:
            drawn = draw_grid(view, look, shown, board)
        case HexGrid() as board:
            drawn = draw_hexes(view, look, shown, board)
        case Heaps() as board:
            drawn = draw_heaps(view, shown, board, seats)
        case TextBoard(fields=fields):
            drawn = draw_plain(view, fields)
    if shown.scores and not isinstance(shown.board, TextBoard):
        drawn.append("\n").append_text(_scores(view, shown, seats))
    for words, name in shown.notes.items():
        drawn.append(f"\n{words}: {row_text(field(view, name))}")
    return drawn


def _scores(view: AnyView, shown: Showing, seats: Sequence[str]) -> Text:
    """The line of scores: `X black 4   O white 1`."""
    found = field(view, shown.scores)
    numbers = found if isinstance(found, Sequence) else ()
    said = []
    for seat, (name, number) in enumerate(zip(seats, numbers, strict=False)):
        glyph = (_glyph(shown, seat), seat_style(shown, seat))
        said.append(Text.assemble(glyph, f" {name} {number}"))
    return Text("    ").append_text(Text("   ").join(said))


def _glyph(shown: Showing, seat: int) -> str:
    """The first piece of a seat."""
    if isinstance(shown.board, TextBoard | Heaps):
        return ""
    pieces = shown.board.pieces.items()
    own = (
        said for said, one in pieces if one == seat or (isinstance(one, Piece) and one.seat == seat)
    )
    return next(own, "")
