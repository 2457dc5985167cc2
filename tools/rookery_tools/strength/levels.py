"""How strong the levels are: each against the one below, in every game.

Starts are paired and drawn afresh, seats are exchanged. There is so much time for all matches;
what the quick games leave over is for the slow ones, which come last.
"""

import secrets
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from rookery.arena.setup import Setup, checked, variant_with
from rookery.arena.statistics import Pentanomial
from rookery.arena.summary import strength_of
from rookery.bots import BEST, level_of
from rookery.core.chance import Chance
from rookery.games import GAMES, AnyGame

TIME: Final = "1s/move"  # what a level is meant for
TOGETHER: Final = "2m+1s"  # where several think at once: there it matters how much is left
PLAYED_OUT: Final = 0.75  # of its time after which a match begins no more games: some still run


class LevelStep(Struct, frozen=True):
    """A level against the one below it."""

    game: str
    level: int


class MeasuredStep(Struct, frozen=True):
    """What the match of a step showed, for the higher level."""

    step: LevelStep
    pairs: Pentanomial


def steps(games: Sequence[str]) -> tuple[LevelStep, ...]:
    """All steps to measure of these games; of all games if none is named."""
    wanted = sorted((game for game in GAMES if game in (games or GAMES)), key=_slowness)
    return tuple(LevelStep(game, level) for game in wanted for level in range(2, BEST + 1))


def _slowness(game: str) -> tuple[int, int]:
    return _at_once(game), level_of(game, BEST).nodes


def _at_once(name: str) -> int:
    """How many seats think at once, each on a processor of its own."""
    game: AnyGame = GAMES[name]()
    return len(game.to_act(game.start(game.seat_counts[0], Chance(0))))


def setup_of(step: LevelStep, games: int, jobs: int) -> Setup:
    """The match that measures a step. Raises Mistake."""
    at_once = _at_once(step.game)
    return checked(
        Setup(
            players=(f"level{step.level}", f"level{step.level - 1}"),
            variant=variant_with(step.game, None),
            games=games,
            time=TIME if at_once == 1 else TOGETHER,
            jobs=max(1, jobs // at_once),
            seed=secrets.randbits(63),
            key=secrets.token_urlsafe(18),
        )
    )


def share(seconds: float, left: int) -> float:
    """Seconds for which the next match may begin games, if so many matches share the time left."""
    return max(1.0, seconds / left * PLAYED_OUT)


def markdown(measured: Sequence[MeasuredStep]) -> str:
    """Write the table for the docs; it counts only games that came in whole pairs."""
    lines = [
        "| game | levels | games | score | 95 % | Elo | 95 % | stronger |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for one in measured:
        found = strength_of(one.pairs)
        low, high = found.score_interval
        elo = (found.elo, *found.elo_interval)
        at, least, most = (_elo(value, above=n != 1) for n, value in enumerate(elo))
        lines.append(
            f"| {one.step.game} | {one.step.level} – {one.step.level - 1} | {2 * sum(one.pairs)} "
            f"| {found.score:.0%} | {low:.0%} to {high:.0%} | {at} | {least} to {most} "
            f"| {found.los:.1%} |"
        )
    return "\n".join(lines)


def _elo(elo: float | None, *, above: bool) -> str:
    if elo is None:
        return "∞" if above else "-∞"
    return f"{round(elo):+d}"
