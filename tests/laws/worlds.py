"""Worlds in which a planned game is played: quick ones, and slow ones with restarts.

In a quick world everything is decided and handed over in the moment it is read. In a
slow one intents wait in a queue, the disk is slow, timers ring late, and the server dies
and comes back. Time goes from event to event; nothing overtakes, as in the keeper.
"""

from heapq import heappop, heappush

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.events import Ended, Out, Played
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.intents import Play
from rookery.core.messages import Done
from rookery.hall.batch import Batch
from rookery.hall.tables.replay import replay
from tests.hall.house import House

SECOND = MICROS_A_SECOND


class Plan(Struct, frozen=True):
    """What each seat plays, and how long it thinks before each of its moves."""

    variant: str
    time: str
    moves: tuple[tuple[str, ...], ...]
    thinks: tuple[tuple[Micros, ...], ...]


class Told(Struct, frozen=True):
    """What a world made of a plan: charges by seat, who was late, the end, what was left."""

    spent: tuple[tuple[Micros, ...], ...]
    late: tuple[Out, ...]
    end: Ended | None
    left: tuple[Micros, ...]


class Read(Struct, frozen=True):
    """A seat's answer comes in."""

    seat: int
    life: int


class Decide(Struct, frozen=True):
    """The next in the queue is decided."""


class Hand(Struct, frozen=True):
    """A batch is safe, and handed over."""

    batch: Batch


class Ring(Struct, frozen=True):
    """The timer rings."""


class Die(Struct, frozen=True):
    """The server dies."""


class Return(Struct, frozen=True):
    """A player connects again."""

    seat: int


Event = Read | Decide | Hand | Ring | Die | Return


class World:
    """Plays a plan; with `chance` a slow world. Mutates, and lives once."""

    def __init__(self, plan: Plan, chance: Chance | None = None, deaths: int = 0) -> None:
        self.plan = plan
        self.chance = chance
        self.house = House(slow=True)
        self.made = [0] * len(plan.moves)
        self.queue: list[tuple[Micros, int]] = []  # read and not decided: when, and who
        self.writing = 0  # batches on their way to the disk
        self.deaths = 0
        self._heap: list[tuple[Micros, int, Event]] = []
        self._count = 0
        self._decided = self._handed = 0  # when the last was; nothing overtakes
        self._rings_for: Micros | None = None
        self.guests = [self.house.enter(f"p{n}") for n in range(len(plan.moves))]
        self.table = self.house.game(plan.variant, *self.guests, time=plan.time)
        self._write()
        for n in range(deaths):
            self._later(self._slowly(20 * SECOND) * (n + 1), Die())

    def live(self) -> Told:
        """Until all is played, or nothing more can happen."""
        total = sum(map(len, self.plan.moves))
        while self._heap and (self.writing or sum(self.made) < total):
            when, _, event = heappop(self._heap)
            self.house.now = max(self.house.now, when)
            self._meet(event)
            self._set_timer()
        return self._told()

    def _meet(self, event: Event) -> None:
        house = self.house
        match event:
            case Read(seat, life):
                if life == self.deaths:
                    self.queue.append((house.now, seat))
                    self._decided = max(self._decided, house.now + self._slowly(SECOND))
                    self._later(self._decided - house.now, Decide())
            case Decide():
                self._decide()
            case Hand(batch):
                self._hand(batch)
            case Ring():
                self._rings_for = None
                if not self.queue:  # what was read before is decided first
                    house.tick()
                    self._write()
            case Die():
                self._die()
            case Return(seat):
                self.guests[seat] = house.back(self.guests[seat])
                self._write()

    def _decide(self) -> None:
        read, seat = self.queue.pop(0)
        move = self.plan.moves[seat][self.made[seat]]
        guest = self.guests[seat]
        reply = self.house.reply(guest, Play(self.table, move, player=guest.player), read=read)
        self.made[seat] += isinstance(reply, Done)
        self._write()

    def _write(self) -> None:
        """What was just decided goes to the disk."""
        batches, self.house.unsafe = self.house.unsafe, []
        for batch in batches:
            self._handed = max(self._handed, self.house.now + self._slowly(3 * SECOND))
            self.writing += 1
            self._later(self._handed - self.house.now, Hand(batch))

    def _hand(self, batch: Batch) -> None:
        self.writing -= 1
        self.house.unsafe = [batch]
        self.house.catch_up()
        for turn in batch.turns:
            if self.made[turn.seat] < len(self.plan.moves[turn.seat]):
                think = self.plan.thinks[turn.seat][self.made[turn.seat]]
                self._later(think, Read(turn.seat, self.deaths))

    def _die(self) -> None:
        if self.queue or self.writing:
            self._later(SECOND // 7, Die())  # what nobody was told may be lost; not today
            return
        self.deaths += 1
        self._rings_for = None
        self.house.restart()
        self._write()
        for seat in range(len(self.guests)):
            self._later(self._slowly(9 * SECOND), Return(seat))

    def _set_timer(self) -> None:
        deadline = self.house.deadline()
        if deadline is not None and deadline != self._rings_for:
            self._rings_for = deadline
            self._later(max(0, deadline - self.house.now) + self._slowly(5 * SECOND), Ring())

    def _later(self, wait: Micros, event: Event) -> None:
        self._count += 1
        heappush(self._heap, (self.house.now + wait, self._count, event))

    def _slowly(self, most: Micros) -> Micros:
        return 0 if self.chance is None else self.chance.below(most)

    def _told(self) -> Told:
        events = self.house.events(self.table)
        played = [event for event in events if isinstance(event, Played)]
        return Told(
            tuple(
                tuple(event.spent for event in played if event.seat == seat)
                for seat in range(len(self.plan.moves))
            ),
            tuple(event for event in events if isinstance(event, Out)),
            next((event for event in events if isinstance(event, Ended)), None),
            replay(self.table, events).clock.left,
        )
