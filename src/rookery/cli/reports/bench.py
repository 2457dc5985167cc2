"""The measurements of `rookery.bench` as tables: every number beside what it may be."""

from collections.abc import Iterator
from typing import Final

from rich.table import Table

from rookery.bench.hostile.fairness import Fairness
from rookery.bench.hostile.hostile import BUDGET as FLOODED
from rookery.bench.hostile.hostile import Beset
from rookery.bench.house import HouseBots
from rookery.bench.idle import Idle
from rookery.bench.machine import Machine
from rookery.bench.moves import Load
from rookery.bench.restart import Restart
from rookery.bench.rules import Timing
from rookery.bench.server import ServerReport
from rookery.bench.spectators import Spectators
from rookery.bench.tour import TourCourse

_RULES: Final = ("game", "seats", "moves", "µs a move", "bare loop µs", "ratio", "budget µs")
_SERVER: Final = ("the whole server", "measured", "bare server", "ratio", "budget")
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
    *("ratio", "budget"),
)
_NONE: Final = "–"

Row = tuple[tuple[str, ...], bool | None]  # the cells, and whether it is within its budget


def facts(machine: Machine) -> str:
    """Where it was measured."""
    return f"Python {machine.python}, {machine.platform}, {machine.cpus} CPUs"


def rules_table(timings: tuple[Timing, ...]) -> Table:
    """What the rules alone cost."""
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
    """What players with short clocks lost to the server."""
    table = _empty("Short clocks: 0.2 s + 2 ms", _FAIRNESS)
    for row in rows:
        numbers = (row.games, row.moves, row.flags, row.robbed, row.over)
        times = (row.worst, row.own, row.charged)
        _add(table, ((row.situation, *map(str, numbers), *map(_time, times)), row.within))
    return table


def server_table(report: ServerReport) -> Table:
    """What a server costs, with a line for everything that could not be measured."""
    table = _empty("The server, its log on", _SERVER)
    for load in (report.full, report.light):
        if load is not None:
            for row in _load_rows(load):
                _add(table, row)
    if report.disk_micros is not None:
        _add(table, _row("the disk makes a page safe in", _time(report.disk_micros)))
    for row in _idle_rows(report.idle) if report.idle is not None else ():
        _add(table, row)
    for row in _spectator_rows(report.spectators) if report.spectators is not None else ():
        _add(table, row)
    for row in _restart_rows(report.restart) if report.restart is not None else ():
        _add(table, row)
    for row in _tour_rows(report.tour) if report.tour is not None else ():
        _add(table, row)
    for row in _house_rows(report.house) if report.house is not None else ():
        _add(table, row)
    for name, why in report.notes.items():
        _add(table, _row(f"not measured ({name}): {why}", _NONE))
    return table


def hostile_table(floods: tuple[Beset, ...]) -> Table:
    """What a bystander's answers take beside each flood."""
    table = _empty("A bystander's move, without and with a flood from its own host", _HOSTILE)
    for one in floods:
        times = (one.p50, one.flooded_p50, one.p99, one.flooded_p99)
        ratio = (f"{one.ratio:.1f}×", f"{FLOODED:g}×")
        cells = (one.flood, str(one.flood_a_second), *map(_time, times), *ratio)
        _add(table, (cells, one.within))
    return table


def _load_rows(load: Load) -> Iterator[Row]:
    tables = "1 table" if load.tables == 1 else f"{load.tables} tables"
    budget = f"{load.budget:g}×, goal {load.goal:g}×" if load.budget and load.goal else _NONE
    cpu = (f"{load.micros:.1f} µs", f"{load.bare_micros:.1f} µs", f"{load.ratio:.1f}×")
    yield (f"CPU a move, {tables}", *cpu, budget), load.within
    yield _row("  CPU a move of the load that drives it", f"{load.load_micros:.1f} µs")
    yield _row(
        f"  answer to a move, p50, at {load.moves_a_second} moves/s",
        _time(load.p50),
        _time(load.bare_p50),
    )
    yield _row("  answer to a move, p99", _time(load.p99), _time(load.bare_p99))


def _idle_rows(idle: Idle) -> Iterator[Row]:
    budget = _NONE if idle.budget is None else f"{idle.budget} MB"
    name = f"memory with {idle.sessions} idle sessions"
    yield (name, f"{idle.memory:.0f} MB", _NONE, _NONE, budget), idle.within
    yield _row("  time to connect and greet them", f"{idle.seconds:.2f} s")
    yield _row("  CPU while nothing happens", f"{idle.cpu_percent:.1f} %")
    if idle.note:
        yield _row(f"  {idle.note}", _NONE)


def _spectator_rows(watched: Spectators) -> Iterator[Row]:
    yield _row(f"CPU a move, {watched.watchers} look on", f"{watched.micros / 1000:.1f} ms")
    yield _row("  the same where all want views", f"{watched.views_micros / 1000:.1f} ms")
    yield _row("  answer to a move, p50, players answer at once", _time(watched.p50))
    yield _row("  answer to a move, p99", _time(watched.p99))


def _restart_rows(restart: Restart) -> Iterator[Row]:
    budget = _NONE if restart.budget is None else f"{restart.budget:g} s"
    name = f"restart with {restart.tables} running tables of {restart.moves} moves"
    yield (name, f"{restart.seconds:.2f} s", _NONE, _NONE, budget), restart.within
    yield _row("  start with an empty log", f"{restart.empty_seconds:.2f} s")
    yield _row("  first look at one of the tables", f"{restart.show_millis:.1f} ms")
    yield _row("  memory", f"{restart.memory:.0f} MB")


def _tour_rows(tour: TourCourse) -> Iterator[Row]:
    name = f"a tournament of {tour.clients} nim clients, {tour.matches} matches"
    yield _row(name, f"{tour.seconds:.2f} s", f"{tour.bare_seconds:.2f} s")
    yield _row(f"  CPU a move, of {tour.moves}", f"{tour.micros:.1f} µs")
    yield _row("  matches a second", str(tour.matches_a_second))


def _house_rows(house: HouseBots) -> Iterator[Row]:
    beside = f"{house.tables} tables of level-{house.level} house bots"
    yield _row(f"answer to a move beside {beside}, p50", _time(house.bots_p50))
    yield _row("  the same without the bots", _time(house.p50))
    yield _row(f"  p99, at {house.bot_moves_a_second} bot moves/s", _time(house.bots_p99))
    yield _row("  the same without the bots", _time(house.p99))


def _row(what: str, measured: str, bare: str = _NONE) -> Row:
    """A number without a budget."""
    return (what, measured, bare, _NONE, _NONE), None


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
