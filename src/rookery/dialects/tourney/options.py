"""What can be set for a port that speaks tourney, and what tournaments its players create."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.clock import clock_for
from rookery.core.errors import BadOption, BadTimeControl
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.options import check_flag, check_whole
from rookery.core.policy import Errors, Gone, Policy, Return
from rookery.core.tour_values import Plan
from rookery.dialects.tourney.games import TYPES
from rookery.dialects.tourney.manners import NAME
from rookery.games import parse_variant

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
