"""A tour drawn for a terminal: how far it is, the standing with its cross-table, what runs.

The cross-table stands beside the standing where there is room for it, and what does not fit
on the screen is left off. Names come from anybody, and are cleaned here.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from rookery.cli.table.words import clock_words
from rookery.cli.terminal.output import clean
from rookery.cli.tours.known import KnownTour
from rookery.cli.tours.words import meeting
from rookery.core.ids import Micros
from rookery.core.tour_values import Row, TourLine
from rookery.notation.results import PAUSED, away_from, cross_table, halves

BAR_WIDTH: Final = 30
NAME_WIDTH: Final = 24  # what is longer is cut: a table is read by its columns
AROUND: Final = 6  # lines above and below the standing
RUNNING_SHOWN: Final = 4  # matches in the line of those that are played
_GAP: Final = 2


class Size(Struct, frozen=True):
    """The room for a picture, in columns and rows; None for as many rows as it needs."""

    width: int
    height: int | None = None


def picture(now: KnownTour, size: Size, left: Micros | None, *, bar: bool) -> RenderableType:
    """The whole tour at a glance."""
    parts: list[RenderableType] = [title(now, left)]
    if bar and now.matches:
        parts.append(_progress(now))
    if now.shown.standing:
        parts += [Text(), _standing(now, size)]
    running = now.running
    if running:
        some = "; ".join(
            f"{meeting(one.sides, now)} (table {one.table})" for one in running[:RUNNING_SHOWN]
        )
        more = len(running) - RUNNING_SHOWN
        text = f"Playing: {some}{f'; {more} more' if more > 0 else ''}."
        parts += [Text(), Text(clean(text), "dim")]
    return Group(*parts)


def title(now: KnownTour, left: Micros | None = None) -> Text:
    """The line on top of the picture: the tour's name, game, format, status and progress."""
    line, plan = now.shown.line, now.shown.plan
    name = f" {line.name}" if line.name else ""
    clock = "" if left is None else f", {clock_words(left)} left"
    entrants = f"{line.entrants} in it" if line.entrants else "nobody in it yet"
    played = f", {now.played} of {len(now.matches)} matches played" if now.matches else ""
    text = Text().append(clean(f"Tour {line.tour}{name}: "), "bold")
    text.append(clean(f"{plan.variant}, {plan.format}; {line.status}, {entrants}{played}{clock}"))
    return text


def tours_table(lines: Iterable[TourLine]) -> Table:
    """The table of tours, a line for each."""
    table = _table(("tour", "name", "game", "format", "status", "in it", "played", "won by"))
    for line in lines:
        played = f"{line.played}/{line.matches}" if line.matches else ""
        cells = (str(line.tour), line.name, line.variant, line.format, line.status)
        more = (str(line.entrants), played, ", ".join(line.winners))
        table.add_row(*(Text(clean(cell)) for cell in (*cells, *more)))
    return table


def _progress(now: KnownTour) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    total = len(now.matches)
    bar = ProgressBar(total=total, completed=now.played, width=BAR_WIDTH)
    grid.add_row(bar, f"{100 * now.played // total} %")
    return grid


def _standing(now: KnownTour, size: Size) -> RenderableType:
    rows = now.shown.standing
    shown = rows if size.height is None else rows[: max(3, size.height - AROUND)]
    head, lines = _columns(rows, shown, away_from(now.shown))
    cross = cross_table(now.shown, now.matches)
    numbers = [str(n) for n in range(1, len(rows) + 1)]
    widths = [max(map(cell_len, column)) for column in zip(head, *lines, strict=True)]
    wide = [
        max(cell_len(cell) for cell in (number, *column))
        for number, column in zip(numbers, zip(*cross, strict=True), strict=True)
    ]
    room = size.width - sum(widths) - sum(wide) - _GAP * (len(widths) + len(wide))
    fits = room >= 0 and len(rows) > 1 and bool(now.matches)
    # The cross-table stands behind the name, as in every printed one.
    table = _table((*head[:2], *(numbers if fits else ()), *head[2:]))
    for place, line in enumerate(lines):
        cells = (*line[:2], *(cross[place] if fits else ()), *line[2:])
        style = "dim" if rows[place].out else "bold" if rows[place].place == 1 else ""
        table.add_row(*(Text(cell, style) for cell in cells))
    if len(shown) == len(rows):
        return table
    return Group(table, Text(f"… and {len(rows) - len(shown)} more", "dim"))


def _columns(
    everyone: tuple[Row, ...], shown: tuple[Row, ...], away: frozenset[int]
) -> tuple[list[str], list[tuple[str, ...]]]:
    """The standing's head, and its lines; columns that say nothing are left off."""
    byes = any(row.byes for row in everyone)
    forfeits = any(row.forfeits for row in everyone)
    rated = any(row.rating is not None for row in everyone)
    out = bool(away) or any(row.out or row.paused for row in everyone)
    titles = ("", "name", "points", "played", "won", "drawn", "lost")
    wanted = (*(True for _ in titles), byes, forfeits, rated, out)
    lines = [
        (
            f"{row.place}.",
            _short(clean(row.name)),
            halves(row.points),
            *map(str, (row.played, row.wins, row.draws, row.losses, row.byes, row.forfeits)),
            "" if row.rating is None else f"{row.rating:.0f} ± {row.uncertainty or 0:.0f}",
            _mark(row, away),
        )
        for row in shown
    ]
    head = [
        t for t, w in zip((*titles, "byes", "forfeits", "rating", ""), wanted, strict=True) if w
    ]
    return head, [
        tuple(cell for cell, wants in zip(line, wanted, strict=True) if wants) for line in lines
    ]


def _mark(row: Row, away: frozenset[int]) -> str:
    """Why an entrant does not play, in a word; empty for one that does."""
    if row.out or row.paused:
        return clean(row.out) or PAUSED
    return "away" if row.entrant in away else ""


def _table(head: Iterable[str]) -> Table:
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    for title_ in head:
        table.add_column(title_, no_wrap=True)
    return table


def _short(name: str) -> str:
    return name if cell_len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…"
