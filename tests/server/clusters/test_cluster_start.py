"""What is wrong when a part of a cluster begins: it is said in one sentence, or waited for."""

import asyncio
import logging
import signal
import threading
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from rookery.server.app import SIGNALS, run_on
from rookery.server.cluster.nats import Broker, NoBroker, lets_anybody_in, reach_broker
from rookery.server.cluster.standby import StandBy
from rookery.server.config import IN_MEMORY, Settings
from rookery.store.sqlite import SqliteStore
from rookery_tools.bench.engines.nats import NatsEngine
from rookery_tools.bench.engines.programs import spare_port
from tests.cli.running import run
from tests.postgres import needs_postgres, server
from tests.server.cluster import needs_broker

NOBODY = "nats://joe:secret@127.0.0.1:9"  # where nobody listens


@pytest.mark.parametrize("command", ["edge", "hall"])
def test_without_a_broker_no_part_begins_and_no_password_is_said(command: str) -> None:
    done = run(command, "--nats", NOBODY)
    assert done.exit_code == 2
    assert "There is no NATS server at 127.0.0.1:9: " in done.output
    assert "secret" not in done.output


@needs_broker
def test_a_broker_that_refuses_the_password_is_said_so() -> None:
    broker = NatsEngine("--user", "joe", "--pass", "right")
    try:
        right = f"nats://joe:right@127.0.0.1:{broker.port}"
        asyncio.run(reach_broker(right, 0))
        for wrong in (broker.url, right.replace("right", "wrong")):
            with pytest.raises(NoBroker, match="refuses the user and password of --nats"):
                asyncio.run(reach_broker(wrong, 0.01))
    finally:
        broker.kill()


@needs_broker
def test_a_broker_that_comes_in_time_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    port, begun = spare_port(), list[NatsEngine]()

    class Noted(logging.Handler):
        """Starts the broker once somebody has complained that there is none."""

        def emit(self, record: logging.LogRecord) -> None:
            if "Trying again for" in record.getMessage() and not begun:
                starting.start()

    starting = threading.Thread(target=lambda: begun.append(NatsEngine(port=port)))
    noted = Noted()
    logging.getLogger("rookery.server.cluster.nats").addHandler(noted)
    try:
        asyncio.run(reach_broker(f"nats://127.0.0.1:{port}", 60))
    finally:
        logging.getLogger("rookery.server.cluster.nats").removeHandler(noted)
        starting.join()
        begun[0].kill()
    assert "There is no NATS server at" in caplog.text


@needs_broker
def test_a_broker_that_was_left_is_not_listened_to() -> None:
    """Who is told to stop right after its start may have found the broker just then."""

    async def leave() -> None:
        engine = NatsEngine()
        broker = Broker(engine.url, "main")
        await broker.open()
        await broker.close()
        await broker.subscribe("lead", lambda _, __: None)
        engine.kill()

    asyncio.run(leave())


def test_who_is_told_to_stop_waits_no_longer() -> None:
    asyncio.run(reach_broker(NOBODY, 60, lambda: True))


@pytest.fixture
def signals() -> Iterator[None]:
    """What signals do here is what it was, afterwards."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, does in before.items():
        signal.signal(number, does)


@pytest.mark.usefixtures("signals")
def test_who_is_told_to_stop_when_the_log_becomes_its_own_does_not_lead() -> None:
    settings = Settings(data=IN_MEMORY, port=0, nats=NOBODY)
    standing = StandBy(settings, lambda _: None)
    standing.stop()
    asyncio.run(standing.wait())
    assert standing.store is None
    said: list[str] = []
    assert run_on(replace(settings, nats=""), SqliteStore(), said.append, standing.stopped) == 0
    assert "listens on" in said[0]


@pytest.mark.parametrize(
    ("greeting", "open_to_all"),
    [
        ({"host": "0.0.0.0"}, True),
        ({"host": "::"}, True),
        ({"host": "8.8.8.8"}, True),
        ({"host": "0.0.0.0", "auth_required": True}, False),
        ({"host": "0.0.0.0", "tls_verify": True}, False),
        ({"host": "127.0.0.1"}, False),
        ({"host": "10.0.0.9"}, False),
    ],
)
def test_a_broker_that_strangers_can_use_is_warned_of(
    greeting: dict[str, object], open_to_all: bool
) -> None:
    assert lets_anybody_in(greeting) is open_to_all


@needs_broker
@needs_postgres
def test_a_hall_on_tables_of_another_version_does_not_begin() -> None:
    server().run("CREATE DATABASE other", "postgres")
    for statement in (
        "CREATE SCHEMA rookery",
        "CREATE TABLE rookery.version (version integer NOT NULL)",
        "INSERT INTO rookery.version VALUES (99)",
    ):
        server().run(statement, "other")
    broker = NatsEngine()
    try:
        data = server().address("other")
        done = run("hall", "--nats", broker.url, "--data", data, "--wait", "60", "--port", "0")
    finally:
        broker.kill()
    assert done.exit_code == 2
    assert "Another version of Rookery wrote" in done.output


@needs_broker
def test_a_hall_without_its_database_does_not_begin_and_no_password_is_said() -> None:
    broker = NatsEngine()
    try:
        data = f"postgresql://joe:swordfish@127.0.0.1:{spare_port()}/hall"
        done = run("hall", "--nats", broker.url, "--data", data, "--port", "0")
    finally:
        broker.kill()
    assert done.exit_code == 2
    assert "cannot be reached: " in done.output
    assert "swordfish" not in done.output


@needs_broker
@needs_postgres
def test_a_hall_whose_database_refuses_it_does_not_begin_and_no_password_is_said() -> None:
    address = server().address("nowhere").replace("//postgres@", "//postgres:swordfish@")
    broker = NatsEngine()
    try:
        done = run("hall", "--nats", broker.url, "--data", address, "--port", "0")
    finally:
        broker.kill()
    assert done.exit_code == 2
    assert "There is no database at postgresql://" in done.output
    assert "swordfish" not in done.output
