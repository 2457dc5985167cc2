"""How strong the players of any game are: each level above the first against level 1.

They can be measured in games that have bots of their own too, which is where perfect play is
known. Games are played here, in this process, without a hall or a clock: a level has a second
for a move, as at a table. Both sides play every start from both seats.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from msgspec import Struct

from rookery.arena.statistics import Pentanomial
from rookery.arena.summary import strength_of
from rookery.bots.any_game import LEVELS
from rookery.bots.base import Level, Sight
from rookery.core.chance import Chance
from rookery.core.errors import BadOption
from rookery.core.game import Outcome
from rookery.core.ids import Seat
from rookery.games import AnyGame, format_variant

SECOND: Final = 1.0  # for a move
POSITIONS: Final = 60  # in which moves are held against perfect ones
STATES_MAX: Final = 20_000  # of a game that can be solved; larger ones are not tried

Past = tuple[tuple[Seat, str], ...]  # what was played
Solved = Callable[[Any], float]  # Any: a state of the game; what it is worth to the first seat


class LevelStrength(Struct, frozen=True):
    """A level against level 1, and the share of its moves that were perfect, if known."""

    variant: str
    level: int
    pairs: Pentanomial
    perfect: float | None


def measure(game: AnyGame, pairs: int, seconds: float, seed: int) -> Iterator[LevelStrength]:
    """Measure levels 2 to 5 in turn, at most so many seconds each. Raises BadOption."""
    if game.seat_counts[0] != 2:
        raise BadOption(f"Two levels play two sides, and {game.name} is not for two.")
    solved = solution(game)
    for number, level in enumerate(LEVELS[1:], 2):
        until = time.monotonic() + seconds
        counts = [0] * 5
        for n in range(pairs):
            counts[round(2 * _pair(game, level, seed + n))] += 1
            if time.monotonic() > until:
                break
        found = (counts[0], counts[1], counts[2], counts[3], counts[4])
        share = None if solved is None else perfect_share(game, level, solved, seed)
        yield LevelStrength(format_variant(game), number, found, share)


def markdown(measured: list[LevelStrength]) -> str:
    """Write the table for the docs."""
    lines = [
        "| game | levels | games | score | 95 % | perfect moves |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for one in measured:
        found = strength_of(one.pairs)
        low, high = found.score_interval
        perfect = "" if one.perfect is None else f"{one.perfect:.0%}"
        lines.append(
            f"| {one.variant} | {one.level} – 1 | {2 * sum(one.pairs)} | {found.score:.0%} "
            f"| {low:.0%} to {high:.0%} | {perfect} |"
        )
    return "\n".join(lines)


def _pair(game: AnyGame, level: Level, seed: int) -> float:
    """The points of this level in two games against level 1, from the same start."""
    points = 0.0
    for seat in (Seat(0), Seat(1)):
        sides = [LEVELS[0], LEVELS[0]]
        sides[seat] = level
        outcome = _played(game, sides, seed)
        points += 0.5 if outcome.drawn else float(seat in outcome.winners)
    return points


def _played(game: AnyGame, sides: list[Level], seed: int) -> Outcome:
    chance, state = Chance(seed + 1), game.start(2, Chance(seed))
    played: Past = ()
    while (outcome := game.outcome(state)) is None:
        seat = min(game.to_act(state))
        move = _choice(game, state, sides[seat], chance, played)
        state = game.play(state, seat, game.parse_move(move)).state
        played = (*played, (seat, move))
    return outcome


def _choice(game: AnyGame, state: Any, level: Level, chance: Chance, played: Past) -> str:
    """The move that this level chooses here, for the lowest seat that is to act."""
    until, seat = time.monotonic() + SECOND, min(game.to_act(state))
    moves = tuple(map(game.format_move, game.legal_moves(state, seat)))
    known = None if game.secret_moves else played
    sight = Sight(game, seat, game.view(state, seat), moves, played=known)
    move = level.bot.choose(sight, chance, level.nodes, lambda: time.monotonic() >= until)
    assert move is not None, "one that is asked alone does not wait"
    return move


# -- perfect play, where a game is small enough to be worked out


def solution(game: AnyGame) -> Solved | None:
    """What every state is worth to the first seat; None for a game that is dealt, or too large."""
    start = game.start(2, Chance(0))
    if game.secret_moves or any(game.start(2, Chance(n)) != start for n in range(1, 8)):
        return None
    if not _small(game, start):
        return None

    @cache
    def worth(state: Any) -> float:
        outcome = game.outcome(state)
        if outcome is not None:
            return 0.5 if outcome.drawn else float(Seat(0) in outcome.winners)
        seat = min(game.to_act(state))
        after = [worth(game.play(state, seat, m).state) for m in game.legal_moves(state, seat)]
        return max(after) if seat == 0 else min(after)

    return worth


def perfect_share(game: AnyGame, level: Level, solved: Solved, seed: int) -> float:
    """The share of the level's moves that give nothing away, where a move could."""
    right = asked = 0
    for state, played in _crossroads(game, solved, Chance(seed)):
        seat = min(game.to_act(state))
        move = _choice(game, state, level, Chance(seed + asked), played)
        right += solved(game.play(state, seat, game.parse_move(move)).state) == solved(state)
        asked += 1
        if asked >= POSITIONS:
            break
    return right / max(1, asked)


def _crossroads(game: AnyGame, solved: Solved, chance: Chance) -> Iterator[tuple[Any, Past]]:
    """Yield positions of random games in which some moves are right and some are wrong."""
    for _ in range(100 * POSITIONS):
        state = game.start(2, Chance(0))
        played: Past = ()
        while game.outcome(state) is None:
            seat = min(game.to_act(state))
            moves = list(game.legal_moves(state, seat))
            if len({solved(game.play(state, seat, move).state) for move in moves}) > 1:
                yield state, played
            move = chance.choice(moves)
            state = game.play(state, seat, move).state
            played = (*played, (seat, game.format_move(move)))


def _small(game: AnyGame, start: Any) -> bool:
    """Whether the game has so few states that all can be listed."""
    found, left = {start}, [start]
    while left:
        state = left.pop()
        for seat in sorted(game.to_act(state)):
            for move in game.legal_moves(state, seat):
                after = game.play(state, seat, move).state
                if after not in found:
                    if len(found) >= STATES_MAX:
                        return False
                    found.add(after)
                    left.append(after)
    return True
