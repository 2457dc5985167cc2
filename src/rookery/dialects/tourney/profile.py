"""What tourney declares: its bounds with their reasons, its names, its clients' manners, options.

Its clients are bots that join tournaments by number or code. What is over a bound is told so,
and cut off. "Texts and names never contain `:`", and any name may be given: the hall takes only
names that can be read, and not every one (`core/names.py`), so what cannot be had becomes `_`,
and nothing `-`.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.manners import FirstLines, Manners, Words
from rookery.core.names import mended
from rookery.core.options import check_flag, check_whole
from rookery.core.policy import Errors, Gone, Policy, Return
from rookery.core.tour_values import Plan
from rookery.dialects.tourney.games import TYPES
from rookery.games import parse_variant
from rookery.games.guess import Guess
from rookery.games.nim import Nim
from rookery.games.reversi import Reversi
from rookery.games.tictactoe import Tictactoe

# Bytes of one line of tourney; the longest sensible one is a name or a move.
LINE_MAX: Final = 4 * 1024
# Lines that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000
# "The server itself sends `@PING` to a client silent for 30 s", and waits as long again.
SILENCE: Final[Micros] = 30 * MICROS_A_SECOND
# A ping that waits behind a slow answer is answered before it when so long nothing was said;
# clients "give up after about 2 s without any line", and begin to ask after 200 ms.
PONG_AFTER: Final[Micros] = 500_000
# A player's connection that "sent something in the last 3 s" is there; one that did not is asked.
SILENT: Final[Micros] = 3 * MICROS_A_SECOND
# And a client that wants to be that player waits so long for what comes of the question; a dead
# line is found out in 2.5 s.
ASKED_AFTER: Final[Micros] = 3 * MICROS_A_SECOND

# After a move that was passed over as one of the last match, the state is told again when none
# followed for so long: a client that had stopped thinking in time would wait for ever.
ASKED_AGAIN: Final[Micros] = 5 * MICROS_A_SECOND


UNNAMED: Final = "null"  # "never named: `null`"
NAME_MAX: Final = 40  # characters; the hall's bound


def plain(text: str) -> str:
    """A text with `_` for its colons, at which the wire is cut."""
    return text.replace(":", "_")


def given(name: str) -> str:
    """The name that a client gave itself, mended where the hall would not take it."""
    return mended(name, NAME_MAX)


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


_ABSENT_MAX: Final = 7 * 24 * 3600  # seconds; a week

# "the clock runs on" for who is gone. "Seven illegal moves in a row by one player (moves out of
# turn count) lose the match".
POLICY: Final = Policy(gone=Gone.HOLD, errors=Errors(7, in_a_row=True, out_of_turn=True))


POINTS: Final = "3-1-0"  # as the programs count with which tournaments of this kind are run


class TourneyOptions(Struct, frozen=True):
    """How one shows that one was here before, and how long one has for everything."""

    codes: Annotated[bool, Meta(description="whether one comes back with a secret code")] = False
    any_host: Annotated[bool, Meta(description="whether one may come back from elsewhere")] = False
    time: Annotated[str, Meta(description="time control of a match")] = "93s"
    absent: Annotated[int, Meta(description="seconds a player may be gone before it is paused")] = (
        300
    )

    def __post_init__(self) -> None:
        check_flag("codes", self.codes)
        check_flag("any_host", self.any_host)
        try:
            for variant in TYPES.values():
                clock_for(self.time, parse_variant(variant))
        except BadTimeControl as wrong:
            raise BadOption(str(wrong)) from None
        check_whole("absent", self.absent, 0, _ABSENT_MAX)

    def clash(self, by: Return) -> str:
        """Why these options cannot go with this way for players to return; empty: they can."""
        if self.any_host and by is Return.NEVER:
            return f"A port of {NAME} has any_host or return = never, not both."
        return ""

    def plan(self, kind: str) -> Plan:
        """The plan of a tournament of this type: open to latecomers, until its owner ends it."""
        return Plan(
            TYPES[kind],
            format="joining",
            name=kind,
            time=self.time,
            policy=POLICY,
            points=POINTS,
            absent=self.absent * MICROS_A_SECOND,
            stays=True,
        )
