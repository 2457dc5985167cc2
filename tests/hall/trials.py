"""Tours made of events alone, without a hall: whatever can happen in one, from a seed.

A trial joins, pairs, plays, voids, puts out and walks over as a director and a steward
would, and writes down what happened, so that it can be read back at any point.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import (
    EntrantPaused,
    EntrantResumed,
    Joined,
    MatchBegun,
    MatchEnded,
    Record,
    TourEvent,
    TourOpened,
    TourStarted,
    Withdrawn,
    tour_stream,
)
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, TableId, TourId, Wall
from rookery.core.intents import VoidMatch
from rookery.core.messages import Refused
from rookery.core.tour_values import ABSENT, BYE, WITHDRAWN, Plan, Result
from rookery.hall.tours import director
from rookery.hall.tours.director import Caller
from rookery.hall.tours.tour import Tour, evolve_tour, open_tour, replay_tour
from tests.laws.formats import any_result

ORGANISER: Final = Caller(None, organiser=True)
ID: Final = TourId(1)
OUT_MOST: Final = 3  # who withdraw; else nobody would be left
VOIDED_MOST: Final = 6  # or a tour would never get on

# Every format, alone and in teams, and for tables of two to four.
PLANS: Final = (
    Plan("nim", "round_robin legs=3"),
    Plan("bughouse", "round_robin", seats=4),
    Plan("nim", "joining"),
    Plan("nim", "swiss rounds=5"),
    Plan("nim", "knockout"),
    Plan("nim", "knockout legs=2 third=true"),
    Plan("fish", "groups", seats=4),
    Plan("fish", "groups", seats=2),
    Plan("nim", "arena"),
    Plan("fish", "arena", seats=3),
    Plan("nim", "duel games=20"),
    Plan("fish", "duel games=24", seats=3),
    Plan("nim", "gauntlet champions=2 legs=3"),
    Plan("bughouse", "rotating rounds=9", seats=4),
)


class Trial:
    """One tour being lived through."""

    def __init__(self, plan: Plan, count: int, seed: int, *, strict: bool = False) -> None:
        opened = TourOpened(replace(plan, strict=plan.strict or strict))
        self.tour: Tour = open_tour(ID, opened)
        self.log = [Record(1, tour_stream(ID), 1, 0, opened)]
        self.chance = Chance(seed)
        self.now: Micros = 0
        self.voids = 0
        for _ in range(max(count, self.tour.format.least(self.tour.sides))):
            self._join()
        lasts = self.tour.format.lasts()
        self.write(TourStarted(lasts, self._ratings()))
        self._pair()

    def write(self, event: TourEvent) -> None:
        """This happens."""
        self.tour = evolve_tour(self.tour, event)
        self.log.append(Record(self.tour.n, tour_stream(ID), self.tour.n, self.now, event))

    def again(self) -> Tour:
        """The tour, read back from what was written down."""
        text = msgspec.json.encode(self.log)
        return replay_tour(ID, msgspec.json.decode(text, type=list[Record]))

    def step(self) -> None:
        """One thing happens, and what follows from it."""
        self.now += (self.tour.format.lasts() or MICROS_A_SECOND) // 40
        match self.chance.below(16):
            case 0:
                self._withdraw()
            case 1:
                self._miss()
            case 15 if not self.tour.plan.strict:
                self._pause()
            case 2 | 3:
                self._void()
            case 4 if self.tour.format.late and len(self.tour.entrants) < 10:
                self._join()
            case 5 | 6 | 7 | 8 | 9:
                self._begin()
            case _:
                self._finish()
        self._pair()

    def _join(self) -> None:
        number = len(self.tour.entrants) + 1
        late = self.tour.started and self.chance.below(2)
        rating = 1000 + self.chance.below(1000) if late else None
        self.write(Joined(number, f"e{number}", PlayerId(number), rating))

    def _pause(self) -> None:
        """Somebody has been away for too long, or is back."""
        inside = [one for one in self.tour.entrants if not one.out]
        if inside:
            one = self.chance.choice(inside)
            change = EntrantResumed if one.paused else EntrantPaused
            self.write(change(one.number))

    def _ratings(self) -> tuple[tuple[int, int], ...]:
        """What some of those who are in it came with; in some tours nobody."""
        rated = self.chance.below(4)  # of three
        return tuple(
            (one.number, 1000 + self.chance.below(1000))
            for one in self.tour.entrants
            if self.chance.below(3) < rated
        )

    def _pair(self) -> None:
        """Ask for pairings until there are none; who has a bye has won it."""
        while not self.tour.time_is_up(Wall(self.now)):
            paired = director.pair(self.tour, self._free(), Wall(self.now))
            if paired is None:
                return
            self.write(paired)
            for number in self._where(waiting=True):
                if len(self.tour.match(number).fixture.sides) == 1:
                    self.write(MatchEnded(number, Result((1,), BYE)))

    def _begin(self) -> None:
        able = [n for n in self._where(waiting=True) if self._free().issuperset(self._sides(n))]
        if able:
            number = self.chance.choice(able)
            self.write(MatchBegun(number, TableId(self.tour.n)))

    def _finish(self) -> None:
        running = self._where(waiting=False)
        if running:
            number = self.chance.choice(running)
            self.write(MatchEnded(number, any_result(self.tour.match(number).fixture, self.chance)))

    def _miss(self) -> None:
        """Somebody does not come to a match, or nobody does."""
        waiting = self._where(waiting=True)
        if waiting:
            number = self.chance.choice(waiting)
            sides = self._sides(number)
            gone = frozenset(sides if self.chance.below(4) == 0 else sides[:1])
            fixture = self.tour.match(number).fixture
            self.write(MatchEnded(number, director.walkover(fixture, gone, ABSENT)))

    def _withdraw(self) -> None:
        """Somebody is out, and loses what was not played."""
        there = [one.number for one in self.tour.entrants if not one.out]
        if len(there) < 3 or len(self.tour.entrants) - len(there) == OUT_MOST:
            return
        self.write(Withdrawn(self.chance.choice(there), "withdrawn"))
        out = frozenset(one.number for one in self.tour.entrants if one.out)
        for number, match in enumerate(self.tour.matches, 1):
            gone = out.intersection(match.fixture.sides)
            if gone and match.result is None:
                self.write(MatchEnded(number, director.walkover(match.fixture, gone, WITHDRAWN)))

    def _void(self) -> None:
        if self.voids < VOIDED_MOST and len(self.tour.matches):
            number = 1 + self.chance.below(len(self.tour.matches))
            decision = director.void(self.tour, ORGANISER, VoidMatch(ID, number))
            if not isinstance(decision, Refused):
                self.voids += 1
                self.write(*decision)

    def _where(self, *, waiting: bool) -> list[int]:
        """The matches that wait, or those that run."""
        numbered = enumerate(self.tour.matches, 1)
        return [n for n, match in numbered if (match.waiting if waiting else match.running)]

    def _sides(self, number: int) -> tuple[int, ...]:
        return self.tour.match(number).fixture.sides

    def _free(self) -> frozenset[int]:
        busy = {side for number in self._where(waiting=False) for side in self._sides(number)}
        return frozenset(one.number for one in self.tour.entrants if not one.out) - busy
