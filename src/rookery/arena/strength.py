"""How strong the levels are: each against the one below, in every game.

Starts are paired and drawn afresh, seats are exchanged. There is so much time for all;
what the quick games leave over is for the slow ones, which come last.
"""

import secrets
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from rookery.arena.setup import Setup, checked, variant_with
from rookery.arena.statistics import Pentanomial
from rookery.arena.summary import strength_of
from rookery.bots import BEST, LEVELS

TIME: Final = "1s/move"  # what a level is meant for
CLOCKS: Final = {"bughouse": "2m+1s"}  # there it matters how much is left
AT_ONCE: Final = {"bughouse": 2}  # seats that think at once, each on a processor of its own
ORDER: Final = ("nim", "guess", "tictactoe", "fish", "reversi", "bughouse")  # the quick first
PLAYED_OUT: Final = 0.75  # of its time after which a match begins no more games: some still run


class Step(Struct, frozen=True):
    """A level against the one below it."""

    game: str
    level: int


class Measured(Struct, frozen=True):
    """What came of it, for the higher level."""

    step: Step
    pairs: Pentanomial


def steps(games: Sequence[str]) -> tuple[Step, ...]:
    """All that is to be measured of these games; where none is named, of all."""
    wanted = [game for game in (*ORDER, *LEVELS) if game in (games or LEVELS)]
    levels = range(2, BEST + 1)
    return tuple(Step(game, level) for game in dict.fromkeys(wanted) for level in levels)


def setup_of(step: Step, games: int, jobs: int) -> Setup:
    """The match that measures a step. Raises Mistake."""
    return checked(
        Setup(
            players=(f"level{step.level}", f"level{step.level - 1}"),
            variant=variant_with(step.game, None),
            games=games,
            time=CLOCKS.get(step.game, TIME),
            jobs=max(1, jobs // AT_ONCE.get(step.game, 1)),
            seed=secrets.randbits(63),
            key=secrets.token_urlsafe(18),
        )
    )


def share(seconds: float, left: int) -> float:
    """How long a match may begin games, of so many seconds for so many matches."""
    return max(1.0, seconds / left * PLAYED_OUT)


def markdown(measured: Sequence[Measured]) -> str:
    """The table of the docs; of games that came in whole pairs, as all its numbers do."""
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
