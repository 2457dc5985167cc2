"""Heaps: a line each, with as many strokes as lie in it, or cards by their names."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from rookery.cli.drawing.look import FAINT, lines, style_of
from rookery.cli.drawing.reading import field, text_of
from rookery.core.game import AnyView
from rookery.core.presentation import Heaps, Piece, Pile, Showing

DRAWN: Final = 40  # things of a heap; who has more counts on the number
BUNDLE: Final = 5  # without a gap: more cannot be counted at a glance


def draw_heaps(view: AnyView, shown: Showing, board: Heaps, seats: Sequence[str]) -> Text:
    """Draw a line for each heap: its label, what lies in it, and how many."""
    heaps = [
        (pile, label_of(pile, n, many=len(found) > 1, seats=seats), heap)
        for pile in board.piles
        for found in [heaps_of(field(view, pile.cells))]
        for n, heap in enumerate(found)
    ]
    margin = max([len(label) for _, label, _ in heaps], default=0)
    counted = [strokes(heap) for _, _, heap in heaps if isinstance(heap, int)]
    width = max(map(len, counted), default=0)
    drawn = []
    for pile, label, heap in heaps:
        line = Text(f"{label:<{margin}}  ", FAINT)
        if isinstance(heap, int):
            line.append(f"{strokes(heap):<{width}}  ").append(
                f"{heap:>4}", "bold" if heap else FAINT
            )
        else:
            line.append_text(
                Text(" ").join([_card(shown, pile, one) for one in heap] or [Text("-")])
            )
        drawn.append(line)
    return lines(drawn)


def heaps_of(found: object) -> list[int | list[str]]:
    """A field as heaps: numbers, or lists of what lies there."""
    match found:
        case int():
            return [found]
        case str():
            return [[found]] if found else [[]]
        case Sequence() if found and all(isinstance(one, int) for one in found):
            return list(found)
        case Sequence() if found and all(_is_heap(one) for one in found):
            return [one if isinstance(one, int) else [text_of(x) for x in one] for one in found]
        case Sequence():
            return [[text_of(one) for one in found]]
        case _:
            return []


def label_of(pile: Pile, n: int, *, many: bool, seats: Sequence[str]) -> str:
    """The label of a heap; its number goes behind, where the label has no place for it."""
    words = {"{row}": str(n), "{row1}": str(n + 1), "{seat}": seats[n] if n < len(seats) else ""}
    label = pile.label or pile.cells
    if many and not any(word in label for word in words):
        label += " {row}"
    for word, said in words.items():
        label = label.replace(word, said)
    return label


def strokes(has: int) -> str:
    """This many strokes, in bundles; `...` for those that are too many to draw."""
    shown = min(has, DRAWN)
    bundles = ["|" * min(BUNDLE, shown - at) for at in range(0, shown, BUNDLE)]
    return " ".join([*bundles, "..."] if has > DRAWN else bundles) or "-"


def _is_heap(one: object) -> bool:
    return isinstance(one, int) or (isinstance(one, Sequence) and not isinstance(one, str))


def _card(shown: Showing, pile: Pile, name: str) -> Text:
    piece = pile.pieces.get(name)
    piece = Piece(piece) if isinstance(piece, int) else piece
    return Text.assemble("[", ((piece.glyph if piece else "") or name, style_of(shown, piece)), "]")
