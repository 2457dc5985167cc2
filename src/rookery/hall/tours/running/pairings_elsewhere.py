"""Rounds that are paired elsewhere, because that takes longer than anybody should wait.

The hall wishes for a pairing and goes on; when the answer comes the round begins. If the tour
has changed meanwhile the answer is dropped, and the hall wishes again. Only the pairing is in
the log: after a restart the hall asks for it again, and gets the same.
"""

from typing import Final

from msgspec import Struct

from rookery.core.events import TourPaused
from rookery.core.ids import SessionId, TourStatus
from rookery.core.messages import Notice
from rookery.core.tour_values import Pairs, Solution
from rookery.hall.batch import Draft, Wish
from rookery.hall.people.presence import Presence
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
