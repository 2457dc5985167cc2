"""Other clusters: a hall finds out over its broker whether it meets one by mistake.

Two clusters may have been given one database by mistake: then a stand-by waits for a leader
whose edges are on another broker, and would serve nobody when it led. And two databases may have
halls of one name on one broker: then edges go to the one with the higher epoch. We refuse
nothing for that, since a broker may be away for a while; but we say it in the log.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from msgspec import DecodeError

from rookery.server.links.broker import Broker, Carrying, nats_client
from rookery.server.links.broker_check import places
from rookery.server.links.frames import read_lead

log = logging.getLogger(__name__)

LOOK: Final = 0.5  # seconds between two looks
PATIENCE: Final = 5.0  # seconds beyond a lease; a leader announces itself twice a second
UNHEARD: Final = (
    "%s leads the hall %s by the log, and is not heard over NATS at %s: if it is of another "
    "cluster, give each a database of its own, or the hall another name."
)
ANOTHER: Final = (
    "Another hall %s, with a log of its own, leads on NATS at %s: edges go to whichever was begun "
    "more often. Give one of them another name, or a broker of its own."
)


class Silence:
    """For how long a leader that should be heard was not. It mutates."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._since: float | None = None  # when we last began to listen, or heard somebody
        self._said = False

    def heard(self, now: float) -> None:
        """Note that the leader was heard."""
        self._since, self._said = now, False

    def is_long(self, now: float, *, listens: bool) -> bool:
        """Whether the silence has become too long; True once in each silence."""
        if not listens:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        if self._said or now - self._since < self._patience:
            return False
        self._said = True
        return True


class StandByEar:
    """Listens on the broker for the leader that a stand-by waits for, and whether it answers."""

    def __init__(
        self,
        nats: str,
        hall: str,
        lease: float,
        leader: Callable[[], str],
        carrying: Callable[[], Carrying] = nats_client,
        *,
        note: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`note` is told twice a second whether the broker answers."""
        self._note = note
        self._words = hall, places(nats)
        self._leader = leader
        self._broker = Broker(nats, hall, carrying)
        self._silence = Silence(lease + PATIENCE)

    async def listen(self) -> None:
        """Listen until cancelled, and warn when the leader is not heard."""
        loop, broker = asyncio.get_running_loop(), self._broker
        try:
            await broker.open()
            await broker.hear("lead", lambda _, __: self._silence.heard(loop.time()))
            while True:
                self._note(await broker.answers())
                await asyncio.sleep(LOOK)
                if self._silence.is_long(loop.time(), listens=broker.connected):
                    log.warning(UNHEARD, self._leader(), *self._words)
        finally:
            broker.abandon()


class OtherLeaders:
    """Other halls that claim to lead this one's name, as its leader hears them. It mutates."""

    def __init__(self, nats: str, hall: str, lease: float, epoch: int) -> None:
        self._words = hall, places(nats)
        self._patience, self._epoch = lease + PATIENCE, epoch
        self._first: dict[int, float] = {}  # when each was heard first
        self._said = False

    def heard(self, said: bytes, now: float) -> None:
        """Note a claim to lead; log an error if another hall claims it for too long."""
        try:
            epoch = read_lead(said).epoch
        except DecodeError:
            return
        if epoch == self._epoch or self._said:
            return
        if len(self._first) > 1:
            self._first = {epoch: self._first.get(epoch, now)}
        since = self._first.setdefault(epoch, now)
        if now - since > self._patience:
            self._said = True
            log.error(ANOTHER, *self._words)
