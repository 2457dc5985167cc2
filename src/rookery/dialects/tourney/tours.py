"""The sub-commands of `@TOUR`: what each asks of the hall, and how its reply is told.

Checks are made in the order the page lists them. A client that has created several tournaments
means the newest that has not ended. "`@TOUR:END` to every participant, never to the owner":
the hall tells both, so a connection that does not know which its player is, because it came
back from elsewhere, asks whose the tournament was.

A report has every match in the order of pairing, as `home/away/state`. Of a large tournament it
comes in pages; what is paired meanwhile is left for the next report.
"""

from collections import deque
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from rookery.core.errors import BadNotation, Mistake
from rookery.core.ids import TOUR_CLOSED, MatchStatus, PlayerId, TableId, TourId
from rookery.core.intents import (
    EndTour,
    JoinTour,
    ListMatches,
    ListTours,
    OpenTour,
    PauseTour,
    ShowTour,
    StartTour,
)
from rookery.core.manners import Directory
from rookery.core.messages import (
    AnyMessage,
    Matches,
    MatchLine,
    Refused,
    TourJoined,
    TourMade,
    TourShown,
)
from rookery.core.messages import Tours as ToursMessage
from rookery.core.options import parse_integer
from rookery.core.tour_values import Result
from rookery.dialects.conversation import Conversation
from rookery.dialects.tourney.games import TYPES
from rookery.dialects.tourney.profile import NAME, TourneyOptions

CANNOT = "Error processing command."


class BadCommand(Mistake):
    """A client's line that is answered with an error; the protocol's page words it."""


def integer(text: str, wrong: str = CANNOT) -> int:
    """The whole number that a text means. Raises BadCommand with the sentence `wrong`."""
    try:
        return parse_integer(text)
    except BadNotation:
        raise BadCommand(wrong) from None


class TourReport:
    """Collects the pages of a tournament's matches, and writes them as one line."""

    def __init__(self, dialect: str, shown: TourShown, directory: Directory) -> None:
        self._dialect = dialect
        self._directory = directory
        self.tour: TourId = shown.line.tour
        self._called = {one.entrant: self._number(one.players[0].player) for one in shown.entrants}
        self._size = shown.line.matches
        self._seen = 0
        self._said: list[str] = []

    def add(self, page: Matches) -> int | None:
        """Take the next page; return the match to ask on from, None when all have come."""
        called, matches = self._called, page.matches[: self._size - self._seen]
        self._seen += len(matches)
        # Who comes from another dialect may own a tournament whose matches have not two sides.
        self._said += [
            f"{called[match.sides[0]]}/{called[match.sides[1]]}/{_state(match)}"
            for match in matches
            if len(match.sides) == 2
        ]
        if not page.more or self._seen >= self._size:
            return None
        return page.matches[-1].match

    def line(self) -> str:
        """The REPORT line of all matches that have come; "none: `@REPORT:`"."""
        return f"@REPORT:{','.join(self._said)}"

    def _number(self, player: PlayerId) -> int:
        number = self._directory.player_number(self._dialect, player)
        assert number is not None, "who is in a tour that is shown has a number"
        return number


def _state(match: MatchLine) -> str:
    if match.result is not None:
        return _winner(match.result)
    return "I" if match.status == MatchStatus.PLAYING else "N"


def _winner(result: Result) -> str:
    """`H` where home won, `A` where away did; `T` for a tie, and where neither came."""
    match result.places:
        case (1, away) if away != 1:
            return "H"
        case (home, 1) if home != 1:
            return "A"
        case _:
            return "T"


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

# What is done with a tournament that one owns.
Own = StartTour | PauseTour | EndTour


class TourAnswer(Struct, frozen=True):
    """The lines to send, and the table of a match that the client, started anew, takes up."""

    lines: tuple[str, ...] = ()
    table: TableId | None = None


class TourCommands:
    """The tournaments that one connection owns and plays in, and its commands about them."""

    def __init__(self, options: TourneyOptions, directory: Directory) -> None:
        self._options = options
        self._directory = directory
        self._player: PlayerId | None = None
        self._owned: list[TourId] = []  # made on this connection, and not known to be over
        self._ran: TourId | None = None  # the last of them that is over
        self._joined: set[TourId] = set()  # likewise
        self._left: list[TourId] = []  # that we are out of, while a match of ours still runs
        self.ends: deque[TourId] = deque()  # of whose end there may be something to tell
        self._known: set[TourId] = set()  # whose end was: one that closes may yet be called off

    def be(self, player: PlayerId) -> None:
        """Act for this player from now on, and forget the tournaments of the one before."""
        self._player = player
        self._owned.clear()
        self._ran = None
        self._joined.clear()
        self._left.clear()
        self.ends.clear()
        self._known.clear()

    # -- what is asked

    def take(self, pieces: list[str]) -> Conversation[TourAnswer]:
        """Do what a sub-command of `@TOUR` says, and answer it. Raises BadCommand."""
        if not pieces:
            raise BadCommand("A subcommand is required for TOUR.")
        word, *rest = pieces
        word = word.upper()
        if word == "CREATE" and not rest:
            raise BadCommand("A TYPE must be specified.")
        if word not in _WORDS:
            raise BadCommand("Unrecognized TOUR sub-command.")
        if self._player is None:
            raise BadCommand(NO_OWNER)
        match word:
            case "CREATE":
                return (yield from self._create(rest[0].upper()))
            case "JOIN":
                return (yield from self._join(rest))
            case "START":
                return (yield from self._run(StartTour(self._own, player=self._player)))
            case "PAUSE":
                return (yield from self._run(PauseTour(self._own, player=self._player)))
            case "END":
                return (yield from self._run(EndTour(self._own, player=self._player)))
            case _:
                shown = yield from self._owned_tour()
                return (yield from self._report(shown)) if word == "REPORT" else _left(shown)

    @property
    def _own(self) -> TourId | None:
        """The newest tournament made on this connection; None leaves the choice to the hall."""
        return self._owned[-1] if self._owned else None

    def _create(self, kind: str) -> Conversation[TourAnswer]:
        if kind not in TYPES:
            raise BadCommand("Type not recognized.")
        made = yield OpenTour(self._options.plan(kind), "", player=self._player)
        if not isinstance(made, TourMade):
            raise _refusal(made)
        self._owned.append(made.tour)
        return TourAnswer((f"@TID:{self._number(made.tour)}",))

    def _join(self, rest: list[str]) -> Conversation[TourAnswer]:
        wish = self._wish(rest)
        reply = None if wish is None else (yield wish)
        match wish, reply:
            case _, TourJoined(tour, table=table):
                self._joined.add(tour)
                said = f"@MESSAGE:Tournament {self._number(tour)} successfully joined."
                return TourAnswer((said,), table)
            case _, Refused(code="in_tour"):
                raise BadCommand(ASSIGNED)
            case JoinTour(tour=None, code=text), Refused(code="bad_code"):
                # "Not an integer: Error processing command": nor, being so short, a code mistyped.
                if len(text) < CODE_LEAST or not text.isalnum() or text.isdigit():
                    raise BadCommand(CANNOT)
                return TourAnswer((f"@MESSAGE:{NO_CODE}", f"@ERROR:{FAILED}"))
            case _:
                # Whether the player has a tournament is checked before it fails to join.
                shown = yield ShowTour(player=self._player)
                runs = isinstance(shown, TourShown) and shown.line.status not in TOUR_CLOSED
                raise BadCommand(ASSIGNED if runs else FAILED)

    def _wish(self, rest: list[str]) -> JoinTour | None:
        """Read `JOIN`, with `:<id>`, `:<id>:<code>` or `:<code>`; None for an unknown id."""
        text, code = (*rest, "", "")[:2]
        wish = JoinTour(player=self._player, again=not self._options.codes)
        if not rest:
            return wish
        if not text:
            raise BadCommand(CANNOT)
        try:
            number = parse_integer(text)
        except BadNotation:
            return replace(wish, code=text)
        if number < 0:
            return wish
        tour = self._directory.tour_at(NAME, number)
        return None if tour is None else replace(wish, tour=tour, code=code)

    def _run(self, wish: Own) -> Conversation[TourAnswer]:
        """Start, pause or end the client's tournament; where that is over, try an older one."""
        while isinstance(reply := (yield wish), Refused) and reply.code not in _NO_CHANGE:
            if reply.code != "over":
                raise _refusal(reply)
            if wish.tour is None:
                raise BadCommand(ERRORS["not_in_tour"])
            self._past(wish.tour)
            wish = replace(wish, tour=self._own)
        return TourAnswer()  # "no answer"

    def _past(self, tour: TourId) -> None:
        """Note that an owned tournament is over; its owner may still ask how it came out."""
        self._owned = [one for one in self._owned if one != tour]
        self._ran = tour

    def _owned_tour(self) -> Conversation[TourShown]:
        """The tournament that a report is about. Raises BadCommand for all but its owner."""
        wish = ShowTour(self._own or self._ran, player=self._player)
        while isinstance(shown := (yield wish), TourShown):
            tour = shown.line.tour
            if shown.line.status in TOUR_CLOSED and tour in self._owned:
                self._past(tour)
                if self._owned:
                    wish = replace(wish, tour=self._own)
                    continue
            if shown.line.owner != self._player:
                raise BadCommand(ERRORS["not_owner"])
            return shown
        raise _refusal(shown)

    def _report(self, shown: TourShown) -> Conversation[TourAnswer]:
        report = TourReport(NAME, shown, self._directory)
        after: int | None = 0
        while after is not None:
            page = yield ListMatches(report.tour, after, player=self._player)
            if not isinstance(page, Matches):
                raise _refusal(page)
            after = report.add(page)
        return TourAnswer((report.line(),))

    def _number(self, tour: TourId) -> int:
        number = self._directory.tour_number(NAME, tour)
        assert number is not None, "a tour that players of this dialect can join has a number"
        return number

    # -- how it ends

    def over(self, tour: TourId) -> None:
        """Note that no match begins any more in a tournament that the client owns or plays in."""
        if tour in self._owned:
            self._past(tour)
        elif tour not in self._known:
            self.ends.append(tour)
        self._known.add(tour)

    def left(self, tour: TourId) -> None:
        """Note that the client is out of a tournament, to be told after its match; owners stay."""
        if tour not in self._owned:
            self._left.append(tour)

    def rest(self) -> None:
        """End, for the client, the tournaments that it left: no match of its own runs now."""
        for tour in self._left:
            self.over(tour)
        self._left.clear()

    def end(self) -> Conversation[TourAnswer]:
        """Tell the client of an ended tournament, unless it is the owner. Raises BadCommand."""
        tour = self.ends.popleft()
        if tour in self._joined:
            self._joined.remove(tour)
            return TourAnswer((END,))
        reply = yield ListTours(TourId(tour - 1))
        if not isinstance(reply, ToursMessage):
            raise _refusal(reply)
        owner = next((line.owner for line in reply.tours if line.tour == tour), None)
        return TourAnswer(() if owner == self._player else (END,))


def _left(shown: TourShown) -> TourAnswer:
    left = shown.line.matches - shown.line.played
    return TourAnswer((f"@MESSAGE: There are {left} matches left to complete.",))


def _refusal(reply: AnyMessage | None) -> BadCommand:
    assert isinstance(reply, Refused), "what is not answered is refused"
    return BadCommand(ERRORS.get(reply.code, reply.sentence))
