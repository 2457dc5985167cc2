"""The hall, as an edge has it: the link to it, and what HTTP asks of it. It mutates."""

import asyncio
from typing import Final

from rookery.runtime.fairtime import FairTime
from rookery.server.config import Settings
from rookery.server.links.broker import Broker, report
from rookery.server.links.edge_link import EdgeLink
from rookery.server.links.frames import read_lead
from rookery.server.links.web_asking import WebAsking
from rookery.server.machine import THIS, Machine
from rookery.server.web.routes import BODY_MAX

BEAT: Final = 0.1  # seconds between telling the hall that we are there


class HallEnd:
    """The near end of everything between this process and its hall."""

    def __init__(self, settings: Settings, time: FairTime, machine: Machine = THIS) -> None:
        self._hall = settings.hall
        self._name = f"{machine.seed():x}"  # of this process, to the hall
        self._broker = Broker(settings.nats, settings.hall, machine.carrying)
        self.link = EdgeLink(time, self._up, clock=machine.elapsed)
        self.directory = self.link.directory
        self.asking = WebAsking(self._ask, most=BODY_MAX)
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to look for the hall, and to beat."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(work) for work in (self._find(), self._beat())]
        for task in self._tasks:
            task.add_done_callback(report)

    async def close(self) -> None:
        """Tell the hall that all connections are gone, and go."""
        for task in self._tasks:
            task.cancel()
        self.link.close()
        await self._broker.say_all()
        await self._broker.close()

    def samples(self) -> dict[str, float]:
        """How the link to the hall is, for Prometheus."""
        mark = f'{{hall="{self._hall}"}}'
        return {
            f"rookery_edge_has_hall{mark}": 0 if self.link.away else 1,
            f"rookery_edge_attached_total{mark}": self.link.attached,
        } | self.link.took.samples("rookery_answer_seconds", f'hall="{self._hall}"')

    async def _find(self) -> None:
        """Connect to the broker, however long that takes, and listen for a hall."""
        await self._broker.open()
        await self._broker.hear("lead", self._led)
        await self._broker.hear(f"down.{self._name}", self._receive)
        await self._broker.hear(f"web.down.{self._name}", lambda _, said: self.asking.receive(said))
        self._broker.send("hello", b"")

    async def _beat(self) -> None:
        """Tell the hall every so often that we are there, and notice if it is silent."""
        while True:
            await asyncio.sleep(BEAT)
            self.link.beat()
            self._mind()
            self.asking.beat()

    def _led(self, _: str, said: bytes) -> None:
        self.link.led(read_lead(said))
        self._mind()

    def _receive(self, _: str, said: bytes) -> None:
        self.link.receive(said)
        self._mind()

    def _mind(self) -> None:
        """Let HTTP ask the hall that the link knows, and no other."""
        link = self.link
        self.asking.mind(None if link.away else link.epoch, quiet=link.quiet)

    def _up(self, epoch: int, said: bytes) -> None:
        self._broker.send(f"up.{epoch}.{self._name}", said)

    def _ask(self, epoch: int, said: bytes) -> None:
        self._broker.send(f"web.up.{epoch}.{self._name}", said)
