"""Bughouse, as a person: a lobby, then two boards.

"Every request gets exactly one answer line", which does not say what it answers. So there is
one request at a time, and what is typed meanwhile waits its turn; lines that begin with
BROADCAST are news. `bughouse_known` has what the lines mean.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from chess import Square, square_file, square_rank

from rookery.cli.persons.bughouse_boards import LETTERS, Boards
from rookery.cli.persons.bughouse_known import Known
from rookery.cli.persons.person import Heard, Who
from rookery.core.errors import BadNotation
from rookery.core.ids import Seat
from rookery.dialects.base import Lines
from rookery.games.bughouse import Bughouse as Rules
from rookery.games.bughouse import Drop, Go, board_of

LINE_MAX: Final = 1 << 16  # bytes; the longest are lists of games
BROADCAST: Final = "BROADCAST:"
HELP: Final = "Type: games, create, join GAME TEAM, start, quit; in a game e2e4, e7e8n or N@f3."


class Bughouse:
    """Finds a game, and plays on one board of it."""

    def __init__(self, who: Who) -> None:
        self._name = who.name
        self._lines = Lines(LINE_MAX)
        self._known = Known()
        self._asked = ""  # the request whose answer comes next
        self._typed: deque[str] = deque()  # while an answer was awaited

    def begin(self) -> bytes:
        """Come in."""
        return self._ask("ADD_PLAYER", self._name)

    def hear(self, data: bytes) -> Iterable[Heard]:
        """One answer or piece of news a line."""
        for line in self._lines.feed(data):
            words = line.decode("utf-8", "replace")
            try:
                told = self._told(words)
            except (ValueError, IndexError):
                told = f"The server said something unknown: {words}"
            if told:
                yield told
            yield from self._go_on()
        if not self._asked:
            yield from self._known.picture()

    def prompt(self) -> str:
        """A move on one's turn; before a game, what to do."""
        if self._asked or not self._known.me:
            return ""
        if self._known.boards is not None:
            return "Your move, like e2e4 or N@f3: " if self._known.mine else ""
        return "start or quit: " if self._known.game else "games, create or join GAME TEAM: "

    def say(self, typed: str) -> bytes | str:
        """A word of the lobby, or a move."""
        if self._asked:
            self._typed.append(typed)
            return b""
        known = self._known
        match typed.lower().split():
            case ["games"]:
                return self._ask("GET_GAMES")
            case ["create"]:
                return self._ask("CREATE_GAME", known.me)
            case ["join", game, team] if game.isdigit() and team.isdigit():
                return self._ask("JOIN_GAME", known.me, game, team)
            case ["start"]:
                return self._ask("START_GAME", known.game or -1)
            case ["quit"]:
                return self._ask("QUIT", known.me)
            case [_] if known.boards is not None and known.seat is not None:
                return self._move(known.boards, known.seat, typed.strip())
            case _:
                return HELP

    def _ask(self, verb: str, *fields: str | int) -> bytes:
        tabbed = "\t".join(map(str, fields))
        self._asked = f"{verb}:{tabbed}"
        return f"{self._asked}\n".encode()

    def _move(self, boards: Boards, seat: Seat, typed: str) -> bytes | str:
        number, hand = boards.number_of(seat), boards.hand(self._known.me)
        try:
            move = Rules().parse_move(f"{board_of(seat)}:{typed}")
        except BadNotation:
            return HELP
        if isinstance(move, Drop) and move.piece not in hand:
            return f"You do not hold a {move.piece}."
        self._known.mine = False  # until the server says so again
        match move:
            # A pawn that says nothing becomes a queen, and old servers read five fields.
            case Go(start=start, end=end, promotion=str(piece)) if piece != "Q":
                kind = LETTERS.index(piece) + 1
                return self._ask("MOVE", number, *_xy(start), *_xy(end), kind)
            case Go(start=start, end=end):
                return self._ask("MOVE", number, *_xy(start), *_xy(end))
            case Drop(piece=piece, at=at):
                return self._ask("PUT", number, self._known.me, hand.index(piece), *_xy(at))

    def _told(self, words: str) -> str:
        if words.startswith(BROADCAST):
            verb, _, rest = words.removeprefix(BROADCAST).partition(":")
            return self._known.news(verb, rest.split("\t"))
        asked, _, rest = self._asked.partition(":")
        self._asked = ""
        return self._known.answer(asked, rest.split("\t"), words)

    def _go_on(self) -> Iterator[Heard]:
        """The next request: the client's own, then what was typed."""
        while not self._asked and self._known.to_ask:
            verb, _, rest = self._known.to_ask.popleft().partition(":")
            yield self._ask(verb, rest)
        while not self._asked and self._typed:
            yield self.say(self._typed.popleft())


def _xy(at: Square) -> tuple[int, int]:
    return square_file(at), square_rank(at)
