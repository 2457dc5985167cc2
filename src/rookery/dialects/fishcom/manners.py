"""The manners of fishcom: its clients sign up and are called; who fails a call is put out."""

from typing import Final

from rookery.core.manners import Manners, Matched, Words
from rookery.dialects.fishcom.names import NAME_MAX
from rookery.games.fish import Fish

NAME: Final = "fishcom"

MANNERS: Final = Manners(
    name=NAME,
    hello='"ann"',
    words=(Words(Fish.name),),
    name_max=NAME_MAX,
    matched=Matched.CALLED,
    joins="sign up as ann{team}#{code}",
    untold=True,
    farewells=True,
)


def opens_with(said: bytes) -> bool:
    """A name, as a string of JSON."""
    return said[:1] == b'"'
