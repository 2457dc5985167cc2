"""The groups of players who play one game with each other, and the dialects with own ports.

Boards are small, so that games end between kills, and nobody is hurried more than a busy
machine can bear.
"""

from typing import Final

from msgspec import Struct

PORTS: Final = ("fish", "fishcom", "bughouse")  # languages with a port of their own

SETTINGS: Final = """
[listen.fish]
port = {fish}
players = 2
rows = 4
cols = 5
time = "60s/move"
[listen.fishcom]
port = {fishcom}
least = 2
most = 2
rows = 4
cols = 4
first_byte = 20000
answer = 30000
first_byte_of_first_turn = 20000
first_turn = 30000
time = "60s/move"
[listen.bughouse]
port = {bughouse}
plies = 30
gap = 5
welcome = 5
first_turn = 20
"""


class PlayerGroup(Struct, frozen=True):
    """Players who play one game with each other in one dialect, over a WebSocket if `framed`."""

    dialect: str
    variant: str
    players: int = 2
    framed: bool = False


GROUPS: Final = (
    PlayerGroup("othello", "reversi size=8"),
    PlayerGroup("blackwhite", "reversi size=10"),
    PlayerGroup("bughouse", "bughouse plies=30", 4),
    PlayerGroup("fish", "fish rows=4 cols=5"),
    PlayerGroup("fishcom", "fish rows=4 cols=4 fish=2"),
    PlayerGroup("native", "reversi size=6"),
    PlayerGroup("native", "fish rows=4 cols=4", framed=True),
)

# Those who play in a tour: the language, and whether over a WebSocket.
ENTRANTS: Final = (("tourney", False), ("tourney", False), ("native", False), ("native", True))
