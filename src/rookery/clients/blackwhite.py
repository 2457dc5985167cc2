"""Black-white in a room, from the client's side: a word and what is in its brackets.

The server sends no board. The client keeps one by the discs that it is told of: the disc that
is played, then each that is turned over, so a move is whole when any other message comes.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from rookery.clients.lines import Lines
from rookery.clients.reversi import MARKS, Board
from rookery.core.ids import Seat

LINE_MAX: Final = 4096
SIZE: Final = 10
COLOURS: Final = ("BLACK", "WHITE")  # by seat

Square: TypeAlias = tuple[int, int]  # column and row from 0

_MESSAGE: Final = re.compile(r"([A-Z]+)(?:\s*\[([^\]]*)\])?")
_SQUARE: Final = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*")
_DISC: Final = re.compile(r"(PLAY|REVERSETO)(BLACK|WHITE)")


class Entered(Struct, frozen=True):
    """Somebody came into the room, perhaps we ourselves."""

    name: str


class Assigned(Struct, frozen=True):
    """A game begins, and we play in it."""

    seat: Seat


class Turn(Struct, frozen=True):
    """It is this player's turn."""

    name: str


class Moved(Struct, frozen=True):
    """A disc was played, and these were turned over."""

    at: Square
    turned: tuple[Square, ...]


class Refused(Struct, frozen=True):
    """Our move was not valid."""


class Ended(Struct, frozen=True):
    """The game is over; `winner` is empty for a tie."""

    winner: str


class Resigned(Struct, frozen=True):
    """Somebody gave up."""

    name: str


class Quit(Struct, frozen=True):
    """Somebody left the room."""

    name: str


class Failed(Struct, frozen=True):
    """The server says what was wrong."""

    words: str


class Unknown(Struct, frozen=True):
    """The server sent a message that the client does not know."""

    message: str


Happening: TypeAlias = (
    Entered | Assigned | Turn | Moved | Refused | Ended | Resigned | Quit | Failed | Unknown
)


class BlackwhiteClient:
    """One connection under one name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.board = Board(SIZE)
        self.board.set_start()
        self.seat: Seat | None = None  # ours, in the game that is played now or was last
        self.mine = False  # whether it is our turn
        self.last: Square | None = None  # the disc that was played last
        self._lines = Lines(LINE_MAX)
        self._turned: list[Square] = []  # by that disc, so far
        self._moving = False  # whether more may be turned over by it

    def enter(self, room: str = "") -> bytes:
        """The bytes that enter the room, or wish for a return game in it."""
        self.mine = False
        return f"ENTERROOM [{self.name}]{f' [{room}]' if room else ''}\n".encode()

    def play(self, col: int, row: int) -> bytes:
        """The bytes that play a disc of our colour on this square."""
        assert self.seat is not None, "only who has a colour plays"
        return f"PLAY{COLOURS[self.seat]} [{col},{row}]\n".encode()

    def resign(self) -> bytes:
        """The bytes that give the game up."""
        return b"RESIGN\n"

    def quit(self) -> bytes:
        """The bytes that leave the room, and lose a game that runs."""
        return b"QUIT\n"

    def hear(self, came: bytes) -> Iterator[Happening]:
        """Read the server's bytes into happenings; a line may hold several, with `&` between."""
        for line in self._lines.feed(came):
            for message in line.decode("utf-8", "replace").split(" & "):
                yield from self._message(message.strip())

    def _message(self, message: str) -> Iterator[Happening]:
        read = _MESSAGE.fullmatch(message)
        word, inside = (read[1], read[2] or "") if read else ("", "")
        disc, square = _DISC.fullmatch(word), _SQUARE.fullmatch(inside)
        at = None if square is None else (int(square[1]), int(square[2]))
        if disc is not None and disc[1] == "REVERSETO":
            if at is not None:
                self.board.put(*at, MARKS[COLOURS.index(disc[2])])
                self._turned.append(at)
            return
        if self._moving and self.last is not None:
            self._moving = False
            yield Moved(self.last, tuple(self._turned))
        if disc is None:
            yield self._other(word, inside) or Unknown(message)
        elif at is None:
            yield Refused()
        else:
            self.board.put(*at, MARKS[COLOURS.index(disc[2])])
            self.last, self.mine, self._moving = at, False, True
            self._turned.clear()

    def _other(self, word: str, inside: str) -> Happening | None:
        match word:
            case "ENTERROOM":
                return Entered(inside)
            case "ASSIGN" if inside.upper() in COLOURS:
                self.seat = Seat(COLOURS.index(inside.upper()))
                self.board.set_start()
                return Assigned(self.seat)
            case "TURN":
                # The seed writes pl1 and PL1 for one player.
                self.mine = inside.casefold() == self.name.casefold()
                return Turn(inside)
            case "WIN" | "TIE":
                self.mine = False
                return Ended(inside)
            case "RESIGN":
                return Resigned(inside)
            case "QUIT":
                return Quit(inside)
            case "ERROR":
                return Failed(inside)
            case _:
                return None
