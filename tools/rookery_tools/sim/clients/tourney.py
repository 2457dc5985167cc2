"""Who speaks tourney: registers, joins the tour there is, and plays what it is given."""

from rookery.clients.tourney import Ended, Refused, Registered, Stands, TourneyClient, command
from rookery.games.nim import Nim, NimView, State
from rookery_tools.sim.clients.native import CODE
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import SECOND


class TourneyPlayer(WorldPerson):
    """A person who plays honestly in a tour of nim, over tourney."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = TourneyClient(self.name)

    def begin(self) -> bytes:
        """Register, or be the same player again."""
        self.later(SECOND, self._join)
        self.client.seat = None  # if its match goes on it is told so; it may be over by now
        return self.client.begin()

    def hurry(self) -> None:
        """Leave as the day ends, unless in a match."""
        if self.client.seat is None:
            self.leave()

    def hear(self, came: bytes) -> None:
        """Take in the server's commands, and register, join and move."""
        for happening in self.client.hear(came):
            match happening:
                case bytes():
                    self.say(happening)
                case Registered():
                    self._join()
                case Stands() | Refused() if self.client.mine:
                    self.later(self.pause(), self._move)
                case Ended() if self.town.calm:
                    self.later(SECOND, self._go)
                case _:
                    pass

    def _join(self) -> None:
        """Try to join the tour, again and again: it may not be open yet."""
        if self.client.here and self.client.seat is None and not self.town.calm:
            self.say(command("@TOUR:JOIN", CODE))
        if not self.client.here:
            self.say(self.client.register())
        if not self.town.calm:
            self.later(3 * SECOND, self._join)

    def _go(self) -> None:
        if self.client.seat is None:
            self.leave()

    def _move(self) -> None:
        view, seat = self.client.view, self.client.seat
        if not self.client.mine or not isinstance(view, NimView) or seat is None:
            return
        nim = Nim()
        moves = [nim.format_move(move) for move in nim.legal_moves(State(view.rows, seat), seat)]
        if moves:
            self.say(self.client.play(self.chance.choice(moves)))
