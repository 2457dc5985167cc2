"""How fish is taught."""

from typing import Final

from rookery.core.presentation import Lesson, Teaching

_PLACED: Final = ("1,2", "0,1", "5,1", "0,2", "6,3", "7,1", "12,0", "9,0")

TAUGHT: Final = Teaching(
    (
        (
            "Everyone places penguins on tiles of ice, in turn. Then, in turn, a penguin slides in "
            "a straight line as far as it likes: over tiles, never over holes or other penguins."
        ),
        "The tile it leaves is gone, and its fish are eaten by whose penguin it was.",
        "Who cannot move waits. When nobody can, most fish win.",
    ),
    (
        Lesson(
            task="Place a penguin where there are three fish: you eat them when it leaves.",
            good=("1,2", "2,2", "5,1", "6,2", "6,3", "10,2", "12,0", "13,0", "13,3", "14,3"),
            why="Tiles with three fish are rare: who stands on one has them for sure.",
        ),
        Lesson(
            task="All penguins are placed. Choose one of yours, and let it slide.",
            why="The tile it left is gone, and you have eaten its fish.",
            played=_PLACED,
        ),
        Lesson(
            task="Slide the penguin in the second row to another tile with three fish.",
            good=("1,2-2,2",),
            why="Three fish eaten, and three more under its feet.",
            played=_PLACED,
        ),
    ),
)
