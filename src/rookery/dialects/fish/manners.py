"""The manners of fish: its clients join a game and are called in it, one at a time."""

from typing import Final

import msgspec

from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.dialects.first_bytes import first_object
from rookery.games.fish import Fish

NAME: Final = "fish"

MANNERS: Final = Manners(
    name=NAME,
    about="JSON lines for penguins on melting ice: the referee asks, and you answer in time.",
    hello='{"type":"joinGame","age":8,"id":"ann"}',
    first_session=(
        FirstLines(
            "Join, and wait: the game is the answer.",
            ('{"type":"joinGame","age":8,"id":"ann"}',),
            (
                '{"type":"SendGameState","state":{"phase":"place","players":[…],"board":[…]}}',
                '{"type":"AssignColor","color":"red","turn":0,"penguinCount":4}',
                '{"type":"RequestPlacement"}',
            ),
        ),
        FirstLines(
            "After RequestPlacement, within 30 seconds:",
            ('{"type":"PlaceAvatar","x":0,"y":0}',),
            ('{"type":"SendGameState",…}',),
        ),
    ),
    words=(Words(Fish.name),),
    matched=Matched.ASKS,
    joins="join with the id ann{team}#{code}",
    untold=True,
)

_object: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def opens_with(said: bytes) -> bool | None:
    """Whether the first line is a joinGame, or an older client's join; None until it is whole."""
    line = first_object(said)
    if not isinstance(line, bytes):
        return line
    try:
        found = _object.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return bytes(found.get("type", b"")) == b'"joinGame"' or "Request" in found
