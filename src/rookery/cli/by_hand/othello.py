"""Othello in frames, as a person."""

from collections.abc import Iterable
from typing import Final

from rookery.cli.by_hand.person import Shown, Who
from rookery.cli.by_hand.reversi import drawing, read_square
from rookery.clients.othello import (
    SIZE,
    Coloured,
    Ended,
    Failed,
    Happening,
    OthelloClient,
    Refused,
    Said,
    Stands,
    Unknown,
)
from rookery.core.ids import Seat

COLOURS: Final = ("black", "white")  # by seat


class OthelloPerson:
    """Signs on, plays, and hears the other side."""

    def __init__(self, who: Who) -> None:  # noqa: ARG002 - nobody has a name here
        self._client = OthelloClient()
        self._over = False

    def begin(self) -> bytes:
        """The bytes that sign on."""
        return self._client.sign_on()

    def hear(self, data: bytes) -> Iterable[Shown]:
        """Read the server's frames into sentences and boards for the terminal."""
        for happening in self._client.hear(data):
            yield from self._happened(happening)

    def prompt(self) -> str:
        """A move on one's turn; a new game after the end."""
        if self._over:
            return "again or quit: "
        return "Your move, like d3: " if self._client.mine else ""

    def say(self, typed: str) -> bytes | str:
        """A move, `quit`, `again`, or `say TEXT`."""
        word, _, rest = typed.strip().partition(" ")
        if word == "say":
            return self._client.say(rest)
        if word == "quit":
            return self._client.quit()
        if word == "again" and self._over:
            self._over = False
            return self._client.sign_on()
        square = read_square(typed, SIZE)
        if square is None or not all(0 <= n < SIZE for n in square):
            return "Type a square like d3, or: say TEXT, quit."
        return self._client.play(*square)

    def _happened(self, happening: Happening) -> Iterable[Shown]:
        match happening:
            case Coloured(seat):
                yield f"You are {COLOURS[seat]}."
            case Refused():
                yield "Your move is not valid, choose another move."
            case Stands(turn):
                yield drawing(self._client.board)
                if turn is not None:
                    yield (
                        "It's your turn." if self._client.mine else f"It's {COLOURS[turn]}'s turn."
                    )
            case Ended(winner):
                self._over = True
                yield self._result(winner)
            case Failed(words):
                yield f"The server says: {words or 'that was an error.'}"
            case Said(words):
                yield f"The other player says: {words}"
            case Unknown(line):
                yield f"The server said something unknown: {line}"

    def _result(self, winner: Seat | None) -> str:
        if winner is None:
            return "The game is a draw."
        return (
            "You win." if winner == self._client.seat else f"{COLOURS[winner].capitalize()} wins."
        )
