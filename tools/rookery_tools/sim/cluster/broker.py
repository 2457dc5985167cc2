"""A broker between processes: it delays, loses, says things twice, and is away.

It promises what NATS does without streams: a message comes at most once, and messages of one client
come to another in order. Messages under way when a connection is cut are lost; a client that has
not noticed the cut loses what it sends meanwhile; one that has, keeps it until it is connected
again. Frames are also sent twice, which NATS does not do: receivers number them and do not mind.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.server.cluster.nats import NatsMessage
from rookery_tools.sim.machine.agenda import MICRO, MILLI, SECOND, Nanos, WorldAgenda
from rookery_tools.sim.machine.loop import SimLoop

DELAY: Final = (100 * MICRO, 2 * MILLI)  # from one end to the other on a good day
LATE: Final = 600 * MILLI  # and on a bad one
LOSES, TWICE = 25, 25  # one message in so many, on a bad day
NOTICES: Final = 2 * SECOND  # until who was cut off knows it
FLUSH: Final = 10.0  # seconds that nats-py waits for an answer
WEB: Final = ".web."  # what is not numbered, and so not said twice

Tell = Callable[[NatsMessage], Awaitable[None]]


class BrokerMessage(Struct):
    """A message, as nats-py has them; it is never changed."""

    subject: str
    data: bytes


class SimBroker:
    """The broker of a world."""

    def __init__(self, agenda: WorldAgenda, chance: Chance, counts: dict[str, int]) -> None:
        self.agenda = agenda
        self.chance = chance
        self.counts = counts
        self.clients: list[SimClient] = []
        self.down: Nanos = 0  # until then nobody can connect
        self._bad: Nanos = 0  # until then it carries badly
        self._last: dict[tuple[SimClient, SimClient], Nanos] = {}

    # -- what goes wrong

    def go_down(self, until: Nanos) -> None:
        """Let the broker be away until then, and cut off every client."""
        self.down = until
        for client in list(self.clients):
            client.cut(until)

    def carry_badly(self, until: Nanos) -> None:
        """Let the broker be slow and lose messages until then."""
        self._bad = until

    def mend(self) -> None:
        """Let the broker work well from now on, and every client come back."""
        self.down = self._bad = 0
        for client in self.clients:
            client.away = min(client.away, self.agenda.now)

    # -- carrying

    def carry(self, sender: "SimClient", said: BrokerMessage) -> None:
        """Bring a message to all clients that subscribed to its subject."""
        for client in self.clients:
            for subject, tell in client.wants.items():
                if _matches(subject, said.subject):
                    self._bring(sender, client, tell, said)

    def _bring(
        self, sender: "SimClient", client: "SimClient", tell: Tell, said: BrokerMessage
    ) -> None:
        bad, times = self.agenda.now < self._bad, 1
        if bad and not self.chance.below(LOSES):
            self.counts["messages lost"] += 1
            return
        if bad and WEB not in said.subject and not self.chance.below(TWICE):
            self.counts["messages twice"] += 1
            times = 2
        for _ in range(times):
            wait = self.chance.between(*DELAY) + (self.chance.below(LATE) if bad else 0)
            at = max(self.agenda.now + wait, self._last.get((sender, client), 0))
            self._last[sender, client] = at
            self.agenda.at(at, partial(client.hear, client.cuts, tell, said))

    def forget(self, client: "SimClient") -> None:
        """Forget a client that is gone."""
        if client in self.clients:
            self.clients.remove(client)
        self._last = {pair: at for pair, at in self._last.items() if client not in pair}


class SimClient:
    """One connection to the broker, as nats-py has it and as far as it is used."""

    def __init__(self, broker: SimBroker, loop: SimLoop) -> None:
        self._broker = broker
        self._loop = loop
        self.wants: dict[str, Tell] = {}
        self.away: Nanos = 0  # until then it is cut off
        self.cuts = 0  # how often it was: what is under way then is lost
        self.is_connected = False  # as far as it knows
        self._pending: deque[BrokerMessage] = deque()
        self._options: dict[str, Any] = {}  # Any: as nats-py has them

    # -- what the world does

    def cut(self, until: Nanos) -> None:
        """Cut this client off until then; it notices in a while."""
        if self.is_connected:
            broker, agenda = self._broker, self._broker.agenda
            broker.counts["links cut"] += 1
            self.away = max(self.away, until)
            self.cuts += 1
            agenda.after(broker.chance.below(NOTICES), partial(self._notice, self.cuts))

    def _notice(self, cuts: int) -> None:
        if not self._loop.dead and cuts == self.cuts and self.is_connected:
            self.is_connected = False
            self._loop.call_soon(self._begin_to_come_back)

    def _begin_to_come_back(self) -> None:
        self._loop.create_task(self._come_back())

    async def _come_back(self) -> None:
        await self._options["disconnected_cb"]()
        await self._reach()
        if not self._is_closed():
            pending, self._pending = self._pending, deque()
            for said in pending:
                self._broker.carry(self, said)
            await self._options["reconnected_cb"]()

    def _is_closed(self) -> bool:
        return self not in self._broker.clients

    def hear(self, cuts: int, tell: Tell, said: BrokerMessage) -> None:
        """Tell the listener of a message, if the connection was not cut since it was sent."""
        if cuts == self.cuts and not self._loop.dead:
            self._loop.call_soon(_tell, tell, said)

    # -- what nats-py has

    async def connect(self, servers: str, **options: Any) -> None:  # noqa: ARG002 # there is one
        """Call the broker until it is there."""
        self._options = options
        self._broker.clients.append(self)
        await self._reach()

    async def _reach(self) -> None:
        agenda, broker = self._broker.agenda, self._broker
        while agenda.now < max(self.away, broker.down) and not self._is_closed():
            await self._options["error_cb"](ConnectionRefusedError("nobody listens there"))
            await asyncio.sleep(self._options["reconnect_time_wait"])
        self.is_connected = not self._is_closed()

    async def publish(self, subject: str, payload: bytes) -> None:
        """Send a message; it waits while the client knows that it is cut off."""
        said = BrokerMessage(subject, payload)
        if not self.is_connected:
            self._pending.append(said)
        elif self._broker.agenda.now >= self.away:
            self._broker.carry(self, said)

    async def subscribe(self, subject: str, *, cb: Tell, **_: int) -> object:
        """Call `cb` with every message under this subject from now on."""
        self.wants[subject] = cb
        return None

    async def sync(self) -> None:
        """Wait until the broker has all messages. Raises TimeoutError if the line was cut."""
        answer, cuts = self._loop.create_future(), self.cuts

        def answered() -> None:
            if cuts == self.cuts and not self._loop.dead and not answer.done():
                self._loop.call_soon(_fulfil, answer)

        if self.is_connected and self._broker.agenda.now >= self.away:
            self._broker.agenda.after(2 * self._broker.chance.between(*DELAY), answered)
        async with asyncio.timeout(FLUSH):
            await answer

    async def close(self) -> None:
        """Hang up on the broker."""
        self.gone()

    def gone(self) -> None:
        """Forget this client at once, as when its process is gone."""
        self.is_connected = False
        self.cuts += 1
        self.wants.clear()
        self._broker.forget(self)


def _fulfil(answer: "asyncio.Future[None]") -> None:
    if not answer.done():
        answer.set_result(None)


def _tell(tell: Tell, said: BrokerMessage) -> None:
    """Call a listener, which must do all of its work at once."""
    work: Any = tell(said)  # Any: a coroutine
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("who hears something from the broker waits for nothing")


def _matches(wanted: str, subject: str) -> bool:
    """Whether a subject is wanted; its last word may be `*`."""
    if wanted.endswith(".*"):
        head, _, last = subject.rpartition(".")
        return head == wanted[:-2] and bool(last)
    return wanted == subject
