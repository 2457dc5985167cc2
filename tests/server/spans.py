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
from rookery.server.cluster.edge_link import EdgeLink
from rookery.server.cluster.gateway import EdgeGateway
from rookery.server.fairtime import BEAT, FairTime
from rookery.server.net.listener import HallLink
from tests.server.desk import NOON, Desk, Ear, HeldStore, turns

EDGE = "edge"
LEEWAY: Micros = 250_000
APART: Micros = 77_000_000_000  # by which the two clocks differ

Lose = Callable[[int], bool]  # which frames, of those that are steps, counted from 1


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
        self._others: dict[str, EdgeLink] = {}  # by their names
        self.time = self.desk.time
        self.link: HallLink = self.desk.runner
        if afar:
            self.time = FairTime(lambda: self._monotonic, lambda: NOON)
            self.edge = self.link = EdgeLink(self.time, self._up)
            self.edge.dismiss = self._dismiss
            self._lead()

    def _lead(self) -> None:
        desk = self.desk
        self.epoch += 1
        self.posts = EdgeGateway(desk.runner, desk.hall, desk.time, self._down, epoch=self.epoch)
        desk.runner.listen(self.posts.pending_since, lambda: None)
        self.edge.led(self.posts.lead)

    def another(self, name: str = "another") -> EdgeLink:
        """One more edge, which is attached to the hall."""
        edge = EdgeLink(self.time, lambda _, said: self._carry(partial(self._hear, name, said)))
        self._others[name] = edge
        edge.led(self.posts.lead)
        return edge

    def _hear(self, name: str, said: bytes) -> None:
        if name in self._others:
            self.posts.receive(name, said)

    def die(self, name: str = "another") -> None:
        """This edge is killed: nothing of it is heard any more."""
        del self._others[name]

    def fail_over(self, *, held: bool = False) -> None:
        """The hall is gone, and another one takes up its log; `held`, it cannot write to it yet."""
        before = self.desk
        before.runner.let_go()
        store = HeldStore()
        store.memory = before.store.memory
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
        link.connect(ear.session, host, ear, dialect, FRONT)
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
            self.posts.beat()
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

    def _up(self, epoch: int, said: bytes) -> None:
        if epoch == self.epoch:
            posts = self.posts
            self._carry(lambda: posts.receive(EDGE, said))

    def _down(self, edge: str, said: bytes) -> None:
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
