"""Tours as people live through them, made up from a seed: for the laws of tours.

A season is one tour in a house. Its players move, resign, hang up and come back, join late
and withdraw; its organiser pauses, voids and puts out; time passes, and now and then
the server dies. Then everyone comes back and plays it to its end. A calm season is the same
without anybody hanging up, so that with and without restarts it must come to the same.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.chance import Chance
from rookery.core.events import Record, TourEvent, tour_stream
from rookery.core.ids import SessionId, TableId, TourId
from rookery.core.intents import (
    AnyIntent,
    EndTour,
    Enter,
    Farewell,
    JoinTour,
    LegalMoves,
    ListMatches,
    OpenTour,
    Organise,
    Play,
    Rename,
    Resign,
    Resume,
    SeedTour,
    Seek,
    Show,
    ShowTour,
    StartTour,
    TakeUp,
    Withdraw,
)
from rookery.core.messages import (
    Matches,
    Moves,
    Refused,
    Reply,
    Shown,
    TourMade,
    TourShown,
    Welcome,
)
from rookery.core.policy import Policy
from rookery.core.tour_values import Plan, Seeding
from rookery.hall.tours.formats.arena import cards_of
from rookery.hall.tours.lines import line_of, match_lines, standing_of
from rookery.hall.tours.tour import Tour, evolve_tour, replay_tour
from tests.hall.contest import NIM, TOKEN
from tests.hall.house import SECOND, Guest, House
from tests.laws.whims import whim

GRACE: Final = Policy(grace=20 * SECOND)
FISH: Final = "fish rows=4 cols=3 fish=1"


class Case(Struct, frozen=True):
    """A tour to be lived through, and by how many."""

    title: str
    plan: Plan
    count: int
    dialects: tuple[str, ...] = ("native",)  # by turns
    teams: bool = False
    hasty: bool = False  # whether games are given up, or nobody would see their end


def _plan(variant: str, form: str, **terms: object) -> Plan:
    plan = {"time": "none", "policy": GRACE, "absent": 60 * SECOND} | terms
    return Plan(variant, form, **plan)  # type: ignore[arg-type]  # terms are fields of a plan


CASES: Final = (
    Case("round robin", _plan(NIM, "round_robin legs=2", fair=True), 5),
    Case("round robin, two at once", _plan(NIM, "round_robin", at_once=2, parallel=3), 6),
    Case("joining", _plan(NIM, "joining"), 4, ("tourney", "native")),
    Case("swiss", _plan("tictactoe", "swiss rounds=3"), 7, ("native", "tourney")),
    Case("knock-out", _plan("tictactoe", "knockout legs=2 third=true"), 7),
    Case("groups", _plan(FISH, "groups", seats=3), 7),
    Case("strict groups", _plan(FISH, "groups", strict=True, farewell=True), 6),
    Case("arena", _plan(NIM, "arena minutes=3"), 5, ("native", "tourney")),
    Case("crowded arena", _plan(NIM, "arena minutes=2", parallel=1), 6),
    Case("gauntlet", _plan("nim rows=1 sticks=3 misere=true", "gauntlet champions=2"), 5),
    Case("teams", _plan("bughouse", "round_robin"), 6, teams=True, hasty=True),
    Case("rotating", _plan("bughouse", "rotating rounds=3"), 6, hasty=True),
    Case("asking", _plan("reversi", "joining"), 4, ("othello", "native", "othello"), hasty=True),
    Case("by hand", _plan(NIM, "knockout", seeding=Seeding.HAND), 6, ("tourney", "native")),
)
CODE: Final = "QUXXZ"
SEEDS: Final = 3
STEPS: Final = 150
LAST_MOVES: Final = 4000  # a tour that takes more has not come to its end


class Season:
    """One tour, lived through."""

    def __init__(
        self,
        case: Case,
        seed: int,
        *,
        calm: bool = False,
        dies: bool = True,
        away: bool = False,  # whether rounds are paired elsewhere, and later
    ) -> None:
        self.case = case
        self.calm, self.dies = calm, dies
        self.chance = Chance(1000 * CASES.index(case) + seed if case in CASES else seed)
        self.house = House(seed=seed + 1, organiser=TOKEN, pairs_away=away)
        self.organiser = self._organise()
        plan = case.plan
        self.tour: TourId = self.house.ask(self.organiser, OpenTour(plan, CODE), TourMade).tour
        self._value: Tour | None = None  # as of the records read so far
        self.guests: list[Guest] = []
        self.away: set[int] = set()  # whose connection is gone, by their place among the guests
        for _ in range(case.count):
            self._join()
        self.restarts = 0

    def live(self) -> "Season":
        """Many things happen, and in the end all is played."""
        if self.case.plan.seeding is Seeding.HAND:
            order = self.chance.shuffled(range(1, 1 + len(self.value.entrants)))
            self.wish(self.organiser, SeedTour(self.tour, tuple(order[1:])))
        self.wish(self.organiser, StartTour(self.tour))
        for step in range(STEPS):
            self._happen()
            if step % 10 == 0:
                self.look()
        self._finish()
        return self

    # -- what happens

    def _happen(self) -> None:
        chance = self.chance
        n = chance.below(len(self.guests))
        if self.house.wishes and not chance.below(3):
            self.house.pair()
        match chance.below(60):
            case 0 | 1 | 2 if not self.calm:
                self.hang_up(n)
            case 3 | 4 | 5 if not self.calm:
                self._come_back(n)
            case 6:
                self.house.wait(chance.choice((1, 5, 15, 30, 70)))
            case 7 | 8 | 9 | 10 | 11 | 12:
                self.wish(self.organiser, whim(self.chance, self.value))
            case 13 if n not in self.away and not chance.below(3):
                self.wish(self.guests[n], Withdraw(self.tour, player=self.guests[n].player))
            case 14 | 15 if len(self.guests) < self.case.count + 3:
                self._join()
            case 16 | 17:
                self._die()
            case 18:
                self._resign()
            case 25 if self._dialect(n) == "native" and n not in self.away:
                self.wish(self.guests[n], Rename(f"r{n}", player=self.guests[n].player))
            case 19 | 20 | 21 | 22 | 23 | 24 if self._dialect(n) == "othello":
                self._ask(n)
            case _:
                self.move()

    def _join(self) -> None:
        case = self.case
        dialect = self._dialect(len(self.guests))
        session = self.house.connect(dialect=dialect)
        welcome = self.house.ask(session, Enter(f"g{len(self.guests)}", dialect), Welcome)
        guest = Guest(session, welcome.player, welcome.token)
        self.guests.append(guest)
        team = f"t{(len(self.guests) + 1) // 2}" if case.teams else ""
        self.wish(guest, JoinTour(self.tour, CODE.lower(), team))

    def hang_up(self, n: int) -> None:
        """This guest's connection goes, if it is there."""
        if n not in self.away:
            self.away.add(n)
            self.house.hang_up(self.guests[n])

    def _come_back(self, n: int) -> None:
        if n not in self.away:
            return
        self.away.discard(n)
        guest, dialect = self.guests[n], self._dialect(n)
        if dialect == "native":
            self.guests[n] = self.house.back(guest)
            return
        session = self.house.connect(dialect=dialect)
        welcome = self.house.reply(session, self._return(n))
        if not isinstance(welcome, Welcome):
            welcome = self.house.reply(session, Enter(f"g{n}#{CODE}", dialect))
        if isinstance(welcome, Welcome):  # else its tour takes nobody any more
            self.guests[n] = Guest(session, welcome.player, guest.token)
        else:
            self.away.add(n)

    def _return(self, n: int) -> AnyIntent:
        """How an old client asks to be who it was, if it can."""
        if self._dialect(n) == "othello":
            return TakeUp(f"g{n}")
        return Resume(self.guests[n].player)

    def _dialect(self, n: int) -> str:
        return self.case.dialects[n % len(self.case.dialects)]

    def _ask(self, n: int) -> None:
        if n not in self.away:
            self.wish(self.guests[n], Seek("reversi", player=self.guests[n].player))

    def _die(self) -> None:
        if not self.dies:
            return
        before = self.records[:]
        was_away = set(self.away)
        self.restarts += 1
        if not self.calm and self.chance.below(2):
            self.house.slow = True  # what is decided now is never written, and nobody hears it
            for _ in range(self.chance.below(9)):
                self.move()
            self.house.slow = False
        self.house.restart()
        self.away = set(range(len(self.guests)))
        self.organiser = self._organise()
        for n in range(len(self.guests)):
            if n not in was_away and (self.calm or self.chance.below(4)):
                self._come_back(n)
        if self.calm:
            assert self.records == before, "a restart changes nothing but presence"

    def _organise(self) -> SessionId:
        session = self.house.connect()
        self.house.do(session, Organise(TOKEN))
        return session

    def _resign(self) -> None:
        for table in self._running():
            seats = self.house.show(self.organiser, table).line.seats
            here = [g for n, g in enumerate(self.guests) if n not in self.away]
            playing = [g for g in here if any(seat.player == g.player for seat in seats)]
            if playing:
                guest = self.chance.choice(playing)
                self.wish(guest, Resign(table, player=guest.player))
                return

    def move(self) -> bool:
        """Somebody who is here makes a move; whether anybody could."""
        here = {g.player: g for n, g in enumerate(self.guests) if n not in self.away}
        for table in self.chance.shuffled(self._running()):
            shown = self.house.ask(self.organiser, Show(table), Shown)
            able = [p for seat in shown.to_act if (p := shown.line.seats[seat].player) in here]
            if not able:
                continue
            guest = here[able[0]]
            if self.case.hasty and self.chance.below(2):
                self.wish(guest, Resign(table, player=guest.player))
                return True
            moves = self.house.ask(guest, LegalMoves(table, player=guest.player), Moves).moves
            self.wish(guest, Play(table, self.chance.choice(moves), player=guest.player))
            return True
        return False

    def _finish(self) -> None:
        """Everyone comes back, and what is left is played."""
        for n in range(len(self.guests)):
            self._come_back(n)
        self.wish(self.organiser, StartTour(self.tour))
        for move in range(LAST_MOVES):
            if self.over:
                return
            if move % 4 == 0:
                self.house.wait(5)
            if not self.move() and not self.house.pair():
                self.house.wait(30)
                for n, guest in enumerate(self.guests):
                    if n not in self.away:
                        self.house.do(guest, Farewell(player=guest.player))
                    if self._dialect(n) == "othello":
                        self._ask(n)
                # Where more may come, or it was to stay, it is not for the hall to end it.
                waits = not self.value.matches or self.case.plan.stays
                if self.value.status == "open" or waits:
                    self.wish(self.organiser, EndTour(self.tour))
        raise AssertionError("a tour comes to its end")

    # -- asking and looking

    def wish(self, who: Guest | SessionId, intent: AnyIntent) -> Reply:
        """Ask for something that may be refused, which then changes nothing."""
        before = len(self.house.log)
        reply = self.house.reply(who, intent)
        assert not isinstance(reply, Refused) or len(self.house.log) == before
        return reply

    @property
    def records(self) -> list[Record]:
        """The tour's stream in the log."""
        return self.house.streams[tour_stream(self.tour)]

    @property
    def value(self) -> Tour:
        """The tour as its log has it."""
        records = self.records
        if self._value is None:
            self._value = replay_tour(self.tour, records)
        for record in records[self._value.n :]:
            assert isinstance(record.event, TourEvent), "a tour's stream has the words of tours"
            self._value = evolve_tour(self._value, record.event)
        return self._value

    @property
    def over(self) -> bool:
        """Whether its stream has come to its end."""
        return self.records[-1].ends

    def shown(self) -> TourShown:
        """The tour as the organiser sees it."""
        return self.house.ask(self.organiser, ShowTour(self.tour), TourShown)

    def matches(self) -> Matches:
        """Its matches, likewise."""
        return self.house.ask(self.organiser, ListMatches(self.tour), Matches)

    def _running(self) -> list[TableId]:
        return [m.table for m in self.value.matches if m.running and m.table is not None]

    def look(self) -> None:
        """What the hall shows is what the log says."""
        shown, value = self.shown(), self.value
        assert shown.line == line_of(value, len(self._running()))
        assert shown.n == value.n == len(self.records)
        assert shown.code == value.code == CODE
        assert [(e.entrant, e.out, e.paused) for e in shown.entrants] == [
            (e.number, e.out, e.paused) for e in value.entrants
        ]
        unrated = tuple(replace(row, rating=None, uncertainty=None) for row in shown.standing)
        assert unrated == standing_of(value)
        assert self.matches().matches == match_lines(value, 0, 1000)
        assert value.cards in (None, cards_of(value.matches)), "what is carried along is counted"
