"""A house of bots at the runner's desk, which looks when it is told to; see `desk.py`."""

import asyncio
from collections.abc import Callable, Coroutine

from rookery.core.ids import MICROS_A_SECOND, SessionId, TableId
from rookery.core.intents import ListPlayers, ListTables
from rookery.core.messages import Done, News, Players, Tables
from rookery.server.bots.bots import Dispatcher
from rookery.server.bots.pool import Pool
from rookery.server.config import BotTerms, HouseTerms
from rookery.server.workers import THINKER
from tests.server.desk import Desk, Ear, until

SECOND = MICROS_A_SECOND
NEVER = 1e6  # seconds until it would look by itself


class Place:
    """A desk with a house, which looks when it is told to. It mutates."""

    def __init__(
        self,
        desk: Desk,
        terms: HouseTerms,
        command: tuple[str, ...],
        own: dict[SessionId, BotTerms],
    ) -> None:
        self.desk = desk
        self.house = Dispatcher(
            desk.runner,
            desk.hall,
            desk.time,
            Pool(command, 1),
            terms,
            for_all=True,
            terms_of=own.get,
            crashed=desk.mistakes.append,
            every=NEVER,
        )

    async def later(self, seconds: int = 3) -> None:
        """So much later the house looks, and those whom it sends have come."""
        self.desk.passes(seconds * SECOND)
        self.house.look()
        await self.desk.settled()

    async def bots(self) -> list[str]:
        """Who is in the hall for the house, as the house calls them."""
        ear = self.desk.ear()
        self.desk.ask(ear, ListPlayers())
        await until(lambda: bool(ear.sent))
        listed = ear.sent[-1]
        assert isinstance(listed, Players)
        called = self.desk.hall.directory.name_of
        bots = [line.player for line in listed.players if line.dialect == "bot"]
        return [name for bot in bots if (name := called(bot)) is not None]

    async def tables(self) -> list[str]:
        """How the tables stand."""
        ear = self.desk.ear()
        self.desk.ask(ear, ListTables())
        await until(lambda: bool(ear.sent))
        listed = ear.sent[-1]
        assert isinstance(listed, Tables)
        return [line.status for line in listed.tables]


def story(
    told: Callable[[Place], Coroutine[None, None, None]],
    *,
    terms: HouseTerms | None = None,
    command: tuple[str, ...] = THINKER.command,
    own: dict[SessionId, BotTerms] | None = None,
) -> None:
    """Run this with a house of its own, in a loop of its own; we make no mistake in it."""

    async def run() -> None:
        desk = Desk()
        place = Place(desk, terms or HouseTerms(), command, own or {})
        place.house.open()
        try:
            await told(place)
        finally:
            await place.house.close()
            desk.runner.let_go()
        assert desk.mistakes == []

    asyncio.run(run())


def heard(ear: Ear, kind: type) -> list[News]:
    """The news of such an event that it was sent."""
    return [m for m in ear.sent if isinstance(m, News) and isinstance(m.happened.event, kind)]


def table_of(ear: Ear) -> TableId:
    """The table that it was last told it sits at."""
    found = [m.table for m in ear.sent if isinstance(m, Done) and m.table is not None]
    return found[-1]
