"""A program as a player of the arena: the process is `bots/programs`, the clock the hall's."""

from rookery.arena.players.player import PlayerFailed
from rookery.bots.asking import Thought
from rookery.bots.programs import Program, ProgramFailed
from rookery.core.game import Outcome
from rookery.core.ids import Seat


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
