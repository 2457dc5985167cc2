"""The course's fish, for a bot: the server calls, and every call is answered.

Values come without line ends, so they are read as far as they go. Games are counted at the
end of the whole tournament, because who leaves it earlier is thrown out of it.
"""

import json
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from rookery.cli.bot.pilot import BEGINS, LOST, UNKNOWN, WON, Finished, Heard, Over, Question, Wish
from rookery.cli.bot.positions import fish_view, flock_of
from rookery.cli.bot.turns import Turns
from rookery.core.ids import Seat
from rookery.games.fish import Fish as Rules
from rookery.games.fish import Place, Slide
from rookery.games.fish.ice import Square
from rookery.games.fish.state import COLORS

LONGEST: Final = 1 << 20  # bytes of a value; a state of the largest ice has 5,000
MILLIS: Final = 600  # "The first byte must come within 1 second"
VOID: Final = b'"void"'


class Player(Struct, frozen=True):
    """One player of a state."""

    color: str
    score: int
    places: tuple[Square, ...]


class State(Struct, frozen=True):
    """The ice, and the players from the one who is called on."""

    players: tuple[Player, ...]
    board: tuple[tuple[int, ...], ...]


class Fishcom:
    """Signs up, answers until the end, and signs up again."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._name = f"{wish.name}#{wish.code}" if wish.code else wish.name
        self._text = ""  # the beginning of a value
        self._turns = Turns()
        self._seat = Seat(0)
        self._seats = 0
        self._games = 0  # in this tournament
        self._ended = False
        self._back = False  # whether we may be told again what we knew

    @property
    def question(self) -> Question | None:
        """A tile or a move, when we are called."""
        return self._turns.question

    def begin(self) -> bytes:
        """Sign up. After a restart the same name from the same host has its old place."""
        self._text = ""
        self._turns.close()
        if self._ended:
            self._games, self._ended = 0, False
        self._back = self._games > 0
        return msgspec.json.encode(self._name)

    def hear(self, came: bytes) -> Iterator[Heard]:
        """One call at a time."""
        self._text = (self._text + came.decode("utf-8", "replace")).lstrip()
        while self._text and len(self._text) < LONGEST:
            try:
                call, end = json.JSONDecoder().raw_decode(self._text)
            except (ValueError, RecursionError):
                return  # the rest of it is on its way
            self._text = self._text[end:].lstrip()
            yield from self._call(call)

    def play(self, move: str) -> bytes:
        """A tile, or two, row first."""
        match Rules().parse_move(self._turns.answer(move)):
            case Place(at):
                return msgspec.json.encode(at)
            case Slide(start, end):
                return msgspec.json.encode((start, end))

    def again(self) -> bytes:
        """Nothing: the server hangs up after the end, and one signs up anew."""
        return b""

    def idle(self) -> bytes:
        """Nothing: whoever speaks uncalled has answered the next call."""
        return b""

    def farewell(self) -> bytes:
        """Nothing: the language has no word for it."""
        return b""

    def _call(self, call: object) -> Iterator[Heard]:
        match call:
            case ["playing-as", [str(color)]] if color in COLORS:
                before, self._seat = self._seat, Seat(COLORS.index(color))
                # Who is back after a restart is told of the same game once more.
                self._games += not (self._back and before == self._seat)
                self._seats, self._back = 1, False
                yield BEGINS
            case ["playing-with", [[*others]]]:
                self._seats = 1 + len(others)
            case ["setup" | "take-turn" as word, [state, *_]]:
                self._question("place" if word == "setup" else "move", state)
                return
            case ["end", [bool(won)]]:
                yield VOID
                yield from self._end(won=won)
                return
            case _:
                pass
        yield VOID

    def _question(self, phase: str, told: object) -> None:
        try:
            state = msgspec.convert(told, State)
            players = [flock_of(p.color, p.score, p.places) for p in state.players]
        except (msgspec.ValidationError, ValueError):
            return  # no state, and so no answer
        # Who comes back in the middle may not have been told how many began.
        seats = max(self._seats, 1 + max(flock.seat for flock in players), 2)
        view = fish_view(phase, state.board, players, seats, self._seat)
        self._turns.open(self._seat, view, MILLIS)

    def _end(self, *, won: bool) -> Iterator[Heard]:
        """Who played in several games knows only how the last came out."""
        self._turns.close()
        games, self._games, self._ended = self._games, 0, True
        for _ in range(games - 1):
            yield Over(UNKNOWN)
        if games:
            yield Over(WON if won else LOST, "The tournament is over.")
        if self._wish.code:
            yield Finished("The tour is over.")
