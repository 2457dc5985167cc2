"""Tourney, as a person: seed 004's commands, for somebody among the bots.

A person may own a tournament or play in one.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from rookery.cli.by_hand.person import Heard, Who
from rookery.cli.drawing import Look, draw
from rookery.clients.tourney import (
    Began,
    Ended,
    Failed,
    Happening,
    Named,
    NoState,
    Owned,
    Refused,
    Registered,
    Remarked,
    Reported,
    Said,
    Stands,
    TournamentOver,
    TourneyClient,
    Unknown,
    command,
)
from rookery.clients.tourney.states import last_move
from rookery.core.ids import Seat
from rookery.games.guess import GuessView
from rookery.games.nim import NimView
from rookery.games.reversi import ReversiView
from rookery.games.tictactoe import TictactoeView

HELP: Final = (
    "Type: join [ID] [CODE], create TYPE, start, pause, end, report, left, who ID, back ID; "
    "in a match your move."
)
STATES: Final = {
    "N": "not started",
    "I": "in progress",
    "T": "a tie",
    "H": "home won",
    "A": "away won",
}
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


class TourneyPerson:
    """Registers, and plays the matches it is given."""

    def __init__(self, who: Who) -> None:
        self._client = TourneyClient(who.name)

    def begin(self) -> bytes:
        """The bytes that register a player."""
        return self._client.begin()

    def hear(self, data: bytes) -> Iterable[Heard]:
        """Read the server's lines into sentences and boards, and bytes that answer pings."""
        for happening in self._client.hear(data):
            if isinstance(happening, bytes):
                yield happening
            else:
                yield from self._happened(happening)

    def prompt(self) -> str:
        """The prompt for a move; empty while it is not the person's turn."""
        if not self._client.mine:
            return ""
        match self._client.view:
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
        """The bytes of a typed command or move; a sentence where it cannot be sent."""
        word, *rest = typed.split()
        if (wish := _COMMANDS.get(word.lower())) and len(rest) <= 2:
            return command(wish, *rest)
        if self._client.seat is None:
            return HELP
        if not self._client.mine:
            return "It is not your turn, and a move now would count as an illegal one."
        return self._client.play(typed.strip())

    # -- what the server says

    def _happened(self, happening: Happening) -> Iterator[Heard]:
        match happening:
            case Began(seat, opponent):
                first = "home, and move first" if seat == 0 else "away"
                yield f"A match against {opponent}: you are {first}."
            case Stands(view, before):
                last = last_move(before, view)
                yield draw(view, Look(viewer=self._client.seat, last=(last,) if last else ()))
                whose = "your" if self._client.mine else f"{self._client.opponent}'s"
                yield f"It's {whose} turn."
            case NoState(text):
                yield f"The server sent a state of no game we know: {text}"
            case Remarked(words):
                yield words
            case Ended(winner, ours):
                yield self._result(winner, ours)
            case Said(words) | Failed(words) | Refused(words):
                yield f"The server says: {words}"
            case _:
                yield _words(happening)

    def _result(self, winner: Seat | None, ours: Seat | None) -> str:
        if winner is None:
            return "The match is a tie."
        return "You win." if winner == ours else f"{self._client.opponent} wins."


def _words(happening: Registered | Owned | Named | Reported | TournamentOver | Unknown) -> str:
    """A happening outside of a match, as a sentence."""
    match happening:
        case Registered(player):
            return f"You are player {player.partition(':')[0]}. {HELP}"
        case Owned(tournament):
            return f"You own tournament {tournament}: start when enough have joined, and end it."
        case Named(name, player):
            return f"Player {player} is {name}."
        case Reported(matches):
            lines = (f"{home} against {away}: {STATES.get(s, s)}" for home, away, s in matches)
            return "\n".join(lines) or "No matches yet."
        case TournamentOver():
            return "The tournament is over."
        case Unknown(line):
            return f"The server said something unknown: {line}"
