"""Fish, from the client's side: seed 002's messages, as JSON objects on lines.

Its happenings are the messages as they come. The client keeps the last state.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from rookery.clients.ice import fish_view
from rookery.clients.lines import Lines
from rookery.core.ids import Seat
from rookery.games.fish import FishView, Flock, Place, Slide
from rookery.games.fish.ice import Square
from rookery.games.fish.state import COLORS, SEAT_COUNTS, quota

LINE_MAX: Final = 1 << 16  # bytes; a state of the largest ice has 5,000
AGE: Final = 30  # of a player who does not say
SEATS: Final = {quota(seats): seats for seats in SEAT_COUNTS}  # by how many penguins each places


class Player(Struct, frozen=True):
    """One player of a state; a state leaves out the players who were removed."""

    id: str
    color: Literal["red", "white", "brown", "black"]
    score: int
    places: tuple[Square, ...]

    @property
    def seat(self) -> Seat:
        """The player's seat: colours are given out in the order of turns."""
        return Seat(COLORS.index(self.color))

    @property
    def flock(self) -> Flock:
        """The player as the view of the rules has it."""
        return Flock(self.seat, self.color, self.score, self.places, removed=False)


class State(Struct, frozen=True):
    """The ice, and the players from the one to act on."""

    phase: str = ""
    players: tuple[Player, ...] = ()
    board: tuple[tuple[int, ...], ...] = ()


class SendGameState(Struct, frozen=True, tag="SendGameState"):
    """The server tells how the game stands."""

    state: State


class AssignColor(Struct, frozen=True, tag="AssignColor", rename="camel"):
    """The server tells our colour, and how many penguins we place."""

    color: str
    penguin_count: int


class RequestPlacement(Struct, frozen=True, tag="RequestPlacement"):
    """The server asks us to place a penguin."""


class RequestMove(Struct, frozen=True, tag="RequestMove"):
    """The server asks us to move a penguin."""


class NotifyGameOver(Struct, frozen=True, tag="NotifyGameOver"):
    """The game is over: who won, who lost, who was removed, and the scores by id."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    cheaters: tuple[str, ...]
    scores: dict[str, int] = {}


class Waiting(Struct, frozen=True, tag="Waiting"):
    """We have joined, and wait for a game; the message says for what."""

    message: str


class Error(Struct, frozen=True, tag="Error"):
    """The server says why it did not take our line, or why it removed us."""

    message: str


Message: TypeAlias = (
    SendGameState | AssignColor | RequestPlacement | RequestMove | NotifyGameOver | Waiting | Error
)


class Unknown(Struct, frozen=True):
    """The server sent a line that the client does not know."""

    line: str


Happening: TypeAlias = Message | Unknown

_READER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)


class FishClient:
    """One connection under one id."""

    def __init__(self, name: str, age: int = AGE) -> None:
        self.name = name
        self.state = State()
        self.seat: Seat | None = None  # ours in a game
        self._age = age
        self._seats = 0  # how many began
        self._lines = Lines(LINE_MAX)

    def join(self) -> bytes:
        """The bytes that ask for a game; the same id from the same host gets a lost seat back."""
        self.state, self.seat = State(), None
        return _line(type="joinGame", age=self._age, id=self.name)

    def answer(self, move: Place | Slide) -> bytes:
        """The bytes that answer a request: a tile, or two; on the wire x is the column."""
        match move:
            case Place((row, col)):
                return _line(type="PlaceAvatar", x=col, y=row)
            case Slide((row, col), (to_row, to_col)):
                return _line(type="MoveAvatar", fromX=col, fromY=row, toX=to_col, toY=to_row)

    def view(self) -> FishView | None:
        """The game as the view of the rules has it, on our turn; None while we are in no game."""
        if self.seat is None or not self.state.board:
            return None
        flocks = [player.flock for player in self.state.players]
        return fish_view(self.state.phase, self.state.board, flocks, self._seats, self.seat)

    def hear(self, came: bytes) -> Iterator[Happening]:
        """Read the server's bytes into messages, one a line, and keep what they tell."""
        for line in self._lines.feed(came):
            try:
                message = _READER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                yield Unknown(line.decode("utf-8", "replace"))
                continue
            self._learn(message)
            yield message

    def _learn(self, message: Message) -> None:
        match message:
            case SendGameState(state):
                self.state = state
            case AssignColor(color, count) if color in COLORS:
                self.seat = Seat(COLORS.index(color))
                self._seats = SEATS.get(count, len(self.state.players))
            case NotifyGameOver():
                self.seat = None
            case _:
                pass


def _line(**fields: str | int) -> bytes:
    return msgspec.json.encode(fields) + b"\n"
