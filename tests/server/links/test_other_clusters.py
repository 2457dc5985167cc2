"""Two clusters where there should be one: whoever can hear it says so, in a sentence."""

import asyncio
from collections.abc import Callable

import pytest

from rookery.server.links import other_clusters
from rookery.server.links.frames import Lead, encode
from rookery.server.links.other_clusters import PATIENCE, OtherLeaders, Silence, StandByEar
from rookery_tools.bench.engines.nats import NatsEngine
from tests.server.cluster import needs_broker

LEASE = 6.0
LONG = LEASE + PATIENCE + 1


def test_silence_is_long_once_and_only_while_one_listens() -> None:
    silence = Silence(10)
    looks = [(0, True), (9, True), (10, True), (11, True), (30, False), (31, True), (40, True)]
    assert [silence.is_long(now, listens=listens) for now, listens in looks] == [
        *(False, False, True, False),
        *(False, False, False),
    ]
    assert not silence.is_long(42, listens=True)  # it was said before
    silence.heard(43)
    assert not silence.is_long(50, listens=True)
    assert silence.is_long(53, listens=True)


def test_another_leader_that_stays_is_told_of_once(caplog: pytest.LogCaptureFixture) -> None:
    others = OtherLeaders("nats://joe:secret@10.0.0.9", "main", LEASE, 5)
    for now in range(int(LONG)):
        others.heard(encode(Lead(5)), now)
        others.heard(b"\xc1", now)
        others.heard(encode(Lead(7)), now)
    assert caplog.text == ""
    for _ in range(2):
        others.heard(encode(Lead(7)), LONG)
    assert caplog.text.count("Another hall main, with a log of its own") == 1
    assert "secret" not in caplog.text


def test_who_led_before_us_and_understands_it_is_no_stranger(
    caplog: pytest.LogCaptureFixture,
) -> None:
    others = OtherLeaders("nats://joe:secret@10.0.0.9", "main", LEASE, 5)
    for epoch in (4, 6):
        others.heard(encode(Lead(epoch)), 0.0)
    others.heard(encode(Lead(8)), LONG)
    assert caplog.records == []


@needs_broker
def test_a_stand_by_says_that_it_does_not_hear_who_leads(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Two clusters on one database: the leader that the log names is on another broker."""
    monkeypatch.setattr(other_clusters, "LOOK", 0.01)
    monkeypatch.setattr(other_clusters, "PATIENCE", 0.0)
    engine = NatsEngine()
    asyncio.run(_hear(engine.url, lambda: "is not heard over NATS" in caplog.text))
    engine.kill()
    assert "vm:12 leads the hall main by the log, and is not heard over NATS at" in caplog.text


async def _hear(url: str, said: Callable[[], bool]) -> None:
    ear = asyncio.ensure_future(StandByEar(url, "main", 0.2, lambda: "vm:12").listen())
    while not said() and not ear.done():
        await asyncio.wait({ear}, timeout=0.01)
    ear.cancel()
    await asyncio.wait({ear})
