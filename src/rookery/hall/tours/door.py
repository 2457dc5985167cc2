"""The door of the tours: whatever the hall is asked about them comes in here.

Who asks as whom and as the organiser is found out; then questions go to the answers, wishes
to the tours, and what a dialect asks for its players to who sees to that. It mutates, and
the hall owns it.
"""

from collections.abc import Iterable
from hmac import compare_digest
from typing import Final

from rookery.core.ids import Micros, PlayerId, SessionId, TourId
from rookery.core.messages import Done, Refused
from rookery.core.tours import tour_intents
from rookery.core.tours.tour_events import Renamed
from rookery.core.visitors.doorway import Attachment, Doorway
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.people import People
from rookery.hall.people.players import hash_token
from rookery.hall.tables.wakeups import earlier
from rookery.hall.tours.answers import TourAnswers
from rookery.hall.tours.director import Caller
from rookery.hall.tours.joining.newcomers import Newcomers
from rookery.hall.tours.joining.signups import SignUps
from rookery.hall.tours.tours import TourRequests

IN_THE_CLEAR: Final = (
    "This server has a certificate and takes the organiser's token from another machine only "
    "under TLS. A token that was sent so may have been read on its way."
)


class TourDoor:
    """The hall's side of tours."""

    def __init__(
        self,
        people: People,
        tours: TourRequests,
        newcomers: Newcomers,
        answers: TourAnswers,
        *,
        organiser: str,
    ) -> None:
        self._presence = people.presence
        self._register = people.register
        self._organiser = hash_token(organiser) if organiser else ""
        self._overheard: set[SessionId] = set()  # who could have spoken in private, and did not
        self._tours = tours
        self._newcomers = newcomers
        self._answers = answers
        self._signups = SignUps(tours, people.presence)
        self._book = tours.book
        self._steward = tours.steward

    # -- who is who

    def connect(self, session: SessionId, door: Doorway) -> None:
        """A connection, maybe to a port whose players are bound for a tour."""
        self._newcomers.connect(session, door.tour)
        if not door.private:
            self._overheard.add(session)

    def disconnect(self, session: SessionId) -> None:
        """The connection is gone."""
        self._newcomers.disconnect(session)
        self._overheard.discard(session)

    def _organise(self, asking: Asking, intent: tour_intents.Organise) -> None:
        """Somebody shows the organiser's token, or what it takes for it."""
        if asking.session in self._overheard:
            raise Refusal(Refused("no_tls", IN_THE_CLEAR))
        known = self._organiser and compare_digest(self._organiser, hash_token(intent.token))
        if not known:
            raise Refusal(Refused("bad_token", "That is not the organiser's token."))
        self._presence.organise(asking.session)
        asking.tell(Done())

    # -- what is asked

    def receive(
        self, asking: Asking, intent: tour_intents.PlainTourIntent | tour_intents.DialectTourIntent
    ) -> None:
        """Something asked about tours, by a player, or by whoever may not be one."""
        draft, session, player = asking.draft, asking.session, asking.player
        organiser = self._presence.is_organiser(session)
        who = (
            Caller(None, organiser=organiser)
            if isinstance(player, Refused)
            else Caller(player.id, player.name, organiser)
        )
        match intent:
            case tour_intents.Organise():
                self._organise(asking, intent)
            case tour_intents.WatchTour() | tour_intents.UnwatchTour():
                self._listen(asking, who, intent)
            case (
                tour_intents.ListTours()
                | tour_intents.ListRatings()
                | tour_intents.ShowTour()
                | tour_intents.ListMatches()
            ):
                self._answer(asking, who, intent)
            case _ if isinstance(player, Refused) and not (organiser and may_lack(intent)):
                raise Refusal(player)
            case tour_intents.Farewell():
                asking.tell(Done())
                self._tours.farewell(draft, asking.who.id)
            case tour_intents.SignUp() | tour_intents.Forsake() | tour_intents.Greet():
                self._of_dialect(asking, intent)
            case tour_intents.JoinTour():
                self._tours.act(asking, who, self._newcomers.at_port(session, intent))
            case _:
                self._tours.act(asking, who, intent)

    def _answer(self, asking: Asking, who: Caller, question: tour_intents.TourQuestion) -> None:
        """Say how things stand."""
        if isinstance(question, tour_intents.ShowTour | tour_intents.ListMatches):
            found = self._tours.find(who.player, question.tour, over=True)
            players = (player for one in found.entrants for player in one.players)
            self._register.name_players(asking.draft, asking.session, players)
        asking.tell(self._answers.answer(question, who, asking.draft.at))

    def _listen(
        self, asking: Asking, who: Caller, intent: tour_intents.WatchTour | tour_intents.UnwatchTour
    ) -> None:
        """Tell a session what happens in a tour, or no more."""
        session = asking.session
        if isinstance(intent, tour_intents.UnwatchTour):
            self._presence.unwatch_tour(session, intent.tour)
            asking.tell(Done())
            return
        tour = self._tours.find(None, intent.tour)
        if (
            session not in self._presence.tour_watchers(tour.id)
            and self._presence.tours_watched(session) >= limits.WATCHED_A_SESSION
        ):
            sentence = f"A connection watches at most {limits.WATCHED_A_SESSION} tours."
            raise Refusal(Refused("too_many", sentence))
        if self._book.get(tour.id) is not None:
            self._presence.watch_tour(session, tour.id)
        asking.tell(self._answers.show(tour, who, asking.draft.at))

    def _of_dialect(self, asking: Asking, intent: tour_intents.DialectTourIntent) -> None:
        """What a dialect asks for a player of its own."""
        match intent:
            case tour_intents.SignUp():
                if not self._newcomers.ask(asking, signs_up=True):
                    self._signups.join(asking, intent)
            case tour_intents.Forsake(why):
                asking.tell(Done())
                self._signups.leave(asking.who.id)
                self._tours.forsake(asking.draft, asking.who.id, why)
            case tour_intents.Greet():
                asking.tell(Done())
                self._steward.greeted(asking.draft, asking.who.id)

    def renamed(self, draft: Draft, player: PlayerId) -> None:
        """A player has another name, and bears it in its tours too."""
        for tour_id in self._book.of_player(player):
            tour = self._book.get(tour_id)
            known = None if tour is None else tour.entrant_of(player)
            if tour is None or known is None or tour.size > 1:
                continue  # a team has a name of its own
            others = (other for one in tour.entrants for other in one.players)
            name = self._register.tell_apart(draft, player, others)
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
        self._signups.leave(player)
        self._steward.went(draft, player)

    def has_signed_up(self, player: PlayerId) -> bool:
        """Whether this player waits for a tour with whoever comes."""
        return self._signups.has(player)

    def is_in_one(self, player: PlayerId) -> bool:
        """Whether this player is in a tour."""
        return self._book.attached(player) is not None

    def starts_taken(self, players: Iterable[PlayerId]) -> tuple[tuple[PlayerId, TourId], ...]:
        """Which of these have taken the start of which tour, where one is called with it."""
        taken = ((player, self._steward.greeted_tour(player)) for player in players)
        return tuple((player, tour) for player, tour in taken if tour is not None)

    def asking_for_matches(self, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """Which of these have asked for a match of their tour, and wait for it."""
        return tuple(player for player in players if self._steward.waits_for_a_match(player))

    def came_over(self, draft: Draft, player: PlayerId, before: Attachment) -> None:
        """Another hall knew this player's client, and what it had done in its tour."""
        for other, tour in before.starts:
            if other == player:
                self._steward.had_greeted(draft, player, tour)
        if player in before.asks:
            self._steward.had_asked(draft, player)

    def settle(self, draft: Draft) -> None:
        """See to the games that ended in this draft, and to those who got up from a table."""
        if len(self._book):
            self._steward.settle(draft)

    def tick(self, draft: Draft) -> None:
        """What follows from its being so late."""
        self._signups.tick(draft)
        self._steward.tick(draft)

    def deadline(self) -> Micros | None:
        """When to `tick` at the latest."""
        return earlier(self._signups.deadline(), self._steward.agenda.deadline())


def may_lack(intent: tour_intents.PlainTourIntent | tour_intents.DialectTourIntent) -> bool:
    """Whether the organiser may ask this without a player."""
    players = tour_intents.JoinTour | tour_intents.Farewell | tour_intents.DialectTourIntent
    return not isinstance(intent, players)
