"""How long a house bot takes for a move at least, so that people can follow it.

People who have just moved see their own move, and what it did, before it is answered; and where
several play at once, bots among themselves are not done with a board before a person beside
them has moved. An opponent as quick as a program does not wait for a bot because of this, and
no house bot plays in a tour or in a match between programs. All of it is a function of what
the bot has heard.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.house_bots.pool import SHARE

QUICK: Final[Micros] = MICROS_A_SECOND // 4  # nobody moves by hand in less
AMONG_BOTS: Final = 1.0  # seconds, where somebody beside them is as quick as a program


class BotPace(Struct, frozen=True):
    """How much time bots give people, in seconds: as the house has it set."""

    settle: float = 0.6  # in which one's own move is seen before it is answered
    beside: float = 6.0  # for a move of bots among themselves, at most, while people think


class Tempo(Struct, frozen=True):
    """What a bot knows of how fast others move, when its turn comes."""

    alone: bool = True  # whether nobody else may move meanwhile
    answers: Micros | None = None  # the time of the person's move it answers; None: no person's
    people: Micros | None = None  # what a person at the table last took for a move
    begun: bool = True  # whether anybody has moved


def least(pace: BotPace, heard: Tempo, left: Micros | None) -> float:
    """Seconds that a bot's move takes at least, with so much left on its clock."""
    if heard.answers is not None:
        wanted = pace.settle if heard.answers >= QUICK else 0.0
        if not heard.alone:
            wanted = max(wanted, min(AMONG_BOTS, pace.beside))
    elif heard.alone:
        wanted = pace.settle if heard.people is not None and heard.people >= QUICK else 0.0
    elif not heard.begun:
        wanted = min(AMONG_BOTS, pace.beside)
    else:
        took = pace.beside if heard.people is None else heard.people / MICROS_A_SECOND
        wanted = min(pace.beside, max(AMONG_BOTS, took))
    return wanted if left is None else min(wanted, left / MICROS_A_SECOND / SHARE)
