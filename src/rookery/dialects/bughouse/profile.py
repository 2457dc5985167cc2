"""What bughouse declares: its bounds with their reasons, its clients' manners, a port's options.

Its clients open tables for four, and call everything by numbers. What is over a bound is told
so, and cut off.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.intents import Open
from rookery.core.manners import FirstLines, Manners, Words
from rookery.core.options import check_whole
from rookery.core.policy import Begin, Policy
from rookery.dialects.bughouse.pacing import BURST, FIRST_TURN, GAP, WELCOME, Pace
from rookery.dialects.first_bytes import first_word
from rookery.games import format_variant
from rookery.games.bughouse import Bughouse

# Bytes of one line of bughouse. The longest sensible one has a name of 40 characters of four
# bytes each.
LINE_MAX: Final = 1024
# Requests that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
# Games whose news may wait in one connection; of older ones they are dropped, for a client that
# asks GET_GAMES is told anyway.
LOBBY_MAX: Final = 200


NAME: Final = "bughouse"

MANNERS: Final = Manners(
    name=NAME,
    about="A verb and numbers, with tabs between: four players, two boards, and a lobby in "
    "which games are made.",
    hello="ADD_PLAYER:ann",
    first_session=(
        FirstLines(
            "Take a name; the answer is your number. Then see which games there are:",
            ("ADD_PLAYER:Ann", "GET_GAMES:m"),
            ("1", "(the games’ numbers, or an empty line)"),
        ),
        FirstLines(
            "Create a game; put your own number in place of 1:",
            ("CREATE_GAME:1",),
            ("1", "(later, when somebody joins it: BROADCAST:JOIN_GAME:2 1)"),
        ),
    ),
    words=(Words(Bughouse.name),),
    never_in_names=":#",
    numbers=True,
    tables=True,
    teams=True,
    joins="ADD_PLAYER:ann{team}#{code}",
    classic_port=3333,
)


def opens_with(said: bytes) -> bool | None:
    """Whether a connection begins with a verb and a colon after it; None until that is known."""
    match first_word(said):
        case (_, after):
            return after == b":"
        case waits:
            return waits


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
