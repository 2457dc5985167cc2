"""What a game declares for people, what is made up for one that does not, and what cannot be."""

from typing import Any, ClassVar

import pytest

from rookery.core.game import View
from rookery.core.presentation import (
    Grid,
    Heaps,
    HexGrid,
    Piece,
    Pile,
    Showing,
    TextBoard,
    first_sentence,
    objections,
    shown_of,
)
from rookery.games import GAMES


class SeenView(View, frozen=True):
    """A board, and hands."""

    board: tuple[str, ...]
    size: int
    hand: tuple[str, ...]


# Any: nothing but its words is looked at.
def game(shown: Any = None) -> Any:
    class FourInARow:
        """Four discs in a row win. Discs fall."""

        name: ClassVar = "four_in_a_row"
        seat_counts: ClassVar = range(2, 4)

        def view(self) -> SeenView:
            return SeenView((), 0, ())

    if shown is not None:
        FourInARow.shown = shown  # type: ignore[attr-defined]
    return FourInARow


def test_a_game_that_says_nothing_is_called_by_its_name_and_shown_as_text() -> None:
    shown = shown_of(game())
    assert shown.title == "Four in a row"
    assert shown.about == "Four discs in a row win."
    assert shown.board == TextBoard()
    assert len(set(shown.colours)) == 3, "each seat has a colour of its own"


def test_what_a_game_says_itself_is_so() -> None:
    said = Showing(title="Four", about="Discs.", colours=("red", "yellow"))
    shown = shown_of(game(said))
    assert (shown.title, shown.about) == ("Four", "Discs.")
    assert shown.colours == ("red", "yellow", "blue")


def test_a_seat_for_a_piece_is_its_disc() -> None:
    board = Grid("board", pieces={"X": 0, "k": Piece(1, "king", "♚", "text")})
    shown = shown_of(game(Showing(board=board))).board
    assert isinstance(shown, Grid)
    assert shown.pieces == {"X": Piece(0, glyph="X"), "k": Piece(1, "king", "♚", "text")}
    assert shown.click == ("{cell}",)


@pytest.mark.parametrize(
    ("shown", "wrong"),
    [
        (Showing(board=Grid("bord")), "no field 'bord'"),
        (Showing(board=Grid("board", rows="sise")), "no field 'sise'"),
        (Showing(board=HexGrid("board", names="{row}:{colour}")), "{colour}"),
        (Showing(board=HexGrid("board", click="{cel}")), "{cel}"),
        (Showing(board=Heaps((Pile("hands"),))), "no field 'hands'"),
        (Showing(board=Heaps((Pile("hand", label="{who}"),))), "{who}"),
        (Showing(board=TextBoard(("pot",))), "no field 'pot'"),
        (Showing(scores="score"), "no field 'score'"),
        (Showing(notes={"Pot": "pot"}), "no field 'pot'"),
        (Showing(colours=("pink",)), "colours[0] cannot be 'pink'."),  # type: ignore[arg-type]
        (Showing(title=3), "title is a text, and what is given is not."),  # type: ignore[arg-type]
        ("a board", "is a Showing"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(shown: Any, wrong: str) -> None:
    (said,) = objections(game(shown))
    assert wrong in said


def test_to_a_declaration_that_can_be_there_is_no_objection() -> None:
    board = Grid("board", {"X": 0}, rows="size", cols=7, click=("{col}", "{from}-{to}"))
    assert objections(game(Showing(board=board, notes={"Hand": "hand"}))) == []
    assert objections(game()) == []


@pytest.mark.parametrize("name", GAMES)
def test_every_game_of_the_registry_is_declared_as_it_can_be(name: str) -> None:
    assert objections(GAMES[name]) == []


def test_the_first_sentence_ends_at_the_first_full_stop() -> None:
    assert first_sentence("One\nline. Another.\n\nMore.") == "One line."
    assert first_sentence("Only 2.5 of them.\n\nMore.") == "Only 2.5 of them."
