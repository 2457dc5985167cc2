"""The connection to the broker: what its client promises, and what we stand on."""

import asyncio

import pytest

from rookery.server.cluster.nats import NatsMessage, nats_client
from rookery_tools.bench.engines.nats import NatsEngine
from tests.server.cluster import needs_broker
from tests.server.process import PATIENCE

LONG = bytes(900_000)  # nearly all that one message may have
TIMES = 40  # more than the system keeps for who does not read


@needs_broker
def test_what_was_said_before_all_settled_is_with_the_broker() -> None:
    """Even where the connection is cut in the moment after."""
    broker = NatsEngine()

    async def talk() -> None:
        source, listener = nats_client(), nats_client()
        await source.connect(broker.url, pending_size=1 << 30)  # it writes nothing before
        await listener.connect(broker.url)
        heard, all_heard = list[int](), asyncio.Event()

        async def hear(message: NatsMessage) -> None:
            heard.append(len(message.data))
            if len(heard) == TIMES:
                all_heard.set()

        await listener.subscribe("said", cb=hear, pending_bytes_limit=-1)
        await listener.sync()
        for _ in range(TIMES):
            await source.publish("said", LONG)
        await source.sync()
        source._transport._io_writer.transport.abort()  # type: ignore[attr-defined] # noqa: SLF001
        await all_heard.wait()
        await listener.close()
        await source.close()

    try:
        asyncio.run(asyncio.wait_for(talk(), PATIENCE))
    finally:
        broker.kill()


@needs_broker
def test_who_is_cut_off_is_not_told_that_the_broker_has_all() -> None:
    broker = NatsEngine()

    async def talk() -> None:
        client, away = nats_client(), asyncio.Event()

        async def cut() -> None:
            away.set()

        await client.connect(broker.url, disconnected_cb=cut, max_reconnect_attempts=-1)
        broker.kill()
        await away.wait()
        with pytest.raises(ConnectionError, match="away"):
            await client.sync()
        await client.close()

    asyncio.run(asyncio.wait_for(talk(), PATIENCE))
