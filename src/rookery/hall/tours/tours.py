"""Tours, as people ask for them: opening, joining and running them, and who may.

It goes one way: the director decides what is asked here, the steward has it recorded and carries
the tour on from there, and with every record those concerned are told. What a home may open or
join is bounded, and guessing at codes is slowed down.
"""

from collections.abc import Callable
from itertools import chain

from rookery.core import events, intents
from rookery.core.game import Forfeit
from rookery.core.ids import PlayerId, SessionId, TourId, Wall
from rookery.core.manners import Manners
from rookery.core.messages import Done, Refused, TourJoined, TourMade
from rookery.core.names import numbered
from rookery.core.tour_values import Plan
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.lobby.seating import Seating
from rookery.hall.people.asking import Asking, Refusal, refuse, wrong_dialect
from rookery.hall.people.players import Home, Player
from rookery.hall.people.register import People
from rookery.hall.people.warden import Warden
from rookery.hall.tours import director, organising
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.planning import package_of, read_plan
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.running import rounds
from rookery.hall.tours.running.steward import Steward
from rookery.hall.tours.tour import CANCELLED, Tour
from rookery.hall.tours.tour_book import Book


def may_not_open(
    draft: Draft, session: SessionId, who: Caller, code: str | None, *, book: Book, warden: Warden
) -> Refused | None:
    """Why this caller may not open a tour under this code; None if they may."""
    most = limits.TOURS_MAX - (0 if who.organiser else limits.TOURS_RESERVED)
    if len(book) >= most:
        sentence = f"There are {most} tours, and no room for more; come back later."
        return Refused("too_many", sentence)
    if who.player is not None and not who.organiser:
        owners = [tour.opened.by for tour in book.all()]
        if owners.count(who.player) >= limits.TOURS_A_PLAYER:
            sentence = f"A player owns at most {limits.TOURS_A_PLAYER} tours at once."
            return Refused("too_many", sentence)
        refused = warden.too_many_tours(who.player, owners)
        if refused is not None:
            return refused
    if not code:
        return None
    return _bad_code(draft, session, who, code, book=book, warden=warden)


def may_not_enter(manners: Manners, tour: Tour) -> Refused | None:
    """Why a player with these manners may not play in the tour; None if they may."""
    if not manners.speaks(tour.game):
        sentence = f"The dialect {manners.name} has no words for {tour.plan.variant}."
        return Refused("wrong_dialect", sentence)
    return wrong_dialect(tour.plan.policy, manners.name, "join")


def elsewhere(player: PlayerId, manners: Manners, book: Book) -> Refused | None:
    """Why a player may not be in one more tour, where its dialect allows only one; else None."""
    if not manners.several and book.attached(player) is not None:
        return Refused("in_tour", "You own a tour or are in one that is not over.")
    return None


def may_not_play(
    player: Player, manners: Manners, tour: Tour, *, book: Book, warden: Warden
) -> Refused | None:
    """Why this player may not be in the tour; None if they may."""
    refused = may_not_enter(manners, tour) or elsewhere(player.id, manners, book)
    return refused or warden.too_many_entries(player.host)


def _bad_code(
    draft: Draft, session: SessionId, who: Caller, code: str, *, book: Book, warden: Warden
) -> Refused | None:
    """Why a caller may not choose this code for its tour; None if it may."""
    if len(code) > limits.CODE_MAX or not (code.isascii() and code.isalnum()):
        sentence = f"A code is 1 to {limits.CODE_MAX} letters and digits."
        return Refused("bad_code", sentence)
    if code.isdigit():
        return Refused("bad_code", "A code has a letter in it: a number is a tour's.")
    if not who.organiser and book.has_codes():
        # A caller who hears that a code is taken has found it: choosing one is guessing, too.
        refused = warden.guesses_too_much(session, draft.now)
        if refused is not None:
            return refused
        warden.guessed(session, draft.now)
    if book.with_code(code) is not None:
        return Refused("bad_code", "Another tour has that code.")
    return None


ENDED = "ended"  # how a tour ended that its owner ended

Running = (
    intents.StartTour
    | intents.PauseTour
    | intents.Withdraw
    | intents.VoidMatch
    | intents.EnterResult
    | intents.SeedTour
)


TourAction = Running | intents.OpenTour | intents.JoinTour | intents.EndTour | intents.CancelTour


class TourRequests:
    """Does what people ask about the hall's tours."""

    def __init__(
        self,
        people: People,
        seating: Seating,
        book: Book,
        ratings: RatingBook,
        steward: Steward,
        *,
        seeds: Callable[[], int],
    ) -> None:
        self._presence = people.presence
        self._register = people.register
        self._players = people.register.players
        self._warden = people.warden
        self._seating = seating
        self.book = book
        self._ratings = ratings
        self.steward = steward
        self._seeds = seeds
        self.tell_apart = people.register.tell_apart

    # -- what is asked

    def act(self, asking: Asking, who: Caller, intent: TourAction) -> None:
        """Do what a caller asks, and tell them so. Raises Refusal."""
        named = isinstance(intent, intents.OpenTour) and intent.plan.name
        if named or isinstance(intent, intents.EnterResult):
            self._check_voice(asking)
        match intent:
            case intents.OpenTour():
                self._open(asking, who, intent)
            case intents.JoinTour():
                self._join(asking, intent)
            case intents.EndTour() | intents.CancelTour():
                tour = self.find(who.player, intent.tour)
                cancel = isinstance(intent, intents.CancelTour)
                refuse(director.may_end(tour, who, cancel=cancel))
                asking.tell(Done())
                self.steward.endings.close(asking.draft, tour.id, CANCELLED if cancel else ENDED)
            case _:
                tour = self.find(who.player, intent.tour)
                events = granted(self._decide(tour, who, intent, asking.draft.at))
                asking.tell(Done())
                self.steward.carry_on(asking.draft, tour.id, *events)

    def _decide(self, tour: Tour, who: Caller, intent: Running, at: Wall) -> Decision:
        """Decide an intent of a caller who runs the tour, or is in it."""
        match intent:
            case intents.StartTour():
                return rounds.start(tour, who, intent, at, self._ratings.strengths(tour))
            case intents.PauseTour():
                return director.pause(tour, who, intent, at)
            case intents.Withdraw():
                return director.withdraw(tour, who, intent)
            case intents.VoidMatch():
                return director.void(tour, who, intent)
            case intents.EnterResult():
                return organising.rule(tour, who, intent)
            case intents.SeedTour():
                return organising.by_hand(tour, who, intent)

    def find(self, player: PlayerId | None, tour: TourId | None, *, over: bool = False) -> Tour:
        """The tour meant: this one, or the player's own; with `over` also the last it ran."""
        if tour is not None:
            return self._known(tour)
        found = None if player is None else self.book.attached(player)
        if found is None and player is not None and over:
            found = self.book.ran(player)
        if found is None:
            raise Refusal(Refused("not_in_tour", "You neither own a tour nor are in one."))
        return found

    def _known(self, tour: TourId) -> Tour:
        found = self.book.find(tour)
        if found is None:
            raise Refusal(self.book.refusal(tour))
        return found

    def _check_voice(self, asking: Asking) -> None:
        """Raise Refusal where a muted player would have everybody read something."""
        if not isinstance(player := asking.player, Refused):
            refuse(self._register.conduct.may_not_speak(player, asking.draft.at))

    # -- opening

    def _open(self, asking: Asking, who: Caller, intent: intents.OpenTour) -> None:
        draft, plan = asking.draft, read_plan(intent.plan)
        session, book = asking.session, self.book
        refuse(rounds.may_not_plan(plan, draft.at))
        refuse(may_not_open(draft, session, who, intent.code, book=book, warden=self._warden))
        code = book.draw_code(self._seeds()) if intent.code is None else intent.code.upper()
        asking.tell(TourMade(self.open(draft, plan, who.player, code), code))

    def no_room_for(self, host: str) -> Refused | None:
        """Why nobody from this host may be in one more tour; None if they may."""
        return self._warden.too_many_entries(host)

    def open(self, draft: Draft, plan: Plan, by: PlayerId | None, code: str) -> TourId:
        """Open a tour of this plan, which must have been read by `read_plan`."""
        tour = self.book.open(
            draft, events.TourOpened(plan, by, package_of(plan)), self._seeds(), code
        )
        opened = self.book.get(tour)
        assert opened is not None, "what was opened just now is not over"
        self._register.name_tour(draft, tour, opened.game)
        self.steward.agenda.look_again(opened, (), draft)
        return tour

    # -- joining

    def _join(self, asking: Asking, intent: intents.JoinTour) -> None:
        draft, session, player = asking.draft, asking.session, asking.who
        if intent.code:
            refuse(self._warden.guesses_too_much(session, draft.now))
        try:
            tour = self._to_join(player, intent, draft)
            if self._comes_back(asking, tour, intent):
                return
            refuse(self._may_not_play(player, tour))
            apart = self._players.apart(player.id, _entered(tour))
            name = player.shown if apart is None else numbered(player.name, apart.number)
            (event,) = granted(director.join(tour, player.id, name, intent))
            if intent.team and isinstance(event, events.Joined):
                self._check_voice(asking)  # nobody has called a team so
        except Refusal as no:
            if intent.code and no.refused.code == director.BAD_CODE:
                self._warden.guessed(session, draft.now)
            raise
        assert isinstance(event, events.Joined | events.Partnered), "who joins is in"
        if apart is not None:
            self._register.write(draft, apart)
        self._register.name_player(draft, session, player.id)
        asking.tell(TourJoined(tour.id, event.entrant, player.id, name=tour.plan.name))
        self.steward.carry_on(draft, tour.id, event)

    def _may_not_play(self, player: Player, tour: Tour) -> Refused | None:
        manners = self._players.manners(player.id)
        return may_not_play(player, manners, tour, book=self.book, warden=self._warden)

    def _comes_back(self, asking: Asking, tour: Tour, intent: intents.JoinTour) -> bool:
        """Give a program that was started anew its place and match back; whether it had one."""
        draft, player = asking.draft, asking.who
        lost = self._place_of(tour, player, intent)
        manners = self._players.manners(player.id)
        if lost is None or elsewhere(player.id, manners, self.book) is not None:
            return False
        number, was = lost
        playing = [tour.match(n).table for n in self.book.index_of(tour.id).playing(number)]
        table = next((one for one in playing if one is not None), None)
        self._register.name_player(draft, asking.session, player.id)
        asking.tell(TourJoined(tour.id, number, player.id, table, tour.plan.name))
        self.book.happen(draft, tour.id, events.Returned(number, was, player.id))
        if table is not None:
            self._seating.succeed(draft, table, was, player)
        self.steward.carry_on(draft, tour.id)
        return True

    def _place_of(
        self, tour: Tour, player: Player, intent: intents.JoinTour
    ) -> tuple[int, PlayerId] | None:
        """The entrant and the player that this program was before it lost its connection."""
        manners = self._players.manners(player.id)
        if not intent.again or player.name == manners.unnamed or manners.several:
            return None
        if director.may_not_return(tour, intent.code) is not None:
            return None
        return self._lost(tour, player)

    def _to_join(self, player: Player, intent: intents.JoinTour, draft: Draft) -> Tour:
        """The tour that the intent means, or else one that anyone may join. Raises Refusal."""
        if intent.tour is not None:
            return self._known(intent.tour)
        if intent.code:
            found = self.book.with_code(intent.code)
            if found is None:
                raise Refusal(Refused(director.BAD_CODE, "There is no tour with that code."))
            return found
        return self._without_number(player, intent, draft)

    def _without_number(self, player: Player, intent: intents.JoinTour, draft: Draft) -> Tour:
        """The tour that one joins who names none: its own lost place, else an open one.

        Whoever follows its own old program goes to where that was last. Of the tours that
        are open to all and take players, one where somebody is connected goes before one
        that is only new; the others are forgotten. Raises Refusal.
        """
        tours, manners = tuple(self.book.all()), self._players.manners(player.id)
        refuse(elsewhere(player.id, manners, self.book))
        for tour in reversed(tours):
            if self._place_of(tour, player, intent) is not None:
                return tour
        open_ = [
            tour
            for tour in tours
            if director.may_not_join(tour, "") is None
            and may_not_enter(manners, tour) is None
            and tour.entrant_of(player.id) is None
        ]
        attended = (tour for tour in open_ if self._is_attended(tour))
        fresh = (
            tour for tour in open_ if self.book.opened_at(tour.id) + limits.TOUR_FRESH >= draft.at
        )
        for tour in chain(attended, fresh):
            return tour
        raise Refusal(Refused("no_tour", "There is no tour that anyone may join."))

    def _is_attended(self, tour: Tour) -> bool:
        """Whether the tour's owner, or an entrant that is not out, is connected."""
        entrants = (player for one in tour.entrants if not one.out for player in one.players)
        owner = () if tour.opened.by is None else (tour.opened.by,)
        return any(self._presence.session_of(one) is not None for one in (*owner, *entrants))

    # -- clients that have no words for tours

    def entrant_for(self, tour: Tour, player: Player) -> int:
        """The number of the entrant the player will be: one whose player was lost, or a new one."""
        before = self._lost(tour, player)
        return len(tour.entrants) + 1 if before is None else before[0]

    def enter(self, draft: Draft, player: Player, tour: Tour, team: str = "") -> None:
        """Put a player into the tour that it came for, which was allowed."""
        before = self._lost(tour, player)
        if before is not None:
            number, was = before
            self.steward.carry_on(draft, tour.id, events.Returned(number, was, player.id))
            return
        wish = intents.JoinTour(code=tour.code, team=team)
        name = self.tell_apart(draft, player.id, _entered(tour))
        decision = director.join(tour, player.id, name, wish)
        assert not isinstance(decision, Refused), "whoever may not come is told so before"
        self.steward.carry_on(draft, tour.id, *decision)

    def may_not_come(
        self, name: str, host: str, dialect: str, tour: Tour, team: str, *, returns: bool
    ) -> Refused | None:
        """Why a client of this name, host and dialect may not enter the tour; None if it may.

        `returns` says whether its host alone may make it a player from before.
        """
        refused = may_not_enter(self._players.languages[dialect], tour)
        home = (host, dialect, name) if returns else None
        if refused is not None or self._lost_by(tour, home) is not None:
            return refused
        refused = self._warden.too_many_entries(host)
        if refused is not None:
            return refused
        nobody = PlayerId(0)  # the player is not made yet
        wish = intents.JoinTour(code=tour.code, team=team)
        decision = director.join(tour, nobody, name, wish)
        return decision if isinstance(decision, Refused) else None

    def _lost(self, tour: Tour, player: Player) -> tuple[int, PlayerId] | None:
        return self._lost_by(tour, self._players.way_back(player.id))

    def _lost_by(self, tour: Tour, home: Home | None) -> tuple[int, PlayerId] | None:
        """The entrant, and the player, of this host, dialect and name whose connection is gone."""
        for one in tour.entrants if home is not None else ():
            for was in one.players:
                away = self._presence.session_of(was) is None
                if away and not one.out and self._players.way_back(was) == home:
                    return one.number, was
        return None

    # -- failing, and taking the end

    def forsake(self, draft: Draft, player: PlayerId, why: Forfeit) -> None:
        """Put a player who failed its dialect out of its games, and out of a strict tour."""
        self._seating.expel_from_all(draft, player, why)
        for tour_id in self.book.of_player(player):
            tour = self.book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if tour is not None and known is not None and tour.plan.strict:
                self.steward.put_out(draft, tour_id, known.number, why)

    def farewell(self, draft: Draft, player: PlayerId) -> None:
        """Note that a player has taken the end of its tour."""
        for tour_id in self.book.of_player(player):
            tour = self.book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if known is not None:
                self.steward.endings.farewell(draft, tour_id, known.number)


def _entered(tour: Tour) -> list[PlayerId]:
    """The players in the tour who have a name of their own; none where teams have the names."""
    return [] if tour.size > 1 else [player for one in tour.entrants for player in one.players]


def granted(decision: Decision) -> tuple[events.TourEvent, ...]:
    """The events that the director decided. Raises Refusal where it refused."""
    if isinstance(decision, Refused):
        raise Refusal(decision)
    return decision
