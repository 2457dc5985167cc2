"""How a board of bughouse stands, as the best players here see it: in pawns, move by move.

The two boards are played at once and nobody knows who is quicker, so the analyst looks at a
board by itself: with the pieces in hand, and those that the other board may still bring.
"""

from math import exp
from typing import Any, Final

from msgspec import Struct

from rookery.bots.base import Halt, Sight
from rookery.bots.bughouse.needs import gifts
from rookery.bots.bughouse.players import boards, quick_move
from rookery.bots.bughouse.search import DEEPEST, LOST, Search
from rookery.bots.studying import CHOICES_MAX, Choice, Studied

_NODES: Final = 10_000_000  # its time is up long before
_STEEP: Final = 300  # hundredths of a pawn by which three of four games are won


class BughouseAnalyst(Struct, frozen=True):
    """Looks for the best move, then for the best of the others, and so on."""

    def study(self, sight: Sight, state: Any, halt: Halt, last: Halt) -> Studied:
        """Search this board, and tell what its moves are worth, the best first."""
        here, there = boards(sight)
        ours, theirs = gifts(there, 1 - here.side), gifts(there, here.side)
        here.gifts = (theirs, ours) if here.side else (ours, theirs)
        texts = {quick_move(text): text for text in sight.moves}
        choices: list[Choice] = []
        deepest = 0
        for depth in range(1, DEEPEST + 1):
            found: list[Choice] = []
            rest = list(texts)
            while rest and len(found) < CHOICES_MAX and not halt():
                search = Search(here, _NODES, halt)
                move, value = search.best(rest, depth)
                if search.stopped:
                    break
                rest.remove(move)
                found.append(_choice(texts[move], value))
            if len(found) < min(CHOICES_MAX, len(texts)):
                break
            choices, deepest = found, depth
        return Studied(tuple(choices or _any(sight.moves)), deepest)


def _choice(text: str, value: int) -> Choice:
    if abs(value) >= -LOST:
        return Choice(text, float(value > 0), "mates" if value > 0 else "is mated")
    return Choice(text, 1 / (1 + exp(-value / _STEEP)), f"{value / 100:+.1f}")


def _any(moves: tuple[str, ...]) -> list[Choice]:
    """The first move, as a choice without a verdict: there was no time to search."""
    return [Choice(moves[0], 0.5, "")] if moves else []
