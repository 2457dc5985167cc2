"""The broker's users as `docs/scale.md` has them: enough for edges to serve, and no more."""

import asyncio
import re
from http import HTTPStatus
from pathlib import Path

import pytest

from rookery.server.cluster.nats import nats_client
from rookery_tools.bench.engines.nats import NatsEngine
from tests.server.cluster import Cluster, get, needs_broker
from tests.server.cluster_games import game, move
from tests.server.process import PATIENCE

SCALE = Path(__file__).parents[3] / "docs" / "scale.md"


@pytest.fixture
def broker(tmp_path: Path) -> NatsEngine:
    """One that has these users."""
    (told,) = re.findall(r"```conf\n(.*?)```", SCALE.read_text("utf-8"), re.DOTALL)
    conf = tmp_path / "nats.conf"
    conf.write_text(told)
    return NatsEngine("-c", str(conf))


@needs_broker
def test_edges_serve_with_a_user_of_their_own(broker: NatsEngine, tmp_path: Path) -> None:
    hall = f"nats://hall:change-me@127.0.0.1:{broker.port}"
    edge = f"nats://edge:change-me-too@127.0.0.1:{broker.port}"
    cluster = Cluster(tmp_path, edges=0, hall=False)
    try:
        cluster.broker.url = hall
        cluster.start_hall()
        cluster.broker.url = edge
        cluster.edges += [cluster.start_edge() for _ in range(2)]
        for one in cluster.edges:
            cluster.attached(one)
        ann, bob, table = game(cluster)
        move(ann, table)
        move(bob, table)
        assert get(cluster.edges[0].port, "/api/tables")[0] == HTTPStatus.OK
        refused = asyncio.run(_says(edge, ["rookery.main.lead", "rookery.main.down.x"], 2))
        assert len(refused) == 2
        assert asyncio.run(_says(edge, ["rookery.main.hello"])) == []
    finally:
        cluster.close()
        broker.kill()


async def _says(url: str, subjects: list[str], refusals: int = 0) -> list[str]:
    """What the broker says to who says something there; so often it will refuse."""
    client, refused, told = nats_client(), list[str](), asyncio.Event()

    async def wrong(said: Exception) -> None:
        refused.append(str(said))
        if len(refused) == refusals:
            told.set()

    async with asyncio.timeout(PATIENCE):
        await client.connect(url, error_cb=wrong)
        for subject in subjects:
            await client.publish(subject, b"")
            await client.sync()
        if refusals:  # told by a task of the client's own
            await told.wait()
        await client.close()
    return refused
