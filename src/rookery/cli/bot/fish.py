"""Fish, for a bot: it keeps the last state, and answers when it is asked.

In a tour it comes anew after every match. When the tour is over, its code is a part of the
id and the game an ordinary one, which shows when somebody else has such an id.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from rookery.cli.bot.pilot import (
    BEGINS,
    LOST,
    NO_TOUR,
    WON,
    CallAgain,
    Finished,
    Heard,
    Over,
    Question,
    Unwelcome,
    Wish,
)
from rookery.cli.bot.positions import fish_view, flock_of
from rookery.cli.bot.turns import Turns
from rookery.cli.persons.fish_words import (
    AssignColor,
    Error,
    Message,
    NotifyGameOver,
    Player,
    RequestMove,
    RequestPlacement,
    SendGameState,
    State,
)
from rookery.cli.persons.person import AGE
from rookery.core.ids import Seat
from rookery.dialects.base import Lines
from rookery.games.fish import Fish as Rules
from rookery.games.fish import Place, Slide
from rookery.games.fish.state import COLORS, SEAT_COUNTS, quota

LINE_MAX: Final = 1 << 16  # bytes; a state of the largest ice has 5,000
SEATS: Final = {quota(seats): seats for seats in SEAT_COUNTS}  # by how many penguins each places

_READER: Final[msgspec.json.Decoder[Message]] = msgspec.json.Decoder(Message)


class Fish:
    """Joins, answers, and joins again."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._name = f"{wish.name}#{wish.code}" if wish.code else wish.name
        self._lines = Lines(LINE_MAX)
        self._turns = Turns()
        self._state = State()
        self._seat: Seat | None = None  # in a game
        self._seats = 0
        self._asked = False  # whether we wait for a game, or are in one
        self._played = False  # whether there was ever one
        self._said = ""  # the last error; the same again is not worth a line

    @property
    def question(self) -> Question | None:
        """A tile or a move, when we are asked."""
        return self._turns.question

    def begin(self) -> bytes:
        """Join. In a game the same id from the same host has its seat again."""
        self._lines = Lines(LINE_MAX)
        return self._join()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """One message a line."""
        for line in self._lines.feed(came):
            try:
                message = _READER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue  # a message of later days
            yield from self._message(message)

    def play(self, move: str) -> bytes:
        """A tile, or two; x is the column."""
        match Rules().parse_move(self._turns.answer(move)):
            case Place((row, col)):
                return _line(type="PlaceAvatar", x=col, y=row)
            case Slide((row, col), (to_row, to_col)):
                return _line(type="MoveAvatar", fromX=col, fromY=row, toX=to_col, toY=to_row)

    def again(self) -> bytes:
        """Join; in a tour it is the next call that does."""
        return b"" if self._wish.code else self._join()

    def _join(self) -> bytes:
        self._turns.close()
        self._state, self._seat, self._asked = State(), None, True
        return _line(type="joinGame", age=AGE, id=self._name)

    def idle(self) -> bytes:
        """Join where it was refused, as while an old connection still has our id."""
        return b"" if self._asked else self._join()

    def farewell(self) -> bytes:
        """Nothing: the language has no word for it."""
        return b""

    def _message(self, message: Message) -> Iterator[Heard]:
        match message:
            case SendGameState(state) if any(map(self._is_stray, state.players)):
                # "The others do not see the code": this is an ordinary game.
                if not self._played:
                    raise Unwelcome(NO_TOUR)
                yield Finished("The tour is over.")
            case SendGameState(state):
                self._state = state
                self._played = True
            case AssignColor(color, count) if color in COLORS:
                self._seat = Seat(COLORS.index(color))
                self._seats = SEATS.get(count, len(self._state.players))
                yield BEGINS
            case RequestPlacement() | RequestMove():
                self._question()
            case NotifyGameOver(winners=winners):
                self._turns.close()
                self._seat, self._asked = None, False
                yield Over(WON if self._name in winners else LOST)
                if self._wish.code:
                    yield CallAgain()
            case Error(words):
                yield from self._error(words)
            case _:
                pass

    def _is_stray(self, player: Player) -> bool:
        """Whether somebody else shows the code that nobody shows in the tour itself."""
        code = f"#{self._wish.code.upper()}"
        shows = bool(self._wish.code) and player.id.upper().endswith(code)
        return shows and player.id != self._name

    def _question(self) -> None:
        state = self._state
        if self._seat is not None and state.board:
            players = [flock_of(p.color, p.score, p.places) for p in state.players]
            view = fish_view(state.phase, state.board, players, self._seats, self._seat)
            self._turns.open(self._seat, view)

    def _error(self, words: str) -> Iterator[Heard]:
        waits = self._seat is None
        self._asked = self._asked and not waits
        if waits and self._wish.code and not self._played:
            raise Unwelcome(words)
        if waits and self._wish.code:
            yield Finished(f"The server says: {words}")
        elif words != self._said:
            yield f"The server says: {words}"
        self._said = words


def _line(**fields: str | int) -> bytes:
    return msgspec.json.encode(fields) + b"\n"
