"""The course's fish, from the client's side: the server calls, and every call is answered.

Values come without line ends, so the client reads each as soon as it is whole. Only `setup`
and `take-turn` want an answer that a player must think of; the client answers the other calls
itself.
"""

import codecs
import json
from collections.abc import Iterator
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from rookery.clients.ice import fish_view
from rookery.core.ids import Seat
from rookery.games.fish import FishView, Flock, Place, Slide
from rookery.games.fish.ice import Square
from rookery.games.fish.state import COLORS

LONGEST: Final = 1 << 20  # bytes of a value; a state of the largest ice has 5,000
VOID: Final = b'"void"'


class Began(Struct, frozen=True):
    """We are in a game, in this seat; after a restart the server says so once more."""

    seat: Seat


class Called(Struct, frozen=True):
    """The server calls for a placement or a move, in the game that it shows."""

    view: FishView


class Ended(Struct, frozen=True):
    """The whole tournament is over."""

    won: bool


Happening: TypeAlias = Began | Called | Ended


class Player(Struct, frozen=True):
    """One player of a state: colour, score, and where its penguins stand."""

    color: str
    score: int
    places: tuple[Square, ...]


class State(Struct, frozen=True):
    """The ice, and the players from the one who is called on."""

    players: tuple[Player, ...]
    board: tuple[tuple[int, ...], ...]


class FishcomClient:
    """One player, over one connection after the other."""

    def __init__(self) -> None:
        self._decoder = _utf8()
        self._text = ""  # the beginning of a value
        self._seat = Seat(0)
        self._seats = 0  # how many began, as far as we were told

    def sign_up(self, name: str) -> bytes:
        """The first bytes of a connection: our name, which may get its old place back."""
        self._decoder, self._text = _utf8(), ""
        return msgspec.json.encode(name)

    def answer(self, move: Place | Slide) -> bytes:
        """The bytes that answer a call: a tile, or two, each with its row first."""
        match move:
            case Place(at):
                return msgspec.json.encode(at)
            case Slide(start, end):
                return msgspec.json.encode((start, end))

    def hear(self, came: bytes) -> Iterator[Happening | bytes]:
        """Read the server's calls; yields happenings, and bytes for answers without a thought."""
        self._text = (self._text + self._decoder.decode(came)).lstrip()
        while self._text and len(self._text) < LONGEST:
            try:
                call, end = json.JSONDecoder().raw_decode(self._text)
            except (ValueError, RecursionError):
                return  # the rest of it is on its way
            self._text = self._text[end:].lstrip()
            yield from self._call(call)

    def _call(self, call: object) -> Iterator[Happening | bytes]:
        match call:
            case ["setup" | "take-turn" as word, [state, *_]]:
                view = self._view("place" if word == "setup" else "move", state)
                if view is not None:  # else no state, and so no answer
                    yield Called(view)
                return
            case ["playing-as", [str(color)]] if color in COLORS:
                self._seat, self._seats = Seat(COLORS.index(color)), 1
                yield Began(self._seat)
            case ["playing-with", [[*others]]]:
                self._seats = 1 + len(others)
            case _:
                pass
        yield VOID
        match call:
            case ["end", [bool(won)]]:
                yield Ended(won)
            case _:
                pass

    def _view(self, phase: str, told: object) -> FishView | None:
        try:
            state = msgspec.convert(told, State)
            flocks = [_flock(player) for player in state.players]
        except (msgspec.ValidationError, ValueError):
            return None
        # Who comes back in the middle may not have been told how many began.
        seats = max(self._seats, 1 + max((flock.seat for flock in flocks), default=0), 2)
        return fish_view(phase, state.board, flocks, seats, self._seat)


def _utf8() -> codecs.IncrementalDecoder:
    """A new decoder of UTF-8, which keeps the first piece of a letter that comes in two."""
    return codecs.getincrementaldecoder("utf-8")("replace")


def _flock(player: Player) -> Flock:
    """A player as the view of the rules has it. Raises ValueError for an unknown colour."""
    seat = Seat(COLORS.index(player.color))
    return Flock(seat, player.color, player.score, player.places, removed=False)
