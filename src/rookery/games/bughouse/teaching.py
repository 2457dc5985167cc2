"""How bughouse is taught."""

from typing import Final

from rookery.core.presentation import Lesson, Teaching

_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1"

TAUGHT: Final = Teaching(
    (
        (
            "Two games of chess side by side, two partners against two: one of each has white, "
            "the other black. Both boards are played at once."
        ),
        (
            "What you capture your partner gets in hand, and may put on any free square instead of "
            "moving; a pawn not on the first or last row."
        ),
        (
            "Whoever is mated has lost for both partners. A check that a piece from the hand could "
            "still block is no mate: then one waits for the partner."
        ),
    ),
    (
        Lesson(
            task="You are white on the first board. Make a move as in chess.",
            why="So far it is chess. The other board is played at the same time.",
        ),
        Lesson(
            task="Take the black pawn: your partner on the other board gets it.",
            good=("1:e4d5",),
            why="A pawn is in your partner's hand now, to be put where it hurts.",
            played=("1:e2e4", "1:d7d5"),
        ),
        Lesson(
            task="You have a knight in hand. Put it where it mates at once.",
            good=("1:N@f7",),
            why="Nothing can be put between a knight and the king: that is mate.",
            position=f"6rk/6pp/8/8/8/8/8/4K3[N] w - - 0 1 | {_START}",
        ),
    ),
)
