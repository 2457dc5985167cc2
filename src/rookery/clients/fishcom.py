"""The course's fish, from the client's side: the server calls, and every call is answered.

Values come without line ends, so they are read as far as they go. Only `setup` and
`take-turn` want an answer that somebody must think of; the client answers the others itself.
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
    """We are in a game, in this seat; who is back after a restart is told so once more."""

    seat: Seat


class Called(Struct, frozen=True):
    """A tile or a move is wanted."""

    view: FishView


class Ended(Struct, frozen=True):
    """The whole tournament is over."""

    won: bool


Happening: TypeAlias = Began | Called | Ended


class Player(Struct, frozen=True):
    """One player of a state."""

    color: str
    score: int
    places: tuple[Square, ...]


class State(Struct, frozen=True):
    """The ice, and the players from the one who is called on."""

    players: tuple[Player, ...]
    board: tuple[tuple[int, ...], ...]


class FishcomClient:
    """One player, over one connection after the other. It mutates."""

    def __init__(self) -> None:
        self._decoder = _utf8()
        self._text = ""  # the beginning of a value
        self._seat = Seat(0)
        self._seats = 0  # how many began, as far as we were told

    def sign_up(self, name: str) -> bytes:
        """Say first on a connection who we are; the same name may have its old place again."""
        self._decoder, self._text = _utf8(), ""
        return msgspec.json.encode(name)

    def answer(self, move: Place | Slide) -> bytes:
        """What the call asked for: a tile, or two, row first."""
        match move:
            case Place(at):
                return msgspec.json.encode(at)
            case Slide(start, end):
                return msgspec.json.encode((start, end))

    def hear(self, came: bytes) -> Iterator[Happening | bytes]:
        """One call at a time, and what to answer where nothing is to be thought of."""
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
    """A letter may come in two pieces."""
    return codecs.getincrementaldecoder("utf-8")("replace")


def _flock(player: Player) -> Flock:
    """A player as the rules show it; the colour says where it sits. Raises ValueError."""
    seat = Seat(COLORS.index(player.color))
    return Flock(seat, player.color, player.score, player.places, removed=False)
