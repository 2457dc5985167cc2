"""How a game is shown and spoken of: what it declares for people, beside its rules.

A game's class may have `shown: ClassVar[Showing]`. Terminal, API and page draw every game by
it and name none; where a game declares nothing, `shown_of` does: its view as text, and its
moves to choose from. Nothing here changes what is played or logged.

A board says which field of the *view* it draws. Names of cells and texts of moves are
patterns. Of a cell: `{row}` and `{col}` from 0 and from the top left, `{row1}` and `{col1}`
from 1, `{slot}` and `{slot1}` counted row by row, `{letter}` the column as a letter, `{rank}`
the row from 1 and from below; of hexes in a mapping `{q}` and `{r}`, their axial coordinates.
Of a move: `{cell}`, or `{from}` and `{to}`, or any word of a cell, like `{col}`. A move that
no pattern fits is a button on the page.
"""

import re
from collections.abc import Mapping
from inspect import getdoc
from typing import Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rookery.core.game import Game, cap
from rookery.core.options import ill_declared

Colour = Literal[
    "black", "white", "red", "blue", "yellow", "green", "orange", "purple", "brown", "grey"
]
Shape = Literal["disc", "ring", "cross", "square", "text"]
Surface = Literal["plain", "cloth", "checks", "holes", "lines"]
Lean = Literal["odd", "even", "right", "left", "centre"]

SEAT_COLOURS: Final[tuple[Colour, ...]] = ("red", "blue", "yellow", "green", "purple", "orange")
BLANK: Final = ("", ".", "-", "_", " ", "0")  # of a cell, where no piece is declared as this

_CELL_WORDS: Final = ("row", "col", "row1", "col1", "slot", "slot1", "letter", "rank", "q", "r")
_MOVE_WORDS: Final = ("cell", "from", "to", "take", "item", *_CELL_WORDS)
_WORD: Final = re.compile(r"\{([^{}]*)\}")


class Piece(Struct, frozen=True):
    """What stands in a cell: whose it is, and how it looks."""

    seat: int | None = None  # it has this seat's colour, where it has none of its own
    name: str = ""  # `white king`, for who cannot see it; else the seat's, or what the cell says
    glyph: str = ""  # a character, for a terminal and for `text`; else what the cell says
    shape: Shape = "disc"
    colour: Colour | None = None


Pieces = dict[str, int | Piece]  # by what the cell says, as text; a number is that seat's disc


class Grid(Struct, frozen=True, tag="grid"):
    """Squares. The field has rows of characters or of values, or all of them in one row.

    An empty cell says one of `BLANK`, or null; what no piece is declared for is shown as text.
    `turned` shows it to every second seat from the other side.
    """

    cells: str
    pieces: Pieces = {}
    names: str = "{letter}{row1}"
    click: str | tuple[str, ...] = "{cell}"
    rows: int | str | None = None  # a number, or the field that has it; else as many as there are
    cols: int | str | None = None
    surface: Surface = "plain"
    turned: bool = False


class HexGrid(Struct, frozen=True, tag="hexes"):
    """Hexagons that stand on a corner, in rows, or in a mapping from their names.

    A cell that is null or a blank character is none. `lean` says how rows lie: every odd, or
    even, one half a cell to the right; each half a cell further right, or left, than the last;
    or all around one middle. Of a mapping, `names` says where each is.
    """

    cells: str
    pieces: Pieces = {}
    names: str = "{row},{col}"
    click: str | tuple[str, ...] = "{cell}"
    lean: Lean = "odd"


class Pile(Struct, frozen=True):
    """A field that is one heap or several: of so many things, or of things with names.

    A number is so many things alike, or so many cards face down; a list of numbers a heap for
    each; a list of texts one heap of cards, and a list of such lists a heap for each. A move
    may say `{row}`, which heap, `{take}`, how many are taken, or `{item}`, which card.
    """

    cells: str
    label: str = ""  # of each heap; `{row}`, `{row1}` and `{seat}`, whose it is, may be in it
    click: str | tuple[str, ...] = ()
    pieces: Pieces = {}
    thing: str = "stick"  # what it is a heap of, for one


class Heaps(Struct, frozen=True, tag="heaps"):
    """Heaps below each other: sticks to take from, hands of cards."""

    piles: tuple[Pile, ...]


class TextBoard(Struct, frozen=True, tag="text"):
    """The view as text: these fields of it, or all."""

    fields: tuple[str, ...] = ()


AnyBoard = Grid | HexGrid | Heaps | TextBoard


class Showing(Struct, frozen=True, kw_only=True):
    """One game, for people. Whatever is not said is made of what the rules say."""

    title: str = ""  # `Connect four`; else the game's name
    about: str = ""  # what it is, in a sentence; else the first of the class's docstring
    icon: str = ""  # an SVG picture, 40 by 40
    board: AnyBoard = TextBoard()
    boards: Literal[1, 2] = 1  # 2 where the page has a kit that draws two, a seat at each end
    colours: tuple[Colour, ...] = ()  # of the seats
    scores: str = ""  # the field that has a number for each seat
    unit: str = ""  # what these count: `discs`
    phases: Mapping[str, str] = {}  # by the view's `phase`, what is to be done in it
    notes: Mapping[str, str] = {}  # words, and the field they stand before below the board
    offers: tuple[str, ...] = ()  # options worth offering besides the usual: `size=10`
    words: Mapping[str, str] = {}  # what people call an option or a seat, where not by its name
    usual: str = ""  # options with which people begin where they chose none: `sticks=3,4,5`


# Any: of the game no state and no move is looked at.
def shown_of(game: type[Game[Any, Any]]) -> Showing:
    """How this game is shown, with defaults for everything that it did not declare."""
    shown: Showing = getattr(game, "shown", None) or Showing()
    colours = (*shown.colours, *(one for one in SEAT_COLOURS if one not in shown.colours))
    return replace(
        shown,
        title=shown.title or cap(game.name.replace("_", " ")),
        about=shown.about or first_sentence(getdoc(game) or ""),
        colours=colours[: max(len(shown.colours), game.seat_counts[-1])],
        board=_spelt_out(shown.board),
    )


def first_sentence(text: str) -> str:
    """A text up to its first full stop, in one line."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    sentence, stop, _ = paragraph.partition(". ")
    return f"{sentence}." if stop else paragraph


def objections(game: type[Game[Any, Any]]) -> list[str]:  # Any: as above
    """What is wrong with a game's declaration, a sentence each; empty if nothing is."""
    shown: object = getattr(game, "shown", None) or Showing()
    if not isinstance(shown, Showing):
        return [f"`shown` is a Showing, not {shown!r}."]
    try:
        msgspec.convert(msgspec.to_builtins(shown), Showing)
    except msgspec.ValidationError as wrong:
        return [f"`shown` cannot be: {ill_declared(wrong)}"]
    view = get_type_hints(game.view).get("return")
    known = set(getattr(view, "__struct_fields__", ()))
    has = ", ".join(sorted(known))
    fields = [field for field in fields_of(shown) if field not in known]
    found = [f"The view has no field {field!r}; it has {has}." for field in fields]
    for pattern, words in _patterns(shown.board):
        unknown = [word for word in _WORD.findall(pattern) if word not in words]
        found += [f"{{{word}}} in {pattern!r} is no word of it." for word in unknown]
    return found


def fields_of(shown: Showing) -> list[str]:
    """The fields of the view that this declaration speaks of."""
    match shown.board:
        case Grid(cells=cells, rows=rows, cols=cols):
            found = [cells, *(size for size in (rows, cols) if isinstance(size, str))]
        case HexGrid(cells=cells):
            found = [cells]
        case Heaps(piles=piles):
            found = [pile.cells for pile in piles]
        case TextBoard(fields=fields):
            found = list(fields)
    return found + [shown.scores] * bool(shown.scores) + list(shown.notes.values())


def clicks_of(click: str | tuple[str, ...]) -> tuple[str, ...]:
    """The patterns of moves as a tuple, also where there is only one."""
    return (click,) if isinstance(click, str) else click


def _patterns(board: AnyBoard) -> list[tuple[str, tuple[str, ...]]]:
    match board:
        case Grid(names=names, click=click) | HexGrid(names=names, click=click):
            moves = [(pattern, _MOVE_WORDS) for pattern in clicks_of(click)]
            return [(names, _CELL_WORDS), *moves]
        case Heaps(piles=piles):
            labels = [(pile.label, ("row", "row1", "seat")) for pile in piles]
            moves = [(one, _MOVE_WORDS) for pile in piles for one in clicks_of(pile.click)]
            return [*labels, *moves]
        case TextBoard():
            return []


def _spelt_out(board: AnyBoard) -> AnyBoard:
    match board:
        case Heaps(piles=piles):
            spelt = tuple(
                replace(pile, pieces=_pieces(pile.pieces), click=clicks_of(pile.click))
                for pile in piles
            )
            return Heaps(spelt)
        case Grid() | HexGrid():
            return replace(board, pieces=_pieces(board.pieces), click=clicks_of(board.click))
        case TextBoard():
            return board


def _pieces(declared: Pieces) -> Pieces:
    """Every declared piece as a Piece, with its character."""
    pieces = {said: Piece(one) if isinstance(one, int) else one for said, one in declared.items()}
    return {said: replace(one, glyph=one.glyph or said) for said, one in pieces.items()}


# -- How a game is taught: its rules in a few sentences, and positions to try them in.
#
# A game's class may have `taught: ClassVar[Teaching]`. Where it declares nothing, `taught_of`
# does: what its class says of itself, and its first position, in which any move will do. A lesson
# is a position (moves from the start, or a text of the game's own), a task, and the moves that
# solve it. Nothing here changes what is played or logged.


TASK: Final = "Make a move: what you may play is marked."
WHY: Final = "That is how it goes. Now play a game of it."


class Lesson(Struct, frozen=True, kw_only=True):
    """A position to play, and what is to be found there."""

    task: str  # a sentence
    good: tuple[str, ...] = ()  # moves that solve it; none: any does
    why: str  # what there is to see, once it is solved
    options: str = ""  # of the variant
    played: tuple[str, ...] = ()  # moves from the start
    position: str = ""  # … or the position itself, as the game writes it


class Teaching(Struct, frozen=True):
    """A game's rules and lessons, for people who do not know it."""

    rules: tuple[str, ...]  # paragraphs
    lessons: tuple[Lesson, ...] = ()


# Any: of the game no state and no move is looked at.
def taught_of(game: type[Game[Any, Any]]) -> Teaching:
    """How this game is taught, with a first lesson where it declares nothing."""
    taught: Teaching | None = getattr(game, "taught", None)
    if taught is not None:
        return taught
    paragraphs = (getdoc(game) or game.name).split("\n\n")
    first = Lesson(task=TASK, why=WHY)
    return Teaching(tuple(" ".join(one.split()) for one in paragraphs), (first,))
