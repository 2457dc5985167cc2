"""What can be set for a port that speaks bughouse, and what tables its players open."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.intents import Open
from rookery.core.options import check_whole
from rookery.core.policy import Begin, Policy
from rookery.dialects.bughouse.pacing import BURST, FIRST_TURN, GAP, WELCOME, Pace
from rookery.games import format_variant
from rookery.games.bughouse import Bughouse

_GRACE_MAX: Final = 7 * 24 * 3600  # seconds; a week
_BURST_MAX: Final = 1 << 20  # bytes; as far as a reader may fall behind
_PAUSE_MAX: Final = 10_000  # milliseconds
_MILLI: Final = 1000


class BughouseOptions(Struct, frozen=True):
    """The clock, how long a game may be, how patient the house is, and what clients can take."""

    time: Annotated[str, Meta(description="time control of a player")] = "15m"
    grace: Annotated[int, Meta(description="seconds a player may be gone")] = 60
    plies: Annotated[int, Meta(description="moves over both boards that end in a draw")] = 1000
    burst: Annotated[int, Meta(description="bytes of broadcasts on their way at once")] = BURST
    gap: Annotated[int, Meta(description="ms of silence after which more are sent")] = GAP // _MILLI
    welcome: Annotated[int, Meta(description="ms of silence before a newcomer's first")] = (
        WELCOME // _MILLI
    )
    first_turn: Annotated[int, Meta(description="ms from a game's start to its first turn")] = (
        FIRST_TURN // _MILLI
    )

    def __post_init__(self) -> None:
        try:
            clock_for(self.time, Bughouse())
        except BadTimeControl as wrong:
            raise BadOption(str(wrong)) from None
        check_whole("grace", self.grace, 0, _GRACE_MAX)
        check_whole("burst", self.burst, 1, _BURST_MAX)
        for name in ("gap", "welcome", "first_turn"):
            check_whole(name, asdict(self)[name], 0, _PAUSE_MAX)
        Bughouse(plies=self.plies)  # raises BadOption

    def open(self, player: PlayerId) -> Open:
        """What this player asks for who creates a game: its owner starts it."""
        policy = Policy(begin=Begin.OWNER, grace=self.grace * MICROS_A_SECOND)
        variant = format_variant(Bughouse(plies=self.plies))
        return Open(variant, time=self.time, policy=policy, player=player)

    @property
    def pace(self) -> Pace:
        """How much clients of this port are told at once, and how soon."""
        pauses = (self.gap, self.welcome, self.first_turn)
        return Pace(self.burst, *(pause * _MILLI for pause in pauses))
