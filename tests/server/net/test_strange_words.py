"""What strangers say: over the broker, and to an edge that passes on what it is asked."""

import asyncio
import socket
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from rookery.server.cluster.nats import NatsMessage, nats_client
from rookery.server.web.routes import BODY_MAX
from tests.server.cluster import Cluster, clustered, healthz, needs_broker
from tests.server.cluster_games import game, move
from tests.server.process import PATIENCE

pytestmark = needs_broker

GARBAGE = (b"", b"\xc1", b"{}", b"\x95\x01\x02\x03\x04\x05", bytes(70_000))
ENDS = 3  # of links, up and down, whose beats are heard
SUBJECTS = ("lead", "hello", "up.1.x", "web.up.1.x")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A hall and two edges."""
    with clustered(Path(tmp_path_factory.mktemp("strange"))) as made:
        yield made


def test_what_nobody_can_read_ends_neither_hall_nor_edge(cluster: Cluster) -> None:
    async def talk() -> None:
        client = nats_client()
        await client.connect(cluster.broker.url)
        heard, beaten = set[str](), asyncio.Event()

        async def hear(message: NatsMessage) -> None:
            heard.add(message.subject.removeprefix("rookery.main."))
            if sum(subject.startswith(("up.", "down.")) for subject in heard) > ENDS:
                beaten.set()

        await client.subscribe("rookery.main.>", cb=hear)
        await beaten.wait()
        for subject in sorted({*SUBJECTS, *heard}):
            for said in GARBAGE:
                await client.publish(f"rookery.main.{subject}", said)
        await client.sync()
        await client.close()

    asyncio.run(asyncio.wait_for(talk(), PATIENCE))
    ann, _, table = game(cluster)
    move(ann, table)
    assert cluster.hall is not None
    for part in (cluster.hall, cluster.edges[0]):
        assert healthz(part.port) == HTTPStatus.OK
        assert "cannot be read" in part.complaints()


def test_a_body_without_end_is_answered_and_not_kept(cluster: Cluster) -> None:
    """Who has no token is refused before anybody looks at what it says."""
    with socket.create_connection(("127.0.0.1", cluster.edges[0].port), PATIENCE) as line:
        head = "POST /api/tours HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        line.sendall(head.encode())
        chunk = b"%x\r\n%b\r\n" % (BODY_MAX // 2, b"x" * (BODY_MAX // 2))
        for _ in range(3):
            line.sendall(chunk)
        said = line.recv(1 << 16)
        assert b" 401 " in said.partition(b"\r\n")[0], said
