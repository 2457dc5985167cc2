"""Black-white in a room, as a person: the sentences are those of seed 001's second session."""

import re
from collections.abc import Iterable
from typing import Final

from rookery.cli.persons.person import Shown, Who
from rookery.cli.persons.reversi import MARKS, Board
from rookery.dialects.base import Lines

LINE_MAX: Final = 4096

_LINE: Final = re.compile(r"([A-Z]+)(?:\s*\[([^\]]*)\])?")
_SQUARE: Final = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*")


class Blackwhite:
    """Enters a room, plays if there is a seat, and looks on if there is none."""

    def __init__(self, who: Who) -> None:
        self._name = who.name
        self._lines = Lines(LINE_MAX)
        self._board = Board(10)
        self._colour = ""  # BLACK or WHITE, once assigned
        self._mine = False  # whether it is our turn
        self._played = ""  # the move whose reversed stones are being told
        self._reversed: list[str] = []

    def begin(self) -> bytes:
        """Enter the room."""
        self._board.set_start()
        return f"ENTERROOM [{self._name}]\n".encode()

    def hear(self, data: bytes) -> Iterable[Shown]:
        """One message a line, or several with `&` between them."""
        for line in self._lines.feed(data):
            for message in line.decode("utf-8", "replace").split(" & "):
                yield from self._message(message.strip())

    def prompt(self) -> str:
        """A move on one's turn."""
        return "Play, like [5,6] or f7: " if self._mine else ""

    def say(self, typed: str) -> bytes | str:
        """A square, `resign`, `quit`, or `again` after a game."""
        word = typed.strip().lower()
        if word in ("resign", "quit"):
            return f"{word.upper()}\n".encode()
        if word == "again":
            return self.begin()
        square = self._board.read(typed)
        if square is None:
            return "Type a square like [5,6], or: resign, quit, again."
        if not self._colour:
            return "You look on; only the first two in the room play."
        return f"PLAY{self._colour} [{square[0]},{square[1]}]\n".encode()

    def _message(self, message: str) -> Iterable[Shown]:
        read = _LINE.fullmatch(message)
        word, inside = (read[1], read[2] or "") if read else ("", "")
        if word.startswith("REVERSETO"):
            self._turned(word.removeprefix("REVERSETO"), inside)
            return
        yield from self._finish_move()
        match word:
            case "ENTERROOM":
                yield f"{inside} entered room"
            case "ASSIGN":
                self._colour = inside.upper()
                self._board.set_start()
                yield f"you are {inside.lower()}"
            case "TURN":
                self._mine = inside == self._name
                yield self._board.drawing(self._played)
                yield "it's your turn" if self._mine else f"it's {inside}'s turn"
            case "PLAYBLACK" | "PLAYWHITE":
                yield from self._play(word.removeprefix("PLAY"), inside)
            case "WIN" | "TIE":
                self._mine = False
                yield self._board.drawing(self._played)
                yield f"{inside} wins" if inside else "it's a tie"
            case "RESIGN" | "QUIT":
                yield f"{inside} {'resigned' if word == 'RESIGN' else 'left the room'}"
            case "ERROR":
                yield f"the server says: {inside}"
            case _:
                yield f"the server said something unknown: {message}"

    def _play(self, colour: str, inside: str) -> Iterable[Shown]:
        square = _SQUARE.fullmatch(inside)
        if square is None:
            yield "your move is not valid, choose another move"
            return
        col, row = int(square[1]), int(square[2])
        self._board.put(col, row, _mark(colour))
        self._played = self._board.write(col, row)
        self._reversed = []
        self._mine = False

    def _turned(self, colour: str, inside: str) -> None:
        square = _SQUARE.fullmatch(inside)
        if square is not None:
            self._board.put(int(square[1]), int(square[2]), _mark(colour))
            self._reversed.append(f"[{square[1]},{square[2]}]")

    def _finish_move(self) -> Iterable[Shown]:
        """A move is told whole, once the last of its reversed stones has come."""
        if self._reversed:
            yield f"play {self._played} & reverse {' '.join(self._reversed)}"
            self._reversed = []


def _mark(colour: str) -> str:
    return MARKS[0] if colour == "BLACK" else MARKS[1]
