"""A report: every match of a tournament in the order of pairing, as `home/away/state`.

A large tournament comes in pages. Players are known by this dialect's numbers, and what is
paired while the pages come is left for the next report. It mutates, and is used once.
"""

from rookery.core.directory import Directory
from rookery.core.ids import PlayerId, TourId
from rookery.core.tour_messages import Matches, MatchLine, TourShown
from rookery.core.tours import Result


class Report:
    """What is known so far of a tournament's matches."""

    def __init__(self, dialect: str, shown: TourShown, directory: Directory) -> None:
        self._dialect = dialect
        self._directory = directory
        self.tour: TourId = shown.line.tour
        self._players = {one.entrant: one.players[0].player for one in shown.entrants}
        self._size = shown.line.matches
        self._matches: list[MatchLine] = []

    def add(self, page: Matches) -> int | None:
        """The next page; after which match one goes on, None when it is complete."""
        self._matches += page.matches[: self._size - len(self._matches)]
        if not page.more or len(self._matches) >= self._size:
            return None
        return page.matches[-1].match

    def line(self) -> str:
        """The report: "none: `@REPORT:`"."""
        # Who comes from another dialect may own a tournament whose matches have not two sides.
        said = [self._said(match) for match in self._matches if len(match.sides) == 2]
        return f"@REPORT:{','.join(said)}"

    def _said(self, match: MatchLine) -> str:
        home, away = (self._number(self._players[side]) for side in match.sides)
        return f"{home}/{away}/{_state(match)}"

    def _number(self, player: PlayerId) -> int:
        number = self._directory.player_number(self._dialect, player)
        assert number is not None, "who is in a tour that is shown has a number"
        return number


def _state(match: MatchLine) -> str:
    if match.result is not None:
        return _winner(match.result)
    return "I" if match.status == "playing" else "N"


def _winner(result: Result) -> str:
    """`H` or `A` won; `T` is a tie, and where neither came."""
    match result.places:
        case (1, away) if away != 1:
            return "H"
        case (home, 1) if home != 1:
            return "A"
        case _:
            return "T"
