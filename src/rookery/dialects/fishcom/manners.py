"""The manners of fishcom: its clients sign up and are called; who fails a call is put out."""

from typing import Final

from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.dialects.fishcom.names import NAME_MAX
from rookery.games.fish import Fish

NAME: Final = "fishcom"

MANNERS: Final = Manners(
    name=NAME,
    about="Bare JSON values without lines: the server calls, and you answer within a second. "
    "It is for programs; by hand one is too slow.",
    hello='"ann"',
    first_session=(
        FirstLines(
            "Say your name, and wait for the first call. It comes once enough have signed up:",
            ('"ann"',),
            ('["start",[true]]',),
        ),
    ),
    words=(Words(Fish.name),),
    name_max=NAME_MAX,
    matched=Matched.CALLED,
    joins="sign up as ann{team}#{code}",
    untold=True,
    farewells=True,
)


def opens_with(said: bytes) -> bool:
    """Whether a connection begins with a quote, as a name that is a JSON string does."""
    return said[:1] == b'"'
