"""The engines that a cluster stands on, as its ordeal needs them: they are killed, too."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from rookery.store import Log


class DatabaseEngine(Protocol):
    """A PostgreSQL of our own."""

    @property
    def port(self) -> int:
        """Where it listens."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...

    def start(self) -> None:
        """Begin it anew, and wait until it answers."""
        ...

    def hanging(self) -> AbstractContextManager[None]:
        """It says nothing meanwhile, and none of its lines is cut."""
        ...


class BrokerEngine(Protocol):
    """A NATS of our own."""

    @property
    def port(self) -> int:
        """Where it listens."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...

    def again(self) -> None:
        """Begin it anew."""
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
