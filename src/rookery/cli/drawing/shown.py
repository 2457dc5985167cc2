"""Any game's view, drawn as the game declares it: its board, who has how many, and its notes."""

from collections.abc import Sequence

from rich.text import Text

from rookery.cli.drawing.colours import seat_style
from rookery.cli.drawing.grid import draw_grid
from rookery.cli.drawing.heaps import draw_heaps
from rookery.cli.drawing.hexes import draw_hexes
from rookery.cli.drawing.look import Look
from rookery.cli.drawing.plain import draw_plain, row_text
from rookery.cli.drawing.reading import field
from rookery.core.game import AnyView
from rookery.core.presentation import Grid, Heaps, HexGrid, Piece, Showing, TextBoard


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
