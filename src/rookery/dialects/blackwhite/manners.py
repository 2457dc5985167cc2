"""The manners of blackwhite: its clients meet in rooms, and play 10x10 reversi there."""

from typing import Final

from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.dialects.first_bytes import first_word
from rookery.games.reversi import Reversi

NAME: Final = "blackwhite"

MANNERS: Final = Manners(
    name=NAME,
    about="Words with brackets, in rooms: two play, and everyone else in the room sees the same.",
    hello="ENTERROOM [ann]",
    first_session=(
        FirstLines(
            "Come in; the second who does starts the game:",
            ("ENTERROOM [ann]",),
            ("ENTERROOM [ann]", "ASSIGN [BLACK]", "TURN [ann]"),
        ),
        FirstLines(
            "As black, play:",
            ("PLAYBLACK [5,6]",),
            ("PLAYBLACK [5,6]", "REVERSETOBLACK [5,5]", "TURN [bob]"),
        ),
    ),
    # Its clients put the first four discs down by themselves.
    words=(Words(Reversi.name, {"size": ("10",)}, others=False),),
    usual="reversi size=10",
    never_in_names="[]#",
    rooms=True,
    matched=Matched.ASKS,
    joins="ENTERROOM [ann{team}#{code}]",
    untold=True,
)


def opens_with(said: bytes) -> bool | None:
    """Whether a connection begins with ENTERROOM; before a colon the verb is of another dialect."""
    match first_word(said):
        case (word, after):
            return word.upper() == b"ENTERROOM" and after != b":"
        case waits:
            return waits
