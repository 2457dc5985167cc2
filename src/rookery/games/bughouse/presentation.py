"""How bughouse is shown and taught."""

from typing import Final

from rookery.core.presentation import Lesson, Showing, Teaching

_ICON: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
<rect fill="#e8dcc3" x="2" y="2" width="36" height="36" rx="6"/>
<path fill="#b79a76" d="M20 2h12a6 6 0 0 1 6 6v12H20zM2 20h18v18H8a6 6 0 0 1-6-6z"/>
<path fill="#1c1f20"
d="M14 31h13v-3l-2-2c1-8 0-13-7-15l-1-3-2 3c-3 2-5 6-6 9l2 3 5-2c0 3-3 4-2 8z"/>
<circle fill="#f7f4ec" cx="16.5" cy="15.5" r="1.1"/></svg>"""

SHOWN: Final = Showing(
    words={"plies": "longest game"},
    icon=_ICON,
    boards=2,
    colours=("white", "black", "white", "black"),
    unit="material",
)


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
