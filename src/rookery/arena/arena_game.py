"""One game: for every seat a player, who is asked when it is the seat's turn.

A seat that waits (bughouse) is asked again when anything happened, or after a second. What a
player plays is put before the hall as it is; a player that fails says why and leaves the table,
which loses it the game. It lives in the event loop.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from rookery.arena.logged_hall import LoggedHall
from rookery.arena.players.player import ArenaPlayer, PlayerFailed
from rookery.arena.players.player_pool import PlayerPool
from rookery.bots.asking import Thought
from rookery.core.chance import Chance
from rookery.core.clock import (
    Budget,
    PerMove,
    TimeControl,
    Unlimited,
    length_words,
    parse_time_control,
)
from rookery.core.errors import BROKEN, BadNotation
from rookery.core.game import Outcome
from rookery.core.ids import MICROS_A_SECOND as SECOND
from rookery.core.ids import Micros, PlayerId, Seat, TableId
from rookery.core.intents import Leave, Play, Say
from rookery.games import AnyGame
from rookery.hall.batch import TurnGiven
from rookery.hall.limits import CHAT_MAX

MOVES_LEFT: Final = 25  # as if so many moves were still to come
SPARE: Final[Micros] = 20_000  # for pipes and a busy machine
LONGEST: Final = 10_000  # milliseconds; no level needs more


# Levels count nodes, and mostly answer earlier. A share of what is on the clock keeps them from
# losing on time, with something to spare for the way there and back.
def millis_for(control: TimeControl, left: Micros | None) -> int:
    """Milliseconds to think about a move, with so much left on the clock."""
    match control:
        case Unlimited():
            return LONGEST
        case PerMove(each):
            have = each if left is None else left
            most = have * 8 // 10
        case Budget(base, increment, delay):
            have = base if left is None else left
            most = min(have // MOVES_LEFT + (increment + delay) * 8 // 10, have * 6 // 10 + delay)
    return max(1, min(LONGEST, (most - SPARE) // 1000))


FRET: Final = 60.0  # seconds for a move where there is no clock, until people are told
AGAIN: Final = 1.0  # seconds after which a player who waits is asked again
SHOWN: Final = 60  # characters of an illegal move that the log keeps

T = TypeVar("T")

Notice = Callable[[str], None]  # says a sentence to people


class Consequence(Struct, Generic[T], frozen=True):
    """What came of some work, which may be None."""

    value: T


class GameSoFar(Struct, frozen=True):
    """How a game stands after its last event."""

    state: Any  # Any: only the game can read it
    to_act: tuple[Seat, ...]
    left: tuple[Micros, ...] | None
    at: Micros
    n: int
    outcome: Outcome | None = None


class GameTerms(Struct, frozen=True):
    """What stays the same for the whole game: its table, its rules, and who sits where."""

    table: TableId
    game: AnyGame
    variant: str
    time: str
    players: tuple[PlayerId, ...]
    names: tuple[str, ...]
    seed: int
    past: tuple[tuple[Seat, str], ...] = ()  # the opening, and moves before the match was taken up
    fret: float = FRET


class ArenaGame:
    """A game that is being played by players of the arena."""

    def __init__(
        self,
        terms: GameTerms,
        board: GameSoFar,
        pools: tuple[PlayerPool, ...],
        house: LoggedHall,
        notice: Notice,
    ) -> None:
        self._terms = terms
        self._board = board
        self._pools = pools  # by seat
        self._house = house
        self._notice = notice
        self._played = list(terms.past)
        self._control = parse_time_control(terms.time)
        self._turns: dict[Seat, TurnGiven] = {}  # given, and not yet handed to the player
        self._since: dict[Seat, Micros] = {}  # when a seat was asked for its turn
        self._owed = set[Seat]()  # seats whose answers are not decided yet
        self._changed = asyncio.Event()
        self._broken = False  # the rules broke, and the hall was told
        self._over = asyncio.Event()
        seats = [Seat(n) for n in range(len(terms.players))]
        self._tasks = [asyncio.create_task(self._sit(seat)) for seat in seats]

    # -- what the hall says

    def stands(self, board: GameSoFar, played: Seat | None, move: str | None) -> None:
        """Take how the game stands now; `played`: the seat whose move was decided."""
        self._board = board
        if played is not None and move is not None:
            self._played.append((played, move))
        if played is not None:
            self._owed.discard(played)
            self._since.pop(played, None)
        if board.outcome is not None:
            self._over.set()
        self._stir()

    def turn(self, turn: TurnGiven) -> None:
        """Note that it is this seat's turn; it counts from when the player is asked."""
        self._turns[turn.seat] = turn
        self._stir()

    def done(self) -> bool:
        """Whether all players have got up. Raises what was our own mistake."""
        for task in self._tasks:
            if task.done():
                task.result()
        return all(task.done() for task in self._tasks)

    async def finish(self) -> None:
        """Wait until all players have got up."""
        await asyncio.gather(*self._tasks)

    async def break_off(self) -> None:
        """Stop in the middle of the game, and close its players."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _stir(self) -> None:
        """Wake the seats that wait for a change."""
        before, self._changed = self._changed, asyncio.Event()
        before.set()

    # -- a seat

    async def _sit(self, seat: Seat) -> None:
        """Play one seat's game, from sitting down to getting up."""
        pool = self._pools[seat]
        player: ArenaPlayer | None = None
        try:
            terms = self._terms
            seated = pool.seat(terms.variant, seat, terms.names, terms.time)
            came = await self._unless_over(seated)
            if came is None:
                return
            player = came.value
            if not await self._play(player, seat):
                return  # its player thinks, maybe for ever: the next game is for another
            assert self._board.outcome is not None, "one gets up when the game is over"
            await player.end(self._board.outcome)
            pool.give_back(player)
            player = None
        except PlayerFailed as failed:
            self._lose(seat, str(failed))
        finally:
            if player is not None:
                await player.close()

    async def _play(self, player: ArenaPlayer, seat: Seat) -> bool:
        """Answer every turn of this seat; False if its player still thinks at the end."""
        while not self._over.is_set():
            changed = self._changed
            moves = () if seat in self._owed else self._moves(seat)
            if not moves:
                await changed.wait()
                continue
            if await self._unless_over(player.ready()) is None:
                return False
            self._hand_over(seat)
            thought = self._thought(seat, moves)
            if thought is None:
                continue
            answer = await self._unless_over(self._ask(player, thought))
            if answer is None:
                return False
            if answer.value is not None:
                self._answer(seat, answer.value, moves)
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), AGAIN)
        return True

    def _hand_over(self, seat: Seat) -> None:
        """Start the seat's clock if the turn is a new one: its player is asked now."""
        turn = self._turns.pop(seat, None)
        if turn is not None:
            self._since[seat] = self._house.now()
            self._house.handed(turn)

    async def _ask(self, player: ArenaPlayer, thought: Thought) -> str | None:
        """Ask the player for a move. With a clock, the hall says how long that may take."""
        if not isinstance(self._control, Unlimited):
            return await player.choose(thought)
        fretting = asyncio.create_task(self._fret(thought.seat))
        try:
            return await player.choose(thought)
        finally:
            fretting.cancel()

    async def _fret(self, seat: Seat) -> None:
        """Tell people that a player without a clock thinks on, after ever longer times."""
        waited, more = 0.0, self._terms.fret
        while True:
            await asyncio.sleep(more)
            waited, more = waited + more, max(more, waited + more)
            self._notice(
                f"{self._terms.names[seat]} has thought for {length_words(int(waited * SECOND))} "
                f"at table {self._terms.table}; there is no clock, so only Ctrl-C stops it."
            )

    def _answer(self, seat: Seat, move: str, moves: tuple[str, ...]) -> None:
        """Put the move before the hall; an illegal one is quoted in the log first."""
        player = self._terms.players[seat]
        if move not in moves and self._plain(move) not in moves:
            shown = move if len(move) <= SHOWN else f"{move[:SHOWN]}…"
            self._say(seat, f"{self._terms.names[seat]} played {shown!r}.")
        self._owed.add(seat)
        self._house.ask(Play(self._terms.table, move, player=player))

    def _lose(self, seat: Seat, why: str) -> None:
        """Leave the table and say why, because the player can play no more."""
        if not self._over.is_set():
            self._say(seat, why)
            self._house.ask(Leave(self._terms.table, player=self._terms.players[seat]))

    def _say(self, seat: Seat, text: str) -> None:
        text = text[:CHAT_MAX]
        self._house.ask(Say(self._terms.table, text, player=self._terms.players[seat]))

    # -- what a player is given

    def _moves(self, seat: Seat) -> tuple[str, ...]:
        """The seat's legal moves now; none if it must wait, or the rules broke."""
        board, game = self._board, self._terms.game
        if board.outcome is not None or seat not in board.to_act or self._broken:
            return ()
        try:
            return tuple(map(game.format_move, game.legal_moves(board.state, seat)))
        except BROKEN as wrong:
            self._break(wrong)
            return ()

    def _break(self, wrong: BaseException) -> None:
        """Let the hall end the game: its rules cannot say what a player may see or do."""
        self._broken = True
        self._house.rules_failed(self._terms.table, wrong)

    def _thought(self, seat: Seat, moves: tuple[str, ...]) -> Thought | None:
        terms, board = self._terms, self._board
        try:
            view = terms.game.view(board.state, seat)
        except BROKEN as wrong:
            self._break(wrong)
            return None
        left = self._left()
        millis = millis_for(self._control, None if left is None else left[seat])
        seed = terms.seed
        for part in (terms.table, seat, board.n):
            seed = Chance(seed ^ part).bits()
        secret = terms.game.secret_moves
        played = tuple(move for move in self._played if not secret or move[0] == seat)
        return Thought(terms.variant, 0, seat, view, moves, seed, millis, left, played)

    def _left(self) -> tuple[Micros, ...] | None:
        """What is left on each clock now: those of the seats to act have run on."""
        board = self._board
        if board.left is None:
            return None
        now = self._house.now()
        return tuple(
            max(0, left - now + max(self._since.get(Seat(n), now), board.at))
            for n, left in enumerate(board.left)
        )

    def _plain(self, move: str) -> str:
        """The move as the rules write it; as it is if it is no move."""
        game = self._terms.game
        try:
            return game.format_move(game.parse_move(move))
        except BadNotation:
            return move

    async def _unless_over(self, work: Awaitable[T]) -> Consequence[T] | None:
        """Do this work, and return what came of it; None if the game ended first."""
        doing = asyncio.ensure_future(work)
        ending = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({doing, ending}, return_when=asyncio.FIRST_COMPLETED)
            return Consequence(await doing) if doing.done() else None
        finally:
            ending.cancel()
            if not doing.done():
                doing.cancel()
                await asyncio.gather(doing, return_exceptions=True)
