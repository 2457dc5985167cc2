"""Every kind of board in the terminal, for games that nothing but the registry knows."""

from typing import Any, cast

import pytest
from rich.text import Text

from rookery.cli.drawing import Look, draw
from rookery.core.chance import Chance
from rookery.core.ids import Seat
from rookery.core.presentation import objections
from rookery.games import GAMES
from tests.showing import toys


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in toys.GAMES:
        # Any: the registry is read by others, and filled by the plug-ins' loader alone.
        monkeypatch.setitem(cast("dict[str, Any]", GAMES), kind.name, kind)


def drawn(game: Any, *moves: str, seats: int = 2) -> Text:
    """What the seat on turn sees after these moves, with what it may play."""
    state = game.start(seats, Chance(1))
    for move in moves:
        (mover,) = game.to_act(state)
        state = game.play(state, mover, move).state
    (seat,) = game.to_act(state)
    legal = tuple(game.legal_moves(state, seat))
    return draw(game.view(state, seat), Look(Seat(seat), legal, moves))


def board(text: str) -> str:
    return "\n".join(line.removeprefix(" " * 8).rstrip() for line in text.split("\n")).strip("\n")


@pytest.mark.parametrize("kind", toys.GAMES)
def test_the_declarations_can_be(kind: Any) -> None:
    assert objections(kind) == []


def test_columns_are_called_as_moves_say_and_stars_are_where_discs_fall_to() -> None:
    text = drawn(toys.Four(), "4", "4", "1")
    assert text.plain == board("""
            1 2 3 4 5 6 7
            . . . . . . .
            . . . . . . .
            . . . . . . .
            . . . * . . .
            * . . Y . . .
           [R]* * R * * *
            1 2 3 4 5 6 7
    """)
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert (styles["R"], styles["Y"]) == ("bold red", "bold yellow")


def test_the_second_seat_sees_a_turned_board_from_its_side() -> None:
    rows = drawn(toys.March(), "c2c3").plain.splitlines()
    assert rows[0] == "    e d c b a"
    assert rows[1].startswith(" 1 ")
    assert "[" in rows[2]
    assert rows[-1] == "    w first 0   b second 0"


def test_hexagons_lie_between_each_other() -> None:
    assert drawn(toys.Comb(), "0,0", "1,0", "0,1", seats=3).plain == board("""
         0,-2      .   .   .
        -1,-1    .   .   .   .
         -2,0  .   .   1   2   .
         -2,1    .   .  [3]  .
         -2,2      .   .   .
    """)


def test_own_cards_have_names_and_those_of_others_are_counted() -> None:
    rows = drawn(toys.Duel()).plain.splitlines()
    assert rows[0] == "On the table  -"
    assert rows[1].count("[") == 4
    assert rows[2].split() == ["first", "||||", "4"]
    assert rows[3].split() == ["second", "||||", "4"]


def test_heaps_are_strokes_with_their_number() -> None:
    assert drawn(toys.Pebbles(), "1:1").plain == board("""
        Heap 1  ||||        4
        Heap 2  ||||| |     6
        Heap 3  ||          2
    """)


def test_what_declares_nothing_is_text() -> None:
    assert drawn(toys.Bare(), "+2").plain == "count: 2\nturn: 1"
