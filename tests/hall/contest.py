"""A tour in a house: guests who join and play whatever matches they are given.

Moves are the first legal ones, or drawn from a seed; nothing of the hall is pretended.
"""

from collections.abc import Sequence

from rookery.core.chance import Chance
from rookery.core.ids import SessionId, TableId, TourId
from rookery.core.intents import (
    JoinTour,
    LegalMoves,
    ListMatches,
    OpenTour,
    Organise,
    Play,
    ShowTour,
    StartTour,
)
from rookery.core.messages import Matches, MatchLine, Moves, TourJoined, TourMade, TourShown
from rookery.core.tour_values import Plan
from tests.hall.house import Guest, House

TOKEN = "the organiser's token"
NIM = "nim sticks=1,2"  # over in two or three moves


class Contest:
    """One tour, its organiser and its players."""

    def __init__(self, house: House, plan: Plan, code: str | None = "") -> None:
        self.house = house
        self.organiser: SessionId = house.connect()
        house.do(self.organiser, Organise(TOKEN))
        made = house.ask(self.organiser, OpenTour(plan, code), TourMade)
        self.tour: TourId = made.tour
        self.code = made.code
        self.guests: list[Guest] = []
        self.chance = Chance(7)

    def join(self, *names: str) -> list[Guest]:
        """New players who join, one after the other."""
        joined = []
        for name in names:
            guest = self.house.enter(name)
            self.house.ask(guest, JoinTour(self.tour, self.code), TourJoined)
            joined.append(guest)
        self.guests += joined
        return joined

    def start(self) -> None:
        """Let it run."""
        self.house.do(self.organiser, StartTour(self.tour))

    def shown(self) -> TourShown:
        """How it stands."""
        return self.house.ask(self.organiser, ShowTour(self.tour), TourShown)

    @property
    def status(self) -> str:
        """Where it is in its life."""
        return self.shown().line.status

    def matches(self) -> Sequence[MatchLine]:
        """All matches."""
        return self.house.ask(self.organiser, ListMatches(self.tour), Matches).matches

    def running(self) -> list[TableId]:
        """The tables where its matches are played now."""
        return [m.table for m in self.matches() if m.status == "playing" and m.table is not None]

    def results(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Who met whom, and the places, of every match that has come out."""
        return [(m.sides, m.result.places) for m in self.matches() if m.result is not None]

    def move(self, table: TableId) -> None:
        """Somebody at this table who can makes a move."""
        shown = self.house.show(self.organiser, table)
        seat = shown.to_act[0]
        player = shown.line.seats[seat].player
        guest = next(g for g in self.guests if g.player == player)
        moves = self.house.ask(guest, LegalMoves(table, player=guest.player), Moves).moves
        self.house.do(guest, Play(table, self.chance.choice(moves), player=guest.player))

    def play_on(self, moves: int = 10_000) -> None:
        """Play whatever runs, so many moves or until nothing runs."""
        for _ in range(moves):
            running = self.running()
            if not running:
                return
            self.move(self.chance.choice(running))
        if moves == 10_000:
            raise AssertionError("a tour comes to an end")


def house_of_tours(*, seed: int = 1) -> House:
    """A house whose organiser's token is `TOKEN`."""
    return House(seed=seed, organiser=TOKEN)
