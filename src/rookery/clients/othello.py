"""Othello in frames, from the client's side: text frames, one a line, and a board with each.

A frame's first character says what it is. Black is 1 on the wire and white 2.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from rookery.clients.lines import Lines
from rookery.clients.reversi import EMPTY, MARKS, Board
from rookery.core.ids import Seat

LINE_MAX: Final = 4096
SIZE: Final = 8
SEATS: Final = {"1": Seat(0), "2": Seat(1)}  # by colour


class Coloured(Struct, frozen=True):
    """We play this colour."""

    seat: Seat


class Refused(Struct, frozen=True):
    """Our move was not valid."""


class Stands(Struct, frozen=True):
    """The server sent a board, which the client keeps, and whose turn it is."""

    turn: Seat | None


class Ended(Struct, frozen=True):
    """The game is over; `winner` is None for a draw, or where no game was played."""

    winner: Seat | None


class Failed(Struct, frozen=True):
    """The server says what was wrong; the words may be empty."""

    words: str


class Said(Struct, frozen=True):
    """The other player says something."""

    words: str


class Unknown(Struct, frozen=True):
    """The server sent a frame that the client does not know."""

    line: str


Happening: TypeAlias = Coloured | Refused | Stands | Ended | Failed | Said | Unknown


class OthelloClient:
    """One connection."""

    def __init__(self) -> None:
        self.board = Board(SIZE)
        self.seat: Seat | None = None  # ours, once we are told
        self.turn: Seat | None = None
        self._lines = Lines(LINE_MAX)

    @property
    def mine(self) -> bool:
        """Whether it is our turn."""
        return self.seat is not None and self.turn == self.seat

    def sign_on(self) -> bytes:
        """The bytes that ask for a game; a client of the same host gets a lost seat back."""
        self.seat = self.turn = None
        return b"1\n"

    def play(self, col: int, row: int) -> bytes:
        """The bytes that play a disc of ours on this square."""
        return f"2{col}{row}\n".encode()

    def quit(self) -> bytes:
        """The bytes that give the game up, so that the other player wins at once."""
        return b"5\n"

    def say(self, words: str) -> bytes:
        """The bytes that say something to the other player."""
        return f"7{words}\n".encode()

    def hear(self, came: bytes) -> Iterator[Happening]:
        """Read the server's bytes into happenings, one a line, and keep what they tell."""
        for line in self._lines.feed(came):
            frame = line.decode("utf-8", "replace")
            yield self._frame(frame[:1], frame[1:]) or Unknown(frame)

    def _frame(self, kind: str, payload: str) -> Happening | None:
        match kind, payload:
            case "1", "1" | "2":
                self.seat = SEATS[payload]
                return Coloured(self.seat)
            case "3", _:
                return Refused()
            case "4", _:
                return self._stands(payload)
            case "5", "0" | "1" | "2":
                self.turn = None
                return Ended(SEATS.get(payload))
            case "6", _:
                return Failed(payload)
            case "7", _:
                return Said(payload)
            case _:
                return None

    def _stands(self, digits: str) -> Stands | None:
        if len(digits) != SIZE * SIZE + 1 or set(digits) - set("012"):
            return None
        put, marks = self.board.put, {"0": EMPTY, "1": MARKS[0], "2": MARKS[1]}
        for at, digit in enumerate(digits[:-1]):
            put(at % SIZE, at // SIZE, marks[digit])
        self.turn = SEATS.get(digits[-1])
        return Stands(self.turn)
