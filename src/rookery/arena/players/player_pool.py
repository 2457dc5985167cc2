"""A pool of players between two games. One that has failed is not kept; the next is made afresh."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rookery.arena.players.levels import THINKER, LevelPlayer
from rookery.arena.players.player import ArenaPlayer, PlayerFailed
from rookery.arena.players.remote import Remote
from rookery.arena.setup import BadMatch, level_in, split_name
from rookery.bots.asking import Thought
from rookery.bots.programs import Program, ProgramFailed, parse_command
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.server.workers import WorkerPool


class ProgramPlayer:
    """A process that plays game after game."""

    def __init__(self, command: tuple[str, ...], name: str) -> None:
        self._program = Program(command, name=name)

    async def begin(self, variant: str, seat: Seat, names: tuple[str, ...], time: str) -> None:
        """Start the program unless it runs, and wait until it is ready. Raises PlayerFailed."""
        try:
            await self._program.begin(variant, seat, names, time)
        except ProgramFailed as failed:
            raise PlayerFailed(str(failed)) from None

    async def ready(self) -> None:
        """Do nothing: the program is ready since the game began."""

    async def choose(self, thought: Thought) -> str | None:
        """Return the program's move, whenever it comes. Raises PlayerFailed."""
        try:
            return await self._program.move(thought, None)
        except ProgramFailed as failed:
            raise PlayerFailed(str(failed)) from None

    async def end(self, outcome: Outcome | None) -> None:
        """Tell the program how the game ended."""
        await self._program.end(outcome)

    async def close(self) -> None:
        """End the program, and whatever it started."""
        await self._program.close()


NAME_MAX: Final = 32  # characters of a name; the hall takes a few more
_ADDRESS: Final = re.compile(r"(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>[0-9]{1,5})")

_STARTER: Final = re.compile(r"(python|pypy)[0-9.]*|node|deno|bun|java|ruby|perl|lua|env|ba?sh")
_OPTION: Final = re.compile(r"-|\w+=")  # or a setting, for env

Make = Callable[[], ArenaPlayer]


class PlayerPool:
    """Players of one kind, as many as play at once."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._idle: list[ArenaPlayer] = []

    async def seat(
        self, variant: str, seat: Seat, names: tuple[str, ...], time: str
    ) -> ArenaPlayer:
        """Return a player who has sat down to this game. Raises PlayerFailed.

        A player that played before may have gone after its game, and is then made anew.
        """
        if self._idle:
            player = self._idle.pop()
            try:
                return await _begun(player, variant, seat, names, time)
            except PlayerFailed:
                pass
        return await _begun(self._make(), variant, seat, names, time)

    def give_back(self, player: ArenaPlayer) -> None:
        """Keep a player that has got up, for its next game."""
        self._idle.append(player)

    async def close(self) -> None:
        """Close all players, at the same time: one that does not want to go takes long."""
        idle, self._idle = self._idle, []
        await asyncio.gather(*(player.close() for player in idle))


async def _begun(
    player: ArenaPlayer, variant: str, seat: Seat, names: tuple[str, ...], time: str
) -> ArenaPlayer:
    try:
        await player.begin(variant, seat, names, time)
    except BaseException:
        await player.close()
        raise
    return player


def maker(text: str, name: str, workers: WorkerPool) -> Make:
    """Return what makes the player that this text means. Raises BadMatch."""
    level, (_, text) = level_in(text), split_name(text)
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
    """Check that these are players, as far as one can before the match. Raises BadMatch."""
    for player in players:
        maker(player, player, WorkerPool(THINKER, 0))


def names_of(players: tuple[str, ...]) -> tuple[str, ...]:
    """The names of these players: as short as can be, and no two alike."""
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
    """The name that was given, `level 3`, an address, or a command from its file on."""
    given, player = split_name(player)
    if given:
        return given
    level = level_in(player)
    if level is not None:
        return f"level {level}"
    if _ADDRESS.fullmatch(player):
        return player[:NAME_MAX]
    file, *arguments = _without_starter(player.split()) or [player]
    words = " ".join((Path(file).name, *arguments))
    return "".join(c for c in words if c.isprintable()).strip()[:NAME_MAX] or "program"


def _without_starter(words: list[str]) -> list[str]:
    """A command without the program that starts its file, as `python -u`."""
    while words and _STARTER.fullmatch(Path(words[0]).name):
        rest = [n for n, word in enumerate(words) if n and not _OPTION.match(word)]
        words = words[rest[0] :] if rest else words[:0]
    return words
