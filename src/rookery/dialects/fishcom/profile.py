"""What fishcom declares: its bounds with their reasons, its names, its clients' manners, options.

Its clients sign up and are called; a client that fails a call is put out. All who sign up at
ports with the same options play one knock-out tournament, at tables of up to four.
"""

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core.chance import Chance
from rookery.core.clock import Unlimited, clock_for
from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId
from rookery.core.intents import SignUp
from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.core.options import check_flag, check_whole, variant_text
from rookery.core.policy import Errors, Gone, Policy
from rookery.core.tour_values import Plan
from rookery.dialects.fishcom.wire import AnswerTime
from rookery.games.fish import Fish

# Bytes of fishcom values that are kept while no call is open, white space not counted; the
# longest sensible answer has 30.
KEPT_MAX: Final = 4 * 1024


NAME_MAX: Final = 12
SIGN: Final = "#"  # between a name and the code of somebody's tournament
_CODE: Final = re.compile("[A-Za-z0-9]{1,20}")
_LETTERS: Final = re.compile("[A-Za-z]+")


def may_be_called(name: str, *, strict: bool) -> bool:
    """Whether a client may have this name; `strict` is the course's rule: letters alone."""
    return 1 <= len(name) <= NAME_MAX and (not strict or bool(_LETTERS.fullmatch(name)))


def without_code(name: str) -> str:
    """The name without `#` and a tournament's code behind it, where there is one."""
    plain, sign, code = name.rpartition(SIGN)
    return plain if sign and plain and _CODE.fullmatch(code) else name


NAME: Final = "fishcom"

MANNERS: Final = Manners(
    name=NAME,
    about="Bare JSON values without lines: the server calls, and you answer within a second. "
    "It is for programs; by hand one is too slow.",
    hello='"ann"',
    first_session=(
        FirstLines(
            "Say your name, and wait for the first call. It comes once enough have signed up:",
            ('"ann"',),
            ('["start",[true]]',),
        ),
    ),
    words=(Words(Fish.name),),
    name_max=NAME_MAX,
    matched=Matched.CALLED,
    joins="sign up as ann{team}#{code}",
    untold=True,
    farewells=True,
)


def opens_with(said: bytes) -> bool:
    """Whether a connection begins with a quote, as a name that is a JSON string does."""
    return said[:1] == b'"'


SHORTEST: Final = 10  # milliseconds; nobody answers faster over a network
LONGEST: Final = 3_600_000  # milliseconds
PLAYERS_MAX: Final = 100  # of a tournament; a hundred games of four are a long evening
FORMAT: Final = "groups"
MILLI: Final[Micros] = MICROS_A_SECOND // 1000


class FishcomOptions(Struct, frozen=True):
    """How tournaments are made here. Times are in milliseconds, but for the windows."""

    least: Annotated[int, Meta(description="players who are enough when a window closes")] = 5
    most: Annotated[int, Meta(description="players who start at once; 2 to 100")] = 10
    window: Annotated[int, Meta(description="seconds that a sign-up window is open")] = 30
    again: Annotated[int, Meta(description="windows that may follow where too few came")] = 1
    table: Annotated[int, Meta(description="players of a game, at the most; 2 to 4")] = 4
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
        int, Meta(description="for the first byte of the answer to start, and of a first take-turn")
    ] = 3_000
    first_turn: Annotated[
        int, Meta(description="for the whole answer to start, and to a game's first take-turn")
    ] = 5_000
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
        check_whole("most", self.most, 2, PLAYERS_MAX)
        check_whole("least", self.least, 2, self.most)
        check_whole("window", self.window, 1, 3600)
        check_whole("again", self.again, 0, 100)
        check_whole("table", self.table, counts[0], counts[-1])
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
        if isinstance(clock_for(self.time, self.game()), Unlimited):
            raise BadOption("A game of fish needs a clock: it is what removes who does not move.")
        for seats in range(counts[0], self.seats + 1):
            self.game().start(seats, Chance(0))  # it says so where the ice is too small

    @property
    def seats(self) -> int:
        """The most players who can meet in one game."""
        return min(self.table, self.most)

    def game(self) -> Fish:
        """The variant of fish that is played at this port."""
        return Fish(self.rows, self.cols, self.fish, self.holes)

    def patience(self, *, first: bool = False) -> AnswerTime:
        """How long an answer may take: more for `start` and the first turn of a game."""
        if first:
            return AnswerTime(self.first_byte_of_first_turn * MILLI, self.first_turn * MILLI)
        return AnswerTime(self.first_byte * MILLI, self.answer * MILLI)

    def wish(self, player: PlayerId) -> SignUp:
        """The intent of a player to sign up for the next tournament of this port."""
        # "Any ... missing answer, to any call, removes the player": who hung up will give none.
        grace = self.grace * MICROS_A_SECOND
        plan = Plan(
            variant_text(self.game(), Fish.name),
            FORMAT,
            name=NAME,
            seats=self.seats,
            time=self.time,
            policy=Policy(gone=Gone.AT_ONCE, grace=grace, errors=Errors(limit=1)),
            late=False,
            absent=grace,
            strict=True,
            farewell=True,
        )
        window = self.window * MICROS_A_SECOND
        return SignUp(plan, self.least, self.most, window, self.again, player=player)
