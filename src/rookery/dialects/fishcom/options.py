"""What can be set for a port that speaks fishcom: who may sign up, how long all may take.

A sign-up gathers players for one table, and the one game there is the whole tournament.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.intents import Gather
from rookery.core.options import check_flag, check_whole, variant_text
from rookery.core.policy import Errors, Gone, Policy
from rookery.core.timecontrol import Unlimited, parse_time_control
from rookery.dialects.fishcom.calls import Patience
from rookery.games.fish import Fish

SHORTEST: Final = 10  # milliseconds; nobody answers faster over a network
LONGEST: Final = 3_600_000  # milliseconds
MILLI: Final[Micros] = MICROS_A_SECOND // 1000


class FishcomOptions(Struct, frozen=True):
    """How tournaments are made here. Times are in milliseconds, but for the windows."""

    least: Annotated[int, Meta(description="players who are enough for a game; 2 to 4")] = 2
    most: Annotated[int, Meta(description="players who start a game at once; 2 to 4")] = 4
    window: Annotated[int, Meta(description="seconds after enough signed up until they start")] = 30
    strict_names: Annotated[
        bool, Meta(description="whether a name is made of ASCII letters only")
    ] = False
    bare_names: Annotated[
        bool, Meta(description="whether a name may be a bare word; only on a port of its own")
    ] = True
    sign_up: Annotated[int, Meta(description="for the name to come")] = 10_000
    silence: Annotated[int, Meta(description="of silence after which a bare word is whole")] = 500
    first_byte: Annotated[int, Meta(description="for the first byte of an answer")] = 1_000
    answer: Annotated[int, Meta(description="for the whole answer")] = 3_000
    first_byte_of_first_turn: Annotated[
        int, Meta(description="the same for the first take-turn of a game")
    ] = 3_000
    first_turn: Annotated[int, Meta(description="the same for the first take-turn of a game")] = (
        5_000
    )
    time: Annotated[str, Meta(description="the table's own clock, for who speaks otherwise")] = (
        "20s/move"
    )
    grace: Annotated[
        int, Meta(description="seconds to come back after a restart of the server")
    ] = 60
    rows: Annotated[int, Meta(description="rows of tiles; 1 to 40")] = 5
    cols: Annotated[int, Meta(description="tiles in a row; 1 to 40")] = 5
    fish: Annotated[int, Meta(description="fish on every tile, 1 to 5; 0 is the classic mix")] = 2
    holes: Annotated[int, Meta(description="tiles that are missing, placed by chance")] = 0

    def __post_init__(self) -> None:
        counts = Fish.seat_counts
        check_whole("least", self.least, counts[0], counts[-1])
        check_whole("most", self.most, self.least, counts[-1])
        check_whole("window", self.window, 0, 3600)
        check_whole("grace", self.grace, 0, 7 * 24 * 3600)
        check_flag("strict_names", self.strict_names)
        check_flag("bare_names", self.bare_names)
        check_whole("sign_up", self.sign_up, SHORTEST, LONGEST)
        check_whole("silence", self.silence, SHORTEST, LONGEST)
        check_whole("answer", self.answer, SHORTEST, LONGEST)
        check_whole("first_byte", self.first_byte, SHORTEST, self.answer)
        check_whole("first_turn", self.first_turn, SHORTEST, LONGEST)
        check_whole(
            "first_byte_of_first_turn", self.first_byte_of_first_turn, SHORTEST, self.first_turn
        )
        if isinstance(parse_time_control(self.time), Unlimited):
            raise BadOption("A game of fish needs a clock: it is what removes who does not move.")
        for seats in range(self.least, self.most + 1):
            self.game().start(seats, Chance(0))  # it says so where the ice is too small

    def game(self) -> Fish:
        """The variant that is played."""
        return Fish(self.rows, self.cols, self.fish, self.holes)

    def patience(self, *, first_turn: bool = False) -> Patience:
        """How long an answer may take."""
        if first_turn:
            return Patience(self.first_byte_of_first_turn * MILLI, self.first_turn * MILLI)
        return Patience(self.first_byte * MILLI, self.answer * MILLI)

    def gather(self, player: PlayerId) -> Gather:
        """The wish of a player to play; who signed up first is first."""
        # "Any ... missing answer, to any call, removes the player": who hung up will give none.
        policy = Policy(
            gone=Gone.AT_ONCE, grace=self.grace * MICROS_A_SECOND, errors=Errors(limit=1)
        )
        variant = variant_text(self.game(), Fish.name)
        wait = self.window * MICROS_A_SECOND
        return Gather(
            variant, self.least, self.most, wait, time=self.time, policy=policy, player=player
        )
