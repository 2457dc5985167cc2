"""Where the hall meets its tours: who asks as whom, who is bound for one, what is told.

Clients of old dialects have no words for tours. They are bound for one by a code: behind
their name (`ann#KXQTW`), as the name of the room they enter, or because the port they came
to has one. From then on asking for a game means being ready for a match. It mutates, and
the hall owns it.
"""

from hmac import compare_digest
from typing import Final

from msgspec.structs import replace

from rookery.core.doorway import Doorway
from rookery.core.ids import Micros, PlayerId, SessionId, Wall
from rookery.core.intents import EnterRoom, TakeUp
from rookery.core.messages import Done, Refused
from rookery.core.tours.tour_events import Renamed
from rookery.core.tours.tour_intents import (
    DialectTourIntent,
    Farewell,
    Forsake,
    Greet,
    JoinTour,
    ListMatches,
    ListRatings,
    ListTours,
    Organise,
    PlainTourIntent,
    ShowTour,
    SignUp,
    TourQuestion,
    UnwatchTour,
    WatchTour,
)
from rookery.core.tours.tour_messages import TourJoined
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.asking import Asking, Refusal, refuse
from rookery.hall.people.languages import BOUND, TOURNEY, WITH_WORDS
from rookery.hall.people.people import People
from rookery.hall.people.players import hash_token
from rookery.hall.people.reception import WITH_TOKENS, Reception
from rookery.hall.tables.floor import Floor
from rookery.hall.tours.answers import TourAnswers
from rookery.hall.tours.director import BAD_CODE, OVER, Caller
from rookery.hall.tours.signups import SignUps
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import SIGN, apart
from rookery.hall.tours.tours import Tours

CODE_LEAST: Final = 4  # a shorter text behind a # is a part of the name; drawn codes have five
IN_THE_CLEAR: Final = (
    "This server has a certificate and takes the organiser's token from another machine only "
    "under TLS. A token that was sent so may have been read on its way."
)


class Touring:
    """The hall's side of tours."""

    def __init__(
        self,
        people: People,
        reception: Reception,
        floor: Floor,
        tours: Tours,
        answers: TourAnswers,
        *,
        organiser: str,
    ) -> None:
        self._presence = people.presence
        self._register = people.register
        self._warden = people.warden
        self._reception = reception
        self._floor = floor
        self._organiser = hash_token(organiser) if organiser else ""
        self._codes: dict[SessionId, str] = {}  # of the port a session came to
        self._overheard: set[SessionId] = set()  # who could have spoken in private, and did not
        self.tours = tours
        self.signups = SignUps(tours, people.presence)
        self._answers = answers
        self._book = tours.book
        self._steward = tours.steward

    # -- who is who

    def connect(self, session: SessionId, door: Doorway) -> None:
        """A connection, maybe to a port whose players are bound for a tour."""
        if door.tour:
            self._codes[session] = door.tour
        if not door.private:
            self._overheard.add(session)

    def disconnect(self, session: SessionId) -> None:
        """The connection is gone."""
        self._codes.pop(session, None)
        self._overheard.discard(session)

    def _organise(self, asking: Asking, intent: Organise) -> None:
        """Somebody shows the organiser's token, or what it takes for it."""
        if asking.session in self._overheard:
            raise Refusal(Refused("no_tls", IN_THE_CLEAR))
        known = self._organiser and compare_digest(self._organiser, hash_token(intent.token))
        if not known:
            raise Refusal(Refused("bad_token", "That is not the organiser's token."))
        self._presence.organise(asking.session)
        asking.tell(Done())

    # -- what is asked

    def receive(self, asking: Asking, intent: PlainTourIntent | DialectTourIntent) -> None:
        """Something asked about tours, by a player, or by whoever may not be one."""
        draft, session, player = asking.draft, asking.session, asking.player
        organiser = self._presence.is_organiser(session)
        who = (
            Caller(None, organiser=organiser)
            if isinstance(player, Refused)
            else Caller(player.id, player.name, organiser)
        )
        match intent:
            case Organise():
                self._organise(asking, intent)
            case WatchTour() | UnwatchTour():
                self._listen(asking, who, intent)
            case ListTours() | ListRatings() | ShowTour() | ListMatches():
                self._answer(asking, who, intent)
            case _ if isinstance(player, Refused) and not (organiser and may_lack(intent)):
                raise Refusal(player)
            case Farewell():
                asking.tell(Done())
                self.tours.farewell(draft, asking.who.id)
            case SignUp() | Forsake() | Greet():
                self._of_dialect(asking, intent)
            case JoinTour() if session in self._codes:
                self.tours.act(draft, session, who, self._at_port(session, intent))
            case _:
                self.tours.act(draft, session, who, intent)

    def _answer(self, asking: Asking, who: Caller, question: TourQuestion) -> None:
        """Say how things stand."""
        if isinstance(question, ShowTour | ListMatches):
            found = self.tours.find(who.player, question.tour, over=True)
            if isinstance(found, Tour):
                players = (player for one in found.entrants for player in one.players)
                self._register.name_players(asking.draft, asking.session, players)
        asking.tell(self._answers.answer(question, who, asking.draft.at))

    def _listen(self, asking: Asking, who: Caller, intent: WatchTour | UnwatchTour) -> None:
        """Tell a session what happens in a tour, or no more."""
        session = asking.session
        if isinstance(intent, UnwatchTour):
            self._presence.unwatch_tour(session, intent.tour)
            asking.tell(Done())
            return
        tour = self.tours.find(None, intent.tour)
        if isinstance(tour, Refused):
            raise Refusal(tour)
        if (
            session not in self._presence.tour_watchers(tour.id)
            and self._presence.tours_watched(session) >= limits.WATCHED_A_SESSION
        ):
            sentence = f"A connection watches at most {limits.WATCHED_A_SESSION} tours."
            raise Refusal(Refused("too_many", sentence))
        if self._book.get(tour.id) is not None:
            self._presence.watch_tour(session, tour.id)
        asking.tell(self._answers.show(tour, who, asking.draft.at))

    def _of_dialect(self, asking: Asking, intent: SignUp | Forsake | Greet) -> None:
        """What a dialect asks for a player of its own."""
        match intent:
            case SignUp():
                if not self.ask(asking, signs_up=True):
                    self.signups.join(asking, intent)
            case Forsake(why):
                asking.tell(Done())
                self.signups.leave(asking.who.id)
                self.tours.forsake(asking.draft, asking.who.id, why)
            case Greet():
                asking.tell(Done())
                self._steward.greeted(asking.draft, asking.who.id)

    def _at_port(self, session: SessionId, intent: JoinTour) -> JoinTour:
        """What joining means at the port of a tour: that one, unless another is named."""
        tour = self._book.with_code(self._codes[session])
        if tour is None or intent.code or self._presence.dialect(session) != TOURNEY:
            return intent
        return replace(intent, code=tour.code) if intent.tour in (None, tour.id) else intent

    # -- clients without words for tours

    def enter(self, asking: Asking, name: str, room: EnterRoom | None = None) -> bool:
        """A newcomer may be bound for a tour; whether it was, and is in it now."""
        bound = self._bound(asking, name, room)
        if bound is None:
            return False
        tour, plain, team = bound
        if room is not None and self._come_back(asking, tour, plain):
            return True
        welcome = self._reception.make(asking, plain)
        player = self._register.players[welcome.player]
        entered = self.tours.entrant_for(tour, player)
        joined = room is not None
        asking.tell(TourJoined(tour.id, entered, player.id) if joined else welcome)
        self.tours.enter(asking.draft, player, tour, team)
        if joined:
            self._steward.asked(asking.draft, player.id)
        return True

    def _bound(
        self, asking: Asking, name: str, room: EnterRoom | None
    ) -> tuple[Tour, str, str] | None:
        """The tour that a newcomer of this name is bound for, its name by itself, and its team."""
        session = asking.session
        dialect = self._presence.dialect(session)
        if dialect in WITH_WORDS:
            return None
        plain, sign, code = name.rpartition(SIGN)
        tour = self._with_code(asking, code) if sign and code else None
        if tour is None and plain and is_like_a_code(code):
            raise Refusal(Refused(BAD_CODE, f"There is no tour with the code {code}."))
        if tour is None:
            plain = name
            tour = self._book.with_code(self._codes.get(session, ""))
        if tour is None and room is not None:
            # Who comes to others who are there already guesses nothing.
            known = self._presence.members((room.room, room.variant))
            guess = not known and len(room.room) <= limits.CODE_MAX and room.room.isalnum()
            found = self._book.with_code
            tour = self._with_code(asking, room.room) if guess else found(room.room)
        if tour is None:
            return None
        host, returns = self._presence.host(session), self._presence.returns(session)
        # Who gives nothing but a code has no name; being called by it would tell it to all.
        plain, team = apart(tour, plain)
        refuse(self.tours.may_not_come(plain, host, dialect, tour, team, returns=returns))
        return tour, plain, team

    def _with_code(self, asking: Asking, code: str) -> Tour | None:
        """The tour with a code that somebody gave; who gave too many wrong ones must wait."""
        if not self._book.has_codes():
            return None  # there is nothing to guess
        session, now = asking.session, asking.draft.now
        refuse(self._warden.guesses_too_much(session, now))
        tour = self._book.with_code(code)
        if tour is None:
            self._warden.guessed(session, now)
        return tour

    def _come_back(self, asking: Asking, tour: Tour, name: str) -> bool:
        """Somebody enters whose seat in a match is kept; whether it was, and has been told."""
        session = asking.session
        host, dialect = self._presence.host(session), self._presence.dialect(session)
        if not self._presence.returns(session):
            return False
        variant = tour.plan.variant
        was = self._floor.lost(host, dialect, name, variant=variant, restarted=False)
        known = None if was is None else tour.entrant_of(was)
        if was is None or known is None:
            return False
        self._reception.bring_back(asking, self._register.players[was])
        asking.tell(TourJoined(tour.id, known.number, was))
        self._steward.came(asking.draft, was)
        return True

    def ask(self, asking: Asking, *, signs_up: bool = False) -> bool:
        """Somebody asks for a game; whether that means a match of its tour."""
        who = asking.who
        if who.dialect not in BOUND:
            return False
        for tour_id in self._book.of_player(who.id):
            tour = self._book.get(tour_id)
            known = None if tour is None else tour.entrant_of(who.id)
            if tour is None or known is None:
                continue
            to_take = signs_up and known.number not in tour.parted  # the end of its tour
            if tour.status not in OVER or to_take:
                asking.tell(TourJoined(tour_id, known.number, who.id))
                self._steward.asked(asking.draft, who.id)
                return True
        return False

    def take_up(self, asking: Asking, intent: TakeUp) -> None:
        """A host comes back for the seat it lost first.

        After a restart also for a place in a tour, of somebody who was cut off between games.
        """
        lost = self._lost(asking.session, intent)
        if lost is None:
            sentence = "Your host has lost no seat in a running game."
            raise Refusal(Refused("nothing_lost", sentence))
        self._reception.welcome_back(asking, self._register.players[lost], token="")

    def _lost(self, session: SessionId, intent: TakeUp) -> PlayerId | None:
        host, dialect = self._presence.host(session), self._presence.dialect(session)
        if dialect in WITH_TOKENS or not self._presence.returns(session):
            return None
        name = None if intent.name is None else self._book.without_code(intent.name)
        seated = self._floor.lost(
            host, dialect, name, variant=intent.variant, restarted=intent.restarted
        )
        waits = None
        if intent.restarted and name is not None:
            waits = self._steward.cut_off((host, dialect, name))
        # Of equal names the one who came first comes back first.
        return min((one for one in (seated, waits) if one is not None), default=None)

    def renamed(self, draft: Draft, player: PlayerId, name: str) -> None:
        """A player has another name, and bears it in its tours too."""
        for tour_id in self._book.of_player(player):
            tour = self._book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if tour is None or known is None or tour.size > 1:
                continue  # a team has a name of its own
            if known.name != name:
                self._book.happen(draft, tour_id, Renamed(known.number, name))

    # -- what the hall tells

    def came(self, draft: Draft, session: SessionId) -> None:
        """A session may act for players who were away."""
        for player in self._presence.players_of(session):
            missed = self._book.take_missed(player)
            if missed is not None and self._book.attached(player) is None:
                draft.tell(session, missed)
            self._steward.came(draft, player)

    def went(self, draft: Draft, player: PlayerId) -> None:
        """No connection acts for this player any more."""
        self.signups.leave(player)
        self._steward.went(draft, player)

    def settle(self, draft: Draft) -> None:
        """See to the games that ended in this draft, and to those who got up from a table."""
        if len(self._book):
            self._steward.settle(draft)

    def tick(self, draft: Draft) -> None:
        """What follows from its being so late."""
        self.signups.tick(draft)
        self._steward.tick(draft)

    def deadline(self) -> Micros | None:
        """When to `tick` at the latest."""
        moments = (self.signups.deadline(), self._steward.agenda.deadline())
        return min((moment for moment in moments if moment is not None), default=None)

    def appointment(self) -> Wall | None:
        """When to `tick` at the latest, by the time of day."""
        return self._steward.agenda.appointment()

    def wake(self, draft: Draft) -> None:
        """After a restart."""
        self._steward.wake(draft)


def is_like_a_code(text: str) -> bool:
    """Whether what stands behind a name was meant for a code: letters, or with digits, a few."""
    fits = CODE_LEAST <= len(text) <= limits.CODE_MAX and text.isascii() and text.isalnum()
    return fits and not text.isdigit()


def may_lack(intent: PlainTourIntent | DialectTourIntent) -> bool:
    """Whether the organiser may ask this without a player."""
    return not isinstance(intent, JoinTour | SignUp | Forsake | Greet | Farewell)
