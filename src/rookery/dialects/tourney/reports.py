"""A report: every match of a tournament in the order of pairing, as `home/away/state`.

A large tournament comes in pages. Players are known by this dialect's numbers, and what is paired
while the pages come is left for the next report. It is used once.
"""

from rookery.core.ids import MatchStatus, PlayerId, TourId
from rookery.core.manners import Directory
from rookery.core.messages import Matches, MatchLine, TourShown
from rookery.core.tour_values import Result


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
