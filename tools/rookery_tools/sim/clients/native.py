"""A person who speaks native: seeks games, plays any legal move, talks, resigns, comes back.

Some people take moves back, where that may be, and some open a private table and challenge a
player they have met; a challenged person comes, or does not.
"""

from typing import Final

from msgspec.structs import replace

from rookery.clients.native import Answered, NativeClient
from rookery.clients.native.table import KnownTable, heard, known_table
from rookery.clients.native.words import (
    Answer,
    Greeting,
    Hello,
    Request,
    TableShown,
    Told,
)
from rookery.core import intents
from rookery.core.events import Closed, Ended, Started, TakebackAsked
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Status, TableId
from rookery.core.intents import EndTour, JoinTour, OpenTour, StartTour
from rookery.core.messages import Done, Moves, Notice, Refused, TourMade
from rookery.core.policy import Policy
from rookery.core.tour_values import Plan
from rookery_tools.sim.clients.person import Habits, WorldPerson, WorldTown
from rookery_tools.sim.machine.agenda import MICRO, MILLI, SECOND
from rookery_tools.sim.machine.process import EPOCH

CODE: Final = "simcup"
HIDING: Final = "guess"  # where no move is taken back
PLAN: Final = Plan(  # of the tour that there may be
    "nim sticks=2,3",
    time="10s",
    policy=Policy(grace=3 * MICROS_A_SECOND),
    absent=3 * MICROS_A_SECOND,
)
INVITES: Final = 4  # one game in so many is at a table of one's own, for somebody one has met
WAITS: Final = 4 * SECOND  # for them
SORRY: Final = 6  # one time in so many a move is asked back, where that may be


class NativePlayer(WorldPerson):
    """A person who plays honestly over the native dialect."""

    def __init__(self, town: WorldTown, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = NativeClient(self.name)
        self.tables: dict[TableId, KnownTable] = {}
        self._seeking = False
        self._thinking: set[TableId] = set()
        self._words = 0
        self._toured = False  # it has opened or joined a tour, or will not
        self._hosting = False  # it runs a tour
        self._met: list[PlayerId] = []
        self.codes: list[str] = []  # of its private tables
        self._invites: dict[TableId, str] = {}  # tables to which it asks somebody, and their codes

    # -- coming and going

    def begin(self) -> bytes:
        """A hello, as a new player or the same again."""
        self.tables.clear()
        self._thinking.clear()
        self._seeking = False
        return self.client.ask(self.client.hello())

    def ask(self, request: Request) -> None:
        """Send a request, if there is a connection."""
        if self.there:
            self.say(self.client.ask(request))

    def _tour(self) -> None:
        """Open a tour, as a host does; others join, half of the time, the tour there may be."""
        if self.town.calm or self._toured:
            return
        self._toured = True
        if self.habits.kind == "host":
            self._hosting = True
            self.ask(OpenTour(self._appointed() if self.chance.below(2) else PLAN, CODE))
        elif not self.chance.below(2):
            self.later(SECOND, lambda: self.ask(JoinTour(code=CODE)))

    def _appointed(self) -> Plan:
        """The plan of a tour that starts by itself in a few seconds, by this person's own watch."""
        now, wait = EPOCH + self.town.agenda.now // MICRO, self.chance.between(2, 6)
        return replace(PLAN, starts=now + wait * MICROS_A_SECOND)

    def hurry(self) -> None:
        """End the own tour and leave open tables as the day ends; play running games on."""
        if self._hosting and self.client.greeted:
            self.ask(EndTour())  # which may have been opened though we did not hear of it
        for table, known in list(self.tables.items()):
            if known.status == Status.OPEN:
                self.ask(intents.Leave(table))
            self._go_on(table)
        self._go_on_or_go()

    def _go_on_or_go(self) -> None:
        """Look for the next game; or go, if that was all."""
        if self.tables or self._seeking or self._hosting or not self.client.greeted:
            return
        if self.left > 0 and not self.town.calm:
            self._seeking = True
            self._look_for_a_game()
        elif not self.client.busy:
            self.later(SECOND // 2, self._go)

    def _look_for_a_game(self) -> None:
        fare = self.chance.choice(self.town.fares)
        policy = Policy(grace=fare.grace // 1000)
        regrets = fare.seats == 2 and HIDING not in fare.variant and not self.chance.below(2)
        if fare.seats > 2 or not self._met or self.chance.below(INVITES):
            self.ask(intents.Seek(fare.variant, fare.seats, fare.time, policy, takebacks=regrets))
            return
        code = f"{self.name}only{self.chance.bits():016x}"
        self.codes.append(code)
        self.ask(
            intents.Open(
                fare.variant, fare.seats, fare.time, policy, takebacks=regrets, code=code, house=0
            )
        )

    def _invite(self, table: TableId, code: str) -> None:
        """Challenge a player met before to an own table; wait there, but not for ever."""
        self._invites[table] = code
        self.ask(intents.Challenge(table, self.chance.choice(self._met), code))
        self.later(WAITS, lambda: self._give_up(table))

    def _give_up(self, table: TableId) -> None:
        known = self.tables.get(table)
        if known is not None and known.status == Status.OPEN:
            self.ask(intents.Leave(table))

    def _challenged(self, sentence: str) -> None:
        """Answer a challenge: go to its table, perhaps, if this person only waits elsewhere."""
        waits = all(known.status == Status.OPEN for known in self.tables.values())
        if self._hosting or self.town.calm or not waits or not self.chance.below(3):
            return
        link = sentence.rpartition("/tables/")[2]
        table, _, code = link.partition("?code=")
        for other in list(self.tables):
            self.ask(intents.Leave(other))
        self._seeking = True
        self.ask(intents.Sit(TableId(int(table)), code=code))

    def _go(self) -> None:
        if not self.tables and not self.client.busy and not self._hosting:
            self.leave()

    # -- hearing

    def hear(self, came: bytes) -> None:
        """Take in answers and news, and do what follows from each."""
        for happening in self.client.hear(came):
            match happening:
                case Answered(asked, answer):
                    self._answered(asked, answer)
                case Told():
                    self._told(happening)
                case Notice("challenged", sentence):
                    self._challenged(sentence)
                case _:
                    pass

    def _answered(self, asked: Request, answer: Answer) -> None:
        match asked, answer:
            case Hello(), Greeting(tables=tables):
                for table in tables:
                    self.ask(intents.Show(table))
                self._seeking = bool(tables)
                self._tour()
                self._go_on_or_go()
            case Hello(), Refused("banned"):
                self.later(SECOND, self.hang_up)  # it may be let in again
            case Hello(), Refused():
                self.client.forget()  # a name that is taken, or a player of a lost world
                self.later(SECOND, self.hang_up)
            case intents.Open(code=code), Done(table=int(table)):
                self.ask(intents.Show(table))
                self._invite(table, code)
            case intents.Seek() | intents.Sit(), Done(table=int(table)):
                self.ask(intents.Show(table))
            case intents.Seek() | intents.Sit() | intents.Open(), Refused():
                self._seeking = False
                self.later(2 * SECOND, self._go_on_or_go)
            case intents.Show(table), TableShown():
                self._seeking = False
                self._shown(table, answer)
            case intents.Show(), Refused():
                self._seeking = False
                self._go_on_or_go()
            case intents.Leave(table), _:
                self._over(table)
            case _:
                self._answered_at_table(asked, answer)

    def _answered_at_table(self, asked: Request, answer: Answer) -> None:
        match asked, answer:
            case OpenTour(plan=plan), TourMade(tour=tour):
                wait = 3 * SECOND if plan.starts is None else 9 * SECOND
                self.later(wait, lambda: self.ask(StartTour(tour)))
            case OpenTour(plan=plan), Refused() if plan.starts is not None:
                self.ask(OpenTour(PLAN, CODE))  # its watch is not the server's
            case EndTour(), _:
                self._hosting = False
            case intents.TakeBack() | intents.DeclineTakeBack() | intents.Challenge(), _:
                pass
            case intents.LegalMoves(table), Moves(moves=moves) if moves:
                self._play(table, self.chance.choice(moves))
            case intents.LegalMoves(table) | intents.Play(table), Refused():
                self._thinking.discard(table)
                self.later(SECOND, lambda: self.ask(intents.Show(table)))
            case intents.Play(table) | intents.LegalMoves(table), _:
                self._thinking.discard(table)
                self._go_on(table)
            case _:
                self._go_on_or_go()

    def _shown(self, table: TableId, shown: TableShown) -> None:
        known = known_table(shown)
        there = [seat.player for seat in shown.line.seats]
        self._met += [who for n, who in enumerate(there) if who and n != known.mine]
        if known.status in (Status.OVER, Status.CLOSED) or known.mine is None:
            self._over(table)
            return
        self.tables[table] = known
        if known.status == Status.OPEN and self.town.calm:
            self.ask(intents.Leave(table))
        self._go_on(table)

    def _told(self, told: Told) -> None:
        known = self.tables.get(told.table)
        if known is None and isinstance(told.event, Started):
            self.ask(intents.Show(told.table))  # a match of a tour
        if known is None or told.n <= known.n:
            return
        self.tables[told.table] = heard(known, told)
        if isinstance(told.event, Ended | Closed):
            self.left -= 1
            self._over(told.table)
        elif isinstance(told.event, TakebackAsked) and told.event.seat != known.mine:
            self._asked_back(told.table)
        else:
            self._go_on(told.table)

    def _asked_back(self, table: TableId) -> None:
        """Allow, decline or ignore that the opponent takes a move back."""
        answer = self.chance.choice(
            (intents.TakeBack, intents.TakeBack, intents.DeclineTakeBack, None)
        )
        if answer is not None:
            self.later(self.pause(), lambda: self.ask(answer(table)))

    def _over(self, table: TableId) -> None:
        self.tables.pop(table, None)
        self._thinking.discard(table)
        self._go_on_or_go()

    # -- playing

    def _go_on(self, table: TableId) -> None:
        known = self.tables.get(table)
        if known is None or not known.my_turn or known.status != Status.PLAYING:
            return
        if table not in self._thinking:
            self._thinking.add(table)
            self.later(self.pause(), lambda: self._decide(table))

    def _decide(self, table: TableId) -> None:
        known = self.tables.get(table)
        if known is None or not known.my_turn:
            self._thinking.discard(table)
            return
        drawn = self.chance.below(200)
        if drawn == 0:
            self.ask(intents.Resign(table))
        elif drawn == 1:
            self.ask(intents.OfferDraw(table))
        elif drawn < 20:
            self._words += 1
            self.ask(
                intents.Say(table, f"{self.name} says {self._words}", team=not self.chance.below(3))
            )
        elif not self.chance.below(SORRY):
            self.ask(intents.TakeBack(table))
        self.ask(intents.LegalMoves(table, some=True))

    def _play(self, table: TableId, move: str) -> None:
        if self.chance.below(5):
            self.ask(intents.Play(table, move))
        else:
            self.later(self.chance.below(200 * MILLI), lambda: self.ask(intents.Play(table, move)))
