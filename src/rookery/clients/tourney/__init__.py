"""Tourney, from the client's side: seed 004's commands, one a line, cut at colons.

The client answers the server's @PING at once, so that the server does not take us to be gone;
it sends no pings of its own. Only the form of its states shows which game is played (`states`).
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from rookery.clients.lines import Lines
from rookery.clients.tourney.states import Guesses, TourneyView, read_state
from rookery.core.ids import Seat
from rookery.games.guess import GuessView
from rookery.games.reversi import ReversiView

JOINED: Final = "successfully joined."  # how the answer to joining ends
LINE_MAX: Final = 1 << 16  # bytes; the longest are reports
ROLES: Final = {"H": Seat(0), "A": Seat(1)}

_SQUARE: Final = re.compile(r"([a-z])([1-9][0-9]?)", re.IGNORECASE)  # as it is drawn, like d3
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,10}")


class Registered(Struct, frozen=True):
    """We are this player; behind the number may be a code that proves it."""

    player: str


class Owned(Struct, frozen=True):
    """We own this tournament now."""

    tournament: str


class TournamentOver(Struct, frozen=True):
    """The tournament begins no more matches."""


class Said(Struct, frozen=True):
    """The server says something to us."""

    words: str


class Failed(Struct, frozen=True):
    """The server says why it did not do what we asked."""

    words: str


class Began(Struct, frozen=True):
    """A match begins, or goes on."""

    seat: Seat
    opponent: str


class Stands(Struct, frozen=True):
    """How the match stands, and how it stood before, as far as we know."""

    view: TourneyView
    before: TourneyView | None


class NoState(Struct, frozen=True):
    """The server sent a state that is of no game we know."""

    text: str


class Remarked(Struct, frozen=True):
    """The server says something about our match."""

    words: str


class Refused(Struct, frozen=True):
    """The server did not take our move, and says why."""

    words: str


class Ended(Struct, frozen=True):
    """The match is over; `winner` is None for a tie, and `ours` is the seat that we had."""

    winner: Seat | None
    ours: Seat | None


class Unknown(Struct, frozen=True):
    """The server sent a line that the client does not know."""

    line: str


Happening: TypeAlias = (
    Registered
    | Owned
    | TournamentOver
    | Said
    | Failed
    | Began
    | Stands
    | NoState
    | Remarked
    | Refused
    | Ended
    | Unknown
)


class TourneyClient:
    """One player, over one connection after the other."""

    def __init__(self, name: str) -> None:
        self.player = ""  # our number, and code where the server gives one
        self.here = False  # whether this connection is that player
        self.seat: Seat | None = None  # in a match
        self.opponent = ""
        self.view: TourneyView | None = None
        self._name = name
        self._named = False  # for sure: nothing answers a name, but what was asked behind it
        self._lines = Lines(LINE_MAX, bare_cr=True)
        self._match: tuple[Seat, str] | None = None  # the one our guesses are about
        self._guesses = Guesses(Seat(0))
        self._waits = False  # whether a move of ours is not answered yet

    @property
    def mine(self) -> bool:
        """Whether it is our turn."""
        return self.view is not None and self.view.turn == self.seat and not self._waits

    def begin(self) -> bytes:
        """Begin a new connection; returns its first bytes: be a new player, or the same again."""
        self._lines = Lines(LINE_MAX, bare_cr=True)
        self.here, self._guesses.asked = False, None
        return self.register()

    def register(self) -> bytes:
        """The bytes that make us a new player, or the same again."""
        name = b"" if self._named else command("@NAME", self._name)
        return command(*(["@PLAYER", self.player] if self.player else ["@NEW PLAYER"])) + name

    def forget(self) -> None:
        """Forget who we were, as the server has: the next registration is of a new player."""
        self.player, self.seat, self._named = "", None, False

    def play(self, move: str) -> bytes:
        """The bytes of our move; a square of othello may be written as it is drawn, like d3."""
        self._waits = True
        if isinstance(self.view, GuessView):
            self._guesses.asked = int(move) if _NUMBER.fullmatch(move) else None
        square = _SQUARE.fullmatch(move)
        if isinstance(self.view, ReversiView) and square is not None:
            # The wire has the row first, from 0.
            move = f"{int(square[2]) - 1}{square[1].lower()}"
        return command("@GAME:MOVE", move)

    def hear(self, came: bytes) -> Iterator[Happening | bytes]:
        """Read the server's commands, one a line; yields happenings, and the bytes of a pong."""
        for line in self._lines.feed(came):
            words = line.decode("utf-8", "replace")
            match words.split(":"):
                case ["@PING", *_]:
                    yield command("@PONG")
                case ["@PONG", *_]:
                    pass
                case ["@GAME", word, *rest]:
                    self._named = True  # who plays has joined before
                    yield self._game(word, rest) or Unknown(words)
                case pieces:
                    yield self._line(pieces) or Unknown(words)

    def _line(self, pieces: list[str]) -> Happening | None:
        match pieces:
            case ["@PID", *number]:
                self.player, self.here = ":".join(number), True
                self.seat = self.view = None  # who is in a match is told of it next
                return Registered(self.player)
            case ["@TID", number, *_]:
                return Owned(number)
            case ["@TOUR", "END", *_]:
                return TournamentOver()
            case ["@MESSAGE", *text]:
                said = ":".join(text).strip()
                self._named = self._named or said.endswith(JOINED)
                return Said(said)
            case ["@ERROR", *text]:
                return Failed(":".join(text).strip())
            case _:
                return None

    def _game(self, word: str, rest: list[str]) -> Happening | None:
        match word, rest:
            case "START", [role, opponent, *_] if role in ROLES:
                # Coming back to a match it is said again, and our guesses still hold.
                if (ROLES[role], opponent) != self._match:
                    self._guesses = Guesses(ROLES[role])
                    self._match = ROLES[role], opponent
                self.seat, self.opponent = ROLES[role], opponent
                self.view, self._waits = None, False
                return Began(self.seat, opponent)
            case "STATE", [text, *_]:
                before, self._waits = self.view, False
                self.view = read_state(text, self._guesses)
                return NoState(text) if self.view is None else Stands(self.view, before)
            case "MESSAGE", text:
                return Remarked(":".join(text))
            case "ERROR", text:
                self._guesses.asked = None
                return Refused(":".join(text))
            case "RESULT", ["H" | "A" | "T" as winner, *_]:
                ours, self.seat, self.view, self._match = self.seat, None, None, None
                return Ended(ROLES.get(winner), ours)
            case _:
                return None


def command(*pieces: str) -> bytes:
    """The bytes of a line with these pieces, colons between them."""
    return ":".join(pieces).encode() + b"\n"
