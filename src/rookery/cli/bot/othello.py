"""Othello in frames, for a bot: text frames, one a line, and a board with each."""

from collections.abc import Iterator
from typing import Final

from rookery.cli.bot.pilot import BEGINS, DRAWN, LOST, WON, Heard, Over, Question, Wish
from rookery.cli.bot.positions import reversi_view
from rookery.cli.bot.turns import Turns
from rookery.core.ids import Seat
from rookery.dialects.base import Lines
from rookery.games.reversi import Reversi

LINE_MAX: Final = 4096
SIZE: Final = 8
CELLS: Final = ".XO"  # by digit
SIGN_ON: Final = b"1\n"


class Othello:
    """Signs on, plays, and signs on again."""

    def __init__(self, wish: Wish) -> None:  # noqa: ARG002 - it has no words for wishes
        self._lines = Lines(LINE_MAX)
        self._turns = Turns()
        self._colour = ""  # 1 or 2, once we are told
        self._playing = False
        self._asked = False  # whether we have signed on, and the game is not over

    @property
    def question(self) -> Question | None:
        """A move on our turn."""
        return self._turns.question

    def begin(self) -> bytes:
        """Sign on. Who comes back from the same host gets the lost seat."""
        self._lines = Lines(LINE_MAX)
        self._playing = False
        return self.again()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """One frame a line."""
        for line in self._lines.feed(came):
            frame = line.decode("utf-8", "replace")
            yield from self._frame(frame[:1], frame[1:])

    def play(self, move: str) -> bytes:
        """Column and row, as two digits."""
        place = Reversi().parse_move(self._turns.answer(move))
        return f"2{place.col}{place.row}\n".encode()

    def again(self) -> bytes:
        """Sign on."""
        self._turns.close()
        self._colour, self._asked = "", True
        return SIGN_ON

    def idle(self) -> bytes:
        """Sign on where it was refused."""
        return b"" if self._asked else self.again()

    def farewell(self) -> bytes:
        """Quit, so that the other has won at once."""
        return b"5\n"

    def _frame(self, kind: str, payload: str) -> Iterator[Heard]:
        match kind:
            case "1":
                self._colour = payload
            case "3":
                self._turns.refused()
            case "4":
                if not self._playing:
                    yield BEGINS
                self._board(payload)
            case "5":
                yield from self._end(payload)
            case "6":
                # Before a colour was given it answers the sign-on.
                self._asked = self._asked and bool(self._colour)
                yield f"The server says: {payload}"
            case _:
                pass  # what the other player says

    def _board(self, digits: str) -> None:
        if len(digits) != SIZE * SIZE + 1 or set(digits) - set("012"):
            return
        self._playing = True
        cells = "".join(CELLS[int(digit)] for digit in digits[:-1])
        rows = [cells[at : at + SIZE] for at in range(0, len(cells), SIZE)]
        self._turns.close()
        if digits[-1] == self._colour != "":
            seat = Seat(int(self._colour) - 1)
            self._turns.open(seat, reversi_view(rows, seat))

    def _end(self, winner: str) -> Iterator[Heard]:
        """The end of a game, or of waiting for one: when a tour is over nobody has won."""
        self._turns.close()
        playing, self._playing, self._asked = self._playing, False, False
        if playing:
            yield Over(DRAWN if winner == "0" else WON if winner == self._colour else LOST)
