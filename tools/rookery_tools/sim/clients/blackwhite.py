"""Who speaks black-white: enters a room, plays on its turn, resigns, leaves, asks for a seat."""

from rookery.clients.blackwhite import (
    Assigned,
    BlackwhiteClient,
    Ended,
    Quit,
    Refused,
    Turn,
)
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.clients.reversi import legal_squares


class BlackwhitePlayer(WorldPerson):
    """A person who plays blackwhite honestly, and gives up when a game gets long."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = BlackwhiteClient(self.name)
        self._moves = 0
        self._playing = False

    def begin(self) -> bytes:
        """The bytes that come into the room."""
        self.client, self._playing = BlackwhiteClient(self.name), False
        return self.client.enter()

    def hurry(self) -> None:
        """Leave the room, and the game with it, as the day ends."""
        self.say(self.client.quit())
        self.later(50_000_000, self.leave)

    def hear(self, came: bytes) -> None:
        """Take in the server's messages, and move, give up or go on."""
        for happening in self.client.hear(came):
            match happening:
                case Assigned():
                    self._playing = True
                case Turn() if self.client.mine and self._playing:
                    self.later(self.pause(), self._move)
                case Refused():
                    self.say(self.client.resign())
                case Ended():
                    self._playing = False
                case Quit() if not self._playing:
                    self.later(self.pause(), self._ask)
                case _:
                    pass

    def _ask(self) -> None:
        """Ask for the seat of a player who left, if it is still empty."""
        if not self._playing:
            self.say(self.client.enter())

    def _move(self) -> None:
        if not self.client.mine or self.client.seat is None:
            return
        self._moves += 1
        legal = legal_squares(self.client.board, self.client.seat)
        if not legal or self._moves % 30 == 0:
            self.say(self.client.resign())
        else:
            self.say(self.client.play(*self.chance.choice(legal)))
