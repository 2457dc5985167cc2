"""What can be set for a port that speaks bughouse, and what tables its players open."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.intents import Open
from rookery.core.options import check_whole
from rookery.core.policy import Begin, Policy
from rookery.core.timecontrol import parse_time_control
from rookery.games import format_variant
from rookery.games.bughouse import Bughouse

_GRACE_MAX: Final = 7 * 24 * 3600  # seconds; a week


class BughouseOptions(Struct, frozen=True):
    """The clock, how long a game may be, and how patient the house is."""

    time: Annotated[str, Meta(description="time control of a player")] = "15m"
    grace: Annotated[int, Meta(description="seconds a player may be gone")] = 60
    plies: Annotated[int, Meta(description="moves over both boards that end in a draw")] = 1000

    def __post_init__(self) -> None:
        try:
            parse_time_control(self.time)
        except BadTimeControl as wrong:
            raise BadOption(str(wrong)) from None
        check_whole("grace", self.grace, 0, _GRACE_MAX)
        Bughouse(plies=self.plies)  # raises BadOption

    def open(self, player: PlayerId) -> Open:
        """What this player asks for who creates a game: its owner starts it."""
        policy = Policy(begin=Begin.OWNER, grace=self.grace * MICROS_A_SECOND)
        variant = format_variant(Bughouse(plies=self.plies))
        return Open(variant, time=self.time, policy=policy, player=player)
