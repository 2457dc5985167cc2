"""A tour in FIDE's report format (TRF16, with JaVaFo's XX lines): the value, and its text.

A line an entrant, columns at fixed places, ten for each round: the opponent, the colour, and the
code of the result. The codes are those by which our own Swiss rounds
are paired. The format knows matches of two, one a round for everybody, and no others.
`trf_reading.py` goes the other way.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.core.messages import EntrantLine, MatchLine, TourShown
from rookery.core.options import split_options
from rookery.core.tour_values import ABSENT, WITHDRAWN

WHITE, BLACK, NEITHER = "w", "b", "-"

WON, DREW, LOST = "1", "=", "0"
WALKED_OVER, FORFEITED = "+", "-"
BYE, HALF_BYE, ABSENT_CODE = "U", "H", "Z"  # paired with nobody; not there, for ½ or nothing
UNDECIDED = " "  # the match is to be played, or being played

NAME_MAX: Final = 33  # columns
NUMBER_MAX: Final = 9999
USUAL: Final = "1-0.5-0"  # points that need not be said


class BadTrf(Mistake):
    """A tour that the format has no room for, or a text that is not in the format."""


class TrfCell(Struct, frozen=True):
    """One entrant's part in one round."""

    rival: int = 0
    colour: str = NEITHER
    code: str = ABSENT_CODE


class TrfEntrant(Struct, frozen=True):
    """An entrant; the numbers are the seeding."""

    number: int
    name: str
    rating: int | None
    points: float
    rank: int
    cells: tuple[TrfCell, ...]  # by round


class TrfReport(Struct, frozen=True):
    """A tour as a TRF file has it."""

    name: str
    lines: tuple[TrfEntrant, ...]
    rounds: int  # that there are to be
    kind: str = ""
    time: str = ""
    points: str = USUAL  # for a win, a draw and a loss
    out: tuple[int, ...] = ()  # who is not paired any more, or not until they are back

    def pairings(self) -> tuple[tuple[int, int, int, str], ...]:
        """Each match once: round, white's number, black's (0: nobody) and white's code."""
        return tuple(
            (number, line.number, cell.rival, cell.code)
            for line in self.lines
            for number, cell in enumerate(line.cells, 1)
            if cell.colour == WHITE or cell.code == BYE
        )


def trf_export(shown: TourShown, matches: Iterable[MatchLine]) -> str:
    """The tour as the text of a TRF file. Raises BadTrf where the format has no room for it."""
    return write_trf(report_of(shown, matches))


def report_of(shown: TourShown, matches: Iterable[MatchLine]) -> TrfReport:
    """The tour as the format sees it. Raises BadTrf."""
    cells = _cells(shown, tuple(matches))
    last = max((max(row, default=0) for row in cells.values()), default=0)
    rows = {row.entrant: row for row in shown.standing}
    lines = tuple(
        TrfEntrant(
            one.entrant,
            _name(one),
            one.rating if one.rating is not None and 0 < one.rating <= NUMBER_MAX else None,
            rows[one.entrant].points,
            rows[one.entrant].place,
            tuple(cells[one.entrant].get(n, TrfCell()) for n in range(1, last + 1)),
        )
        for one in shown.entrants
    )
    plan = shown.plan
    return TrfReport(
        name=_plain(plan.name) or f"Tour {shown.line.tour}",
        lines=lines,
        rounds=max(last, _planned(plan.format, len(lines))),
        kind=_KINDS.get(plan.format.split()[0], plan.format),
        time=plan.time,
        points="-".join(f"{value:g}" for value in _numbers(plan.points)),
        out=tuple(one.entrant for one in shown.entrants if one.out or one.paused),
    )


def write_trf(report: TrfReport) -> str:
    """The text of the file. Raises BadTrf for numbers that have no room in their columns."""
    rated = sum(line.rating is not None for line in report.lines)
    head = (
        ("012", report.name),
        ("062", str(len(report.lines))),
        ("072", str(rated)),
        ("092", report.kind),
        ("122", report.time),
        ("XXR", str(report.rounds)),
        ("XXC", "white1"),  # in the first round the first of the list has white
        ("XXS", _measure(report.points)),
        ("XXZ", " ".join(map(str, report.out))),
    )
    said = [f"{code} {text}" for code, text in head if text]
    return "".join(f"{line}\n" for line in (*said, *map(_line, report.lines)))


_KINDS: Final = {
    "swiss": "Individual: Swiss-System (Dutch)",
    "round_robin": "Individual: Round-Robin",
}


def _cells(shown: TourShown, matches: tuple[MatchLine, ...]) -> dict[int, dict[int, TrfCell]]:
    """The cells by entrant and round. Raises BadTrf."""
    tour = shown.line.tour
    cells: dict[int, dict[int, TrfCell]] = {one.entrant: {} for one in shown.entrants}
    for match in matches:
        sides = match.sides
        if len(sides) > 2 or match.teams:
            sentence = f"A TRF file has matches of two, and in tour {tour} more play in one."
            raise BadTrf(sentence)
        for index, side in enumerate(sides):
            if match.round in cells[side]:
                who = f"entrant {side} of tour {tour} has several in round {match.round}."
                raise BadTrf(f"A TRF file has one match a round for everybody, and {who}")
            cells[side][match.round] = _cell(match, index, shown.plan.points)
    return cells


def _cell(match: MatchLine, index: int, points: str) -> TrfCell:
    if len(match.sides) == 1:
        return TrfCell(code=_bye(match, points))
    return TrfCell(match.sides[1 - index], (WHITE, BLACK)[index], _code(match, index))


def _bye(match: MatchLine, points: str) -> str:
    """The code of a bye by what it is worth: a round one sits out may be worth less than a win."""
    win, draw, _ = _numbers(points)
    worth = match.points[0] if match.points else win
    if worth == win:
        return BYE
    return HALF_BYE if worth == draw else ABSENT_CODE


def _numbers(points: str) -> list[float]:
    """What a win, a draw and a loss are worth."""
    return [float(part.replace("½", ".5")) for part in points.split("-")]


def _code(match: MatchLine, index: int) -> str:
    result = match.result
    if result is None:
        return UNDECIDED
    first, winners = result.places[index] == 1, result.places.count(1)
    if winners == 0:
        return FORFEITED  # both have lost, and there is no code for a game like that
    if result.how in (ABSENT, WITHDRAWN):
        return WALKED_OVER if first else FORFEITED
    if winners == 2:
        return DREW
    return WON if first else LOST


def _planned(form: str, entrants: int) -> int:
    """How many rounds the format is to have; 0 where it does not say so."""
    name, *options = form.split()
    if name != "swiss":
        return 0
    return int(split_options(options).get("rounds", "0")) or max(1, (entrants - 1).bit_length())


def _name(one: EntrantLine) -> str:
    return _plain(one.name)[:NAME_MAX].rstrip() or f"Entrant {one.entrant}"


def _plain(text: str) -> str:
    """A text in one line, with nothing in front or behind."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


def _measure(points: str) -> str:
    """The text of the XXS line about points; empty for the usual ones."""
    if points == USUAL:
        return ""
    win, draw, loss = (f"{float(part):.1f}" for part in points.split("-"))
    return f"W={win} D={draw} L={loss} PAB={win} ZPB=0.0"


def _line(line: TrfEntrant) -> str:
    points, rating = f"{line.points:.1f}", "" if line.rating is None else str(line.rating)
    if max(line.number, line.rank) > NUMBER_MAX or len(points) > 4:
        raise BadTrf(f"In a TRF file there is no room for the numbers of {line.name}.")
    who = f"001 {line.number:4d}      {line.name:{NAME_MAX}} {rating:>4}"
    did = "".join(f"  {_rival(cell)} {cell.colour} {cell.code}" for cell in line.cells)
    return f"{who} {'':26} {points:>4} {line.rank:4d}{did}".rstrip()


def _rival(cell: TrfCell) -> str:
    return f"{cell.rival:4d}" if cell.rival else "0000"
