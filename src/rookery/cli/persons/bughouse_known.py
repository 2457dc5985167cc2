"""What a client of bughouse knows: who it is, its game, and what the server's lines change.

Every line becomes a sentence, or nothing where there is nothing to say. What must be asked
next without anybody typing goes to `to_ask`: who sits where, when a game starts.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from rookery.cli.persons.bughouse_boards import SEATS, Boards, letter_of, square_at
from rookery.core.ids import Seat
from rookery.games.bughouse import board_of, is_white, partner

SHORT: Final = 60_000  # milliseconds; with less the clock is worth a sentence

DONE: Final = ("GAME_STARTED", "MOVE_OK")
REFUSALS: Final = {  # what was asked and how the answer begins
    ("ADD_PLAYER", "-1"): "The server does not take that name; come again with another.",
    ("CREATE_GAME", "-1"): "You are in a game already.",
    ("JOIN_GAME", "GAME_FULL"): "You cannot join that: no such game, the team is full, or you "
    "are in one.",
    ("START_GAME", "UNAUTHORIZED"): "Only who owns a game can start it.",
    ("START_GAME", "NOT_READY"): "It cannot start before four have joined.",
    ("QUIT", "QUIT_FAILED"): "There is nothing to leave.",
}


class Known:
    """Numbers are those of the wire, which count from 1. It mutates."""

    def __init__(self) -> None:
        self.me = 0
        self.game = 0
        self.boards: Boards | None = None  # while a game runs
        self.mine = False  # whether it is our turn
        self.to_ask: deque[str] = deque()
        self._names: dict[int, str] = {}
        self._left = 0  # milliseconds on our clock
        self._stale = False  # whether the boards are to be drawn
        self._called = False  # whether it is to be said that it is our turn
        self._result = ""  # of the game, until it is told

    @property
    def seat(self) -> Seat | None:
        """Where we sit, once we know all four."""
        if self.boards is None or not self.boards.known:
            return None
        return self.boards.seat(self.me)

    def picture(self) -> Iterator[str | Text]:
        """The boards if they are new, then whether it is our turn, or how it ended."""
        if self.boards is not None and self.seat is not None:
            if self._stale:
                yield self.boards.drawing(self.me)
            if self._called and not self._result:
                left = f"; you have {_minutes(self._left)}" if self._left else ""
                yield f"It's your turn{left}."
            self._stale = self._called = False
        if self._result:
            yield self._result
            self._leave()

    def answer(self, asked: str, fields: Sequence[str], line: str) -> str:
        """What an answer means depends on what was asked. Raises ValueError where nothing."""
        match asked:
            case "ADD_PLAYER" if int(line) > 0:
                self.me = int(line)
                self.to_ask.append(f"GET_CURRENT_GAME:{self.me}")  # where we may be back
                return f"You are player {line}."
            case "GET_CURRENT_GAME":
                self.game = max(0, int(line))
            case "GET_GAMES":
                games = ", ".join(line.split("\t"))
                return f"Games to join: {games}." if games else "There is no game to join."
            case "CREATE_GAME" if int(line) > 0:
                self.game = int(line)
                return f"You created game {line}, and are in team 1. Four must join."
            case "JOIN_GAME" if line == "GAME_JOINED":
                self.game = int(fields[1])
                return f"You joined game {fields[1]} in team {fields[2]}."
            case "QUIT" if line.startswith("QUIT_OK"):
                self._leave()
                return "You left."
            case "GET_BOARDS" | "GET_PLAYERS" | "GET_NAME":
                return self._learned(asked, fields, line)
            case "MOVE" | "PUT" if line.startswith("MOVE_FAILED"):
                self.mine = True
                return "That move cannot be made."
            case "START_GAME" | "MOVE" | "PUT" if line.startswith(DONE) or not line:
                pass  # a broadcast says the same
            case "GET_CLOCKS":
                pass  # asked so that broadcasts tell of them
            case _:
                word = line.partition(":")[0]
                return REFUSALS.get((asked, word), f"The server says: {line}")
        return ""

    def news(self, verb: str, fields: Sequence[str]) -> str:
        """What comes unasked; what we do not know is ignored. Raises ValueError, IndexError."""
        match verb, fields:
            case "NEW_GAME", [player, game]:
                return f"{self._called_by(player)} created game {game}."
            case "JOIN_GAME", [player, game]:
                return f"{self._called_by(player)} joined game {game}."
            case "QUIT_GAME", [player, game]:
                return f"{self._called_by(player)} left game {game}."
            case "NEW_OWNER", [game]:
                return f"Game {game} is yours to start now."
            case "GAME_DELETED", [game]:
                return f"Game {game} is gone."
            case "GAME_STARTED", [game]:
                if int(game) == self.game:
                    self._start(game)
                return f"Game {game} starts."
            case "GAME_OVER", [_, *winners]:
                drawn = set(winners) == {"-"}
                won = f"{' and '.join(winners)} won."
                self._result = "The game is a draw." if drawn else won
            case "NOTICE", [_, sentence]:
                return sentence
            case "YOUR_TURN", _:
                self.mine = self._called = True
            case "MOVE" | "PUT" | "PASS" | "CLOCK", _ if self.boards is not None:
                return self._play(self.boards, verb, [int(field) for field in fields])
        return ""

    # -- a game

    def _start(self, game: str) -> None:
        self.boards, self.mine, self._left, self._stale = Boards(), False, 0, True
        self.to_ask += [f"GET_BOARDS:{game}", f"GET_CLOCKS:{game}"]  # and hear of them from now on
        self.to_ask += [f"GET_PLAYERS:{game}\t1", f"GET_PLAYERS:{game}\t2"]

    def _leave(self) -> None:
        self.boards, self.game, self._result = None, 0, ""
        self.mine = self._called = False

    def _learned(self, asked: str, fields: Sequence[str], line: str) -> str:
        """Where the boards and the players are, and what they are called."""
        if asked == "GET_NAME":
            self._names[int(fields[0])] = line
            return "" if self.to_ask else self._introduced()
        numbers = [int(number) for number in line.split("\t")]
        if self.boards is None:
            pass  # the game is over already
        elif asked == "GET_BOARDS":
            self.boards.numbers = tuple(numbers)
        else:
            self.boards.players |= dict(zip(SEATS[int(fields[1])], numbers, strict=True))
            self.to_ask += [f"GET_NAME:{player}" for player in numbers]
        return ""

    def _introduced(self) -> str:
        """Who sits where, once it is known."""
        if self.boards is None or self.seat is None:
            return ""
        colour = "white" if is_white(self.seat) else "black"
        other = self.boards.players[partner(self.seat)]
        against = ", ".join(
            self._called_by(str(player))
            for seat, player in sorted(self.boards.players.items())
            if seat not in (self.seat, partner(self.seat))
        )
        where = f"You play {colour} on board {board_of(self.seat)}"
        return f"{where}, with {self._called_by(str(other))}, against {against}."

    def _play(self, boards: Boards, verb: str, numbers: Sequence[int]) -> str:
        match verb, numbers:
            case "MOVE", [board, fx, fy, tx, ty]:
                text = boards.move(board, square_at(fx, fy), square_at(tx, ty))
            case "PUT", [board, player, index, x, y]:
                text = boards.put(board, player, index, square_at(x, y))
            case "PASS", [_, player, kind]:
                boards.hand(player).append(letter_of(kind))
                self._stale = True
                return ""
            case "CLOCK", [board, *left] if self.seat is not None:
                if board == boards.number_of(self.seat):
                    self._left = left[0 if is_white(self.seat) else 1]
                    if self._left <= SHORT and not self._called:
                        return f"You have {_minutes(self._left)} left."
                return ""
            case _:
                return ""
        self._stale = True
        return f"Board {boards.name_of(board)}: {text}" if text else ""

    def _called_by(self, player: str) -> str:
        return self._names.get(int(player), f"Player {player}")


def _minutes(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"
