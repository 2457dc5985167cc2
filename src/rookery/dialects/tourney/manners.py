"""The manners of tourney: its clients are bots that join tournaments by number or code."""

from typing import Final

from rookery.core.manners import FirstLines, Manners, Words
from rookery.dialects.tourney.naming import UNNAMED
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe

NAME: Final = "tourney"

MANNERS: Final = Manners(
    name=NAME,
    about="Lines cut at colons, for bots that join a tournament and meet everyone else in it "
    "twice.",
    hello="@NEW PLAYER",
    first_session=(
        FirstLines(
            "Become a player, take a name, and join the first tournament there is:",
            ("@NEW PLAYER", "@NAME:Ann", "@PING", "@TOUR:JOIN"),
            ("@PID:1", "@PONG", "@MESSAGE:Tournament 1 successfully joined."),
        ),
    ),
    words=(
        Words(Guess.name),
        Words(Nim.name),
        Words(Reversi.name, {"size": ("4", "6", "8")}),
        Words(Tictactoe.name),
    ),
    never_in_names=":",
    unnamed=UNNAMED,
    numbers=True,
    frees_numbers=True,  # "the 2019 TourManager breaks at 20"
    prompt=True,  # they "give up after about 2 s without any line"
    tours=True,
    joins="@TOUR:JOIN:{code}",
    joins_open="@TOUR:JOIN:{tour}",
    classic_port=1350,
)


def opens_with(said: bytes) -> bool:
    """Whether a connection begins with `@`, as every line of this language does."""
    return said[:1] == b"@"
