"""What blackwhite declares: its bounds with their reasons, its clients' manners, a port's options.

Its clients meet in rooms, and play 10x10 reversi there. What is over a bound is told so, and cut
off.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.core.options import check_flag, check_whole
from rookery.core.policy import Policy
from rookery.dialects.first_bytes import first_word
from rookery.games.reversi import Reversi

# Bytes of one line of blackwhite. The longest sensible one has two names of 40 characters of
# four bytes each.
LINE_MAX: Final = 1024
# Lines that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000


NAME: Final = "blackwhite"

MANNERS: Final = Manners(
    name=NAME,
    about="Words with brackets, in rooms: two play, and everyone else in the room sees the same.",
    hello="ENTERROOM [ann]",
    first_session=(
        FirstLines(
            "Come in; the second who does starts the game:",
            ("ENTERROOM [ann]",),
            ("ENTERROOM [ann]", "ASSIGN [BLACK]", "TURN [ann]"),
        ),
        FirstLines(
            "As black, play:",
            ("PLAYBLACK [5,6]",),
            ("PLAYBLACK [5,6]", "REVERSETOBLACK [5,5]", "TURN [bob]"),
        ),
    ),
    # Its clients put the first four discs down by themselves.
    words=(Words(Reversi.name, {"size": ("10",)}, others=False),),
    usual="reversi size=10",
    never_in_names="[]#",
    rooms=True,
    matched=Matched.ASKS,
    joins="ENTERROOM [ann{team}#{code}]",
    untold=True,
)


def opens_with(said: bytes) -> bool | None:
    """Whether a connection begins with ENTERROOM; before a colon the verb is of another dialect."""
    match first_word(said):
        case (word, after):
            return word.upper() == b"ENTERROOM" and after != b":"
        case waits:
            return waits


_GRACE_MAX = 7 * 24 * 3600  # seconds; a week


class BlackWhiteOptions(Struct, frozen=True):
    """The clock of the rooms that are made here, who sits down in them, and how lines are sent."""

    # "So that a silent player cannot hold a room for ever."
    time: Annotated[str, Meta(description="time control")] = "10m/move"
    grace: Annotated[int, Meta(description="seconds a player may be gone")] = 30
    joined: Annotated[
        bool, Meta(description="whether lines that belong together are one, with & between")
    ] = False
    draft: Annotated[
        bool, Meta(description="whether the first viewer takes an empty seat unasked")
    ] = False

    def __post_init__(self) -> None:
        try:
            clock_for(self.time, Reversi())
        except BadTimeControl as wrong:
            raise BadOption(str(wrong)) from None
        check_whole("grace", self.grace, 0, _GRACE_MAX)
        check_flag("joined", self.joined)
        check_flag("draft", self.draft)

    @property
    def policy(self) -> Policy:
        """The policies of the rooms that are made here."""
        return Policy(grace=self.grace * MICROS_A_SECOND)
