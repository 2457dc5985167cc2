"""The crash test in small: a few kills over all languages; its judge sees what is wrong."""

import asyncio
import shutil
from functools import partial
from pathlib import Path

import pytest

from rookery.cli.bot import PILOTS
from rookery.core.chance import Chance
from rookery.core.events import Opened, PublicEvent, Seeded, Started
from rookery.core.ids import MICROS_A_SECOND, PlayerId, Seat, TableId
from rookery.core.intents import Play
from rookery.core.messages import Done
from rookery.core.policy import Policy
from rookery.store.sqlite import open_for_reading
from rookery_tools.crashtest.clients.lines import CrashtestLine
from rookery_tools.crashtest.day import DayReport
from rookery_tools.crashtest.machine.machine import FROZEN, CrashtestOutage, ServerGone
from rookery_tools.crashtest.machine.power import SECTOR, SYNC, WRITE, DiskStep, Platter
from rookery_tools.crashtest.observer.claims import Claims, EventHeard, Sighting
from rookery_tools.crashtest.observer.judge import Judge
from rookery_tools.crashtest.observer.ledger import Charge, CrashtestLedger
from rookery_tools.crashtest.reporting import report_lines
from rookery_tools.crashtest.run import POWER, CrashtestReport, run
from rookery_tools.sim.frames import Frames
from rookery_tools.sim.observer.clocks import CLOCK
from rookery_tools.sim.observer.keeping import KEPT, ORDER, SAFE
from rookery_tools.sim.observer.observer import ENDS
from rookery_tools.sim.observer.transcript import Exchange, Transcript
from rookery_tools.sim.observer.verdict import Failing

TABLE = TableId(1)
OPENED = Opened("nim", 1, 2, "none", Policy())


def test_a_few_kills_and_power_cuts_lose_nothing_in_any_language(tmp_path: Path) -> None:
    report = run(5, 12, 7, tmp_path, lambda _: None)
    assert report.all_failings == []
    (day,) = report.days
    assert day.kills == 5
    assert set(day.by_language) == set(PILOTS)
    assert day.judged["news"] > day.moves > 0
    assert day.http > 0
    assert report.images == (12 if shutil.which("gcc") or shutil.which("cc") else 0)


# -- what the judge sees


def judged(ledger: CrashtestLedger, claims: Claims, *outages: CrashtestOutage) -> list[str]:
    return [failing.judgement for failing in Judge(ledger, claims, outages).look()]


@pytest.fixture
def ledger(tmp_path: Path) -> CrashtestLedger:
    found = CrashtestLedger(partial(open_for_reading, tmp_path / "log"))
    found.at = {(TABLE, 1): OPENED, (TABLE, 2): Seeded(5), (TABLE, 3): Started()}
    found.boards["ann", Seat(0), "board"] = [(TABLE, 3)]
    found.boards["ann", Seat(0), "later"] = [(TABLE, 5)]
    return found


def news(*numbers: int) -> Claims:
    claims = Claims()
    events: dict[int, PublicEvent] = {1: OPENED, 3: Started(), 4: Started()}
    claims.heard += [EventHeard(0, "ann", TABLE, n, events[n]) for n in numbers]
    return claims


def test_what_is_in_the_log_may_be_heard(ledger: CrashtestLedger) -> None:
    assert judged(ledger, news(1, 3)) == []


def test_what_was_heard_and_is_not_in_the_log_is_found(ledger: CrashtestLedger) -> None:
    assert judged(ledger, news(3, 4)) == [SAFE]


def test_another_event_than_the_logs_is_found(ledger: CrashtestLedger) -> None:
    ledger.at[TABLE, 3] = Seeded(5)
    assert judged(ledger, news(3)) == [KEPT]


@pytest.mark.parametrize(
    ("keys", "found"),
    [(("board", "later"), []), (("other",), [SAFE]), (("later", "board"), [ORDER])],
)
def test_a_board_that_never_was_or_came_back_is_found(
    ledger: CrashtestLedger, keys: tuple[str, ...], found: list[str]
) -> None:
    claims = Claims()
    claims.sightings += [Sighting(0, "ann", 1, Seat(0), key) for key in keys]
    assert judged(ledger, claims) == found


@pytest.mark.parametrize(("spent", "found"), [(1, []), (2, [CLOCK])])
@pytest.mark.parametrize("kind", ["kill", FROZEN])
def test_time_that_the_server_was_away_is_found_on_a_clock(
    ledger: CrashtestLedger, kind: str, spent: int, found: list[str]
) -> None:
    second = MICROS_A_SECOND
    ledger.charges.append(Charge("ann", TABLE, spent * second, 0, 4 * second))
    outage = CrashtestOutage(kind, 0, 3 * second)
    assert judged(ledger, Claims(), outage) == found


@pytest.mark.parametrize(("at", "found"), [(2, []), (5, [CLOCK])])
def test_who_goes_in_good_order_may_decide_until_another_does(
    ledger: CrashtestLedger, at: int, found: list[str]
) -> None:
    """What it decides is charged as ever; what the next decides counts from when that one led."""
    second = MICROS_A_SECOND
    ledger.charges.append(Charge("ann", TABLE, at * second, 0, at * second))
    outage = CrashtestOutage("kill", second, 3 * second, decides_until=4 * second)
    assert judged(ledger, Claims(), outage) == found


def test_a_move_that_was_said_to_be_done_and_is_not_in_the_log_is_found(
    ledger: CrashtestLedger,
) -> None:
    claims = Claims()
    asked = Exchange(1, 0, Play(TABLE, "1"), 1, Done(TABLE))
    claims.transcripts["ann"] = Transcript("ann", PlayerId(1), exchanges=[asked])
    assert [failing.judgement for failing in Judge(ledger, claims, ()).close()] == [KEPT]


# -- the wire and the disk


def test_messages_of_a_websocket_may_be_cut_anywhere() -> None:
    long = b"x" * 300
    stream = b"\x81\x02hi\x89\x00\x81\x7e\x01\x2c" + long
    frames = Frames()
    found = [one for at in range(len(stream)) for one in frames.feed(stream[at : at + 1])]
    assert found == [(1, b"hi"), (9, b""), (1, long)]


def test_what_was_synced_is_there_and_of_the_rest_any_sectors() -> None:
    platter = Platter(b"")
    platter.take(DiskStep(0, WRITE, 1, 0, b"a" * SECTOR))
    platter.take(DiskStep(0, SYNC, 1, 0))
    platter.take(DiskStep(0, WRITE, 1, SECTOR, b"b" * 2 * SECTOR))
    left = {platter.left(Chance(seed)) for seed in range(200)}
    assert all(one.startswith(b"a" * SECTOR) for one in left)
    assert b"a" * SECTOR in left
    assert b"a" * SECTOR + b"b" * 2 * SECTOR in left
    assert b"a" * SECTOR + bytes(SECTOR) + b"b" * SECTOR in left, "the second came before the first"
    assert any(len(one) % SECTOR for one in left), "one is torn"


# -- the report


def test_complaints_are_counted_by_kind_and_none_is_left_out() -> None:
    failings = [Failing(SAFE, f"ann heard event {n} of table 7") for n in range(30)]
    report = CrashtestReport(
        days=[DayReport(kills=1, failings=[*failings, Failing(KEPT, "tour 3")])]
    )
    lines = list(report_lines(report, 60.0))
    assert "wrong: 31" in lines
    assert f"WRONG  30 times, {SAFE}: ann heard event # of table #" in lines
    assert f"WRONG  1 times, {KEPT}: tour #" in lines


def test_what_is_found_later_comes_later() -> None:
    """A day's power cuts are judged before the next day begins."""
    first, later = Failing(POWER, "an image"), Failing(SAFE, "the next day")
    report = CrashtestReport(days=[DayReport(failings=[first])])
    before = report.all_failings
    report.days.append(DayReport(failings=[later]))
    assert report.all_failings == [*before, later]


def test_a_day_that_breaks_off_is_a_complaint_and_not_the_end(tmp_path: Path) -> None:
    raised = iter([ServerGone("No server begins")])

    def progress(_: CrashtestReport) -> None:
        for gone in raised:
            raise gone

    report = run(2, 0, 7, tmp_path, progress)
    assert [failing.judgement for failing in report.all_failings] == [ENDS], report.all_failings
    assert report.days[0].kills == 1


class Noting:
    """Whose line it is."""

    def __init__(self) -> None:
        self.happened: list[str] = []

    def connected(self, line: CrashtestLine) -> None:  # noqa: ARG002 # as it is called
        """It stands."""
        self.happened.append("connected")

    def heard(self, came: bytes) -> None:
        """This came."""

    def lost(self) -> None:
        """It is gone."""

    def noted(self, mark: str, words: bytes) -> None:
        """This happens to it."""
        self.happened.append(f"{mark} {words.decode()}")


def test_a_line_to_a_server_that_was_killed_just_then_is_no_mistake() -> None:
    """The system does not say any more whom it leads to."""
    caller = Noting()
    CrashtestLine(caller, framed=False).connection_made(asyncio.Transport())
    assert caller.happened == ["called nobody", "connected"]
