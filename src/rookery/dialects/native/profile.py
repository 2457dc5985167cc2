"""What native declares: its bound, and the manners of its clients.

They can do all that the hall can do, and prove who they are. A line over the bound is told so,
and its sender cut off.
"""

from typing import Final

from rookery.core.manners import OWN, FirstLines, Manners
from rookery.dialects.first_bytes import first_object

# Bytes of one line of JSON without its end. The longest sensible request, a chat of 500
# characters all written as \u escapes, has 6,100; more is a mistake or an attack.
LINE_MAX: Final = 16 * 1024


_HELLO: Final = '{"type":"hello","version":1,"name":"Ann"}'
_GREETED: Final = (
    '{"type":"hello","version":1,"server":"Rookery …","player":7,"name":"Ann",'
    '"token":"…","tables":[]}'
)
_OPENED: Final = '{"type":"done","table":12,"seat":0}'

_ALONE: Final = FirstLines(
    "Say who you are, and open a table; "
    "somebody else has to sit down, here in the lobby for instance:",
    (_HELLO, '{"type":"open","variant":"tictactoe"}'),
    (_GREETED, _OPENED),
)

MANNERS: Final = Manners(
    name=OWN,
    about="JSON lines for everything the server can do. Without a reason to speak one of the "
    "old languages, speak this one; this page does.",
    hello='{"type":"hello","version":1,"name":"ann"}',
    first_session=(
        FirstLines(
            "Say who you are, and open a table with a bot of level 2:",
            (_HELLO, '{"type":"open","variant":"tictactoe","house":2}'),
            (_GREETED, _OPENED, '{"type":"news","table":12,"n":5,… "event":{"type":"started"},…'),
            house="tictactoe",
            alone=_ALONE,
        ),
        FirstLines(
            "Play in the middle; put the number of your table in place of 12:",
            ('{"type":"play","table":12,"move":"4"}',),
            (
                _OPENED,
                '{"type":"news","table":12,"n":6,… "event":{"type":"played","seat":0,"move":"4",…',
            ),
        ),
    ),
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
    message_max=LINE_MAX,
)


def opens_with(said: bytes) -> bool | None:
    """Whether a connection begins with a JSON object; the dialects asked before take theirs."""
    line = first_object(said)
    return None if line is None else said[:1] == b"{"
