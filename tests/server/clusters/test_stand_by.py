"""Halls with their log in a database: one leads, others stand by and take over."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http import HTTPStatus
from pathlib import Path

import pytest

from rookery.core.events import Played
from rookery.core.intents import LegalMoves, Play, Say
from rookery.server.app import TAKEN
from rookery.server.config import MINUTE
from tests.ports import spare_port
from tests.postgres import needs_postgres, server
from tests.server.cluster import Cluster, attachments, clustered, get, healthz, needs_broker
from tests.server.cluster_games import game, move, seat_of
from tests.server.process import PATIENCE
from tests.store.postgres.proxy import Proxy

pytestmark = [needs_broker, needs_postgres]

LEASE = "0.6"  # seconds
HOUR = 3600  # seconds


def in_database(lease: str = LEASE) -> tuple[str, ...]:
    """A hall with a lease of so many seconds."""
    address = server().hall()
    return ("--data", f"{address.secret}?hall={address.hall}", "--lease", lease)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Cluster]:
    """A hall in a database, and two edges."""
    with clustered(tmp_path, hall_flags=in_database()) as made:
        yield made


def again(cluster: Cluster, before: list[int]) -> None:
    """Wait until every edge has found another hall."""
    for edge, times in zip(cluster.edges, before, strict=True):
        cluster.attached(edge, times + 1)


def test_a_leader_that_is_killed_is_followed_and_nobody_is_hung_up_on(pair: Cluster) -> None:
    standing = pair.start_another("main")
    assert healthz(standing.port) == HTTPStatus.OK
    assert '"standing by"' in get(standing.port, "/healthz")[1]
    assert "rookery_leads 0" in get(standing.port, "/metrics")[1]
    assert get(standing.port, "/api/tables")[0] == HTTPStatus.SERVICE_UNAVAILABLE
    ann, bob, table = game(pair)
    move(ann, table)
    assert seat_of(bob) == seat_of(ann) == 0
    before = [attachments(edge.port) for edge in pair.edges]
    pair.kill_hall()
    again(pair, before)
    move(bob, table)
    assert seat_of(ann) == seat_of(bob) == 1
    assert '"ok"' in get(standing.port, "/healthz")[1]
    told = get(standing.port, "/metrics")[1]
    assert "rookery_leads 1" in told
    assert "rookery_epoch 2" in told
    assert "rookery_edges 2" in told
    assert 'rookery_commit_seconds_bucket{le="+Inf"}' in told
    assert (
        'rookery_answer_seconds_bucket{hall="main",le="+Inf"}'
        in get(pair.edges[0].port, "/metrics")[1]
    )


def test_clocks_of_machines_may_be_hours_apart(tmp_path: Path) -> None:
    with clustered(tmp_path, edges=0, hall=False, hall_flags=in_database()) as pair:
        pair.hall = pair.start_another("main", ahead=HOUR)
        pair.edges += [pair.start_edge(ahead=-HOUR), pair.start_edge(ahead=5 * HOUR)]
        for edge in pair.edges:
            pair.attached(edge)
        ann, bob, table = game(pair, "1m")
        move(ann, table)
        bob.news(Played)
        standing = pair.start_another("main", ahead=-2 * HOUR)
        before = [attachments(edge.port) for edge in pair.edges]
        pair.kill_hall()
        again(pair, before)
        assert "rookery_leads 1" in get(standing.port, "/metrics")[1]
        move(bob, table)
        ann.news(Played)
        told = ann.news(Played)
        assert isinstance(told.event, Played)
        assert told.event.seat == 1
        assert told.left is not None
        assert all(0 < left <= MINUTE for left in told.left)


def test_a_leader_that_is_told_to_stop_hands_over_at_once(tmp_path: Path) -> None:
    with clustered(tmp_path, hall_flags=in_database("600")) as pair:
        ann, bob, table = game(pair)
        pair.start_another("main")
        before = [attachments(edge.port) for edge in pair.edges]
        assert pair.hall is not None
        pair.hall.process.send_signal(signal.SIGTERM)
        ann.say(LegalMoves(table))
        moves = ann.answer().moves
        ann.done(Play(table, moves[0]))
        assert seat_of(bob) == 0
        assert pair.hall.gone() == 0
        again(pair, before)
        move(bob, table)


def test_a_leader_that_slept_too_long_tells_nobody_anything(pair: Cluster) -> None:
    ann, bob, table = game(pair)
    pair.start_another("main")
    before = [attachments(edge.port) for edge in pair.edges]
    assert pair.hall is not None
    os.kill(pair.hall.process.pid, signal.SIGSTOP)
    again(pair, before)
    ann.done(Say(table, "there"))
    os.kill(pair.hall.process.pid, signal.SIGCONT)
    assert pair.hall.gone() == TAKEN
    move(ann, table)
    assert seat_of(bob) == 0
    assert "Traceback" not in pair.complaints()


def stands_by(port: int) -> None:
    """Wait until a hall says at its port that it stands by."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError):
            if '"standing by"' in get(port, "/healthz")[1]:
                return
        time.sleep(0.02)
    raise AssertionError("it does not stand by")


def test_a_leader_that_alone_does_not_hear_the_broker_makes_way_and_takes_part_again(
    tmp_path: Path,
) -> None:
    flags = (*in_database("6"), "--deaf", "2")
    with clustered(tmp_path, hall=False, hall_flags=flags) as cluster, ExitStack() as stack:
        lines = [stack.enter_context(Proxy(cluster.broker.port)) for _ in range(2)]
        ports = [spare_port() for _ in lines]
        halls = [
            cluster.start_another(
                "main", "--nats", f"nats://127.0.0.1:{line.port}", f"--port={port}"
            )
            for line, port in zip(lines, ports, strict=True)
        ]
        for edge in cluster.edges:
            cluster.attached(edge)
        ann, bob, table = game(cluster, "1m")
        move(ann, table)
        assert seat_of(ann) == seat_of(bob) == 0
        for leader, mover in ((0, 1), (1, 0)):  # the one that made way takes part again
            lines[leader].refuse()
            lines[leader].cut_all()
            for edge in cluster.edges:
                cluster.attached(edge, leader + 2)
            move((ann, bob)[mover], table)
            assert seat_of(ann) == seat_of(bob) == mover
            stands_by(ports[leader])
            assert halls[leader].process.returncode is None
            lines[leader].admit()


def test_a_stand_by_goes_when_it_is_told_to(pair: Cluster) -> None:
    assert pair.start_another("main").stop() == 0
    ann, _, table = game(pair)
    move(ann, table)


def test_a_stand_by_waits_for_a_folder_too(tmp_path: Path) -> None:
    with clustered(tmp_path, edges=1) as cluster:
        standing = cluster.start_another("main")
        cluster.kill_hall()
        cluster.attached(cluster.edges[0], 2)
        assert "rookery_leads 1" in get(standing.port, "/metrics")[1]
