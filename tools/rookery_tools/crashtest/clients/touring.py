"""A host that runs tours over HTTP, one after the other, and brings the players of each."""

import asyncio
from typing import Final

from rookery.cli.bot.pilot import BotWish
from rookery.core.chance import Chance
from rookery.games import parse_variant
from rookery_tools.crashtest.clients.calling import CrashtestTown
from rookery_tools.crashtest.clients.player import CrashtestPlayer
from rookery_tools.crashtest.clients.player_groups import ENTRANTS
from rookery_tools.crashtest.clients.web import NoAnswer, Web

GAMES: Final = ("nim rows=3", "reversi size=4", "tictactoe")
PAUSE: Final = 0.1  # seconds between two questions


class TourHost:
    """Opens one tour at a time and sees it to its end."""

    def __init__(self, town: CrashtestTown, web: Web, chance: Chance) -> None:
        self._town, self._web, self._chance = town, web, chance
        self._opened = 0
        self.players: list[CrashtestPlayer] = []
        self._left: list[tuple[int, str]] = []

    async def run(self) -> None:
        """Open tours and see them to their end, until the day ends."""
        while not self._town.calm:
            self._opened += 1
            try:
                tour = await self._web.open_tour(self._variant, self._code)
            except NoAnswer:
                await asyncio.sleep(PAUSE)  # it may be open; nobody knows its number
                continue
            await self._see_through(tour)

    @property
    def _variant(self) -> str:
        return GAMES[self._opened % len(GAMES)]

    @property
    def _code(self) -> str:
        return f"CUP{self._opened:04}"

    async def _see_through(self, tour: int) -> None:
        for n, (dialect, framed) in enumerate(ENTRANTS):
            wish = BotWish(parse_variant(self._variant), f"t{self._opened}n{n}", self._code)
            seed = self._chance.bits() >> 1
            player = CrashtestPlayer(self._town, dialect, wish, framed=framed, seed=seed)
            self.players.append(player)
            player.call()
        status = ""
        while status not in ("ended", "cancelled"):
            await asyncio.sleep(PAUSE)
            try:
                shown = await self._web.ask(f"/api/tours/{tour}")
                status = shown["line"]["status"]
                if status == "open" and len(shown["entrants"]) == len(ENTRANTS):
                    await self._web.ask(f"/api/tours/{tour}/start", post=True)
            except NoAnswer:
                continue
        for player in self.players[-len(ENTRANTS) :]:
            player.leave()

    async def is_over(self) -> bool:
        """Whether no tour is left; cancels open tours whose number was never heard of."""
        try:
            self._left = await self._web.tours()
            known = set(self._town.claims.opened)
            for tour, status in self._left:
                if status == "open" and tour not in known:
                    await self._web.ask(f"/api/tours/{tour}/cancel", post=True)
        except NoAnswer:
            return False
        return not self._left

    def words(self) -> str:
        """The tours that are not over yet, as text for a complaint."""
        return str(self._left)
