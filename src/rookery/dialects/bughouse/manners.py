"""The manners of bughouse: its clients open tables for four, and call everything by numbers."""

from typing import Final

from rookery.core.manners import FirstLines, Manners, Words
from rookery.dialects.first_bytes import first_word
from rookery.games.bughouse import Bughouse

NAME: Final = "bughouse"

MANNERS: Final = Manners(
    name=NAME,
    about="A verb and numbers, with tabs between: four players, two boards, and a lobby in "
    "which games are made.",
    hello="ADD_PLAYER:ann",
    first_session=(
        FirstLines(
            "Take a name; the answer is your number. Then see which games there are:",
            ("ADD_PLAYER:Ann", "GET_GAMES:m"),
            ("1", "(the games’ numbers, or an empty line)"),
        ),
        FirstLines(
            "Create a game; put your own number in place of 1:",
            ("CREATE_GAME:1",),
            ("1", "(later, when somebody joins it: BROADCAST:JOIN_GAME:2 1)"),
        ),
    ),
    words=(Words(Bughouse.name),),
    never_in_names=":#",
    numbers=True,
    tables=True,
    teams=True,
    joins="ADD_PLAYER:ann{team}#{code}",
    classic_port=3333,
)


def opens_with(said: bytes) -> bool | None:
    """Whether a connection begins with a verb and a colon after it; None until that is known."""
    match first_word(said):
        case (_, after):
            return after == b":"
        case waits:
            return waits
