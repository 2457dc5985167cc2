"""Black-white in a room, for a bot: it keeps the board by the stones that are told.

With a tour's code behind the name the room is the tour's. When the tour is over, the code is
a part of the name and the room an ordinary one; to notice it one must come anew after every
match, and then whoever shows the code is in no tour.
"""

import re
from collections.abc import Iterator
from typing import Final

from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
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
from rookery.cli.bot.positions import MARKS, reversi_view
from rookery.cli.bot.turns import Turns
from rookery.cli.persons.reversi import Board
from rookery.core.ids import Seat
from rookery.dialects.base import Lines
from rookery.games.reversi import Reversi

LINE_MAX: Final = 4096
SIZE: Final = 10
COLOURS: Final = ("BLACK", "WHITE")  # by seat

_LINE: Final = re.compile(r"([A-Z]+)(?:\s*\[([^\]]*)\])?")
_SQUARE: Final = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*")


class Blackwhite:
    """Enters a room, plays when it has a colour, and looks on until then."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._name = f"{wish.name}#{wish.code}" if wish.code else wish.name
        self._lines = Lines(LINE_MAX)
        self._board = Board(SIZE)
        self._turns = Turns()
        self._seat: Seat | None = None  # in the game that is played now
        self._inside = False
        self._played = False  # whether there was ever a game

    @property
    def question(self) -> Question | None:
        """A move on our turn."""
        return self._turns.question

    def begin(self) -> bytes:
        """Enter. In a running game the same name from the same host has its seat again."""
        self._lines = Lines(LINE_MAX)
        self._inside, self._seat = False, None
        return self._enter()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """One message a line, or several with `&` between them."""
        for line in self._lines.feed(came):
            for message in line.decode("utf-8", "replace").split(" & "):
                read = _LINE.fullmatch(message.strip())
                if read is not None:
                    yield from self._message(read[1], read[2] or "")

    def play(self, move: str) -> bytes:
        """A stone of our colour, column and row from 0."""
        assert self._seat is not None, "only who has a colour is asked"
        place = Reversi(size=SIZE).parse_move(self._turns.answer(move))
        return f"PLAY{COLOURS[self._seat]} [{place.col},{place.row}]\n".encode()

    def again(self) -> bytes:
        """Wish for a return game; in a tour it is the next call that asks for a match."""
        return b"" if self._wish.code else self._enter()

    def idle(self) -> bytes:
        """Enter where it was refused, as while an old connection still has our name."""
        return b"" if self._inside else self._enter()

    def farewell(self) -> bytes:
        """Leave the room, and lose a game that runs."""
        return b"QUIT\n"

    def _enter(self) -> bytes:
        self._turns.close()
        room = f" [{self._wish.room}]" if self._wish.room else ""
        return f"ENTERROOM [{self._name}]{room}\n".encode()

    def _message(self, word: str, inside: str) -> Iterator[Heard]:
        match word:
            case "ENTERROOM" if inside != self._name and self._is_stray(inside):
                # "The others do not see the code": we are both in an ordinary room.
                if not self._played:
                    raise Unwelcome(NO_TOUR)
                yield Finished("The tour is over.")
            case "ENTERROOM":
                self._inside = self._inside or inside == self._name
            case "ASSIGN" if inside.upper() in COLOURS:
                self._seat, self._played = Seat(COLOURS.index(inside.upper())), True
                self._board.set_start()
                yield BEGINS
            case "TURN" if self._wish.code and not self._played:
                # "There are no viewers in this language" in a tour, and here we look on.
                raise Unwelcome(NO_TOUR)
            case "TURN":
                self._turn(inside)
            case "PLAYBLACK" | "PLAYWHITE" | "REVERSETOBLACK" | "REVERSETOWHITE":
                self._put(word, inside)
            case "WIN" | "TIE":
                yield from self._end(inside)
            case "ERROR" if self._wish.code and not self._played:
                raise Unwelcome(inside or "The server does not let us into that tour.")
            case "ERROR" if self._wish.code and self._seat is None:
                yield Finished(f"The server says: {inside}")
            case "ERROR":
                yield f"The server says: {inside}"
            case _:
                pass  # who comes, goes and gives up

    def _is_stray(self, name: str) -> bool:
        """Whether somebody shows the code that nobody shows in the tour itself."""
        return bool(self._wish.code) and name.upper().endswith(f"#{self._wish.code.upper()}")

    def _put(self, word: str, inside: str) -> None:
        square = _SQUARE.fullmatch(inside)
        if square is None:
            self._turns.refused()
            return
        mark = MARKS[COLOURS.index(word[-5:])]  # both colours have five letters
        self._board.put(int(square[1]), int(square[2]), mark)
        self._turns.close()

    def _turn(self, name: str) -> None:
        self._turns.close()
        if self._seat is not None and name == self._name:
            rows = ["".join(row) for row in self._board.cells]
            self._turns.open(self._seat, reversi_view(rows, self._seat))

    def _end(self, winner: str) -> Iterator[Heard]:
        self._turns.close()
        seat, self._seat = self._seat, None
        if seat is not None:
            yield Over(DRAWN if not winner else WON if winner == self._name else LOST)
            if self._wish.code:
                yield CallAgain()
