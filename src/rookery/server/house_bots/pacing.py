"""How long a house bot takes for a move at least, so that people can follow it.

People who have just moved see their own move, and what it did, before it is answered. Where
several play at once, bots among themselves wait for people who are thinking, up to `pace`: what
somebody took for their last move says nothing of how long they think about this one. An opponent
as quick as a program does not wait for a bot because of this, and no house bot plays in a tour or
in a match between programs. All of it is a function of what the bot has heard.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.server.config import BotPace
from rookery.server.house_bots.pool import SHARE

QUICK: Final[Micros] = MICROS_A_SECOND // 4  # nobody moves by hand in less
AMONG_BOTS: Final = 1.0  # seconds, at least, for bots among themselves


class Tempo(Struct, frozen=True):
    """What a bot knows of how fast others move, while it has a turn."""

    alone: bool = True  # whether nobody else may move meanwhile
    answers: Micros | None = None  # the time of the person's move it answers; None: no person's
    people: Micros | None = None  # what a person at the table last took for a move
    thinking: bool = False  # whether a person thinks who did so when this turn began


def least(pace: BotPace, heard: Tempo, left: Micros | None) -> float:
    """Seconds that a bot's move takes at least, with so much left on its clock."""
    last = heard.people if heard.alone else heard.answers
    wanted = pace.settle if last is not None and last >= QUICK else 0.0
    if heard.alone:
        pass
    elif heard.answers is not None:  # a person waits for it
        wanted = max(wanted, min(AMONG_BOTS, pace.beside))
    elif heard.thinking:
        wanted = pace.beside
    else:
        wanted = min(pace.beside, max(AMONG_BOTS, (heard.people or 0) / MICROS_A_SECOND))
    return wanted if left is None else min(wanted, left / MICROS_A_SECOND / SHARE)
