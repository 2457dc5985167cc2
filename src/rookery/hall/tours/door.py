"""The door of the tours: every intent about them comes in here.

It finds out as which player a session asks, and whether as the organiser; then questions go to the
answers, wishes to the tours, and a dialect's requests for its players to the newcomers, the
sign-ups and the steward.
"""

from collections.abc import Callable, Iterable
from hmac import compare_digest
from itertools import islice
from typing import Any, Final, get_args

from msgspec import Struct

from rookery.core import intents
from rookery.core.events import Renamed
from rookery.core.ids import TOUR_CLOSED, Micros, PlayerId, SessionId, TourId, Wall
from rookery.core.messages import (
    Done,
    EntrantLine,
    Matches,
    MemberOf,
    Ratings,
    Refused,
    Reply,
    TourShown,
)
from rookery.core.messages import Tours as ToursMessage
from rookery.core.network import Attachment, Doorway
from rookery.core.tour_values import Entrant, Row
from rookery.games import find_game
from rookery.hall import limits
from rookery.hall.batch import Draft
from rookery.hall.limits import MATCH_PAGE
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.players import hash_token
from rookery.hall.people.register import People
from rookery.hall.tables.wakeups import earlier
from rookery.hall.tours import director
from rookery.hall.tours.director import Caller
from rookery.hall.tours.lines import KnownLines, line_of, standing_of
from rookery.hall.tours.newcomers import Newcomers
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.signups import SignUps
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tours import TourAction, TourRequests

KEPT_LINES: Final = 8  # tours whose matches stay at hand as lines; 16,000 are about 5 MB
KEPT: Final = 32  # standings that stay at hand; the longest takes a few milliseconds

Strengths = dict[int, tuple[float, float]]  # by entrant, with how sure that is


TourQuestion = intents.ListTours | intents.ShowTour | intents.ListMatches | intents.ListRatings


class Kept(Struct, frozen=True):
    """A standing, with what it was made from: the tour's event `n` and the strengths by then."""

    n: int
    strengths: Strengths
    rows: tuple[Row, ...]


class TourAnswers:
    """Knows how the tours stand. A standing is worked out once."""

    def __init__(self, people: People, tours: TourRequests, ratings: RatingBook) -> None:
        self._presence = people.presence
        self._players = people.register.players
        self._tours = tours
        self._ratings = ratings
        self._kept: dict[TourId, Kept] = {}  # of tours that were asked about
        self._lines: dict[TourId, KnownLines] = {}  # likewise

    def answer(self, question: TourQuestion, who: Caller, at: Wall) -> Reply:
        """Answer a question about tours for this caller. Raises Refusal."""
        match question:
            case intents.ListTours():
                return self._list(question)
            case intents.ListRatings(game):
                find_game(game)
                return Ratings(game, self._ratings.listed(game))
            case intents.ShowTour(tour) | intents.ListMatches(tour):
                found = self._tours.find(who.player, tour, over=True)
                if isinstance(question, intents.ShowTour):
                    return self.show(found, who, at)
                lines = self._known_lines(found.id).after(found, question.after, MATCH_PAGE)
                more = max(0, question.after) + len(lines) < len(found.matches)
                return Matches(found.id, lines, more)

    def show(self, tour: Tour, who: Caller, at: Wall) -> TourShown:
        """The tour as it stands."""
        left = tour.left if tour.until is None else max(0, tour.until - at)
        if tour.status in TOUR_CLOSED:
            left = None  # though it may have been ended before its time
        return TourShown(
            line=line_of(tour, self._running(tour)),
            plan=tour.plan,
            code=tour.code if director.may_run(tour, who) is None else "",
            left=left,
            entrants=tuple(self._entrant(one) for one in tour.entrants),
            standing=self._standing(tour),
            n=tour.n,
        )

    def _standing(self, tour: Tour) -> tuple[Row, ...]:
        """The standing; it is kept until something happens in the tour, or a rating changes."""
        ratings = self._ratings
        runs = self._tours.book.get(tour.id) is not None
        strengths = ratings.live(tour) if runs else ratings.now(tour)
        known = self._kept.get(tour.id)
        if known is None or known.n != tour.n or known.strengths != strengths:
            if known is None and len(self._kept) == KEPT:
                del self._kept[next(iter(self._kept))]
            known = Kept(tour.n, strengths, standing_of(tour, strengths))
            self._kept[tour.id] = known
        return known.rows

    def _known_lines(self, tour: TourId) -> KnownLines:
        """The lines of a tour's matches, as far as anybody has asked for them."""
        if tour not in self._lines and len(self._lines) == KEPT_LINES:
            del self._lines[next(iter(self._lines))]
        return self._lines.setdefault(tour, KnownLines())

    def _list(self, question: intents.ListTours) -> ToursMessage:
        lines = {tour.id: line_of(tour, self._running(tour)) for tour in self._tours.book.all()}
        lines |= {line.tour: line for line in self._tours.book.over()}
        wanted = (tour for tour in sorted(lines) if tour > question.after)
        page = list(islice(wanted, MATCH_PAGE + 1))
        return ToursMessage(
            tuple(lines[tour] for tour in page[:MATCH_PAGE]), len(page) > MATCH_PAGE
        )

    def _running(self, tour: Tour) -> int:
        known = self._tours.book.get(tour.id)
        return 0 if known is None else self._tours.book.index_of(tour.id).running

    def _entrant(self, one: Entrant) -> EntrantLine:
        members = []
        for player in one.players:
            known = self._players[player]
            connected = self._presence.session_of(player) is not None
            members.append(MemberOf(player, known.shown, known.dialect, connected))
        return EntrantLine(one.number, one.name, tuple(members), one.out, one.rating, one.paused)


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
        self._overheard: set[SessionId] = set()  # sessions without TLS where there is TLS
        self._tours = tours
        self._newcomers = newcomers
        self._answers = answers
        self._signups = SignUps(tours, people.presence)
        self._book = tours.book
        self._steward = tours.steward

    # -- who is who

    def connect(self, session: SessionId, door: Doorway) -> None:
        """Note a session's doorway: the tour its port is for, and whether it is private."""
        self._newcomers.connect(session, door.tour)
        if not door.private:
            self._overheard.add(session)

    def disconnect(self, session: SessionId) -> None:
        """Forget a session whose connection is gone."""
        self._newcomers.disconnect(session)
        self._overheard.discard(session)

    def _organise(self, asking: Asking, intent: intents.Organise) -> None:
        """Make the session the organiser's if it shows the right token. Raises Refusal."""
        if asking.session in self._overheard:
            raise Refusal(Refused("no_tls", IN_THE_CLEAR))
        known = self._organiser and compare_digest(self._organiser, hash_token(intent.token))
        if not known:
            raise Refusal(Refused("bad_token", "That is not the organiser's token."))
        self._presence.organise(asking.session)
        asking.tell(Done())

    # -- what is asked

    # Any: each takes the intents it is given here.
    def routes(self) -> dict[type[intents.Intent], Callable[[Asking, Any], None]]:
        """Who does what is asked, by the intent's type."""
        return {
            intents.Organise: self._organise,
            **dict.fromkeys((intents.WatchTour, intents.UnwatchTour), self._listen),
            **dict.fromkeys(get_args(TourQuestion), self._answer),
            **dict.fromkeys(intents.TourAct.__subclasses__(), self._act),
            **dict.fromkeys((intents.SignUp, intents.Forsake, intents.Greet), self._of_dialect),
            intents.Farewell: self._farewell,
        }

    def _caller(self, asking: Asking) -> Caller:
        organiser = self._presence.is_organiser(asking.session)
        if isinstance(asking.player, Refused):
            return Caller(None, organiser=organiser)
        return Caller(asking.player.id, asking.player.name, organiser)

    def _act(self, asking: Asking, intent: TourAction) -> None:
        if isinstance(intent, intents.JoinTour):
            intent = self._newcomers.at_port(asking.session, intent)
        self._tours.act(asking, self._caller(asking), intent)

    def _farewell(self, asking: Asking, _: intents.Farewell) -> None:
        asking.tell(Done())
        self._tours.farewell(asking.draft, asking.who.id)

    def _answer(self, asking: Asking, question: TourQuestion) -> None:
        """Answer a question about tours, with numbers for the players it names."""
        who = self._caller(asking)
        if isinstance(question, intents.ShowTour | intents.ListMatches):
            found = self._tours.find(who.player, question.tour, over=True)
            players = (player for one in found.entrants for player in one.players)
            self._register.name_players(asking.draft, asking.session, players)
        asking.tell(self._answers.answer(question, who, asking.draft.at))

    def _listen(self, asking: Asking, intent: intents.WatchTour | intents.UnwatchTour) -> None:
        """Begin or stop telling a session what happens in a tour."""
        session = asking.session
        if isinstance(intent, intents.UnwatchTour):
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
        asking.tell(self._answers.show(tour, self._caller(asking), asking.draft.at))

    def _of_dialect(
        self, asking: Asking, intent: intents.SignUp | intents.Forsake | intents.Greet
    ) -> None:
        """Do what a dialect asks for its player: sign up, forsake its games, or take a start."""
        match intent:
            case intents.SignUp():
                if not self._newcomers.ask(asking, signs_up=True):
                    self._signups.join(asking, intent)
            case intents.Forsake(why):
                asking.tell(Done())
                self._signups.leave(asking.who.id)
                self._tours.forsake(asking.draft, asking.who.id, why)
            case intents.Greet():
                asking.tell(Done())
                self._steward.greeted(asking.draft, asking.who.id)

    def renamed(self, draft: Draft, player: PlayerId) -> None:
        """Give a player who has another name that name in its tours too."""
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
        """Tell the players of a session what they missed, and see what they can play."""
        for player in self._presence.players_of(session):
            missed = self._book.take_missed(player)
            if missed is not None and self._book.attached(player) is None:
                draft.tell(session, missed)
            self._steward.came(draft, player)

    def went(self, draft: Draft, player: PlayerId) -> None:
        """Note that no connection acts for this player any more."""
        self._signups.leave(player)
        self._steward.went(draft, player)

    def has_signed_up(self, player: PlayerId) -> bool:
        """Whether this player has signed up, and waits for a tour to begin."""
        return self._signups.has(player)

    def is_in_one(self, player: PlayerId) -> bool:
        """Whether this player owns a tour or is in one."""
        return self._book.attached(player) is not None

    def starts_taken(self, players: Iterable[PlayerId]) -> tuple[tuple[PlayerId, TourId], ...]:
        """Of these players, those whose clients have taken the start of a tour, with the tour."""
        taken = ((player, self._steward.greeted_tour(player)) for player in players)
        return tuple((player, tour) for player, tour in taken if tour is not None)

    def asking_for_matches(self, players: Iterable[PlayerId]) -> tuple[PlayerId, ...]:
        """Those of these players who have asked for a match of their tour, and wait for it."""
        return tuple(player for player in players if self._steward.waits_for_a_match(player))

    def came_over(self, draft: Draft, player: PlayerId, before: Attachment) -> None:
        """Take over from another hall what this player's client had done in its tour."""
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
        """Do what is due by now: close sign-ups, look at tours."""
        self._signups.tick(draft)
        self._steward.tick(draft)

    def deadline(self) -> Micros | None:
        """When to `tick` at the latest."""
        return earlier(self._signups.deadline(), self._steward.agenda.deadline())
