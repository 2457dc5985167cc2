"""A hall and an edge in one loop, with a clock of its own each, and what goes between in hand.

Frames go over at once, unless the test loses some or holds them all back. A span without an
edge is the runner itself, so that both links can be asked the same.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from functools import partial

from rookery.core.ids import Micros, SessionId
from rookery.core.intents import AnyIntent
from rookery.core.messages import Notice
from rookery.core.network import FRONT
from rookery.server.cluster.edge_link import HallConnection
from rookery.server.cluster.gateway import EdgeGateway
from rookery.server.cluster.nats import Broker
from rookery.server.fairtime import BEAT, FairTime
from rookery.server.net.listener import HallLink
from tests.server.desk import NOON, Desk, Ear, HeldStore, turns

EDGE = "edge"
LEEWAY: Micros = 250_000
APART: Micros = 77_000_000_000  # by which the two clocks differ

Lose = Callable[[int], bool]  # which frames, of those that are steps, counted from 1


class Wire(Broker):
    """A broker that hands over what is said to it, and to nobody else."""

    def __init__(self, carry: Callable[[str, bytes], None]) -> None:
        super().__init__("nats://nowhere:4222", "main")
        self._carry = carry

    def send(self, subject: str, data: bytes) -> None:
        self._carry(subject, data)


class Span:
    """The two ends, and connections at the near one. It mutates."""

    def __init__(self, *, afar: bool = True, lose: Lose = lambda _: False) -> None:
        self.desk = Desk(leeway=LEEWAY if afar else 0)
        self.afar = afar
        self.held = False  # nothing goes over
        self.dismissed: list[SessionId] = []
        self._lose = lose
        self._count = 0
        self._waiting: deque[Callable[[], None]] = deque()
        self._monotonic: Micros = APART
        self._ears = 0
        self._links: dict[SessionId, HallLink] = {}  # where each connection is
        self.epoch = 0
        self._others: dict[str, HallConnection] = {}  # by their names
        self.time = self.desk.time
        self.link: HallLink = self.desk.runner
        if afar:
            self.time = FairTime(lambda: self._monotonic, lambda: NOON)
            self.edge = self.link = HallConnection(Wire(self._up), EDGE, self.time)
            self.edge.dismiss = self._dismiss
            self._lead()

    def _lead(self) -> None:
        desk = self.desk
        self.epoch += 1
        self.gateway = EdgeGateway(
            *(desk.runner, desk.hall, desk.time, Wire(self._down)),
            epoch=self.epoch,
            deaf=5,
            terms={},
        )
        desk.runner.listen(self.gateway.pending_since)
        self.edge.follow(self.gateway.leader)

    def another(self, name: str = "another") -> HallConnection:
        """One more edge, which is attached to the hall."""
        edge = self._others[name] = HallConnection(Wire(self._up), name, self.time)
        edge.follow(self.gateway.leader)
        return edge

    def die(self, name: str = "another") -> None:
        """This edge is killed: nothing of it is heard any more."""
        del self._others[name]

    def fail_over(self, *, held: bool = False) -> None:
        """The hall is gone, and another one takes up its log; `held`, it cannot write to it yet."""
        before = self.desk
        before.runner.let_go()
        store = HeldStore(before.store.memory)
        if held:
            store.gate.clear()
        self._waiting.clear()
        self.desk = desk = Desk(store=store, leeway=LEEWAY)
        desk.monotonic = before.monotonic
        desk.hall.resume_counting(store.last_seq(), store.last_table())
        unfinished = list(store.unfinished())
        desk.runner.begin(desk.hall.restore(unfinished, desk.time.now(), desk.time.wall()))
        self._lead()

    # -- connections

    def ear(
        self, host: str = "10.0.0.1", dialect: str = "native", at: HallLink | None = None
    ) -> Ear:
        """A new connection, at the first edge or this one."""
        self._ears += 1
        ear = Ear(SessionId(self._ears))
        self._links[ear.session] = link = at or self.link
        link.connect(ear.session, host, ear, dialect, FRONT, source=None)
        return ear

    def ask(self, ear: Ear, *intents: AnyIntent) -> None:
        """The connection asks these things, read now."""
        self._links[ear.session].ask(ear.session, intents, self.time.now())

    async def passes(self, micros: Micros) -> None:
        """Time passes at both ends, beat by beat; they hear each other where nothing is held."""
        for _ in range(micros // BEAT):
            self.desk.passes(BEAT)
            if self.afar:
                self._monotonic += BEAT
                self.time.beat()
            if not self.held:
                self.beats()
            await turns(4)

    def _dismiss(self, session: SessionId, _: Notice | None) -> None:
        self.dismissed.append(session)

    # -- what goes between

    def beats(self) -> None:
        """Both ends say that they are there, and how far."""
        if self.afar:
            self.gateway.beat()
            for edge in (self.edge, *self._others.values()):
                edge.beat()

    def forget(self) -> None:
        """All that was held back is lost."""
        self._waiting.clear()

    def let_over(self) -> None:
        """All that was held back goes over."""
        self.held = False
        while self._waiting:
            self._waiting.popleft()()

    def _up(self, subject: str, said: bytes) -> None:
        gateway, (_, epoch, edge) = self.gateway, subject.split(".")

        def over() -> None:
            if edge == EDGE or edge in self._others:  # it is not dead
                gateway.receive(edge, said)

        if epoch == str(self.epoch):
            self._carry(over)

    def _down(self, subject: str, said: bytes) -> None:
        edge = subject.rpartition(".")[2]
        other = self.edge if edge == EDGE else self._others.get(edge)
        if other is not None:
            self._carry(partial(other.receive, said))

    def _carry(self, over: Callable[[], None]) -> None:
        self._count += 1
        if self._lose(self._count):
            return
        if self.held:
            self._waiting.append(over)
        else:
            asyncio.get_running_loop().call_soon(over)


def spanned(told: Callable[[Span], Coroutine[None, None, None]], **how: object) -> None:
    """Run this with a span of its own, in a loop of its own."""

    async def run() -> None:
        span = Span(**how)  # type: ignore[arg-type] # as its caller says
        try:
            await told(span)
        finally:
            span.desk.store.gate.set()
            span.desk.runner.let_go()
        assert span.desk.mistakes == []

    asyncio.run(run())
