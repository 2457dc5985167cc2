"""The measurements of `rookery_tools.bench` as tables: every number beside what it may be."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rich.table import Table

from rookery_tools.bench.figures import Figure
from rookery_tools.bench.hostile.fairness import Fairness
from rookery_tools.bench.hostile.hostile import BUDGET as FLOODED
from rookery_tools.bench.hostile.hostile import Beset
from rookery_tools.bench.machine import MachineFacts
from rookery_tools.bench.rules import Timing
from rookery_tools.bench.verdict import FigureVerdict, Word

_RULES: Final = ("game", "seats", "moves", "µs a move", "bare loop µs", "ratio", "budget µs")
_SERVER: Final = ("the whole server", "measured", "of all runs", "bare server", "ratio", "at most")
_VERDICTS: Final = ("the whole server", "old", "new", "ratio", "spread", "which is")
_STYLES: Final = {Word.FASTER: "green", Word.SLOWER: "red", Word.CANNOT_TELL: None}
_FAIRNESS: Final = (
    "situation",
    "games",
    "moves",
    "flags",
    "not by one's own account",
    "overcharged moves",
    "by at most",
    "own time a move",
    "charged a move",
)
_HOSTILE: Final = (
    *("a flood", "its answers/s", "p50 without", "p50 with", "p99 without", "p99 with"),
    *("a newcomer", "ratio", "middle half", "at most"),
)
_NONE: Final = "–"

Row = tuple[tuple[str, ...], bool | None]  # the cells, and whether it is within its budget


def facts(machine: MachineFacts) -> str:
    """A line about the machine that the measurements were made on."""
    return f"Python {machine.python}, {machine.platform}, {machine.cpus} CPUs"


def rules_table(timings: tuple[Timing, ...]) -> Table:
    """The table of what the rules alone cost, without a server."""
    table = _empty("The rules alone", _RULES)
    for timing in timings:
        cells = (
            timing.variant,
            str(timing.seats),
            str(timing.moves),
            f"{timing.micros:.2f}",
            f"{timing.bare_micros:.2f}",
            f"{timing.ratio:.1f}",
            _NONE if timing.budget is None else str(timing.budget),
        )
        _add(table, (cells, timing.within))
    return table


def fairness_table(rows: tuple[Fairness, ...]) -> Table:
    """The table of the time that players with short clocks lost to the server."""
    table = _empty("Short clocks: 0.2 s + 2 ms", _FAIRNESS)
    for row in rows:
        numbers = (row.games, row.moves, row.flags, row.robbed, row.over)
        times = (row.worst, row.own, row.charged)
        _add(table, ((row.situation, *map(str, numbers), *map(_time, times)), row.within))
    return table


def figures_table(figures: Sequence[Figure], notes: Mapping[str, str]) -> Table:
    """The table of what servers cost, by medians; a line for each row that was not measured."""
    table = _empty("The server, its log on; medians", _SERVER)
    for figure in figures:
        times = _NONE if figure.times is None else f"{figure.times:.1f}×"
        bare = _NONE if figure.bare is None else _number(figure.bare, figure.unit)
        spread = _spread(figure.values)
        cells = (figure.name, _number(figure.value, figure.unit), spread, bare, times)
        _add(table, ((*cells, _budget(figure)), figure.within))
    for name, why in notes.items():
        _add(table, ((f"not measured ({name}): {why}", *[_NONE] * (len(_SERVER) - 1)), None))
    return table


def verdicts_table(verdicts: Iterable[FigureVerdict]) -> Table:
    """The table of figures that became faster or slower, or of which that cannot be told."""
    table = Table(title="Old and new; medians, and what runs differ by anyway")
    for n, heading in enumerate(_VERDICTS):
        table.add_column(heading, justify="right" if n else "left")
    for one in verdicts:
        table.add_row(
            f"{one.row}: {one.name.strip()}",
            *(_number(value, one.unit) for value in (one.old, one.new)),
            f"{one.ratio:.2f}×",
            f"±{one.spread:.0%}",
            one.word.value,
            style=_STYLES[one.word],
        )
    return table


def _budget(figure: Figure) -> str:
    if figure.budget is None:
        return _NONE
    unit = "×" if figure.budget.bare else f" {figure.unit}"
    return f"{figure.budget.most:g}{unit}, goal {figure.budget.goal:g}{unit}"


def _number(value: float, unit: str) -> str:
    """Three digits, which is more than two runs agree on."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f} {unit}"


def _spread(values: Sequence[float]) -> str:
    if len(values) < 2:
        return _NONE
    return "–".join(_number(one, "").strip() for one in (min(values), max(values)))


def hostile_table(floods: tuple[Beset, ...]) -> Table:
    """The table of how long a bystander waits for answers, without and with each flood."""
    table = _empty("A bystander's move, without and with a flood from its own host", _HOSTILE)
    for one in floods:
        times = (one.p50, one.flooded_p50, one.p99, one.flooded_p99, one.newcomer)
        low, high = one.ratios
        ratio = (f"{one.ratio:.1f}×", f"{low:.1f}–{high:.1f}", f"{FLOODED:g}×")
        cells = (one.flood, str(one.flood_a_second), *map(_time, times), *ratio)
        _add(table, (cells, one.within))
    return table


def _time(micros: int) -> str:
    return f"{micros / 1000:.1f} ms" if micros >= 10_000 else f"{micros} µs"


def _empty(title: str, headings: tuple[str, ...]) -> Table:
    table = Table(title=title)
    for n, heading in enumerate(headings):
        table.add_column(heading, justify="right" if n else "left")
    table.add_column("within?")
    return table


def _add(table: Table, row: Row) -> None:
    cells, within = row
    word = {None: _NONE, True: "yes", False: "no"}[within]
    table.add_row(*cells, word, style="red" if within is False else None)
