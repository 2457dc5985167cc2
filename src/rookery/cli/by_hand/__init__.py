"""People who speak an old language: what a client must know to play it at a terminal.

One file a dialect. A `PersonByHand` turns the server's bytes into sentences and boards, and
typed lines into bytes, without a socket; `rookery connect` does the rest. It knows only what
the wire tells, so that it serves people who test servers of their own, too.
"""

from collections.abc import Callable, Mapping
from typing import Final

from rookery.cli.by_hand.blackwhite import BlackwhitePerson
from rookery.cli.by_hand.bughouse import BughousePerson
from rookery.cli.by_hand.fish import FishPerson, age_option
from rookery.cli.by_hand.othello import OthelloPerson
from rookery.cli.by_hand.person import PersonByHand, Who
from rookery.cli.by_hand.tourney import TourneyPerson

PERSONS: Final[Mapping[str, Callable[[Who], PersonByHand]]] = {
    "blackwhite": BlackwhitePerson,
    "bughouse": BughousePerson,
    "fish": FishPerson,
    "othello": OthelloPerson,
    "tourney": TourneyPerson,
}
FOR_PROGRAMS: Final = ("fishcom",)  # which nobody can type as fast as it wants to be answered
about_oneself: Final = age_option  # what a language wants to know besides the name
