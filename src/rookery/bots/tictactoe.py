"""Tic-tac-toe, solved: never give anything away, and of the safe moves set the most traps.

The whole game is small enough to be worked out once. A safe move keeps what the position
is worth; of the safe ones the bot takes those that do best against someone who moves at
random. Weaker levels give something away in a stated share of their moves, where they can.
"""

from functools import cache
from typing import Final

from msgspec import Struct

from rookery.bots.base import Halt, Level, Sight
from rookery.core.chance import Chance
from rookery.games.tictactoe import EMPTY, LINES, MARKS, TictactoeView

_DRAWN, _LOST = 0.5, 0.0  # and 1 is won


class TictactoeBot(Struct, frozen=True):
    """Plays perfectly but for `errs` per cent of its moves, which are mistakes if any can be."""

    errs: int

    def choose(self, sight: Sight, chance: Chance, nodes: int, halt: Halt) -> str:
        """Choose a safe move, or err in a stated share of moves; of equally good ones any."""
        view = sight.view
        assert isinstance(view, TictactoeView), "a tictactoe bot plays tictactoe"
        cells = "".join(view.rows)
        errs = chance.below(100) < self.errs
        return str(chance.choice(_mistakes(cells) if errs else _traps(cells)))


@cache
def _traps(cells: str) -> tuple[int, ...]:
    """The safe slots that do best against someone who moves at random."""
    hopes = {slot: 1 - _waiting(_put(cells, slot)) for slot in _safe(cells)}
    most = max(hopes.values())
    return tuple(slot for slot, hope in hopes.items() if hope == most)


@cache
def _mistakes(cells: str) -> tuple[int, ...]:
    """The slots that give something away; all of them where none does."""
    safe = _safe(cells)
    return tuple(slot for slot in _free(cells) if slot not in safe) or safe


@cache
def _safe(cells: str) -> tuple[int, ...]:
    """The slots that keep what the position is worth."""
    worth = _worth(cells)
    return tuple(slot for slot in _free(cells) if 1 - _worth(_put(cells, slot)) == worth)


@cache
def _worth(cells: str) -> float:
    """The worth to the side to move when both play perfectly, from 0 to 1."""
    ended = _ended(cells)
    if ended is not None:
        return ended
    return max(1 - _worth(_put(cells, slot)) for slot in _free(cells))


@cache
def _waiting(cells: str) -> float:
    """The worth to a side that moves at random, against one that is safe and sets traps."""
    ended = _ended(cells)
    if ended is not None:
        return ended
    free = _free(cells)
    return sum(_answer(_put(cells, slot)) for slot in free) / len(free)


def _answer(cells: str) -> float:
    """The worth to the side that has moved at random, once the other replies."""
    ended = _ended(cells)
    if ended is not None:
        return 1 - ended
    return min(_waiting(_put(cells, slot)) for slot in _safe(cells))


def _ended(cells: str) -> float | None:
    """The result for the side to move, if the game is over: a full line is the other side's."""
    if any(cells[a] == cells[b] == cells[c] != EMPTY for a, b, c in LINES):
        return _LOST
    return None if EMPTY in cells else _DRAWN


def _put(cells: str, slot: int) -> str:
    mark = MARKS[(9 - cells.count(EMPTY)) % 2]
    return f"{cells[:slot]}{mark}{cells[slot + 1 :]}"


def _free(cells: str) -> tuple[int, ...]:
    return tuple(slot for slot, mark in enumerate(cells) if mark == EMPTY)


LEVELS: Final[tuple[Level, ...]] = (
    Level(TictactoeBot(errs=85), 1),
    Level(TictactoeBot(errs=60), 1),
    Level(TictactoeBot(errs=37), 1),
    Level(TictactoeBot(errs=16), 1),
    Level(TictactoeBot(errs=0), 1),
)
