"""The manners of bughouse: its clients open tables for four, and call everything by numbers."""

from typing import Final

from rookery.core.manners import Manners, Words
from rookery.dialects.first_bytes import first_word
from rookery.games.bughouse import Bughouse

NAME: Final = "bughouse"

MANNERS: Final = Manners(
    name=NAME,
    hello="ADD_PLAYER:ann",
    words=(Words(Bughouse.name),),
    never_in_names=":#",
    numbers=True,
    tables=True,
    teams=True,
    joins="ADD_PLAYER:ann{team}#{code}",
    classic_port=3333,
)


def opens_with(said: bytes) -> bool | None:
    """A verb with a colon after it."""
    match first_word(said):
        case (_, after):
            return after == b":"
        case waits:
            return waits
