"""Bughouse, as a person: a lobby, then two boards.

The client sends one request at a time, and lines typed meanwhile wait. The boards are drawn
when no answer is awaited, so that the person sees a mate before reading the result.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

from rookery.cli.by_hand.bughouse_words import HELP, minutes, words_of
from rookery.cli.by_hand.person import Heard, Shown, Who
from rookery.cli.drawing import Look, draw
from rookery.clients.bughouse import BughouseClient
from rookery.clients.bughouse.happenings import (
    Admitted,
    Began,
    Clocks,
    Handed,
    Happening,
    Moved,
    Named,
    OurTurn,
    Over,
    Refused,
    Seated,
)
from rookery.core.errors import BadNotation
from rookery.core.ids import Seat
from rookery.games.bughouse import Bughouse as Rules
from rookery.games.bughouse import Drop, board_of, is_white, partner

SHORT: Final = 60_000  # milliseconds; with less the clock is worth a sentence


class BughousePerson:
    """A person at a terminal who finds a game, and plays on one board of it. It mutates."""

    def __init__(self, who: Who) -> None:
        self._name = who.name
        self._client = BughouseClient()
        self._typed: deque[str] = deque()  # while an answer was awaited
        self._names: dict[int, str] = {}
        self._unnamed: set[int] = set()  # players whose names are asked for
        self._left = 0  # milliseconds on our clock
        self._stale = False  # whether the boards are to be drawn
        self._called = False  # whether it is to be said that it is our turn
        self._result = ""  # of the game, until it is told

    def begin(self) -> bytes:
        """The bytes that take the person's name."""
        return self._client.ask("ADD_PLAYER", self._name)

    def hear(self, data: bytes) -> Iterable[Heard]:
        """Read the server's lines into sentences, bytes to send, and then the boards."""
        for happening in self._client.hear(data):
            if isinstance(happening, bytes):
                yield happening
                continue
            yield from filter(None, self._happened(happening))
            yield from self._go_on()
        yield from self._go_on()
        if not self._client.busy:
            yield from self._picture()

    def prompt(self) -> str:
        """The prompt for a move on the person's turn, or before a game for what to do."""
        client = self._client
        if client.busy or not client.me:
            return ""
        if client.playing:
            return "Your move, like e2e4 or N@f3: " if client.mine else ""
        return "start or quit: " if client.game else "games, create or join GAME TEAM: "

    def say(self, typed: str) -> bytes | str:
        """A word of the lobby, or a move."""
        client = self._client
        if client.busy:
            self._typed.append(typed)
            return b""
        match typed.lower().split():
            case ["games"]:
                return client.ask("GET_GAMES")
            case ["create"]:
                return client.ask("CREATE_GAME", client.me)
            case ["join", game, team] if game.isdigit() and team.isdigit():
                return client.ask("JOIN_GAME", client.me, game, team)
            case ["start"]:
                return client.ask("START_GAME", client.game or -1)
            case ["quit"]:
                return client.ask("QUIT", client.me)
            case [_] if client.seat is not None:
                return self._move(client.seat, typed.strip())
            case _:
                return HELP

    def _move(self, seat: Seat, typed: str) -> bytes | str:
        try:
            move = Rules().parse_move(f"{board_of(seat)}:{typed}")
        except BadNotation:
            return HELP
        if isinstance(move, Drop) and move.piece not in self._client.boards.hand(self._client.me):
            return f"You do not hold a {move.piece}."
        return self._client.play(move)

    def _go_on(self) -> Iterator[Heard]:
        """Send the lines that were typed while an answer was awaited."""
        while not self._client.busy and self._typed:
            yield self.say(self._typed.popleft())

    # -- what the server says

    def _happened(self, happening: Happening) -> Iterator[Heard]:
        client = self._client
        if words := words_of(happening, self._names):
            yield words
        match happening:
            case Admitted(player):
                yield client.ask("GET_CURRENT_GAME", player)  # where we may be back
            case Began(game) if game == client.game:
                self._left, self._stale = 0, True
            case Seated(players):
                self._unnamed.update(players)
                for player in players:
                    yield client.ask("GET_NAME", player)
            case Named(player, name):
                self._names[player] = name
                self._unnamed.discard(player)
                if not self._unnamed and client.seat is not None:
                    yield self._introduced(client.seat)
            case Refused("MOVE" | "PUT", line) if line.startswith("MOVE_FAILED"):
                client.mine = True
            case Over(winners=winners):
                won = f"{' and '.join(winners)} won."
                self._result = won if winners else "The game is a draw."
            case OurTurn():
                self._called = True
            case Moved() | Handed() | Clocks() if client.playing:
                yield from self._played(happening)
            case _:
                pass

    def _played(self, happening: Moved | Handed | Clocks) -> Iterator[str]:
        boards, seat = self._client.boards, self._client.seat
        match happening:
            case Moved(board, move):
                self._stale = True
                if move:
                    yield f"Board {boards.name_of(board)}: {move}"
            case Handed():
                self._stale = True
            case Clocks(board, white, black):
                if seat is not None and board == boards.number_of(seat):
                    self._left = white if is_white(seat) else black
                    if self._left <= SHORT and not self._called:
                        yield f"You have {minutes(self._left)} left."

    def _introduced(self, seat: Seat) -> str:
        """A sentence that says where the person sits, with whom and against whom."""
        players = self._client.boards.players
        ours = (seat, partner(seat))
        against = ", ".join(self._names[p] for s, p in sorted(players.items()) if s not in ours)
        colour = "white" if is_white(seat) else "black"
        where = f"You play {colour} on board {board_of(seat)}"
        return f"{where}, with {self._names[players[partner(seat)]]}, against {against}."

    def _clocks(self) -> str:
        """The clocks of all players as they were last told; empty where none were."""
        boards = self._client.boards
        left = enumerate(boards.left or ())
        named = ((self._names.get(boards.players[Seat(seat)], "?"), at) for seat, at in left)
        said = ", ".join(f"{name} {minutes(at // 1000)}" for name, at in named)
        return f"\n\nClocks: {said}" if said else ""

    def _picture(self) -> Iterator[Shown]:
        """Draw the boards if they changed, then say that it is our turn, or how the game ended."""
        seat, boards = self._client.seat, self._client.boards
        if seat is not None:
            if self._stale:
                names = tuple(self._names.get(one, "") for _, one in sorted(boards.players.items()))
                drawn = draw(boards.view(), Look(viewer=seat, last=boards.lasts, names=names))
                yield drawn.append(self._clocks())
            if self._called and not self._result:
                left = f"; you have {minutes(self._left)}" if self._left else ""
                yield f"It's your turn{left}."
            self._stale = self._called = False
        if self._result:
            yield self._result
            self._result, self._called = "", False
            self._client.leave()
