"""The engines that a cluster stands on, as its crash test needs them: they are killed, too."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Protocol

from rookery.store import Log
from rookery_tools.bench.engines.nats import NatsEngine
from rookery_tools.bench.engines.postgres import PostgresEngine


class DatabaseEngine(Protocol):
    """A PostgreSQL of our own."""

    @property
    def port(self) -> int:
        """The port where the engine listens."""
        ...

    def kill(self) -> None:
        """Kill the engine at once."""
        ...

    def start(self) -> None:
        """Start the engine anew, and wait until it answers."""
        ...

    def hanging(self) -> AbstractContextManager[None]:
        """Let the engine answer nothing while this lasts, with all its lines intact."""
        ...


class BrokerEngine(Protocol):
    """A NATS of our own."""

    @property
    def port(self) -> int:
        """The port where the engine listens."""
        ...

    def kill(self) -> None:
        """Kill the engine at once."""
        ...

    def again(self) -> None:
        """Start the engine anew."""
        ...


class Engines:
    """Both, and the log that a hall has there."""

    def __init__(
        self,
        database: DatabaseEngine,
        broker: BrokerEngine,
        address_at: Callable[[int], str],
        open_log: Callable[[], Log],
    ) -> None:
        self.database = database
        self.broker = broker
        self.address_at = address_at  # the hall's address, by this port
        self.open_log = open_log


Another = Callable[[], Engines]  # the same engines, with a hall that nobody had before


@contextmanager
def our_engines(folder: Path) -> Iterator[Another]:
    """A PostgreSQL and a NATS, which are gone afterwards. Raises NoEngine."""
    from rookery.store.address import read_address  # where they are wanted
    from rookery.store.postgres import open_hall

    broker = NatsEngine()
    numbers = count(1)
    try:
        database = PostgresEngine(str(folder))
        try:

            def another() -> Engines:
                hall = f"day-{next(numbers)}"

                def address(port: int) -> str:
                    return f"{database.address(port=port)}?hall={hall}"

                log = partial(open_hall, read_address(address(database.port)))
                return Engines(database, broker, address, log)

            yield another
        finally:
            database.remove()
    finally:
        broker.kill()
