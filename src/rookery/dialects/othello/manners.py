"""The manners of othello: its clients have no names, and ask for a game of 8x8 reversi."""

from typing import Final

from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.dialects.othello.limits import FRAME_MAX
from rookery.games.reversi import Reversi

NAME: Final = "othello"

MANNERS: Final = Manners(
    name=NAME,
    about="Seven frames, as text lines or in binary: sign on, get a colour, play. No names, no "
    "lobby.",
    hello="1",
    first_session=(
        FirstLines(
            "Sign on, and wait for a colour (1 black, 2 white) and the board:",
            ("1",),
            ("11", "400000000000000000000000000021000000120000000000000000000000000001"),
        ),
        FirstLines(
            "As black, play column 4, row 5:",
            ("245",),
            ("400000000000000000000000000021000000110000000100000000000000000002",),
        ),
    ),
    words=(Words(Reversi.name, {"size": ("8",)}),),
    named=False,
    matched=Matched.ASKS,
    message_max=FRAME_MAX,
)


def opens_with(said: bytes) -> bool:
    """Whether a connection begins with one of the seven types of frames, as a byte or a digit."""
    return said[0] in range(1, 8) or said[0] in b"1234567"
