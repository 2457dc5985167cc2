"""Tourney, as a person: seed 004's commands, for somebody among the bots.

A person may own a tournament or play in one. The server's @PING is answered at once, so that
we are not taken to be gone; we need none of our own.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from rookery.cli.drawing import Look, draw
from rookery.cli.persons.person import Heard, Who
from rookery.cli.persons.tourney_states import Guesses, TourneyView, last_move, read_state
from rookery.core.ids import Seat
from rookery.dialects.base import Lines
from rookery.games.guess import GuessView
from rookery.games.nim import NimView
from rookery.games.reversi import ReversiView
from rookery.games.tictactoe import TictactoeView

LINE_MAX: Final = 1 << 16  # bytes; the longest are reports
HELP: Final = (
    "Type: join [ID] [CODE], create TYPE, start, pause, end, report, left, who ID, back ID; "
    "in a match your move."
)
ROLES: Final = {"H": Seat(0), "A": Seat(1)}
STATES: Final = {
    "N": "not started",
    "I": "in progress",
    "T": "a tie",
    "H": "home won",
    "A": "away won",
}
_SQUARE: Final = re.compile(r"([a-z])([1-9][0-9]?)", re.IGNORECASE)  # as it is drawn, like d3
_COMMANDS: Final = {  # by what is typed; up to two more words follow behind colons
    "start": "@TOUR:START",
    "pause": "@TOUR:PAUSE",
    "end": "@TOUR:END",
    "report": "@TOUR:REPORT",
    "left": "@TOUR:MATCHES LEFT",
    "join": "@TOUR:JOIN",
    "create": "@TOUR:CREATE",
    "who": "@GET NAME",
    "back": "@PLAYER",
}


class Tourney:
    """Registers, and plays the matches it is given."""

    def __init__(self, who: Who) -> None:
        self._name = who.name
        self._lines = Lines(LINE_MAX, bare_cr=True)
        self._seat: Seat | None = None  # in a match
        self._opponent = ""
        self._view: TourneyView | None = None
        self._guesses = Guesses(Seat(0))
        self._waits = False  # whether a move of ours is not answered yet

    def begin(self) -> bytes:
        """Register."""
        return f"@NEW PLAYER\n@NAME:{self._name}\n".encode()

    def hear(self, data: bytes) -> Iterable[Heard]:
        """One command a line, cut at colons."""
        for line in self._lines.feed(data):
            words = line.decode("utf-8", "replace")
            told = list(self._line(words.split(":")))
            yield from told or [f"The server said something unknown: {words}"]

    def prompt(self) -> str:
        """A move on one's turn."""
        if not self._mine:
            return ""
        match self._view:
            case NimView():
                return "Row and sticks, like 0,3: "
            case GuessView():
                return "Your guess: "
            case TictactoeView():
                return "Your slot, 0 to 8: "
            case ReversiView():
                return "Your square, like d3: "
            case None:
                return ""

    def say(self, typed: str) -> bytes | str:
        """A command, or a move."""
        word, *rest = typed.split()
        if (command := _COMMANDS.get(word.lower())) and len(rest) <= 2:
            return ":".join([command, *rest]).encode() + b"\n"
        if self._seat is None:
            return HELP
        if not self._mine:
            return "It is not your turn, and a move now would count as an illegal one."
        return self._move(typed.strip())

    @property
    def _mine(self) -> bool:
        return self._view is not None and self._view.turn == self._seat and not self._waits

    def _move(self, typed: str) -> bytes:
        self._waits = True
        if isinstance(self._view, GuessView):
            whole = re.fullmatch(r"[+-]?[0-9]{1,10}", typed)
            self._guesses.asked = int(typed) if whole else None
        square = _SQUARE.fullmatch(typed)
        if isinstance(self._view, ReversiView) and square is not None:
            # The wire has the row first, from 0.
            typed = f"{int(square[2]) - 1}{square[1].lower()}"
        return f"@GAME:MOVE:{typed}\n".encode()

    # -- what the server says

    def _line(self, pieces: list[str]) -> Iterator[Heard]:
        match pieces:
            case ["@PING", *_]:
                yield b"@PONG\n"
            case ["@PONG", *_]:
                yield b""
            case ["@PID", number, *_]:
                yield f"You are player {number}. {HELP}"
            case ["@TID", number, *_]:
                yield f"You own tournament {number}: start when enough have joined, and end it."
            case ["@NAME", name, number, *_]:
                yield f"Player {number} is {name}."
            case ["@REPORT", matches, *_]:
                yield _report(matches)
            case ["@TOUR", "END", *_]:
                yield "The tournament is over."
            case ["@MESSAGE" | "@ERROR", *text]:
                yield f"The server says: {':'.join(text).strip()}"
            case ["@GAME", word, *rest]:
                yield from self._game(word, rest)
            case _:
                pass

    def _game(self, word: str, rest: list[str]) -> Iterator[Heard]:
        match word, rest:
            case "START", [role, opponent, *_] if role in ROLES:
                self._seat, self._opponent, self._view = ROLES[role], opponent, None
                self._guesses, self._waits = Guesses(self._seat), False
                first = "home, and move first" if role == "H" else "away"
                yield f"A match against {opponent}: you are {first}."
            case "STATE", [text, *_]:
                yield from self._stands(text)
            case "MESSAGE", text:
                yield ":".join(text)
            case "ERROR", text:
                self._guesses.asked = None
                yield f"The server says: {':'.join(text)}"
            case "RESULT", ["H" | "A" | "T" as winner, *_]:
                yield self._result(winner)
                self._seat = self._view = None
            case _:
                pass

    def _stands(self, text: str) -> Iterator[Heard]:
        before, self._waits = self._view, False
        self._view = read_state(text, self._guesses)
        if self._view is None:
            yield f"The server sent a state of no game we know: {text}"
            return
        last = last_move(before, self._view)
        yield draw(self._view, Look(viewer=self._seat, last=(last,) if last else ()))
        yield "It's your turn." if self._mine else f"It's {self._opponent}'s turn."

    def _result(self, winner: str) -> str:
        if winner == "T":
            return "The match is a tie."
        return "You win." if ROLES.get(winner) == self._seat else f"{self._opponent} wins."


def _report(matches: str) -> str:
    """A match a line: home, away, and how it stands."""
    lines = []
    for match in filter(None, matches.split(",")):
        home, _, rest = match.partition("/")
        away, _, state = rest.partition("/")
        lines.append(f"{home} against {away}: {STATES.get(state, state)}")
    return "\n".join(lines) or "No matches yet."
