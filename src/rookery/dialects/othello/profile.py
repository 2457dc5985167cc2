"""What othello declares: its bounds with their reasons, its clients' manners, a port's options.

Its clients have no names, and ask for a game of 8x8 reversi. What is over a bound is told so,
and cut off.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.core.options import check_flag, check_whole
from rookery.core.policy import Errors, Policy
from rookery.dialects.base import HouseBot
from rookery.games.reversi import Reversi

# Bytes of one othello frame's payload, or of its line. The longest sensible one is a
# message of 500 characters of four bytes each.
FRAME_MAX: Final = 4 * 1024
# Frames that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000


NAME: Final = "othello"

MANNERS: Final = Manners(
    name=NAME,
    about="Seven frames, as text lines or in binary: sign on, get a colour, play. No names, no "
    "lobby.",
    hello="1",
    first_session=(
        FirstLines(
            "Sign on, and wait for a colour (1 black, 2 white) and the board:",
            ("1",),
            ("11", "400000000000000000000000000021000000120000000000000000000000000001"),
        ),
        FirstLines(
            "As black, play column 4, row 5:",
            ("245",),
            ("400000000000000000000000000021000000110000000100000000000000000002",),
        ),
    ),
    words=(Words(Reversi.name, {"size": ("8",)}),),
    named=False,
    matched=Matched.ASKS,
    message_max=FRAME_MAX,
)


def opens_with(said: bytes) -> bool:
    """Whether a connection begins with one of the seven types of frames, as a byte or a digit."""
    return said[0] in range(1, 8) or said[0] in b"1234567"


_GRACE_MAX = 7 * 24 * 3600  # seconds; a week
_ERRORS_MAX = 1000
_BOT_AFTER: Micros = 10 * MICROS_A_SECOND  # "seats a house bot after 10 s"
_BOTS = ("level1", "level2", "level3", "level4", "level5")


class OthelloOptions(Struct, frozen=True):
    """The time control, and how patient the house is."""

    time: Annotated[str, Meta(description="time control")] = "60s/move"
    grace: Annotated[int, Meta(description="seconds a player may be gone")] = 30
    errors: Annotated[int, Meta(description="invalid moves in a game that lose it; 0: none")] = 10
    resume: Annotated[bool, Meta(description="whether a player who is gone may come back")] = True
    bot: Annotated[
        str, Meta(description="house bot for one who waits: level1 to level5; empty: the house's")
    ] = ""

    def __post_init__(self) -> None:
        try:
            clock_for(self.time, Reversi())
        except BadTimeControl as wrong:
            raise BadOption(str(wrong)) from None
        check_whole("grace", self.grace, 0, _GRACE_MAX)
        check_whole("errors", self.errors, 0, _ERRORS_MAX)
        check_flag("resume", self.resume)
        bot: object = self.bot
        if bot not in ("", *_BOTS):
            raise BadOption(f"bot is one of {', '.join(_BOTS)}, or empty, and not {bot!r}.")

    def house_bot(self) -> HouseBot | None:
        """The house bot that joins a player who waits here; None: as the house has it."""
        return HouseBot(_BOT_AFTER, _BOTS.index(self.bot) + 1) if self.bot else None

    @property
    def policy(self) -> Policy:
        """The policies of this port's tables."""
        grace = self.grace * MICROS_A_SECOND if self.resume else 0
        return Policy(grace=grace, errors=Errors(self.errors, in_a_row=False))
