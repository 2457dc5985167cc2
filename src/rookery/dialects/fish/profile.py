"""What fish declares: its bounds with their reasons, its clients' manners, a port's options.

Its clients join a game and are called in it, one at a time. Everyone who joins on ports with the
same options gathers for the same tables, and so does any player of another dialect who asks the
hall for the same. What is over a bound is told so, and cut off.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from rookery.core.chance import Chance
from rookery.core.clock import Unlimited, clock_for
from rookery.core.errors import BadOption
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.intents import Gather
from rookery.core.manners import FirstLines, Manners, Matched, Words
from rookery.core.options import check_flag, check_whole, variant_text
from rookery.core.policy import Errors, Gone, Policy
from rookery.dialects.first_bytes import first_object
from rookery.games.fish import Fish

# Bytes of one line of fish. The longest sensible one, a joinGame with an id of 40 characters
# written as \u escapes, has 550.
LINE_MAX: Final = 4 * 1024
# Lines that may wait while an earlier one is before the hall.
WAITING_MAX: Final = 5_000


NAME: Final = "fish"

MANNERS: Final = Manners(
    name=NAME,
    about="JSON lines for penguins on melting ice: the referee asks, and you answer in time.",
    hello='{"type":"joinGame","age":8,"id":"ann"}',
    first_session=(
        FirstLines(
            "Join, and wait: the game is the answer.",
            ('{"type":"joinGame","age":8,"id":"ann"}',),
            (
                '{"type":"SendGameState","state":{"phase":"place","players":[…],"board":[…]}}',
                '{"type":"AssignColor","color":"red","turn":0,"penguinCount":4}',
                '{"type":"RequestPlacement"}',
            ),
        ),
        FirstLines(
            "After RequestPlacement, within 30 seconds:",
            ('{"type":"PlaceAvatar","x":0,"y":0}',),
            ('{"type":"SendGameState",…}',),
        ),
    ),
    words=(Words(Fish.name),),
    matched=Matched.ASKS,
    joins="join with the id ann{team}#{code}",
    untold=True,
)

_object: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])


def opens_with(said: bytes) -> bool | None:
    """Whether the first line is a joinGame, or an older client's join; None until it is whole."""
    line = first_object(said)
    if not isinstance(line, bytes):
        return line
    try:
        found = _object.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return bytes(found.get("type", b"")) == b'"joinGame"' or "Request" in found


FEWEST: Final = 2
LONGEST_WAIT: Final = 3600  # seconds
LONGEST_GRACE: Final = 7 * 24 * 3600  # seconds


class FishOptions(Struct, frozen=True):
    """How games are made here."""

    players: Annotated[int, Meta(description="players who start a game at once; 2 to 4")] = 4
    wait: Annotated[int, Meta(description="seconds after the second joined until fewer start")] = 15
    waiting: Annotated[
        bool, Meta(description="whether players who joined are told that they wait")
    ] = False
    time: Annotated[str, Meta(description="the clock of every player")] = "10s/move first 30s"
    grace: Annotated[
        int, Meta(description="seconds to come back after a restart of the server")
    ] = 60
    rows: Annotated[int, Meta(description="rows of tiles; 1 to 40")] = 15
    cols: Annotated[int, Meta(description="tiles in a row; 1 to 40")] = 4
    fish: Annotated[int, Meta(description="fish on every tile, 1 to 5; 0 is the classic mix")] = 0
    holes: Annotated[int, Meta(description="tiles that are missing, placed by chance")] = 0

    def __post_init__(self) -> None:
        check_whole("players", self.players, FEWEST, Fish.seat_counts[-1])
        check_whole("wait", self.wait, 0, LONGEST_WAIT)
        check_flag("waiting", self.waiting)
        check_whole("grace", self.grace, 0, LONGEST_GRACE)
        if isinstance(clock_for(self.time, self.game()), Unlimited):
            raise BadOption("A game of fish needs a clock: it is what removes who is gone.")
        for seats in range(FEWEST, self.players + 1):
            self.game().start(seats, Chance(0))  # it says so where the ice is too small

    def game(self) -> Fish:
        """The variant of fish that is played at this port."""
        return Fish(self.rows, self.cols, self.fish, self.holes)

    @property
    def awaited(self) -> str:
        """A sentence that tells a player who joined what the game waits for."""
        if self.players == FEWEST:
            return f"You have joined; the game begins when {FEWEST} are there."
        return (
            f"You have joined; the game begins when {self.players} are there, or {self.wait} s "
            f"after the second of fewer came."
        )

    def gather(self, age: int, player: PlayerId) -> Gather:
        """The intent of a player to wait for a game with others; the youngest sits first."""
        # "A dropped connection in a game is a removal after the move's time is out":
        # the seat is held, and its clock runs.
        policy = Policy(gone=Gone.HOLD, grace=self.grace * MICROS_A_SECOND, errors=Errors(limit=1))
        return Gather(
            variant_text(self.game(), Fish.name),
            FEWEST,
            self.players,
            self.wait * MICROS_A_SECOND,
            age,
            self.time,
            policy,
            unique=True,
            player=player,
        )
