"""Who speaks the native language: seeks games, plays any legal move, talks, resigns, comes back."""

from typing import Final

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
from rookery.core.events import Closed, Ended, Started
from rookery.core.ids import MICROS_A_SECOND, TableId
from rookery.core.intents import (
    Leave,
    LegalMoves,
    OfferDraw,
    Play,
    Resign,
    Say,
    Seek,
    Show,
)
from rookery.core.messages import Done, Moves, Refused
from rookery.core.policy import Policy
from rookery.core.status import Status
from rookery.core.tours.tour_intents import EndTour, JoinTour, OpenTour, StartTour
from rookery.core.tours.tour_messages import TourMade
from rookery.core.tours.values import Plan
from rookery.sim.agenda import MILLI, SECOND
from rookery.sim.people.person import Habits, Person, Town

CODE: Final = "simcup"


class NativePlayer(Person):
    """Somebody who plays honestly."""

    def __init__(self, town: Town, habits: Habits) -> None:
        super().__init__(town, habits)
        self.client = NativeClient(self.name)
        self.tables: dict[TableId, KnownTable] = {}
        self._seeking = False
        self._thinking: set[TableId] = set()
        self._words = 0
        self._toured = False  # it has opened or joined a tour, or will not
        self._hosting = False  # it runs a tour

    # -- coming and going

    def begin(self) -> bytes:
        """A hello, as a new player or the same again."""
        self.tables.clear()
        self._thinking.clear()
        self._seeking = False
        return self.client.ask(self.client.hello())

    def ask(self, request: Request) -> None:
        """Ask this."""
        if self.there:
            self.say(self.client.ask(request))

    def _tour(self) -> None:
        """Open a tour, where one is such a person; else join the one there may be."""
        if self.town.calm or self._toured:
            return
        self._toured = True
        if self.habits.kind == "host":
            policy = Policy(grace=3 * MICROS_A_SECOND)
            plan = Plan("nim sticks=2,3", time="10s", policy=policy, absent=3 * MICROS_A_SECOND)
            self._hosting = True
            self.ask(OpenTour(plan, CODE))
        elif not self.chance.below(2):
            self.later(SECOND, lambda: self.ask(JoinTour(code=CODE)))

    def hurry(self) -> None:
        """Begin nothing more."""
        if self._hosting:
            self.ask(EndTour())  # which may have been opened though we did not hear of it
        for table, known in list(self.tables.items()):
            if known.status == Status.OPEN:
                self.ask(Leave(table))
            self._go_on(table)
        self._go_on_or_go()

    def _go_on_or_go(self) -> None:
        """Look for the next game; or go, if that was all."""
        if self.tables or self._seeking or self._hosting or not self.client.greeted:
            return
        if self.left > 0 and not self.town.calm:
            fare = self.chance.choice(self.town.fares)
            self._seeking = True
            policy = Policy(grace=fare.grace // 1000)
            self.ask(Seek(fare.variant, fare.seats, fare.time, policy))
        elif not self.client.busy:
            self.later(SECOND // 2, self._go)

    def _go(self) -> None:
        if not self.tables and not self.client.busy and not self._hosting:
            self.leave()

    # -- hearing

    def hear(self, came: bytes) -> None:
        """One message after the other."""
        for happening in self.client.hear(came):
            match happening:
                case Answered(asked, answer):
                    self._answered(asked, answer)
                case Told():
                    self._told(happening)
                case _:
                    pass

    def _answered(self, asked: Request, answer: Answer) -> None:
        match asked, answer:
            case Hello(), Greeting(tables=tables):
                for table in tables:
                    self.ask(Show(table))
                self._seeking = bool(tables)
                self._tour()
                self._go_on_or_go()
            case Hello(), Refused():
                self.client.forget()  # a name that is taken, or a player of a lost world
                self.later(SECOND, self.hang_up)
            case Seek(), Done(table=int(table)):
                self.ask(Show(table))
            case Seek(), Refused():
                self._seeking = False
                self.later(2 * SECOND, self._go_on_or_go)
            case Show(table), TableShown():
                self._seeking = False
                self._shown(table, answer)
            case Show(), Refused():
                self._seeking = False
                self._go_on_or_go()
            case Leave(table), _:
                self._over(table)
            case _:
                self._answered_at_table(asked, answer)

    def _answered_at_table(self, asked: Request, answer: Answer) -> None:
        match asked, answer:
            case OpenTour(), TourMade(tour=tour):
                self.later(3 * SECOND, lambda: self.ask(StartTour(tour)))
            case EndTour(), _:
                self._hosting = False
            case LegalMoves(table), Moves(moves=moves) if moves:
                self._play(table, self.chance.choice(moves))
            case LegalMoves(table) | Play(table), Refused():
                self._thinking.discard(table)
                self.later(SECOND, lambda: self.ask(Show(table)))
            case Play(table) | LegalMoves(table), _:
                self._thinking.discard(table)
                self._go_on(table)
            case _:
                self._go_on_or_go()

    def _shown(self, table: TableId, shown: TableShown) -> None:
        known = known_table(shown)
        if known.status in (Status.OVER, Status.CLOSED) or known.mine is None:
            self._over(table)
            return
        self.tables[table] = known
        if known.status == Status.OPEN and self.town.calm:
            self.ask(Leave(table))
        self._go_on(table)

    def _told(self, told: Told) -> None:
        known = self.tables.get(told.table)
        if known is None and isinstance(told.event, Started):
            self.ask(Show(told.table))  # a match of a tour
        if known is None or told.n <= known.n:
            return
        self.tables[told.table] = heard(known, told)
        if isinstance(told.event, Ended | Closed):
            self.left -= 1
            self._over(told.table)
        else:
            self._go_on(told.table)

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
            self.ask(Resign(table))
        elif drawn == 1:
            self.ask(OfferDraw(table))
        elif drawn < 20:
            self._words += 1
            self.ask(Say(table, f"{self.name} says {self._words}", team=not self.chance.below(3)))
        self.ask(LegalMoves(table, some=True))

    def _play(self, table: TableId, move: str) -> None:
        if self.chance.below(5):
            self.ask(Play(table, move))
        else:
            self.later(self.chance.below(200 * MILLI), lambda: self.ask(Play(table, move)))
