"""Rounds: when a tour starts, when its format is asked for pairings, and who can be paired.

The format decides who meets whom (`director.pair`). A pairing that takes longer than anybody
should wait is worked out elsewhere: the hall wishes for it and goes on, and when the answer comes
the round begins. If the tour has changed meanwhile the answer is dropped, and the hall wishes
again. Only the pairing is in the log: after a restart the hall asks again, and gets the same.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from rookery.core.events import Paired, TourEvent, TourPaused
from rookery.core.ids import MICROS_A_SECOND, TOUR_CLOSED, SessionId, TourId, TourStatus, Wall
from rookery.core.intents import StartTour
from rookery.core.messages import Notice, Refused
from rookery.core.tour_values import Pairs, Plan, Solution
from rookery.hall import limits
from rookery.hall.batch import Draft, Wish
from rookery.hall.people.presence import Presence
from rookery.hall.people.register import People
from rookery.hall.tours import director, organising
from rookery.hall.tours.director import Caller, Decision
from rookery.hall.tours.running.agenda import Agenda
from rookery.hall.tours.running.attendance import Attendance
from rookery.hall.tours.tour import Tour
from rookery.hall.tours.tour_book import Book

PAIRING: Final = "pairing"  # the code of the notice that a round is being paired
NOT_PAIRED: Final = "not_paired"  # … and that it could not be
LONG: Final = 100  # entrants; with more it takes more than half a second, and they are told so


class Solved(Struct, frozen=True):
    """The answer to a wish; `pairs` is None where the round cannot be paired by its rules."""

    pairs: Pairs | None = None
    failed: bool = False  # whether nobody could work it out


class Pairings:
    """Wishes for pairings of tours, and takes the answers in."""

    def __init__(self, book: Book, presence: Presence) -> None:
        self._book = book
        self._presence = presence

    def is_wished(self, draft: Draft, tour: Tour) -> bool:
        """Whether the tour's next round is being paired elsewhere; if needed, wish for it now."""
        index = self._book.index_of(tour.id)
        puzzle, solved = tour.puzzle(), index.solution
        if puzzle is None or (solved is not None and solved.puzzle == puzzle):
            index.puzzle = None
            return False
        if index.puzzle != puzzle:
            index.wished += 1
            index.puzzle = puzzle
            draft.wish(Wish(tour.id, index.wished, puzzle))
            if len(puzzle.entrants) > LONG:
                number = 1 + max((match.fixture.round for match in puzzle.matches), default=0)
                sentence = f"Round {number} of tour {tour.id} is being paired; it begins soon."
                self._tell(draft, tour, Notice(PAIRING, sentence))
        return True

    def solved(self, draft: Draft, wish: Wish, found: Solved) -> None:
        """Take in the answer to a wish, unless the tour wishes for something else by now."""
        tour = self._book.get(wish.tour)
        index = None if tour is None else self._book.index_of(wish.tour)
        if tour is None or index is None or index.puzzle is None or index.wished != wish.number:
            return
        index.paired_for = -1  # the format is to be asked again, though nothing has happened
        if not found.failed:
            index.solution = Solution(index.puzzle, found.pairs)
        elif tour.status is TourStatus.RUNNING:
            tour = self._book.happen(draft, wish.tour, TourPaused())
            sentence = f"The next round of tour {tour.id} could not be paired, and it is paused."
            self._tell(draft, tour, Notice(NOT_PAIRED, f"{sentence} Start it to try again."))
        index.puzzle = None

    def _tell(self, draft: Draft, tour: Tour, notice: Notice) -> None:
        """Tell the tour's watchers, and its owner and entrants if their dialects have notices."""
        heard: dict[SessionId, None] = dict.fromkeys(self._presence.tour_watchers(tour.id))
        owner = () if tour.opened.by is None else (tour.opened.by,)
        inside = (player for one in tour.entrants if not one.out for player in one.players)
        for player in (*owner, *inside):
            session = self._presence.session_of(player)
            if session is not None and self._presence.manners(session).notices:
                heard[session] = None
        for session in heard:
            draft.tell(session, notice)


class Rounds:
    """Has the tours in the book paired, round by round or as players become free."""

    def __init__(self, people: People, book: Book, attendance: Attendance, agenda: Agenda) -> None:
        self._book = book
        self._attendance = attendance
        self._agenda = agenda
        self._warden = people.warden
        self._pairings = Pairings(book, people.presence)
        self.pairs_away = False  # whether rounds that take long are paired elsewhere

    def pair(self, draft: Draft, tour_id: TourId) -> bool:
        """Ask the format for the next matches, and add them to the tour; whether there were any."""
        tour = self._book.get(tour_id)
        assert tour is not None, "a tour that is paired is not over"
        # An entrant who fails the start is not dealt to a table.
        if tour.started and not tour.matches and self._attendance.awaits_greeting(tour):
            return False
        index = self._book.index_of(tour_id)
        timed = tour.format.lasts() is not None
        # Where no result matters, only who joins makes a difference.
        seen = len(tour.entrants) if tour.format.fixed else tour.n
        if not timed and index.paired_for == seen:
            return False
        index.paired_for = seen
        if self.pairs_away and self._pairings.is_wished(draft, tour):
            return False
        free = self._attendance.free(tour, draft.now) if timed else ()
        ready = frozenset(one for one in free if not self._rests(draft, tour, one))
        paired = director.pair(tour, ready, draft.at, index.solution)
        if paired is None:
            return False
        fixtures = paired.fixtures
        for at in range(0, len(fixtures), limits.MATCH_PAGE):  # one record is told as one message
            self._book.happen(draft, tour_id, Paired(fixtures[at : at + limits.MATCH_PAGE]))
        return True

    def pair_early(self, draft: Draft, tour_id: TourId) -> None:
        """Pair entrants as they join, before the start, where the format does so."""
        tour = self._book.get(tour_id)
        if tour is not None and tour.format.eager and tour.status not in TOUR_CLOSED:
            self.pair(draft, tour_id)

    def _rests(self, draft: Draft, tour: Tour, number: int) -> bool:
        """Whether an entrant is given no match: it was idle, or its home grows the log too fast."""
        spent = any(self._warden.is_spent(one, draft.now) for one in tour.entrant(number).players)
        if spent:
            self._agenda.look(tour.id, draft.now + MICROS_A_SECOND)
        return spent or self._agenda.is_resting(tour.id, number, draft.now)

    def solved(self, draft: Draft, wish: Wish, found: Solved) -> None:
        """Take in that a round was paired elsewhere, or could not be."""
        self._pairings.solved(draft, wish, found)


Strengths = Mapping[int, tuple[float, float]]


def may_not_plan(plan: Plan, at: Wall) -> Refused | None:
    """Why a tour may not be planned for that time of day; None if it may."""
    if plan.starts is None or at < plan.starts <= at + limits.AHEAD_MAX:
        return None
    return Refused("bad_option", "A tour starts in the time to come, and within a year.")


def start(tour: Tour, who: Caller, intent: StartTour, at: Wall, strengths: Strengths) -> Decision:
    """Start the tour for this caller with its seeds drawn, or let it go on."""
    decision = director.start(tour, who, intent, at)
    if tour.status is not TourStatus.OPEN or isinstance(decision, Refused):
        return decision
    refused = director.too_few_for_ever(tour)
    return refused or organising.before(organising.drawn(tour, strengths), decision)


def is_time(tour: Tour, at: Wall) -> bool:
    """Whether the tour is to start by itself now."""
    starts = tour.plan.starts
    return tour.status is TourStatus.OPEN and starts is not None and starts <= at


def by_itself(tour: Tour, at: Wall, strengths: Strengths) -> tuple[TourEvent, ...]:
    """The events at the time that the plan has for the start: none where too few are there."""
    decision = start(tour, Caller(None, organiser=True), StartTour(tour.id), at, strengths)
    return () if isinstance(decision, Refused) else decision
