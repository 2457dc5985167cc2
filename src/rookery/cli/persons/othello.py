"""Othello in frames, as a person: seed 003's text frames, one a line."""

from collections.abc import Iterable
from typing import Final

from rookery.cli.persons.person import Shown, Who
from rookery.cli.persons.reversi import EMPTY, MARKS, Board
from rookery.dialects.base import Lines

COLOURS: Final = {"1": "black", "2": "white"}
LINE_MAX: Final = 4096


class Othello:
    """Signs on, plays, and hears the other side."""

    def __init__(self, who: Who) -> None:
        self._name = who.name
        self._lines = Lines(LINE_MAX)
        self._board = Board(8)
        self._colour = ""  # 1 or 2, once we are told
        self._turn = ""
        self._over = False

    def begin(self) -> bytes:
        """Sign on."""
        return b"1\n"

    def hear(self, data: bytes) -> Iterable[Shown]:
        """One frame a line."""
        for line in self._lines.feed(data):
            yield from self._frame(line.decode("utf-8", "replace"))

    def prompt(self) -> str:
        """A move on one's turn; a new game after the end."""
        if self._over:
            return "again or quit: "
        return "Your move, like d3: " if self._colour and self._turn == self._colour else ""

    def say(self, typed: str) -> bytes | str:
        """A move, `quit`, `again`, or `say TEXT`."""
        word, _, rest = typed.strip().partition(" ")
        if word == "say":
            return f"7{rest}\n".encode()
        if word == "quit":
            return b"5\n"
        if word == "again" and self._over:
            self._over, self._turn = False, ""
            return b"1\n"
        square = self._board.read(typed)
        if square is None or not all(0 <= n < 8 for n in square):
            return "Type a square like d3, or: say TEXT, quit."
        return f"2{square[0]}{square[1]}\n".encode()

    def _frame(self, line: str) -> Iterable[Shown]:
        kind, payload = line[:1], line[1:]
        match kind:
            case "1":
                self._colour = payload
                yield f"You are {COLOURS.get(payload, payload)}."
            case "3":
                yield "Your move is not valid, choose another move."
            case "4":
                yield from self._shown(payload)
            case "5":
                self._over = True
                yield self._result(payload)
            case "6":
                yield f"The server says: {payload or 'that was an error.'}"
            case "7":
                yield f"The other player says: {payload}"
            case _:
                yield f"The server said something unknown: {line}"

    def _shown(self, digits: str) -> Iterable[Shown]:
        if len(digits) != 65 or set(digits) - set("012"):
            yield f"The server sent no board: {digits}"
            return
        for at, digit in enumerate(digits[:64]):
            self._board.put(at % 8, at // 8, (EMPTY, *MARKS)[int(digit)])
        self._turn = digits[64]
        yield self._board.drawing()
        if self._turn in COLOURS:
            yours = self._turn == self._colour
            yield "It's your turn." if yours else f"It's {COLOURS[self._turn]}'s turn."

    def _result(self, winner: str) -> str:
        if winner == "0":
            return "The game is a draw."
        if winner == self._colour:
            return "You win."
        return f"{COLOURS.get(winner, winner).capitalize()} wins."
