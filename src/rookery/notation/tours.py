"""A tour as text for other programs: CSV for spreadsheets, JSON, and Markdown for people.

Names come from anybody. A spreadsheet takes a cell that begins with =, +, -, @ or a tab for
a formula, so in CSV such a text gets a ' in front; in Markdown every sign that means
something is escaped. The join code of a tour is in none of them.
"""

import csv
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from rookery.core.messages import MatchLine, TourShown
from rookery.core.tour_values import Plan
from rookery.notation.results import (
    PlayedMatch,
    Standing,
    cross_table,
    halves,
    match_rows,
    standing_rows,
)

FORMULAS: Final = ("=", "+", "-", "@", "\t")  # how a cell begins that is one
_MEANING: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|~#"})
_JOINED: Final = " + "  # between the players of a team
_CROSS_MOST: Final = 30  # entrants; a wider table is read by nobody

Cell: TypeAlias = str | float | None
Cells: TypeAlias = Sequence[Cell]


class Export(Struct, frozen=True):
    """All of a tour that is for everyone, as it stands in JSON."""

    tour: int
    name: str
    status: str
    winners: tuple[str, ...]
    points: str  # for a win, a draw and a loss
    plan: Plan
    standing: tuple[Standing, ...]
    matches: tuple[PlayedMatch, ...]


def csv_standing(shown: TourShown) -> str:
    """The gradebook: a line an entrant, the best first."""
    ties = shown.plan.ties
    head = ("place", "entrant", "name", "players", "points", "played", "wins", "draws", "losses")
    # A tie-break may be called like a column: wins.
    more = (
        "byes",
        "forfeits",
        *(f"tie_{name}" for name in ties),
        "rating",
        "uncertainty",
        "out",
        "counts",
        "paused",
    )
    lines: list[Cells] = [(*head, *more)]
    for row in standing_rows(shown):
        did = (row.points, row.played, row.wins, row.draws, row.losses, row.byes, row.forfeits)
        parted = tuple(row.ties.get(name) for name in ties)
        who = (row.place, row.entrant, row.name, _JOINED.join(row.players))
        rating = (row.rating, row.uncertainty)
        paused = "yes" if row.paused else ""
        lines.append((*who, *did, *parted, *rating, row.out, shown.plan.points, paused))
    return _csv(lines)


def csv_matches(shown: TourShown, matches: Iterable[MatchLine]) -> str:
    """A line a match, in the order they were paired; as many sides as the largest has."""
    rows = match_rows(shown, matches)
    most = max(2, *(len(row.sides) for row in rows)) if rows else 2
    sides = tuple(f"side_{n}" for n in range(1, most + 1))
    points = tuple(f"points_{n}" for n in range(1, most + 1))
    result = ("result", "winner", "how", "reason", "voided", "by_hand")
    lines: list[Cells] = [("match", "round", "table", "status", *sides, *points, *result)]
    for row in rows:
        got = _filled(row.points, most)
        by_hand = "yes" if row.by_hand else ""
        won = _JOINED.join(row.winners)
        how = (row.result, won, row.how, row.reason, row.voided, by_hand)
        what = (row.match, row.round, row.table, row.status)
        lines.append((*what, *_filled(row.sides, most), *got, *how))
    return _csv(lines)


def json_export(shown: TourShown, matches: Iterable[MatchLine]) -> str:
    """All of the tour as JSON, for programs."""
    line = shown.line
    export = Export(
        line.tour,
        line.name,
        line.status,
        line.winners,
        shown.plan.points,
        shown.plan,
        standing_rows(shown),
        match_rows(shown, matches),
    )
    return msgspec.json.format(msgspec.json.encode(export), indent=2).decode() + "\n"


def markdown_export(shown: TourShown, matches: Iterable[MatchLine]) -> str:
    """The tour as a page in Markdown: the standing, the cross-table, and every match."""
    lines = tuple(matches)
    parts = [_heading(shown), _standing(shown)]
    if 1 < len(shown.standing) <= _CROSS_MOST:
        parts.append(_cross(shown, lines))
    parts.append(_matches(match_rows(shown, lines)))
    return "\n".join(part for part in parts if part)


# -- CSV


class _Written:
    """Collects what `csv` writes."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def write(self, piece: str) -> None:
        """Keep a piece of text."""
        self.pieces.append(piece)


def _csv(lines: Iterable[Cells]) -> str:
    written = _Written()
    writer = csv.writer(written, lineterminator="\n")
    for line in lines:
        writer.writerow([_plain(cell) for cell in line])
    return "".join(written.pieces)


def _plain(cell: Cell) -> str:
    """The cell as text that a spreadsheet shows and never takes for a formula."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        text = cell.replace("\r", " ")  # which `csv` would write as it is
        return f"'{text}" if text.startswith(FORMULAS) else text
    return f"{cell:.10g}"


def _filled(cells: Sequence[Cell], count: int) -> tuple[Cell, ...]:
    return (*cells, *(None,) * (count - len(cells)))


# -- Markdown


def _heading(shown: TourShown) -> str:
    line, plan = shown.line, shown.plan
    name = _escaped(line.name) or f"Tour {line.tour}"
    facts = f"{_escaped(plan.variant)}, {_escaped(plan.format)}, clock {_escaped(plan.time)}"
    facts += f", points {_escaped(plan.points)}."
    said = f"Tour {line.tour}, {line.status}: {line.played} of {line.matches} matches played."
    *most, last = map(_escaped, line.winners or ("",))
    won = f"{', '.join(most)} and {last}" if most else last
    winners = f"\n\nWon by {won}." if won else ""
    return f"# {name}\n\n{facts} {said}{winners}\n"


def _standing(shown: TourShown) -> str:
    ties = shown.plan.ties
    titles = [name.replace("_", " ") for name in ties]
    head = ("place", "name", "points", "played", "won", "drawn", "lost", "byes", "forfeits")
    rated = any(row.rating is not None for row in shown.standing)
    lines: list[Sequence[str]] = [(*head, *titles, *(("rating",) if rated else ()), "")]
    for row in standing_rows(shown):
        did = (row.played, row.wins, row.draws, row.losses, row.byes, row.forfeits)
        parted = [halves(row.ties[name]) if name in row.ties else "" for name in ties]
        rating = (_rating(row),) if rated else ()
        who = (str(row.place), _escaped(_called(row)), halves(row.points))
        lines.append((*who, *map(str, did), *parted, *rating, _escaped(row.mark)))
    return f"## Standing\n\n{_table(lines, texts=(1, len(lines[0]) - 1))}"


def _called(row: Standing) -> str:
    """An entrant's name; a team's with its players."""
    return f"{row.name} ({_JOINED.join(row.players)})" if len(row.players) > 1 else row.name


def _rating(row: Standing) -> str:
    if row.rating is None:
        return ""
    return f"{row.rating:.0f} ± {row.uncertainty or 0:.0f}"


def _cross(shown: TourShown, matches: Sequence[MatchLine]) -> str:
    rows = shown.standing
    head = ("", "", *(str(n) for n in range(1, len(rows) + 1)))
    lines: list[Sequence[str]] = [head]
    for n, (row, cells) in enumerate(zip(rows, cross_table(shown, matches), strict=True), 1):
        lines.append((str(n), _escaped(row.name), *map(_escaped, cells)))
    return f"## Cross-table\n\n{_table(lines, texts=(1,))}"


def _matches(rows: Sequence[PlayedMatch]) -> str:
    if not rows:
        return ""
    lines: list[Sequence[str]] = [("match", "round", "sides", "points", "how it ended", "table")]
    for row in rows:
        points = " : ".join(map(halves, row.points)) or row.status
        ended = row.reason or row.how
        if row.by_hand:
            ended = f"{ended} [by hand]"
        at = "" if row.table is None else str(row.table)
        sides = _escaped(" – ".join(row.sides))
        lines.append((str(row.match), str(row.round), sides, points, _escaped(ended), at))
    return f"## Matches\n\n{_table(lines, texts=(2, 4))}"


def _table(lines: Sequence[Sequence[str]], texts: tuple[int, ...]) -> str:
    """A Markdown table; the first line is the head, and all columns but `texts` are numbers."""
    head, *rest = lines
    rule = [("---" if n in texts else "---:") for n in range(len(head))]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *rest))


def _escaped(text: str) -> str:
    """The text in one line, with every sign escaped that means something to Markdown."""
    return "".join(c if c.isprintable() else " " for c in text).translate(_MEANING)
