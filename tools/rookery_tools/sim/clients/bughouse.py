"""A person who speaks bughouse: finds a game in the lobby or makes one, and plays on its board."""

from typing import Final

from rookery.clients.bughouse import BughouseClient
from rookery.clients.bughouse.happenings import (
    Admitted,
    Came,
    Created,
    Happening,
    Joined,
    LeftGame,
    Listed,
    Moved,
    OurTurn,
    Over,
    Owning,
    Placed,
    Refused,
)
from rookery.games.bughouse import Bughouse, Drop, Go
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MILLI, SECOND

# Games are short there, and nobody waits long for the others.
BUGHOUSE_PORT: Final = 7352
BUGHOUSE_LISTEN: Final[dict[str, object]] = {
    "port": BUGHOUSE_PORT,
    "plies": 16,
    "gap": 5,
    "welcome": 5,
    "first_turn": 20,
}


class BughousePlayer(WorldPerson):
    """A person who plays bughouse honestly."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = BughouseClient(asks_colours=True)
        self.port = BUGHOUSE_PORT
        self._owner = False
        self._untried: list[tuple[int, int]] = []  # games and teams to join
        self._refused: set[Go | Drop] = set()  # in this turn

    def begin(self) -> bytes:
        """Come in; in a running game the same name from the same host has its number again."""
        self.client, self._owner = BughouseClient(asks_colours=True), False
        self.later(2 * SECOND, self._look)
        return self.client.ask("ADD_PLAYER", self.name)

    def hurry(self) -> None:
        """Leave a game that has not begun, as the day ends; play on in one that has."""
        if not self.client.playing:
            self.say(f"QUIT:{self.client.me}\n".encode() if self.client.game else b"")
            self.later(100 * MILLI, self._go)

    def _go(self) -> None:
        if not self.client.playing:
            self.leave()

    def hear(self, came: bytes) -> None:
        """Take in answers and news, look for a game, and play."""
        for happening in self.client.hear(came):
            if isinstance(happening, bytes):
                self.say(happening)
            else:
                self.say(self._lobby(happening))
                self._game(happening)

    def _lobby(self, happening: Happening) -> bytes:
        """The bytes to send next to find a game."""
        client = self.client
        match happening:
            case Admitted(player):
                return client.ask("GET_CURRENT_GAME", player)
            case Placed(0):
                return client.ask("GET_GAMES")
            case Listed(games) if not client.game:
                self._untried = [(game, team) for game in games for team in (1, 2)]
                return self._join()
            case Listed((first, *_)) if self._owner and not client.playing and first < client.game:
                return client.ask("QUIT", client.me)
            case Created() | Joined():
                self._owner = isinstance(happening, Created)
            case LeftGame():
                self._owner = False
                return client.ask("GET_GAMES")
            case Refused("JOIN_GAME"):
                return self._join()
            case Came(game=game) if game == client.game and self._owner:
                return client.ask("START_GAME", game)
            case Owning(game) if game == client.game:
                self._owner = True
                return client.ask("START_GAME", game)
            case _:
                pass
        return b""

    def _join(self) -> bytes:
        if self.town.calm:
            return b""
        if self._untried:
            return self.client.ask("JOIN_GAME", self.client.me, *self._untried.pop(0))
        return self.client.ask("CREATE_GAME", self.client.me)

    def _look(self) -> None:
        """Look for a game now and then, also for one with a lower number than our own."""
        client = self.client
        if client.me and not client.busy and not client.playing and not self.town.calm:
            self.say(client.ask("GET_GAMES"))
        self.later(2 * SECOND, self._look)

    def _game(self, happening: Happening) -> None:
        match happening:
            case OurTurn():
                self.later(self.pause(), self._move)
            case Moved():
                self._refused.clear()
            case Refused("MOVE" | "PUT") if self.client.playing:
                self.client.mine = True
                self.later(200 * MILLI, self._move)
            case Over(game) if game == self.client.game:
                self.client.leave()
                if self.town.calm:
                    self.leave()
            case _:
                pass

    def _move(self) -> None:
        client = self.client
        if not client.mine or self.line is None:
            return
        seat = client.seat
        if seat is None or (state := client.boards.state()) is None:
            self.later(200 * MILLI, self._move)  # who sits where is still being asked
            return
        legal = [move for move in Bughouse().legal_moves(state, seat) if move not in self._refused]
        if legal:
            move = self.chance.choice(legal)
            self._refused.add(move)
            self.say(client.play(move))
