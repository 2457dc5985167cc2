"""Who speaks othello in frames: plays a legal square, talks, gives up, and calls again."""

from rookery.clients.othello import Coloured, Ended, Failed, OthelloClient, Refused, Stands
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.clients.reversi import legal_squares


class OthelloPlayer(WorldPerson):
    """A person who plays othello honestly."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = OthelloClient()
        self._tried: set[tuple[int, int]] = set()

    def begin(self) -> bytes:
        """The bytes that ask for a game, or get a lost seat back."""
        self.client = OthelloClient()
        return self.client.sign_on()

    def hurry(self) -> None:
        """Leave as the day ends, unless in a game."""
        if self.client.turn is None:
            self.leave()

    def hear(self, came: bytes) -> None:
        """Take in the server's frames, and move."""
        for happening in self.client.hear(came):
            match happening:
                case Stands():
                    self._tried.clear()
                    self._think()
                case Refused():
                    self._think()
                case Ended() | Failed():
                    self.game_over()
                    return
                case Coloured():
                    self._tried.clear()
                case _:
                    pass

    def _think(self) -> None:
        if self.client.mine:
            self.later(self.pause(), self._move)

    def _move(self) -> None:
        if not self.client.mine:
            return
        legal = [square for square in self._squares() if square not in self._tried]
        if not legal or not self.chance.below(300):
            self.say(self.client.quit())
            return
        if not self.chance.below(12):
            self.say(self.client.say(f"{self.name} says hm"))
        square = self.chance.choice(legal)
        self._tried.add(square)
        self.say(self.client.play(*square))

    def _squares(self) -> list[tuple[int, int]]:
        assert self.client.seat is not None, "whose turn it is has a colour"
        return legal_squares(self.client.board, self.client.seat)
