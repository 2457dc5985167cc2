"""How reversi is taught."""

from typing import Final

from rookery.core.presentation import Lesson, Teaching

TAUGHT: Final = Teaching(
    (
        (
            "Black moves first. A move puts a disc on a free square so that one or more of the "
            "other side's discs stand in a straight line between it and another disc of yours: "
            "along a row, a column or slantwise."
        ),
        "All discs between are turned over and are yours. Who has no such move passes.",
        "When neither side can move, whoever has more discs wins.",
    ),
    (
        Lesson(
            task="You are black. Put a disc so that a white one stands between two of yours.",
            why="The white disc was between two black ones, so it is black now.",
        ),
        Lesson(
            task="A disc in a corner can never be turned over again. Take the corner.",
            good=("h1",),
            why="Nobody can put a disc behind a corner: it is yours for the rest of the game.",
            played=("e6", "f4", "g3", "e7", "f3", "h2", "h3", "c4"),
        ),
        Lesson(
            task="The game is nearly over. One of your moves wins, the others lose: find it.",
            good=("d4",),
            why="From the corner you turn over what matters, and the last squares are yours too.",
            options="size=4",
            played=("a2", "c1", "d3", "c4", "d1", "a1", "b1", "a3"),
        ),
    ),
)
