"""How much a client of bughouse can be told at once, and how soon: a port's options.

The old client takes broadcasts through a pipe of 1,024 bytes, and stops for good when an
answer it waits for is stuck behind them. So no more than a burst is on its way to it until
we know that it has been read: `Pace` says how much and how long, `Window` when silence proves
nothing.
"""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros

BURST: Final = 700  # bytes
GAP: Final[Micros] = 60_000  # of silence, after which all that was sent has been read
WELCOME: Final[Micros] = 200_000  # of silence before a newcomer's first broadcast
FIRST_TURN: Final[Micros] = 600_000  # from GAME_STARTED to a game's first YOUR_TURN
WELCOMES_A_RETURN: Final = 3  # at 200 ms a very slow client had no list of rooms yet
# A client that talks on and on is told all the same: no old client does so without reading.
PATIENCE: Final[Micros] = 2 * MICROS_A_SECOND
WINDOW_SILENCE: Final[Micros] = 2 * MICROS_A_SECOND  # without a request: nobody builds a window
WINDOW_MAX: Final[Micros] = 10 * MICROS_A_SECOND  # from GAME_STARTED on, whatever is asked
WINDOW_BOARDS: Final = 3  # GET_CURRENT_BOARD before the window is built
WINDOW_LISTS: Final = 2  # GET_PLAYERS once it is
WINDOW_NAMES: Final = 4  # GET_NAME after that, when it stands
WINDOWS_OF_STARTER: Final = 2  # are built by a client that starts the game


class Pace(Struct, frozen=True):
    """How many bytes a port's clients take at once, and how many microseconds they need."""

    burst: int = BURST
    gap: Micros = GAP
    welcome: Micros = WELCOME
    first_turn: Micros = FIRST_TURN


class Window:
    """Whether the window of the client's own game stands; until then silence proves nothing.

    From GAME_STARTED on the client's listener builds the board view and reads nothing. That took
    60 to 400 ms here, seconds on a slow machine; under the rule of 60 ms of silence alone all of
    21 windows that were reopened from ply 40 on froze. The listener asks GET_CURRENT_GAME twice,
    GET_BOARDS, GET_CURRENT_BOARD twice, GET_PLAYERS of both teams, GET_CURRENT_BOARD, builds, and
    asks GET_CURRENT_GAME and GET_PLAYERS of each team and GET_NAME of all four.

    So the window stands once "four GET_NAME have come after the second GET_PLAYERS, or it has sent
    MOVE or PUT since, or 2 s have passed without a request, or 10 s in any case". But the same
    lists and names are asked of who has joined, by the listener before it reads GAME_STARTED and by
    the thread that builds the room meanwhile: a window for which those counted froze beside a fast
    game. They ask the names of each team after its list; the window asks both lists first, and
    before them the third GET_CURRENT_BOARD.

    Two seconds without a request do not prove anything right after that third GET_CURRENT_BOARD:
    then the boards are drawn, and the old client always asks again when they are. On a busy machine
    that took 2.1 s, and the window froze. So there only the 10 s bound it.

    A client that sends START_GAME builds its window twice, at the same time: the thread that the
    click runs in builds one when START_GAME is answered, and the listener another when it reads
    GAME_STARTED; the later one is shown. A YOUR_TURN that the listener reads between the two marks
    the window that is then replaced, and the board stands still (3 of 16 starts on a busy machine).
    So the first turn of a client that has begun to build waits until it has asked for all four
    names twice.

    After its last GET_NAME the listener still lays the window out and shows it, which took up to
    a quarter of the time that the building took (131 ms on a busy machine), and for the first
    pieces it draws dialogs. So from then on until the client moves a silence must be as long as
    the building was.
    """

    def __init__(self) -> None:
        self.stands: Micros = 0  # since when; while it is built, when at the latest if all is quiet
        self.silence: Micros = (
            0  # so long a silence proves that all was read, if `Pace.gap` is less
        )
        self._latest: Micros = 0
        self._asked: Micros = 0  # when the last request came
        self._building: Micros = 0  # the longest time without a request
        self._boards = 0  # GET_CURRENT_BOARD since GET_BOARDS
        self._lists = 0  # … then GET_PLAYERS, without a GET_NAME between
        self._names = 0
        self._started_by_us = False  # START_GAME was asked in this room
        self._windows = 1  # that are built for this game
        self._seen = False  # the client has begun to build, so it is no program

    @property
    def first_turn(self) -> Micros:
        """No YOUR_TURN may be the first of this game before then."""
        return self.stands if self._seen and self._windows > 1 else 0

    def begin(self, now: Micros) -> None:
        """Note that GAME_STARTED was sent: the window is built from now on."""
        self._latest, self.silence = now + WINDOW_MAX, 0
        self._windows = WINDOWS_OF_STARTER if self._started_by_us else 1
        self._seen = False
        self._count_again(now)

    def asked(self, verb: str, now: Micros) -> None:
        """Note a request, which may show that the window stands."""
        if verb in ("CREATE_GAME", "JOIN_GAME", "START_GAME"):
            self._started_by_us = verb == "START_GAME"
        if now >= self._latest:
            return
        if verb == "GET_BOARDS":
            self._seen = True
            self._count_again(now)
        elif now < self.stands:
            self._building = max(self._building, now - self._asked)
            self._count(verb)
            if self._names >= WINDOW_NAMES * self._windows:
                self.stands, self.silence = now, self._building
            elif verb == "GET_CURRENT_BOARD" and self._boards >= WINDOW_BOARDS:
                self.stands = self._latest
            else:
                self.stands = min(now + WINDOW_SILENCE, self._latest)
        self._asked = now

    def _count(self, verb: str) -> None:
        match verb:
            case "GET_CURRENT_BOARD":
                self._boards += 1
                self._lists = self._names = 0
            case "GET_PLAYERS":
                self._lists += self._boards >= WINDOW_BOARDS
            case "GET_NAME" if self._lists >= WINDOW_LISTS:
                self._names += 1
            case "GET_NAME":
                self._lists = 0
            case _:
                pass

    def acts(self, now: Micros) -> None:
        """Note that the client moves, which it does in a window that stands."""
        self.stands = self._latest = min(self.stands, now)
        self.silence = 0

    def _count_again(self, now: Micros) -> None:
        self._boards = self._lists = self._names = self._building = 0
        self._asked = now
        self.stands = min(now + WINDOW_SILENCE, self._latest)
