"""Answers to questions about tours: which there are, how one stands, its matches, ratings."""

from itertools import islice
from typing import Final

from msgspec import Struct

from rookery.core import intents
from rookery.core.ids import TOUR_CLOSED, TourId, Wall
from rookery.core.messages import EntrantLine, Matches, MemberOf, Ratings, Reply, TourShown
from rookery.core.messages import Tours as ToursMessage
from rookery.core.tour_values import Entrant, Row
from rookery.games import find_game
from rookery.hall.limits import MATCH_PAGE
from rookery.hall.people.register import People
from rookery.hall.tours import director
from rookery.hall.tours.director import Caller
from rookery.hall.tours.lines import KnownLines, line_of, standing_of
from rookery.hall.tours.rating_book import RatingBook
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tours import TourRequests

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
