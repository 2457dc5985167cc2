"""A whole server is measured at a small scale: every number is there. No time is asserted."""

from pathlib import Path

import msgspec
import pytest

from rookery.bench.idle import BUDGET_FOR as SESSIONS
from rookery.bench.moves import BUDGET_FROM
from rookery.bench.restart import BUDGET_FOR as TABLES
from rookery.bench.server import FULL, QUICK, ServerReport, measure_server


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> ServerReport:
    return measure_server(QUICK, tmp_path_factory.mktemp("logs"), lambda _: None)


def test_everything_is_measured(report: ServerReport) -> None:
    assert report.notes == {}
    assert None not in msgspec.structs.astuple(report)


def test_a_light_load_is_one_table(report: ServerReport) -> None:
    assert report.light is not None
    assert (report.light.load, report.light.tables) == ("light", 1)
    assert report.light.moves > 0


def test_a_full_load_is_reversi_and_nim(report: ServerReport) -> None:
    assert report.full is not None
    assert (report.full.load, report.full.tables, report.full.rounds) == ("full", 2, 1)
    assert report.full.moves > 60


def test_no_number_of_a_load_is_missing(report: ServerReport) -> None:
    for load in (report.light, report.full):
        assert load is not None
        assert load.micros > 0
        assert load.bare_micros > 0
        assert load.load_micros > 0
        assert 0 < load.p50 <= load.p99
        assert 0 < load.bare_p50 <= load.bare_p99
        assert 0 < load.bytes_in < load.bytes_out


def test_idle_sessions_take_memory(report: ServerReport) -> None:
    assert report.idle is not None
    assert (report.idle.sessions, report.idle.note) == (QUICK.sessions, "")
    assert report.idle.memory >= report.idle.memory_before > 0


def test_a_table_is_looked_at_by_many(report: ServerReport) -> None:
    assert report.spectators is not None
    assert (report.spectators.watchers, report.spectators.moves) == (QUICK.watchers, 60)
    assert report.spectators.micros > 0
    assert report.spectators.views_micros > 0
    assert 0 < report.spectators.p50 <= report.spectators.p99


def test_a_restart_finds_every_record(report: ServerReport) -> None:
    assert report.restart is not None
    players, opened, seeded, sat, started, moves = 2, 1, 1, 2, 1, 20
    each = players + opened + seeded + sat + started + moves
    assert report.restart.records == QUICK.running * each


def test_a_tournament_is_played_to_its_end(report: ServerReport) -> None:
    assert report.tour is not None
    assert (report.tour.clients, report.tour.matches) == (4, 12)
    assert report.tour.moves >= 3 * report.tour.matches
    assert report.tour.seconds > 0
    assert report.tour.bare_seconds > 0


def test_people_are_answered_beside_bots_that_play(report: ServerReport) -> None:
    assert report.house is not None
    assert (report.house.tables, report.house.level) == (QUICK.bots, 3)
    assert report.house.moves > 0
    assert 0 < report.house.p50 <= report.house.p99
    assert 0 < report.house.bots_p50 <= report.house.bots_p99


def test_a_budget_is_only_for_the_size_it_speaks_of(report: ServerReport) -> None:
    for part in (report.light, report.full, report.idle, report.restart):
        assert part is not None
        assert (part.budget, part.within) == (None, None)
    assert (FULL.sessions, FULL.running) == (SESSIONS, TABLES)
    assert FULL.tables >= BUDGET_FROM


def test_what_cannot_be_measured_is_noted(tmp_path: Path) -> None:
    said: list[str] = []
    nothing = measure_server(QUICK, tmp_path / "nowhere", said.append)
    assert set(nothing.notes) == set(msgspec.structs.asdict(nothing)) - {"notes"}
    assert all("No such file" in why for why in nothing.notes.values())
    assert len(said) == len(nothing.notes)
