"""Bughouse, from the client's side: a lobby, then two boards.

"Every request gets exactly one answer line", and the line does not say which request it
answers. So the client sends one request at a time, and the next waits; lines that begin with
BROADCAST are news. When our game starts, the client asks by itself who sits where.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from chess import Square, square_file, square_rank

from rookery.clients.bughouse.boards import LETTERS, Boards, letter_of, square_at
from rookery.clients.bughouse.happenings import (
    Admitted,
    Began,
    Came,
    Created,
    Handed,
    Happening,
    Joined,
    LeftGame,
    Listed,
    Moved,
    Named,
    Noticed,
    OurTurn,
    Over,
    Owning,
    Placed,
    Refused,
    Seated,
    Unknown,
)
from rookery.clients.lines import Lines
from rookery.core.ids import Seat
from rookery.games.bughouse import Drop, Go

LINE_MAX: Final = 1 << 16  # bytes; the longest are lists of games
BROADCAST: Final = "BROADCAST:"
DONE: Final = ("GAME_STARTED", "MOVE_OK")  # a broadcast says the same


class BughouseClient:
    """One connection."""

    def __init__(self, *, asks_colours: bool = False) -> None:
        self.me = 0
        self.game = 0  # the one we are in
        self.playing = False  # whether it has started
        self.mine = False  # whether it is our turn
        self.boards = Boards()
        self._asks_colours = asks_colours  # else the first of a team is its white
        self._teams: dict[int, tuple[int, int]] = {}  # by its first player: number, and partner
        self._started: set[int] = set()  # games
        self._asked = ""  # the request whose answer comes next
        self._waiting: deque[str] = deque()  # the requests after it
        self._lines = Lines(LINE_MAX)

    @property
    def busy(self) -> bool:
        """Whether the client waits for the answer to a request."""
        return bool(self._asked)

    @property
    def seat(self) -> Seat | None:
        """Our seat in a running game, once the client knows where all four sit."""
        return self.boards.seat(self.me) if self.playing and self.boards.known else None

    def has_started(self, game: int) -> bool:
        """Whether the client was told that this game started."""
        return game in self._started

    def ask(self, verb: str, *fields: str | int) -> bytes:
        """Queue a request; returns its bytes, or none while it must wait for other answers."""
        tabbed = "\t".join(map(str, fields))
        self._waiting.append(f"{verb}:{tabbed}")
        return self._next() if len(self._waiting) == 1 else b""

    def _next(self) -> bytes:
        """The bytes of the next request that waits; none, while an answer is still owed."""
        if self._asked or not self._waiting:
            return b""
        self._asked = self._waiting.popleft()
        return f"{self._asked}\n".encode()

    def play(self, move: Go | Drop) -> bytes:
        """The bytes of our move or drop. Raises ValueError for a piece that we do not hold."""
        assert self.seat is not None, "only who sits somewhere plays"
        number = self.boards.number_of(self.seat)
        self.mine = False  # until the server says so again
        match move:
            # A pawn that says nothing becomes a queen, and old servers read five fields.
            case Go(start=start, end=end, promotion=str(piece)) if piece != "Q":
                kind = LETTERS.index(piece) + 1
                return self.ask("MOVE", number, *_xy(start), *_xy(end), kind)
            case Go(start=start, end=end):
                return self.ask("MOVE", number, *_xy(start), *_xy(end))
            case Drop(piece=piece, at=at):
                index = self.boards.hand(self.me).index(piece)
                return self.ask("PUT", number, self.me, index, *_xy(at))

    def leave(self) -> None:
        """Forget our game; after its end the caller does so."""
        self.boards, self.game, self.playing, self.mine = Boards(), 0, False, False
        self._teams.clear()

    def hear(self, came: bytes) -> Iterator[Happening | bytes]:
        """Read answers and news, one a line; yields happenings, and the bytes of next requests."""
        for line in self._lines.feed(came):
            words = line.decode("utf-8", "replace")
            try:
                yield from self._line(words)
            except (ValueError, IndexError):
                yield Unknown(words)
            if request := self._next():
                yield request

    def _line(self, words: str) -> Iterator[Happening]:
        if words.startswith(BROADCAST):
            verb, _, rest = words.removeprefix(BROADCAST).partition(":")
            told = self._news(verb, rest.split("\t"))
        else:
            verb, _, rest = self._asked.partition(":")
            self._asked = ""
            told = self._answer(verb, rest.split("\t"), words)
        if told is not None:
            yield told
        match told:
            case Began(game) if game == self.game:
                self._start()
            case Placed(game) if game in self._started and not self.playing:
                self._start()
                yield Began(game)
            case _:
                pass

    def _start(self) -> None:
        """Queue the questions who sits where."""
        self.playing = True
        self._waiting.append(f"GET_BOARDS:{self.game}")
        for team in (1, 2):
            self._waiting.append(f"GET_PLAYERS:{self.game}\t{team}")

    # -- answers

    def _answer(self, asked: str, fields: Sequence[str], line: str) -> Happening | None:
        match asked:
            case "ADD_PLAYER" if int(line) > 0:
                self.me = int(line)
                return Admitted(self.me)
            case "GET_CURRENT_GAME":
                self.game = max(0, int(line))
                return Placed(self.game)
            case "GET_NAME":
                return Named(int(fields[0]), line)
            case "GET_GAMES":
                return Listed(tuple(int(game) for game in line.split("\t") if game))
            case "CREATE_GAME" if int(line) > 0:
                self.game = int(line)
                return Created(self.game)
            case "JOIN_GAME" if line == "GAME_JOINED":
                self.game = int(fields[1])
                return Joined(self.game, int(fields[2]))
            case "QUIT" if line.startswith("QUIT_OK"):
                self.leave()
                return LeftGame()
            case "GET_BOARDS" | "GET_PLAYERS" | "IS_WHITE":
                return self._learn(asked, fields, line)
            case "START_GAME" | "MOVE" | "PUT" if line.startswith(DONE) or not line:
                return None
            case _:
                return Refused(asked, line)

    def _learn(self, asked: str, fields: Sequence[str], line: str) -> Happening | None:
        """Keep an answer about boards or players; tells of a team once it is seated."""
        match asked:
            case _ if not self.playing:
                pass  # the game is over already
            case "GET_BOARDS":
                self.boards.numbers = tuple(map(int, line.split("\t")))
            case "GET_PLAYERS":
                one, other = map(int, line.split("\t"))
                self._teams[one] = int(fields[1]), other
                if not self._asks_colours:
                    return self._sit(one, first_is_white=True)
                # Where a tour or another language seats people, the first need not be white.
                self._waiting.appendleft(f"IS_WHITE:{one}")
            case "IS_WHITE":
                return self._sit(int(fields[0]), first_is_white=line == "true")
            case _:
                pass
        return None

    def _sit(self, one: int, *, first_is_white: bool) -> Seated:
        """Seat a team whose first player is white or black; the partner is the other colour."""
        team, other = self._teams[one]
        white, black = (one, other) if first_is_white else (other, one)
        self.boards.sit(team, white, black)
        return Seated((one, other))

    # -- news

    def _news(self, verb: str, fields: Sequence[str]) -> Happening | None:
        match verb, fields:
            case "JOIN_GAME", [player, game]:
                return Came(int(player), int(game))
            case "NEW_OWNER", [game]:
                return Owning(int(game))
            case "GAME_STARTED", [game]:
                self._started.add(int(game))
                return Began(int(game))
            case "GAME_OVER", [game, *winners]:
                return Over(int(game), () if set(winners) == {"-"} else tuple(winners))
            case "NOTICE", [code, sentence]:
                return Noticed(code, sentence)
            case "YOUR_TURN", _:
                self.mine = True
                return OurTurn()
            case "MOVE" | "PUT" | "PASS", _:
                return self._happened(verb, [int(field) for field in fields])
            case _:
                return None  # of other games, or of later days

    def _happened(self, verb: str, numbers: Sequence[int]) -> Happening | None:
        """Keep news of a move or a piece; they are of our game, for only players hear."""
        match verb, numbers:
            case "MOVE", [board, fx, fy, tx, ty]:
                self.boards.move(board, square_at(fx, fy), square_at(tx, ty))
                return Moved(board)
            case "PUT", [board, player, index, x, y]:
                self.boards.put(board, player, index, square_at(x, y))
                return Moved(board)
            case "PASS", [_, player, kind]:
                self.boards.hand(player).append(letter_of(kind))
                return Handed(player, letter_of(kind))
            case _:
                return None


def _xy(at: Square) -> tuple[int, int]:
    return square_file(at), square_rank(at)
