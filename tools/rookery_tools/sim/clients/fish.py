"""Who speaks either language of fish: joins, answers what is asked, and calls again."""

from typing import Final

from rookery.clients.fish import (
    FishClient,
    NotifyGameOver,
    RequestMove,
    RequestPlacement,
)
from rookery.clients.fishcom import Called, Ended, FishcomClient
from rookery.games.fish import FishView
from rookery_tools.sim.clients.ice import choose
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MILLI

# The course's fish has a port of its own, where few are enough and windows are short.
OWN_PORT: Final = 7351
FISHCOM_LISTEN: Final[dict[str, object]] = {
    "port": OWN_PORT,
    "least": 2,
    "most": 3,
    "window": 4,
}


class FishPlayer(WorldPerson):
    """A person who plays fish honestly, by seed 002's messages."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = FishClient(self.name)

    def begin(self) -> bytes:
        """Join; the same name from the same host has its seat again."""
        self.client = FishClient(self.name)
        return self.client.join()

    def hurry(self) -> None:
        """Leave as the day ends, unless in a game."""
        if self.client.seat is None:
            self.leave()

    def hear(self, came: bytes) -> None:
        """Take in the server's messages, and answer its requests."""
        for happening in self.client.hear(came):
            match happening:
                case RequestPlacement() | RequestMove():
                    self.later(min(self.pause(), 400 * MILLI), self._answer)
                case NotifyGameOver():
                    self.game_over()
                    return
                case _:
                    pass

    def _answer(self) -> None:
        view = self.client.view()
        move = None if view is None else choose(view, self.chance)
        if move is not None:
            self.say(self.client.answer(move))


class FishcomPlayer(WorldPerson):
    """A person who answers the calls of the course's fish server."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = FishcomClient()
        self.port = OWN_PORT
        self._playing = False

    def begin(self) -> bytes:
        """Sign up; after a restart the same name has its old place."""
        self.client, self._playing = FishcomClient(), False
        return self.client.sign_up(f"penguin{'abcdefghijklmnop'[self.habits.number % 16]}")

    def hurry(self) -> None:
        """Leave as the day ends, unless in a game."""
        if not self._playing:
            self.leave()

    def hear(self, came: bytes) -> None:
        """Take in the server's calls, and answer them."""
        for happening in self.client.hear(came):
            match happening:
                case bytes():
                    self._playing = True
                    self.say(happening)
                case Called(view):
                    self._playing = True
                    self._answer(view)
                case Ended():
                    self.leave()
                    return
                case _:
                    pass

    def _answer(self, view: FishView) -> None:
        move = choose(view, self.chance)
        if move is not None:
            words = self.client.answer(move)
            self.later(self.chance.below(200 * MILLI), lambda: self.say(words))
