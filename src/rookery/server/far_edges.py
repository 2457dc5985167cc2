"""A hall's edges, which are on other machines, over a broker.

The hall announces itself when it has taken up the log, and every so often for edges that come
later. When the hall goes in good order it says so last, after everything is answered. It
mutates, and lives in the event loop.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace
from starlette.types import ASGIApp

from rookery.core.ids import Micros, SessionId
from rookery.core.network import home_of
from rookery.hall.hall import Hall
from rookery.server.actor.runner import HallRunner
from rookery.server.config import BotTerms, Settings
from rookery.server.links.broker import Broker, Carrying, report
from rookery.server.links.frames import encode
from rookery.server.links.outposts import Outposts
from rookery.server.links.requests import Answering
from rookery.server.net.fair import Paced
from rookery.server.net.listener import Listener
from rookery.server.web.app import make_app
from rookery.server.web.guard import guard_of
from rookery.server.web.routes import Sources
from rookery.store import Leased, Store

BEAT: Final = 0.1  # seconds between telling edges that we are there
LEAD_EVERY: Final = 5  # beats between telling edges that do not know us yet


class FarEdges:
    """All that a hall does for edges: hears them, beats, and answers their HTTP."""

    def __init__(
        self,
        settings: Settings,
        runner: HallRunner,
        hall: Hall,
        listener: Listener,
        *,
        epoch: int,
        carrying: Callable[[], Carrying],
    ) -> None:
        self._broker = Broker(settings.nats, settings.hall, carrying, self._came_back)
        self._posts = Outposts(runner, hall, listener.time, self._down, epoch=epoch)
        self._listener = listener
        self._deaf_beats = round(settings.deaf / BEAT)  # unheard, until we count as deaf
        self._unheard_beats = 0  # since we last heard our own announcement
        self._answering: Answering | None = None  # answers HTTP of edges, once there is a broker
        self._work: list[asyncio.Task[None]] = []
        self._found = False  # we hear what edges say
        runner.listen(self._pending_since, listener.queue.wake)

    def __len__(self) -> int:
        """How many edges there are."""
        return len(self._posts)

    def samples(self) -> dict[str, float]:
        """Whether this hall leads, its epoch and its edges, for Prometheus."""
        epoch, edges = self._posts.epoch, len(self._posts)
        return {"rookery_leads": 1, "rookery_epoch": epoch, "rookery_edges": edges}

    def terms_of(self, session: SessionId) -> BotTerms | None:
        """What the session's port says of house bots, be the port at an edge or here."""
        return self._posts.terms.get(session) or self._listener.terms.get(session)

    def open(self, app: ASGIApp) -> None:
        """Call the broker until it is there, and announce the hall to edges."""
        loop = asyncio.get_running_loop()
        self._work = [loop.create_task(work) for work in (self._find(app), self._beat())]
        for work in self._work:
            work.add_done_callback(report)

    async def _find(self, app: ASGIApp) -> None:
        broker = self._broker
        await broker.open()
        self._answering = answering = Answering(app, self._answer, self._in_turn)
        epoch = self._posts.epoch
        await asyncio.gather(  # all wait for the broker at the same time
            broker.hear(f"up.{epoch}.*", self._posts.receive),
            broker.hear("lead", lambda _, __: self._heard()),
            broker.hear("hello", lambda _, __: self._announce()),
            broker.hear(f"web.up.{epoch}.*", answering.receive),
        )
        self._announce()
        self._found = True

    def is_deaf(self) -> bool:
        """Whether we have not heard the broker for too long: then nobody can hear us either.

        The broker brings us our own announcements. It is counted by our own beats, so that a
        process which was stopped does not count what it slept through.
        """
        return self._unheard_beats >= self._deaf_beats

    def _heard(self) -> None:
        self._unheard_beats = 0

    async def part(self) -> None:
        """Tell edges that all is answered and the hall goes; then another may lead."""
        for work in self._work:
            work.cancel()
        if self._answering is not None:
            await self._answering.finish()
        self._posts.part()
        if not self.is_deaf():
            await self._broker.say_all()

    async def close(self) -> None:
        """Hang up on the broker."""
        await self._broker.close()

    def _announce(self) -> None:
        self._broker.send("lead", encode(self._posts.lead))

    async def _beat(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(BEAT)
            beats += 1
            self._unheard_beats += 1
            if self._found and self._broker.connected:
                self._posts.beat()
                if not beats % LEAD_EVERY:
                    self._announce()

    def _came_back(self) -> None:
        self._posts.reconnected()
        self._announce()

    def _down(self, edge: str, said: bytes) -> None:
        self._broker.send(f"down.{edge}", said)

    def _answer(self, edge: str, said: bytes) -> None:
        self._broker.send(f"web.down.{edge}", said)

    async def _in_turn(self, host: str, work: Any) -> None:  # Any: as ASGI has it
        paced = Paced(self._listener.queue, home_of(host))
        try:
            await paced.run(work)
        finally:
            paced.leave()

    def _pending_since(self, session: SessionId) -> Micros | None:
        waits = self._posts.pending_since(session)
        return self._listener.pending_since(session) if waits is None else waits


def open_far_edges(  # noqa: PLR0917 # all that a hall has
    settings: Settings,
    store: Store,
    runner: HallRunner,
    listener: Listener,
    web: Sources,
    knows: Callable[[str], bool],
    carrying: Callable[[], Carrying],
) -> FarEdges | None:
    """Begin to look for the edges of this hall; None without a broker. Raises Mistake.

    `knows` tells the organiser's token.
    """
    if not settings.nats:
        return None
    # A hall that comes later has a higher epoch.
    epoch = store.epoch if isinstance(store, Leased) else listener.time.wall()
    far_edges = FarEdges(settings, runner, web.hall, listener, epoch=epoch, carrying=carrying)
    # Each edge checks by itself which names a page is called by.
    guard = guard_of(web.hall, listener.time, knows)
    far_edges.open(make_app(replace(web, guard=guard)))
    web.tally.beside.append(far_edges.samples)
    return far_edges
