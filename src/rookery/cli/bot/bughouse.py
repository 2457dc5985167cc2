"""Bughouse, for a bot: it finds a game in the lobby, and plays on one board of it.

"Every request gets exactly one answer line", which does not say what it answers; so there
is one request at a time, and the next waits. Of several games that wait for players the
one with the lowest number is filled first: whoever owns another goes over to it, and so
bots that came at once do not each wait at a table of their own.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from chess import Square, square_file, square_rank

from rookery.cli.bot.chessboards import Chessboards
from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
    LOST,
    NO_TOUR,
    WON,
    Finished,
    Heard,
    Over,
    Question,
    Unwelcome,
    Wish,
    time_for,
)
from rookery.cli.persons.bughouse_boards import LETTERS, SEATS, letter_of, square_at
from rookery.core.ids import Micros
from rookery.dialects.base import Lines
from rookery.games.bughouse import Bughouse as Rules
from rookery.games.bughouse import Drop, Go

LINE_MAX: Final = 1 << 16  # bytes; the longest are lists of games
BROADCAST: Final = "BROADCAST:"
MICROS: Final[Micros] = 1000  # in a millisecond, which clocks are told in
OF_THE_SERVER: Final = frozenset({"closing", "no_disk", "resumed"})  # not of the game's course


class Bughouse:
    """One player, in one game after the other."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._lines = Lines(LINE_MAX)
        self._asked = ""  # the request whose answer comes next
        self._waiting: deque[str] = deque()  # the requests after it
        self._me = 0
        self._in_tour = False
        self._game = 0  # the one we are in
        self._owner = False
        self._untried: list[tuple[int, int]] = []  # games and teams to join
        self._started: set[int] = set()  # games
        self._boards = Chessboards()
        self._teams: dict[int, tuple[int, int]] = {}  # by its first player: number, and partner
        self._mine = False  # whether it is our turn
        self._turn = 0
        self._refused: set[str] = set()  # moves, in this turn
        self._question: Question | None = None
        self._stale = False  # whether the question is to be made anew

    @property
    def question(self) -> Question | None:
        """A move on our turn, with what the partner has sent by now."""
        return self._question

    def begin(self) -> bytes:
        """Come in. In a running game the same name from the same host has its number again."""
        self._lines = Lines(LINE_MAX)
        self._asked, self._me = "", 0
        self._waiting.clear()
        self._started.clear()
        self._leave()
        team = f"@{self._wish.team}" if self._wish.team else ""
        code = f"{team}#{self._wish.code}" if self._wish.code else ""
        return self._ask(f"ADD_PLAYER:{self._wish.name}{code}")

    def hear(self, came: bytes) -> Iterator[Heard]:
        """One answer or piece of news a line."""
        for line in self._lines.feed(came):
            words = line.decode("utf-8", "replace")
            try:
                if words.startswith(BROADCAST):
                    verb, _, rest = words.removeprefix(BROADCAST).partition(":")
                    yield from self._news(verb, rest.split("\t"))
                else:
                    asked, _, rest = self._asked.partition(":")
                    self._asked = ""
                    yield from self._answer(asked, rest.split("\t"), words)
            except (ValueError, IndexError) as wrong:
                if isinstance(wrong, Unwelcome):
                    raise
                yield f"The server said something unknown: {words}"
            if not self._asked and self._waiting:
                yield self._ask(self._waiting.popleft())
        self._renew()

    def play(self, move: str) -> bytes:
        """The move in the words of the wire."""
        assert self._question is not None, "only a question can be answered"
        seat = self._question.seat
        self._mine, self._question = False, None
        self._refused.add(move)  # until something is played
        number, hand = self._boards.number_of(seat), self._boards.hand(self._me)
        match Rules().parse_move(move):
            # A pawn that says nothing becomes a queen, and old servers read five fields.
            case Go(start=start, end=end, promotion=str(piece)) if piece != "Q":
                kind = LETTERS.index(piece) + 1
                return self._ask(_request("MOVE", number, *_xy(start), *_xy(end), kind))
            case Go(start=start, end=end):
                return self._ask(_request("MOVE", number, *_xy(start), *_xy(end)))
            case Drop(piece=piece, at=at):
                index = hand.index(piece)
                return self._ask(_request("PUT", number, self._me, index, *_xy(at)))

    def again(self) -> bytes:
        """Look for a game; in a tour the next one begins by itself."""
        return b"" if self._wish.code else self._ask("GET_GAMES:")

    def idle(self) -> bytes:
        """Look for a game, also for one with a lower number than our own."""
        if self._asked or self._waiting or not self._me or self._wish.code:
            return b""
        if self._game and (not self._owner or self._game in self._started):
            return b""
        return self._ask("GET_GAMES:")

    def farewell(self) -> bytes:
        """Leave the game, so that nobody waits for us."""
        return f"QUIT:{self._me}\n".encode() if self._game else b""

    def _ask(self, request: str) -> bytes:
        """This request now, or nothing while another is not answered."""
        if self._asked:
            self._waiting.append(request)
            return b""
        self._asked = request
        return f"{request}\n".encode()

    # -- answers

    def _answer(self, asked: str, fields: Sequence[str], line: str) -> Iterator[Heard]:
        match asked:
            case "ADD_PLAYER" | "GET_NAME" | "GET_CURRENT_GAME":
                yield from self._arrive(asked, line)
            case "GET_GAMES":
                yield from self._look([int(game) for game in line.split("\t") if game])
            case "CREATE_GAME" if int(line) > 0:
                self._game, self._owner = int(line), True
            case "JOIN_GAME" if line == "GAME_JOINED":
                self._game, self._owner = int(fields[1]), False
            case "JOIN_GAME":
                yield self._join()
            case "QUIT" if line.startswith("QUIT_OK"):
                self._leave()
                yield self._join()
            case "GET_BOARDS":
                self._boards.numbers = tuple(map(int, line.split("\t")))
                self._stale = True
            case "GET_CLOCKS" if line and not line.startswith("ERROR"):
                times = [int(time) * MICROS for time in line.split("\t")]
                for board, white, black in zip(
                    self._boards.numbers, times[::2], times[1::2], strict=False
                ):
                    self._boards.clock(board, white, black)
            case "GET_PLAYERS":
                one, other = map(int, line.split("\t"))
                self._teams[one] = int(fields[1]), other
                # Where a tour or another language seats people, the first need not be white.
                yield self._ask(f"IS_WHITE:{one}")
            case "IS_WHITE":
                self._seated(int(fields[0]), first_is_white=line == "true")
            case _:
                pass  # a broadcast says the same, or YOUR_TURN says that it failed

    def _arrive(self, asked: str, line: str) -> Iterator[Heard]:
        """Be somebody, see whether that is in the tour, and where one sits."""
        match asked:
            case "ADD_PLAYER":
                self._me = int(line)
                if self._me < 1:
                    raise Unwelcome("The server does not take that name, or that code.")
                request = "GET_NAME" if self._wish.code else "GET_CURRENT_GAME"
                yield self._ask(f"{request}:{self._me}")
            case "GET_NAME" if not line.upper().endswith(f"#{self._wish.code.upper()}"):
                self._in_tour = True
                yield self._ask(f"GET_CURRENT_GAME:{self._me}")
            case "GET_NAME":  # a code that no tour has is a part of the name
                if not self._in_tour:
                    raise Unwelcome(NO_TOUR)
                yield Finished("The tour is over.")
            case _:
                yield from self._placed(max(0, int(line)))

    def _seated(self, one: int, *, first_is_white: bool) -> None:
        """This one of a team plays this colour, and so its partner the other."""
        team, other = self._teams[one]
        white, black = (one, other) if first_is_white else (other, one)
        self._boards.players |= dict(zip(SEATS[team], (white, black), strict=True))
        self._stale = True

    def _placed(self, game: int) -> Iterator[Heard]:
        """The game we are in is this one, or none: then look for one."""
        if game and game != self._game:
            self._game = game
            if game in self._started:
                yield from self._start()
        elif not game and not self._wish.code:
            yield self.again()

    def _look(self, games: list[int]) -> Iterator[Heard]:
        """Join the lowest game that waits for players, or make one."""
        if self._game in self._started and self._game:
            return
        if self._game:
            lower = [game for game in games if game < self._game]
            if self._owner and lower:
                self._untried = [(game, team) for game in lower for team in (1, 2)]
                yield self._ask(f"QUIT:{self._me}")
            return
        self._untried = [(game, team) for game in games for team in (1, 2)]
        yield self._join()

    def _join(self) -> bytes:
        if self._untried:
            game, team = self._untried.pop(0)
            return self._ask(_request("JOIN_GAME", self._me, game, team))
        return self._ask(f"CREATE_GAME:{self._me}")

    # -- news

    def _news(self, verb: str, fields: Sequence[str]) -> Iterator[Heard]:
        match verb, fields:
            case "JOIN_GAME", [_, game] if int(game) == self._game and self._owner:
                yield self._ask(f"START_GAME:{game}")  # NOT_READY until there are four
            case "NEW_OWNER", [game] if int(game) == self._game:
                self._owner = True
                yield self._ask(f"START_GAME:{game}")
            case "GAME_STARTED", [game]:
                self._started.add(int(game))
                if int(game) == self._game:
                    yield from self._start()
                elif self._wish.code and not self._game:
                    yield self._ask(f"GET_CURRENT_GAME:{self._me}")
            case "GAME_OVER", [game, *winners]:
                if int(game) != self._game:
                    return
                drawn = set(winners) == {"-"}
                result = DRAWN if drawn else WON if self._wish.name in winners else LOST
                self._leave()
                yield Over(result, "" if drawn else f"{' and '.join(winners)} won.")
            case "NOTICE", [code, sentence] if code in OF_THE_SERVER:
                yield f"The server says: {sentence}"
            case "YOUR_TURN", _:
                self._mine, self._stale = True, True
                self._turn += 1
            case "MOVE" | "PUT" | "PASS" | "CLOCK", _:
                self._happened(verb, [int(field) for field in fields])
            case _:
                pass  # of the lobby, or of later days

    def _happened(self, verb: str, numbers: Sequence[int]) -> None:
        """Only the four who play hear of moves, so all of them are of our game."""
        boards, self._stale = self._boards, True
        match verb, numbers:
            case "MOVE", [board, fx, fy, tx, ty]:
                boards.move(board, square_at(fx, fy), square_at(tx, ty))
                self._refused.clear()
            case "PUT", [board, player, index, x, y]:
                boards.put(board, player, index, square_at(x, y))
                self._refused.clear()
            case "PASS", [_, player, kind]:
                boards.hand(player).append(letter_of(kind))
            case "CLOCK", [board, white, black]:
                boards.clock(board, white * MICROS, black * MICROS)
            case _:
                pass

    def _start(self) -> Iterator[Heard]:
        """Learn who sits where. Moves that come before are kept all the same."""
        yield BEGINS
        for request in (
            f"GET_BOARDS:{self._game}",
            f"GET_CLOCKS:{self._game}",
            _request("GET_PLAYERS", self._game, 1),
            _request("GET_PLAYERS", self._game, 2),
        ):
            yield self._ask(request)

    def _leave(self) -> None:
        self._boards, self._game, self._owner = Chessboards(), 0, False
        self._mine, self._question, self._stale = False, None, False
        self._refused.clear()

    def _renew(self) -> None:
        """The question as it is now; its turn stays the same while ours does."""
        if not self._stale:
            return
        self._stale, self._question = False, None
        boards = self._boards
        seat = boards.seat(self._me) if boards.known else None
        if not self._mine or seat is None or (state := boards.state()) is None:
            return
        moves = tuple(m for m in boards.moves(state, seat) if m not in self._refused)
        if moves:
            game, left = Rules(), boards.left
            view, millis = game.view(state, seat), time_for(left, seat)
            self._question = Question(self._turn, game.name, seat, view, moves, millis, left)


def _request(verb: str, *fields: int) -> str:
    tabbed = "\t".join(map(str, fields))
    return f"{verb}:{tabbed}"


def _xy(at: Square) -> tuple[int, int]:
    return square_file(at), square_rank(at)
