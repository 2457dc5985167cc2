"""The manners of othello: its clients have no names, and ask for a game of 8x8 reversi."""

from typing import Final

from rookery.core.manners import Manners, Matched, Words
from rookery.dialects.othello.limits import FRAME_MAX
from rookery.games.reversi import Reversi

NAME: Final = "othello"

MANNERS: Final = Manners(
    name=NAME,
    hello="1",
    words=(Words(Reversi.name, {"size": ("8",)}),),
    named=False,
    matched=Matched.ASKS,
    message_max=FRAME_MAX,
)


def opens_with(said: bytes) -> bool:
    """One of the seven types of frames, as a byte or as a digit."""
    return said[0] in range(1, 8) or said[0] in b"1234567"
