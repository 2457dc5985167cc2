"""Tours, as people ask for them: opening, joining and running them, and how they stand.

What is asked is decided by the director, written into the book, and carried on by the
steward. It mutates, and the hall owns it.
"""

from collections.abc import Callable

from rookery.core.errors import Mistake
from rookery.core.game import Forfeit
from rookery.core.ids import PlayerId, SessionId, TourId, Wall
from rookery.core.messages import Done, Refused
from rookery.core.status import TourStatus
from rookery.core.tours.tour_events import (
    Joined,
    MatchRuled,
    Partnered,
    Returned,
    TourEvent,
    TourOpened,
    TourStarted,
    Withdrawn,
)
from rookery.core.tours.tour_intents import (
    Arrange,
    CancelTour,
    EndTour,
    EnterResult,
    JoinTour,
    OpenTour,
    PauseTour,
    RenameEntrant,
    ReplaceEntrant,
    SeedTour,
    StartTour,
    TourAct,
    VoidMatch,
    Withdraw,
)
from rookery.core.tours.tour_messages import TourJoined, TourMade
from rookery.core.tours.values import Plan
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.languages import SEVERAL, UNNAMED, can_play
from rookery.hall.people.numbers import TOURNEY
from rookery.hall.people.people import People
from rookery.hall.people.players import Home, Player
from rookery.hall.tours import director, overruling
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.permits import elsewhere, may_not_enter, may_not_open, may_not_play
from rookery.hall.tours.planning import read_plan
from rookery.hall.tours.running.agenda import unjoined_for
from rookery.hall.tours.running.steward import Steward
from rookery.hall.tours.tour import CANCELLED, Tour
from rookery.hall.tours.tour_book import Book

ENDED = "ended"  # how a tour ended that its owner ended


class Tours:
    """The hall's tours, and what may be done with them."""

    def __init__(
        self,
        people: People,
        seating: Seating,
        book: Book,
        steward: Steward,
        seeds: Callable[[], int],
    ) -> None:
        self._presence = people.presence
        self._register = people.register
        self._warden = people.warden
        self._seating = seating
        self.book = book
        self.steward = steward
        self._seeds = seeds

    # -- what is asked

    def act(self, draft: Draft, session: SessionId, who: Caller, intent: TourAct) -> None:
        """Do what someone asks, and say so."""
        if isinstance(intent, OpenTour):
            self._open(draft, session, who, intent)
            return
        if isinstance(intent, JoinTour):
            self._join(draft, session, who, intent)
            return
        tour = self.find(who.player, intent.tour)
        if isinstance(tour, Refused):
            draft.tell(session, tour)
            return
        match intent:
            case StartTour():
                decision = director.start(tour, who, intent, draft.at)
                if tour.status is TourStatus.OPEN and not isinstance(decision, Refused):
                    seeds = seeding.drawn(tour, self._reception.ratings.strengths(tour))
                    refused = director.too_few_for_ever(tour)
                    decision = refused or seeding.before(seeds, decision)
                self._carry_on(draft, session, tour.id, decision)
            case PauseTour():
                decision = director.pause(tour, who, intent, draft.at)
                self._carry_on(draft, session, tour.id, decision)
            case Withdraw():
                self._withdraw(draft, session, who, tour, intent)
            case VoidMatch():
                self._void(draft, session, who, tour, intent)
            case EnterResult() | RenameEntrant() | SeedTour() | Arrange():
                self._overrule(draft, session, who, tour, intent)
            case ReplaceEntrant():
                self._replace(draft, session, who, tour, intent)
            case EndTour() | CancelTour():
                self._end(draft, session, who, tour, intent)

    def _end(
        self,
        draft: Draft,
        session: SessionId,
        who: Caller,
        tour: Tour,
        intent: EndTour | CancelTour,
    ) -> None:
        cancel = isinstance(intent, CancelTour)
        refused = director.may_end(tour, who, cancel=cancel)
        draft.tell(session, refused or Done())
        if refused is None:
            self.steward.endings.close(draft, tour.id, CANCELLED if cancel else ENDED)

    def find(
        self, player: PlayerId | None, tour: TourId | None, *, over: bool = False
    ) -> Tour | Refused:
        """The tour meant: this one, or the player's own; with `over` the last it ran."""
        if tour is None:
            found = None if player is None else self.book.attached(player)
            if found is None and player is not None and over:
                found = self.book.ran(player)
            return found or Refused("not_in_tour", "You neither own a tour nor are in one.")
        found = self.book.find(tour)
        return found or self.book.refusal(tour)

    def _carry_on(self, draft: Draft, session: SessionId, tour: TourId, decision: Decision) -> None:
        draft.tell(session, decision if isinstance(decision, Refused) else Done())
        if not isinstance(decision, Refused):
            self.run(draft, tour, *decision)

    def run(self, draft: Draft, tour: TourId, *events: TourEvent) -> None:
        """These things happen, and the tour goes on from there."""
        for event in events:
            before = self.book.get(tour)
            assert before is not None, "nothing happens in a tour that is over"
            if isinstance(event, TourStarted) and not before.started:
                self.steward.starts(before)
            self.book.happen(draft, tour, self._reception.ratings.noted(before, event))
            if isinstance(event, TourStarted) and event.until is not None:
                self.steward.agenda.meet(tour, Wall(event.until))
        self.steward.proceed(draft, tour)

    def _withdraw(
        self, draft: Draft, session: SessionId, who: Caller, tour: Tour, intent: Withdraw
    ) -> None:
        decision = director.withdraw(tour, who, intent)
        draft.tell(session, decision if isinstance(decision, Refused) else Done())
        if not isinstance(decision, Refused):
            (event,) = decision
            assert isinstance(event, Withdrawn), "who withdraws is out"
            self.steward.put_out(draft, tour.id, event.entrant, event.why)

    def _void(
        self, draft: Draft, session: SessionId, who: Caller, tour: Tour, intent: VoidMatch
    ) -> None:
        decision = director.void(tour, who, intent)
        draft.tell(session, decision if isinstance(decision, Refused) else Done())
        if not isinstance(decision, Refused):
            self.steward.endings.void(draft, tour.id, intent.match)
            self.steward.proceed(draft, tour.id)

    def _overrule(
        self, draft: Draft, session: SessionId, who: Caller, tour: Tour, intent: overruling.ByHand
    ) -> None:
        """Something that is decided by hand."""
        decision = overruling.decide(tour, who, intent)
        draft.tell(session, decision if isinstance(decision, Refused) else Done())
        for event in () if isinstance(decision, Refused) else decision:
            if isinstance(event, MatchRuled):
                self.steward.endings.rule(draft, tour.id, event)
            else:
                self.book.happen(draft, tour.id, event)
            self.steward.proceed(draft, tour.id)

    def _replace(
        self, draft: Draft, session: SessionId, who: Caller, tour: Tour, intent: ReplaceEntrant
    ) -> None:
        now, there = intent.now, self._presence.session_of(intent.now)
        other = replacing.StandIn("", own=False, refused=None)
        if there is not None:
            player = self._reception.players[now]
            refused = may_not_play(player, tour, book=self.book, warden=self._warden)
            other = replacing.StandIn(player.dialect, there == session, refused)
        runs = self.book.get(tour.id) is not None
        plays = runs and bool(self.book.desk(tour.id).playing(intent.entrant))
        decision = replacing.replace_entrant(tour, who, intent, other, plays=plays)
        if there is not None and not isinstance(decision, Refused):
            self._reception.name_player(draft, there, now)
        self._carry_on(draft, session, tour.id, decision)

    # -- opening

    def _open(self, draft: Draft, session: SessionId, who: Caller, intent: OpenTour) -> None:
        try:
            plan = read_plan(intent.plan)
        except Mistake as wrong:
            draft.tell(session, Refused("bad_option", str(wrong)))
            return
        refused = may_not_open(
            draft, session, who, intent.code, book=self.book, warden=self._warden
        )
        if refused is not None:
            draft.tell(session, refused)
            return
        code = self.book.draw_code(self._seeds()) if intent.code is None else intent.code.upper()
        by = who.player
        tour = self.open(draft, plan, by, code)
        draft.tell(session, TourMade(tour, code))

    def no_room_for(self, host: str) -> Refused | None:
        """Why nobody from this host may be in one more tour; None if one may."""
        return self._warden.too_many_entries(host)

    def open(self, draft: Draft, plan: Plan, by: PlayerId | None, code: str) -> TourId:
        """A new tour of this plan, which was read."""
        tour = self.book.open(draft, TourOpened(plan, by), self._seeds(), code)
        opened = self.book.get(tour)
        assert opened is not None, "what was opened just now is not over"
        if can_play(TOURNEY, opened.game):
            self._register.name_tour(draft, tour)
        self.steward.agenda.meet(tour, Wall(draft.at + unjoined_for(opened)))
        return tour

    # -- joining

    def _join(self, draft: Draft, session: SessionId, who: Caller, intent: JoinTour) -> None:
        if who.player is None:
            draft.tell(session, Refused("no_player", "Say who you are first."))
            return
        player = self._register.players[who.player]
        guessed = self._warden.guesses_too_much(session, draft.now) if intent.code else None
        tour = guessed or self._to_join(player, intent, draft)
        if isinstance(tour, Tour) and self._comes_back(draft, session, player, tour, intent):
            return
        decision = tour if isinstance(tour, Refused) else self._may_join(player, tour, intent)
        if isinstance(decision, Refused):
            if intent.code and decision.code == director.BAD_CODE:
                self._warden.guessed(session, draft.now)
            draft.tell(session, decision)
            return
        assert isinstance(tour, Tour), "who may join has found a tour"
        self._register.name_player(draft, session, player.id)
        (event,) = decision
        assert isinstance(event, Joined | Partnered), "who joins is in"
        draft.tell(session, TourJoined(tour.id, event.entrant, player.id))
        self.run(draft, tour.id, *decision)
        self.pair_early(draft, tour.id)

    def _may_join(self, player: Player, tour: Tour, intent: JoinTour) -> Decision:
        refused = may_not_play(player, tour, book=self.book, warden=self._warden)
        return refused or director.join(tour, player.id, player.name, intent)

    def _comes_back(
        self, draft: Draft, session: SessionId, player: Player, tour: Tour, intent: JoinTour
    ) -> bool:
        """A program that was started anew takes up its place, and the match that it plays."""
        lost = self._place_of(tour, player, intent)
        if lost is None or elsewhere(player, self.book) is not None:
            return False
        number, was = lost
        playing = [tour.match(n).table for n in self.book.desk(tour.id).playing(number)]
        table = next((one for one in playing if one is not None), None)
        self._register.name_player(draft, session, player.id)
        draft.tell(session, TourJoined(tour.id, number, player.id, table))
        self.book.happen(draft, tour.id, Returned(number, was, player.id))
        if table is not None:
            self._seating.succeed(draft, table, was, player)
        self.run(draft, tour.id)
        return True

    def _place_of(
        self, tour: Tour, player: Player, intent: JoinTour
    ) -> tuple[int, PlayerId] | None:
        """Which entrant this was, and which player, before its connection was lost."""
        if not intent.again or player.name == UNNAMED or player.dialect in SEVERAL:
            return None
        if director.may_not_return(tour, intent.code) is not None:
            return None
        return self._lost(tour, player)

    def pair_early(self, draft: Draft, tour_id: TourId) -> None:
        """Some formats pair as entrants join, before the start."""
        tour = self.book.get(tour_id)
        if tour is not None and tour.format.eager and tour.status not in director.OVER:
            self.steward.pair(draft, tour_id)

    def _to_join(self, player: Player, intent: JoinTour, draft: Draft) -> Tour | Refused:
        if intent.tour is not None:
            found = self.book.find(intent.tour)
            return found or self.book.refusal(intent.tour)
        if intent.code:
            found = self.book.with_code(intent.code)
            return found or Refused(director.BAD_CODE, "There is no tour with that code.")
        for tour in self.book.all():
            if self._place_of(tour, player, intent) is not None:
                return tour
        open_ = [
            tour
            for tour in self.book.all()
            if director.may_not_join(tour, "") is None and can_play(player.dialect, tour.game)
        ]
        for tour in open_:
            owner = tour.opened.by
            if owner is None or self._presence.session_of(owner) is not None:
                return tour
        for tour in open_:
            if self.book.active(tour.id) + limits.TOUR_ACTIVE >= draft.at:
                return tour
        return Refused("no_tour", "There is no tour that anyone may join.")

    # -- clients that have no words for tours

    def entrant_for(self, tour: Tour, player: Player) -> int:
        """Which entrant a player will be who enters the tour: one that was lost, or a new one."""
        before = self._lost(tour, player)
        return len(tour.entrants) + 1 if before is None else before[0]

    def enter(self, draft: Draft, player: Player, tour: Tour, team: str = "") -> None:
        """A player is in the tour because of where or how it came, which was allowed."""
        before = self._lost(tour, player)
        if before is not None:
            number, was = before
            self.run(draft, tour.id, Returned(number, was, player.id))
            return
        wish = JoinTour(code=tour.code, team=team)
        decision = director.join(tour, player.id, player.name, wish)
        assert not isinstance(decision, Refused), "whoever may not come is told so before"
        self.run(draft, tour.id, *decision)
        self.pair_early(draft, tour.id)

    def may_not_come(
        self, name: str, host: str, dialect: str, tour: Tour, team: str, *, returns: bool
    ) -> Refused | None:
        """Why nobody who comes so may enter the tour; None if it may.

        `returns` says whether its host alone may make it somebody from before.
        """
        refused = may_not_enter(dialect, tour)
        home = (host, dialect, name) if returns else None
        if refused is not None or self._lost_by(tour, home) is not None:
            return refused
        refused = self._warden.too_many_entries(host)
        if refused is not None:
            return refused
        nobody = PlayerId(0)  # whoever it will be
        decision = director.join(tour, nobody, name, JoinTour(code=tour.code, team=team))
        return decision if isinstance(decision, Refused) else None

    def _lost(self, tour: Tour, player: Player) -> tuple[int, PlayerId] | None:
        return self._lost_by(tour, self._register.players.way_back(player.id))

    def _lost_by(self, tour: Tour, home: Home | None) -> tuple[int, PlayerId] | None:
        """The entrant, and the player, whose connection from there is gone."""
        for one in tour.entrants if home is not None else ():
            for was in one.players:
                away = self._presence.session_of(was) is None
                if away and not one.out and self._register.players.way_back(was) == home:
                    return one.number, was
        return None

    # -- failing, and taking the end

    def forsake(self, draft: Draft, player: PlayerId, why: Forfeit) -> None:
        """A player failed its dialect: it is out of what it plays, and of a strict tour."""
        self._seating.expel_from_all(draft, player, why)
        for tour_id in self.book.of_player(player):
            tour = self.book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if tour is not None and known is not None and tour.plan.strict:
                self.steward.put_out(draft, tour_id, known.number, why)

    def farewell(self, draft: Draft, player: PlayerId) -> None:
        """A player has taken the end of its tour."""
        for tour_id in self.book.of_player(player):
            tour = self.book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if known is not None:
                self.steward.endings.farewell(draft, tour_id, known.number)
