"""Prepared games, as the very lines that will be sent: a load that thinks costs too much.

Every game can be played whatever seed its table is given. How many lines each side hears
is known beforehand, so that the load need not read what it is told, only count its lines:
a seat may move when it has heard everything up to the move before.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.games import parse_variant
from rookery_tools.bench.rules import prepare

REVERSI: Final = "reversi"
NIM: Final = "nim sticks=9,9,9,9,9,9,9,9,9,9"  # about 28 moves, and no dealing
DIFFERENT: Final = 20  # random games a variant; more would only take longer to prepare

Moves = tuple[tuple[int, str], ...]  # each with its seat


class ScriptedMove(Struct, frozen=True):
    """One move: its seat, the line to send, and how many lines that seat must hear before."""

    seat: int
    line: bytes
    due: int


class PairScript(Struct, frozen=True):
    """The games that a pair plays one after the other, and how many lines each side hears."""

    steps: tuple[ScriptedMove, ...]
    heard: tuple[int, int]


@cache
def games_of(variant: str) -> tuple[Moves, ...]:
    """Random games of a variant for two, the same on every run."""
    game = parse_variant(variant)
    return tuple(prepare(game, 2, Chance(seed)).moves for seed in range(DIFFERENT))


def script(games: Sequence[Moves], tables: Sequence[int], ending: int) -> PairScript:
    """The script of these games at these tables; `ending` lines tell each side of a game's end."""
    steps: list[ScriptedMove] = []
    heard = [0, 0]
    for moves, table in zip(games, tables, strict=True):
        for seat, text in moves:
            line = b'{"type":"play","table":%d,"move":"%b"}\n' % (table, text.encode())
            steps.append(ScriptedMove(seat, line, heard[seat]))
            heard[seat] += 2  # the answer, and the news
            heard[1 - seat] += 1
        heard = [lines + ending for lines in heard]
    return PairScript(tuple(steps), (heard[0], heard[1]))
