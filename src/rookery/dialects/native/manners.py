"""The manners of native: its clients can do all that the hall can do, and prove who they are."""

from typing import Final

from rookery.core.manners import OWN, Manners
from rookery.dialects.first_bytes import first_object
from rookery.dialects.native.limits import LINE_MAX

MANNERS: Final = Manners(
    name=OWN,
    hello='{"type":"hello","version":1,"name":"ann"}',
    tokens=True,
    several=True,
    terms=True,
    tables=True,
    rooms=True,
    teams=True,
    challenges=True,
    tours=True,
    at_port=False,  # who means the port's tour says its code
    joins='{"type": "join_tour", "code": "{code}"{team}}',
    joins_open='{"type": "join_tour", "tour": {tour}{team}}',
    joins_team=', "team": "red"',
    notices=True,
    farewells=True,
    checks_in=True,
    message_max=LINE_MAX,
)


def opens_with(said: bytes) -> bool | None:
    """Any object that no other language begins with: it will say what is wrong with it."""
    line = first_object(said)
    return None if line is None else said[:1] == b"{"
