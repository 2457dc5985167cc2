"""Bughouse, for a bot: it finds a game in the lobby, and plays on one board of it.

Of several games that wait for players the one with the lowest number is filled first: a bot
that owns another game goes over to it, and so bots that came at once do not each wait at a
table of their own.
"""

from collections.abc import Iterator
from typing import Final

from rookery.cli.bot.pilot import (
    BEGINS,
    DRAWN,
    LOST,
    NO_TOUR,
    WON,
    BotWish,
    Heard,
    NoMoreGames,
    Question,
    Unwelcome,
)
from rookery.cli.bot.pilot import Over as GameOver
from rookery.clients.bughouse import BughouseClient
from rookery.clients.bughouse.boards import SEATS
from rookery.clients.bughouse.happenings import (
    Admitted,
    Began,
    Came,
    Created,
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
    Unknown,
)
from rookery.games.bughouse import Bughouse as Rules

OF_THE_SERVER: Final = frozenset({"closing", "no_disk", "resumed"})  # not of the game's course


class BughousePilot:
    """One player, in one game after the other."""

    def __init__(self, wish: BotWish) -> None:
        self._wish = wish
        self._client = BughouseClient(asks_colours=True)
        self._in_tour = False
        self._owner = False  # of the game we are in
        self._untried: list[tuple[int, int]] = []  # games and teams to join
        self._turn = 0
        self._refused: set[str] = set()  # moves, in this turn
        self._question: Question | None = None

    @property
    def question(self) -> Question | None:
        """A move on our turn, with what the partner has sent by now."""
        return self._question

    def begin(self) -> bytes:
        """Come in. In a running game the same name from the same host has its number again."""
        self._client = BughouseClient(asks_colours=True)
        self._leave()
        team = f"@{self._wish.team}" if self._wish.team else ""
        code = f"{team}#{self._wish.code}" if self._wish.code else ""
        return self._client.ask("ADD_PLAYER", f"{self._wish.name}{code}")

    def hear(self, came: bytes) -> Iterator[Heard]:
        """Read the server's lines; yields what the bot is to send, say or count."""
        heard = False
        for happening in self._client.hear(came):
            if isinstance(happening, bytes):
                yield happening
                continue
            heard = True
            yield from self._lobby(happening)
            yield from self._game(happening)
        if heard:
            self._renew()

    def play(self, move: str) -> bytes:
        """The move in the words of the wire."""
        assert self._question is not None, "only a question can be answered"
        self._question = None
        self._refused.add(move)  # until something is played
        return self._client.play(Rules().parse_move(move))

    def give_up(self) -> Iterator[Heard]:
        """Say that the other team has won: "to say that … is to resign"."""
        client = self._client
        assert client.seat is not None, "only who sits somewhere is asked"
        self._question, client.mine = None, False
        yield "The bot resigns this game for its team: its partner loses it, too."
        yield client.ask("GAME_OVER", client.game, 2 if client.seat in SEATS[1] else 1)

    def again(self) -> bytes:
        """Look for a game; in a tour the next one begins by itself."""
        return b"" if self._wish.code else self._client.ask("GET_GAMES")

    def idle(self) -> bytes:
        """Look for a game, also for one with a lower number than our own."""
        client = self._client
        if client.busy or not client.me or self._wish.code:
            return b""
        if client.game and (not self._owner or client.has_started(client.game)):
            return b""
        return client.ask("GET_GAMES")

    def farewell(self, *, withdraw: bool) -> bytes:  # noqa: ARG002 - hanging up is no withdrawal here
        """The bytes that leave our game, so that nobody waits for us."""
        return f"QUIT:{self._client.me}\n".encode() if self._client.game else b""

    # -- finding a game

    def _lobby(self, happening: Happening) -> Iterator[Heard]:
        client = self._client
        match happening:
            case Admitted(player):
                yield client.ask("GET_NAME" if self._wish.code else "GET_CURRENT_GAME", player)
            case Named(name=name):
                yield self._named(name)
            case Placed(0) if not self._wish.code:
                yield self.again()
            case Listed(games):
                yield self._look(games)
            case Created() | Joined():
                self._owner = isinstance(happening, Created)
            case LeftGame():
                self._leave()
                yield self._join()
            case Refused("ADD_PLAYER"):
                raise Unwelcome("The server does not take that name, or that code.")
            case Refused("JOIN_GAME"):
                yield self._join()
            case Came(game=game) if game == client.game and self._owner:
                yield client.ask("START_GAME", game)  # NOT_READY until there are four
            case Owning(game) if game == client.game:
                self._owner = True
                yield client.ask("START_GAME", game)
            case _:
                pass

    def _named(self, name: str) -> Heard:
        """See whether we are in the tour: a code that no tour has is a part of the name."""
        if not self._wish.shows_code(name):
            self._in_tour = True
            return self._client.ask("GET_CURRENT_GAME", self._client.me)
        if not self._in_tour:
            raise Unwelcome(NO_TOUR)
        return NoMoreGames("The tour is over.")

    def _look(self, games: tuple[int, ...]) -> bytes:
        """Join the lowest game that waits for players, or make one."""
        client = self._client
        if client.game:
            lower = [game for game in games if game < client.game]
            if client.has_started(client.game) or not self._owner or not lower:
                return b""
            self._untried = [(game, team) for game in lower for team in (1, 2)]
            return client.ask("QUIT", client.me)
        self._untried = [(game, team) for game in games for team in (1, 2)]
        return self._join()

    def _join(self) -> bytes:
        client = self._client
        if self._untried:
            return client.ask("JOIN_GAME", client.me, *self._untried.pop(0))
        return client.ask("CREATE_GAME", client.me)

    # -- a game

    def _game(self, happening: Happening) -> Iterator[Heard]:
        client = self._client
        match happening:
            case Began(game) if game == client.game:
                yield BEGINS
            case Began() if self._wish.code and not client.game:
                yield client.ask("GET_CURRENT_GAME", client.me)
            case OurTurn():
                self._turn += 1
            case Moved():
                self._refused.clear()
            case Over(game, winners) if game == client.game:
                self._leave()
                if winners:
                    won = WON if self._wish.name in winners else LOST
                    yield GameOver(won, f"{' and '.join(winners)} won.")
                else:
                    yield GameOver(DRAWN)
            case Noticed(code, sentence) if code in OF_THE_SERVER:
                yield f"The server says: {sentence}"
            case Unknown(line):
                yield f"The server said something unknown: {line}"
            case _:
                pass

    def _leave(self) -> None:
        self._client.leave()
        self._owner, self._question = False, None
        self._refused.clear()

    def _renew(self) -> None:
        """Make the question anew for the boards as they stand; a turn keeps its number."""
        self._question = None
        boards, seat = self._client.boards, self._client.seat
        if not self._client.mine or seat is None or (state := boards.state()) is None:
            return
        game = Rules()
        legal = map(game.format_move, game.legal_moves(state, seat))
        if moves := tuple(move for move in legal if move not in self._refused):
            view = game.view(state, seat)
            self._question = Question(self._turn, game.name, seat, view, moves)
