"""The sub-commands of `@TOUR`: what each asks of the hall, and how its reply is told.

Checks are made in the order the page lists them. Who has created several tournaments means
the newest that has not ended. "`@TOUR:END` to every participant, never to the owner": the
hall tells both, so who cannot know which it is, being back from elsewhere, asks whose it was.
It mutates, and the connection owns it.
"""

from collections import deque
from enum import Enum, auto
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.directory import Directory
from rookery.core.errors import BadNotation
from rookery.core.ids import PlayerId, TourId
from rookery.core.intents import Show
from rookery.core.messages import AnyMessage, Refused
from rookery.core.text.integers import parse_integer
from rookery.core.tours.tour_intents import (
    EndTour,
    JoinTour,
    ListMatches,
    ListTours,
    OpenTour,
    PauseTour,
    PlainTourIntent,
    ShowTour,
    StartTour,
    TourIntent,
)
from rookery.core.tours.tour_messages import Matches, TourJoined, TourMade, TourShown
from rookery.core.tours.tour_messages import Tours as ToursMessage
from rookery.dialects.tourney.errors import CANNOT, BadLine
from rookery.dialects.tourney.games import TYPES
from rookery.dialects.tourney.naming import plain
from rookery.dialects.tourney.options import TourneyOptions
from rookery.dialects.tourney.reports import Report

NAME: Final = "tourney"
NO_OWNER: Final = "No player set yet (to own the command)."
ASSIGNED: Final = "Player already assigned to a tournament."
FAILED: Final = "Failed to join a tournament."
CODE_LEAST: Final = 4  # letters; those that are drawn have five
NO_CODE: Final = "There is no tournament with that code."
END: Final = "@TOUR:END"

_WORDS: Final = frozenset({"CREATE", "JOIN", "START", "PAUSE", "END", "REPORT", "MATCHES LEFT"})
ERRORS: Final = {
    "not_in_tour": "Player is not attached to a tournament.",
    "not_owner": "Player is not the owner of the tournament.",
}
_NO_CHANGE: Final = frozenset({"running", "not_running", "too_few"})  # "no answer"
_OVER: Final = frozenset({"closing", "ended", "cancelled"})

# What is done with a tournament that one owns, or with the player's own.
Own = StartTour | PauseTour | EndTour | ShowTour


class Answer(Struct, frozen=True):
    """What to say now, and what to ask before the answer is whole."""

    lines: tuple[str, ...] = ()
    ask: PlainTourIntent | Show | None = None


class Want(Enum):
    """What a tournament is looked at for."""

    JOIN = auto()  # only whether there is one
    REPORT = auto()
    LEFT = auto()


class Tours:
    """What one connection has to do with tournaments."""

    def __init__(self, options: TourneyOptions, directory: Directory) -> None:
        self._options = options
        self._directory = directory
        self._player: PlayerId | None = None
        self._owned: list[TourId] = []  # made on this connection, and not known to be over
        self._ran: TourId | None = None  # the last of them that is over
        self._joined: set[TourId] = set()  # likewise
        self._left: list[TourId] = []  # that we are out of, while a match of ours still runs
        self._over: deque[TourId] = deque()  # whose end may have to be told
        self._known: set[TourId] = set()  # whose end was: one that closes may yet be called off
        self._want = Want.JOIN
        self._report: Report | None = None

    def be(self, player: PlayerId) -> None:
        """From now on it is about this player."""
        self._player = player
        self._owned.clear()
        self._ran = None
        self._joined.clear()
        self._left.clear()
        self._over.clear()
        self._known.clear()

    # -- what is asked

    def take(self, pieces: list[str]) -> PlainTourIntent:
        """What a sub-command asks for. Raises BadLine."""
        if not pieces:
            raise BadLine("A subcommand is required for TOUR.")
        word, *rest = pieces
        word = word.upper()
        if word == "CREATE" and not rest:
            raise BadLine("A TYPE must be specified.")
        if word not in _WORDS:
            raise BadLine("Unrecognized TOUR sub-command.")
        if self._player is None:
            raise BadLine(NO_OWNER)
        match word:
            case "CREATE":
                return self._create(rest[0].upper())
            case "JOIN":
                return self._join(rest)
            case "START":
                return StartTour(self._own, self._player)
            case "PAUSE":
                return PauseTour(self._own, self._player)
            case "END":
                return EndTour(self._own, self._player)
            case _:
                self._want = Want.REPORT if word == "REPORT" else Want.LEFT
                return ShowTour(self._own or self._ran, self._player)

    @property
    def _own(self) -> TourId | None:
        """The tournament meant; None: the hall knows."""
        return self._owned[-1] if self._owned else None

    def _create(self, kind: str) -> PlainTourIntent:
        if kind not in TYPES:
            raise BadLine("Type not recognized.")
        return OpenTour(self._options.plan(kind), "", self._player)

    def _join(self, rest: list[str]) -> PlainTourIntent:
        """`JOIN`, `JOIN:<id>`, `JOIN:<id>:<code>`, and as a code is no number `JOIN:<code>`."""
        text, code = (*rest, "", "")[:2]
        wish = JoinTour(player=self._player, again=not self._options.codes)
        if not rest:
            return wish
        if not text:
            raise BadLine(CANNOT)
        try:
            number = parse_integer(text)
        except BadNotation:
            return replace(wish, code=text)
        if number < 0:
            return wish
        tour = self._directory.tour_at(NAME, number)
        return self._look() if tour is None else replace(wish, tour=tour, code=code)

    def _look(self) -> PlainTourIntent:
        """Ask whether the player has a tournament, which is checked before it fails to join."""
        self._want = Want.JOIN
        return ShowTour(player=self._player)

    # -- what the hall says

    def answer(self, asked: TourIntent, reply: AnyMessage) -> Answer:
        """How this reply is told."""
        match asked, reply:
            case OpenTour(), TourMade(tour):
                self._owned.append(tour)
                return Answer((f"@TID:{self._number(tour)}",))
            case JoinTour(), TourJoined(tour, table=table):
                self._joined.add(tour)
                said = f"@MESSAGE:Tournament {self._number(tour)} successfully joined."
                # Who was started anew takes up the match it plays.
                return Answer((said,), None if table is None else Show(table, self._player))
            case JoinTour(), Refused(code):
                return self._not_joined(asked, code)
            case ShowTour(), _ if self._want is Want.JOIN:
                runs = isinstance(reply, TourShown) and reply.line.status not in _OVER
                return _error(ASSIGNED if runs else FAILED)
            case ShowTour(), TourShown():
                return self._shown(asked, reply)
            case ListMatches(), Matches():
                return self._listed(reply)
            case ListTours(after), ToursMessage(tours):
                owner = next((line.owner for line in tours if line.tour == after + 1), None)
                return Answer() if owner == self._player else Answer((END,))
            case ((StartTour() | PauseTour() | EndTour()), Refused(code="over")):
                return self._again(asked)
            case _, Refused(code, sentence):
                return Answer() if code in _NO_CHANGE else _error(ERRORS.get(code, sentence))
            case _:
                return Answer()  # "no answer"

    def _not_joined(self, asked: JoinTour, code: str) -> Answer:
        if code == "in_tour":
            return _error(ASSIGNED)
        if code == "bad_code" and asked.tour is None:
            # "Not an integer: Error processing command": nor, being so short, a code mistyped.
            text = asked.code
            if len(text) < CODE_LEAST or not text.isalnum() or text.isdigit():
                return _error(CANNOT)
            return Answer((f"@MESSAGE:{NO_CODE}", f"@ERROR:{FAILED}"))
        return Answer(ask=self._look())

    def _again(self, asked: Own) -> Answer:
        """The tournament meant is over, so another one is."""
        if asked.tour is None:
            return _error(ERRORS["not_in_tour"])
        self._past(asked.tour)
        return Answer(ask=replace(asked, tour=self._own))

    def _past(self, tour: TourId) -> None:
        """This one is over, and its owner may still ask how it came out."""
        self._owned = [one for one in self._owned if one != tour]
        self._ran = tour

    def _shown(self, asked: ShowTour, shown: TourShown) -> Answer:
        """The tournament asked about: only its owner is told, also when it is over."""
        tour = shown.line.tour
        if shown.line.status in _OVER and tour in self._owned:
            self._past(tour)
            if self._owned:
                return Answer(ask=replace(asked, tour=self._own))
        if shown.line.owner != self._player:
            return _error(ERRORS["not_owner"])
        if self._want is Want.LEFT:
            left = shown.line.matches - shown.line.played
            return Answer((f"@MESSAGE: There are {left} matches left to complete.",))
        self._report = Report(NAME, shown, self._directory)
        return Answer(ask=ListMatches(shown.line.tour, player=self._player))

    def _listed(self, page: Matches) -> Answer:
        report = self._report
        assert report is not None, "matches are listed for a report"
        after = report.add(page)
        if after is not None:
            return Answer(ask=ListMatches(report.tour, after, self._player))
        self._report = None
        return Answer((report.line(),))

    def _number(self, tour: TourId) -> int:
        number = self._directory.tour_number(NAME, tour)
        assert number is not None, "a tour that players of this dialect can join has a number"
        return number

    # -- how it ends

    def over(self, tour: TourId) -> None:
        """No match begins any more in a tournament that is ours, or in which we play."""
        if tour in self._owned:
            self._past(tour)
        elif tour not in self._known:
            self._over.append(tour)
        self._known.add(tour)

    def left(self, tour: TourId) -> None:
        """Somebody is out of a tournament that is ours; or we are, and are told after our match."""
        if tour not in self._owned:
            self._left.append(tour)

    def rest(self) -> None:
        """No match of ours runs."""
        for tour in self._left:
            self.over(tour)
        self._left.clear()

    @property
    def ends(self) -> bool:
        """Whether there may be an end to tell."""
        return bool(self._over)

    def end(self) -> Answer:
        """Tell of the end that waits, unless it is our own."""
        tour = self._over.popleft()
        if tour in self._joined:
            self._joined.remove(tour)
            return Answer((END,))
        return Answer(ask=ListTours(TourId(tour - 1)))


def _error(sentence: str) -> Answer:
    return Answer((f"@ERROR:{plain(sentence)}",))
