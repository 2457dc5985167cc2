"""Tourney, for a bot: it registers, joins a tournament, and plays the matches it is given.

Which game it is shows in the states. What they do not show is taken from the wish: whether
the last stick loses, and where a hidden number can be. The server's @PING is answered at
once; after a lost connection `@PLAYER` makes us the same player again.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
    LOST,
    WON,
    Finished,
    Heard,
    Over,
    Question,
    Unwelcome,
    Wish,
)
from rookery.cli.bot.turns import Turns
from rookery.cli.persons.tourney import ROLES
from rookery.cli.persons.tourney_states import Guesses, TourneyView, read_state
from rookery.core.ids import Seat
from rookery.dialects.base import Lines
from rookery.games.guess import Guess, GuessView
from rookery.games.nim import Nim, NimView
from rookery.games.reversi import ReversiView

LINE_MAX: Final = 1 << 16  # bytes; the longest are reports
MILLIS: Final = 1000  # the classic clock has 93 seconds for a whole match

_JOINED: Final = re.compile(r"Tournament .* successfully joined\.")
_IN_ONE: Final = "Player already assigned to a tournament."
_NONE_TO_JOIN: Final = "Failed to join a tournament."
_NO_TOUR: Final = "Error processing command."  # what a code is answered that no tour has
_FORGOTTEN: Final = "ID was not recognized."
_TAKEN: Final = "Player already connected to another client."


class Tourney:
    """One player, in one tournament after the other."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._lines = Lines(LINE_MAX, bare_cr=True)
        self._turns = Turns()
        self._id = ""  # number, and code where the server gives one
        self._here = False  # whether this connection is that player
        self._joined = False
        self._ended = False  # the tournament begins no more matches
        self._seat: Seat | None = None  # in a match
        self._opponent = ""
        self._view: TourneyView | None = None
        self._guesses = Guesses(Seat(0))
        self._patient = False  # whether it was said that there is nothing to join

    @property
    def question(self) -> Question | None:
        """A move on our turn."""
        return self._turns.question

    def begin(self) -> bytes:
        """Register, or be the same player again."""
        self._lines = Lines(LINE_MAX, bare_cr=True)
        self._turns.close()
        self._here, self._guesses.asked = False, None
        return self._register()

    def hear(self, came: bytes) -> Iterator[Heard]:
        """One command a line, cut at colons."""
        for line in self._lines.feed(came):
            yield from self._line(line.decode("utf-8", "replace").split(":"))

    def play(self, move: str) -> bytes:
        """The move in the words of the wire."""
        if isinstance(self._view, GuessView):
            self._guesses.asked = int(move)
        said = self._turns.answer(move)
        if isinstance(self._view, ReversiView):
            said = f"{int(move[1:]) - 1}{move[0]}"  # the wire has the row first, from 0
        return f"@GAME:MOVE:{said}\n".encode()

    def again(self) -> bytes:
        """Nothing: the next match begins by itself."""
        return b""

    def idle(self) -> bytes:
        """Join where there was nothing to join, or nobody to be."""
        if not self._here:
            return self._register()
        return b"" if self._joined else self._join()

    def farewell(self) -> bytes:
        """Nothing: who hangs up is gone."""
        return b""

    def _register(self) -> bytes:
        if self._id:
            return f"@PLAYER:{self._id}\n".encode()
        return f"@NEW PLAYER\n@NAME:{self._wish.name}\n".encode()

    def _join(self) -> bytes:
        return f"@TOUR:JOIN:{self._wish.code}\n".encode() if self._wish.code else b"@TOUR:JOIN\n"

    # -- what the server says

    def _line(self, pieces: list[str]) -> Iterator[Heard]:
        match pieces:
            case ["@PING", *_]:
                yield b"@PONG\n"
            case ["@PID", *number]:
                self._id, self._here = ":".join(number), True
                if not self._joined:
                    yield self._join()
            case ["@TOUR", "END", *_]:
                self._joined, self._ended = False, True
                yield from self._done()
            case ["@MESSAGE", *text]:
                self._joined = self._joined or bool(_JOINED.fullmatch(":".join(text)))
                yield f"The server says: {':'.join(text).strip()}"
            case ["@ERROR", *text]:
                yield from self._error(":".join(text))
            case ["@GAME", word, *rest]:
                yield from self._game(word, rest)
            case _:
                pass

    def _error(self, text: str) -> Iterator[Heard]:
        match text:
            case _ if text == _IN_ONE:
                self._joined = True
            case _ if text == _FORGOTTEN and not self._here:
                self._id, self._joined, self._seat = "", False, None
                yield self._register()
            case _ if text in {_NONE_TO_JOIN, _NO_TOUR} and self._wish.code and not self._joined:
                raise Unwelcome("There is no tour with that code to be joined.")
            case _ if text == _NONE_TO_JOIN:
                if not self._patient:
                    yield "There is no tournament to join; waiting for one."
                self._patient = True
            case _ if text == _TAKEN:
                pass  # the server has not noticed yet that our old connection is gone
            case _:
                yield f"The server says: {text}"

    def _game(self, word: str, rest: list[str]) -> Iterator[Heard]:
        match word, rest:
            case "START", [role, opponent, *_] if role in ROLES:
                # Coming back to a match it is said again, and our guesses still hold.
                if (ROLES[role], opponent) != (self._seat, self._opponent):
                    self._guesses = Guesses(ROLES[role])
                self._seat, self._opponent, self._view = ROLES[role], opponent, None
                self._joined = True
                yield BEGINS
            case "STATE", [text, *_]:
                yield from self._stands(text)
            case "ERROR", text:
                self._guesses.asked = None
                yield f"The server says: {':'.join(text)}"
            case "RESULT", ["H" | "A" | "T" as winner, *_]:
                won = WON if ROLES.get(winner) == self._seat else LOST
                self._seat = self._view = None
                self._turns.close()
                yield Over(DRAWN if winner == "T" else won)
                yield from self._done()
            case _:
                pass

    def _stands(self, text: str) -> Iterator[Heard]:
        """The same state once more is the answer to a move that was none."""
        before, self._view = self._view, self._wished(read_state(text, self._guesses))
        if self._view is None:
            yield f"The server sent a state of no game we know: {text}"
        elif self._view == before and self._turns.question is None:
            self._turns.refused()
        elif self._seat is not None:
            self._turns.open(self._seat, self._view, MILLIS)

    def _wished(self, view: TourneyView | None) -> TourneyView | None:
        """The view with what no state shows."""
        match view, self._wish.game:
            case NimView(), Nim(misere=misere):
                return replace(view, misere=misere)
            case GuessView(), Guess(low=low, high=high):
                return replace(view, low=low, high=high)
            case _:
                return view

    def _done(self) -> Iterator[Heard]:
        """A tour that was asked for by its code is over when its last match is."""
        if self._ended and self._seat is None:
            self._ended = False
            if self._wish.code:
                yield Finished("The tour is over.")
            self._patient = False
