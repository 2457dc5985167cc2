"""Random games to try the laws on: played once, kept, and looked at by every law.

Some games cost a thousand times what others do, so laws look at a spread of positions
and moves and not at all of them. Everything comes from seeds: the same each run.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from typing import Any, TypeVar

from msgspec import Struct

from rookery.core.chance import Chance
from rookery.core.game import Aside, Effect, Step
from rookery.core.ids import Seat
from tests.laws.variants import Case

T = TypeVar("T")

GAMES_MAX, PLIES_ENOUGH = 40, 1200  # short games are tried often, long ones twice
POSITIONS = 60  # of one variant that a law looks at
MOVES = 80  # of one position that a law tries


# Any: these hold states and moves of every game, and only pass them back to it.
class Ply(Struct, frozen=True):
    """One move of a random game."""

    before: Any
    seat: Seat
    move: Any
    step: Step[Any]


class Walk(Struct, frozen=True):
    """A random game from its start to its end."""

    seed: int
    start: Any
    plies: tuple[Ply, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        """Every position, the first and the last included."""
        return (self.start, *(ply.step.state for ply in self.plies))

    @property
    def end(self) -> Any:
        """The last position."""
        return self.states[-1]


def walk(case: Case, seed: int) -> Walk:
    """Play one game to its end, every move by chance."""
    chance = Chance(seed)
    start = case.game.start(case.seats, chance)
    return Walk(seed, start, walk_on(case, start, chance))


def walk_on(case: Case, state: Any, chance: Chance) -> tuple[Ply, ...]:
    """Play on from here to the end, every move by chance."""
    plies: list[Ply] = []
    while case.game.to_act(state):
        assert len(plies) < case.longest, f"{case} is over within {case.longest} plies"
        able = [
            (seat, moves)
            for seat in seats_to_act(case, state)
            if (moves := legal(case, state, seat))
        ]
        assert able, "somebody to act has a move"
        seat, moves = chance.choice(able)
        move = chance.choice(moves)
        plies.append(Ply(state, seat, move, case.game.play(state, seat, move)))
        state = plies[-1].step.state
    return tuple(plies)


@cache
def walks(case: Case) -> tuple[Walk, ...]:
    """A few whole games of this variant."""
    played: list[Walk] = []
    for seed in count(1):
        played.append(walk(case, seed))
        plies = sum(len(one.plies) for one in played)
        if len(played) >= GAMES_MAX or (plies >= PLIES_ENOUGH and len(played) >= 2):
            break
    return tuple(played)


@cache
def positions(case: Case) -> tuple[Any, ...]:
    """Positions from all stages of those games, ends included."""
    ends = [one.end for one in walks(case)]
    running = [ply.before for one in walks(case) for ply in one.plies]
    return (*spread(running, POSITIONS), *spread(ends, POSITIONS // 4))


@cache
def some_moves(case: Case) -> tuple[Any, ...]:
    """Moves that were legal for someone, somewhere in those games."""
    found: dict[Any, None] = {}
    for state in positions(case):
        for seat in all_seats(case):
            found.update(dict.fromkeys(spread(legal(case, state, seat), MOVES)))
    return tuple(spread(tuple(found), 3 * MOVES))


def legal(case: Case, state: Any, seat: Seat) -> tuple[Any, ...]:
    """The seat's legal moves, listed."""
    return tuple(case.game.legal_moves(state, seat))


def all_seats(case: Case) -> tuple[Seat, ...]:
    """Every seat at the table."""
    return tuple(Seat(n) for n in range(case.seats))


def seats_to_act(case: Case, state: Any) -> list[Seat]:
    """The seats to act, in order."""
    return sorted(case.game.to_act(state))


def effects_of(case: Case) -> Iterable[Effect | Aside]:
    """Everything the moves of those games did."""
    return (effect for one in walks(case) for ply in one.plies for effect in ply.step.effects)


def spread(things: Sequence[T], most: int) -> Sequence[T]:
    """At most so many of them, evenly spaced, the first and the last included."""
    if len(things) <= most:
        return things
    return [things[n * (len(things) - 1) // (most - 1)] for n in range(most)]


def is_sentence(text: str) -> bool:
    """Whether this is one line that ends in a full stop."""
    return len(text) > 1 and text.endswith(".") and "\n" not in text and text == text.strip()
