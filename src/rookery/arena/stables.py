"""Players between two games. A player that has failed is not kept; the next is made anew."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rookery.arena.players import Player, PlayerFailed
from rookery.arena.programs import ProgramPlayer
from rookery.arena.remote import Remote
from rookery.arena.setup import BadMatch, level_in
from rookery.arena.workers import LevelPlayer, Workers
from rookery.bots.programs import ProgramFailed, parse_command
from rookery.core.ids import Seat

NAME_MAX: Final = 32  # characters of a name; the hall takes a few more
_ADDRESS: Final = re.compile(r"(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>[0-9]{1,5})")

Make = Callable[[], Player]


class Stable:
    """Players of one kind, as many as play at once. It mutates."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._idle: list[Player] = []

    async def seat(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> Player:
        """A player who has sat down to this game. Raises PlayerFailed.

        One that played before may have gone after its game, and is then made anew.
        """
        if self._idle:
            player = self._idle.pop()
            try:
                return await _begun(player, variant, seat, names, time)
            except PlayerFailed:
                pass
        return await _begun(self._make(), variant, seat, names, time)

    def give_back(self, player: Player) -> None:
        """It has got up, and can play again."""
        self._idle.append(player)

    async def close(self) -> None:
        """Let them all go, at once: one that does not want to takes its time."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(player.close() for player in idle))


async def _begun(
    player: Player, variant: str, seat: Seat, names: tuple[str, ...], time: str
) -> Player:
    try:
        await player.begin(variant, seat, names, time)
    except BaseException:
        await player.close()
        raise
    return player


def maker(text: str, name: str, workers: Workers) -> Make:
    """How the player is made that this text means. Raises BadMatch."""
    level = level_in(text)
    if level is not None:
        return lambda: LevelPlayer(workers, level)
    address = _ADDRESS.fullmatch(text)
    if address is not None:
        host, port = address["host"].strip("[]"), int(address["port"])
        if not 1 <= port <= 65535:
            raise BadMatch(f"A port is a number from 1 to 65535, not {port}.")
        return lambda: Remote(host, port)
    try:
        command = parse_command(text)
    except ProgramFailed as wrong:
        raise BadMatch(str(wrong)) from None
    return lambda: ProgramPlayer(command, name)


def check_players(players: tuple[str, ...]) -> None:
    """See that these are players, as far as one can before the match. Raises BadMatch."""
    for player in players:
        maker(player, player, Workers(0))


def names_of(players: tuple[str, ...]) -> tuple[str, ...]:
    """What they are called: as short as can be, and no two alike."""
    names: list[str] = []
    for player in players:
        plain, n = _name(player), 1
        name = plain
        while name in names:
            n += 1
            name = f"{plain} ({n})"
        names.append(name)
    return tuple(names)


def _name(player: str) -> str:
    """`level 3`, an address, or the last file of a command."""
    level = level_in(player)
    if level is not None:
        return f"level {level}"
    if _ADDRESS.fullmatch(player):
        return player[:NAME_MAX]
    words = [word for word in player.split() if not word.startswith("-")]
    name = "".join(c for c in Path(words[-1] if words else player).name if c.isprintable())
    return name.strip()[:NAME_MAX] or "program"
