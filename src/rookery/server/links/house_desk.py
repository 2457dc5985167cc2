"""Between a hall and a house: who waits for players, as the hall knows and the house asks.

The bots themselves are connections like any other, over the link; this is only how a house
learns where to send them. Times are told as how long ago they were: clocks of two machines have
nothing in common.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from rookery.core.events import Opened, Record
from rookery.core.ids import Micros, PlayerId, SessionId
from rookery.core.intents import EnterRoom, Gather, Sit, TakeOver
from rookery.core.visitors.hosts import HOUSE
from rookery.hall.hall import Hall
from rookery.hall.lobby.vacancies import Vacancy
from rookery.runtime.fairtime import FairTime
from rookery.server.house_bots.sitter import DIALECT
from rookery.server.house_bots.terms import BotTerms
from rookery.server.keeping.keeper import Keeper

SOON: Final = 0.05  # seconds until a house hears of a table that asks for bots
ALL: Final = b"all"  # a house that has just come asks this: also for all bots it ever had


class Waits(Struct, frozen=True, array_like=True):
    """A vacancy, and for how long it has been one."""

    variant: str
    ago: Micros
    missing: int
    players: tuple[PlayerId, ...]
    fill: Sit | Gather | EnterRoom | TakeOver
    house: int | None
    own: BotTerms | None  # of the port by which one of those who wait came


class HouseNews(Struct, frozen=True, array_like=True):
    """What a house needs to know to send its bots."""

    failing: bool  # the log cannot be written: nobody is to be sent
    waits: tuple[Waits, ...]
    ours: dict[str, PlayerId] | None = None  # all bots that the house ever had, by name


_encode: Final = msgspec.msgpack.Encoder().encode
read_house_news: Final = msgspec.msgpack.Decoder(HouseNews).decode


class HouseDesk:
    """The hall's side: tells houses who waits for players. It mutates, in the event loop."""

    def __init__(
        self,
        keeper: Keeper,
        hall: Hall,
        time: FairTime,
        terms_of: Callable[[SessionId], BotTerms | None],
        send: Callable[[str, bytes], None],
    ) -> None:
        self._keeper = keeper
        self._hall = hall
        self._time = time
        self._terms_of = terms_of
        self._send = send
        self._houses: dict[str, None] = {}
        self._hurrying = False
        keeper.tell_of_records(self._wrote)

    def receive(self, house: str, asked: bytes) -> None:
        """Answer a house that asks who waits."""
        self._houses[house] = None
        self._tell(house, everyone=asked == ALL)

    def _tell(self, house: str, *, everyone: bool = False) -> None:
        ours = self._hall.players_from(HOUSE) if everyone else None
        waits = tuple(map(self._waits, self._hall.vacancies(DIALECT)))
        self._send(house, _encode(HouseNews(self._keeper.failing, waits, ours)))

    def _waits(self, vacancy: Vacancy) -> Waits:
        lost = isinstance(vacancy.fill, TakeOver)
        now = self._time.now() if lost else self._time.wall()
        own = [terms for one in vacancy.sessions if (terms := self._terms_of(one)) is not None]
        return Waits(
            vacancy.variant,
            now - vacancy.since,
            vacancy.missing,
            vacancy.players,
            vacancy.fill,
            vacancy.house,
            own[0] if own else None,
        )

    def _wrote(self, records: Sequence[Record]) -> None:
        """Tell houses soon, if these records open a table that asks for bots."""
        if self._hurrying or not self._houses:
            return
        if any(isinstance(record.event, Opened) and record.event.house for record in records):
            self._hurrying = True
            asyncio.get_running_loop().call_later(SOON, self._hurry)

    def _hurry(self) -> None:
        self._hurrying = False
        for house in self._houses:
            self._tell(house)
