"""A match as it stands, in numbers: for programs as JSON, for people by the command line.

Infinite Elo, which comes of winning everything, is null in JSON.
"""

from math import isfinite
from pathlib import Path

from msgspec import Struct

from rookery.arena.setup import Setup
from rookery.arena.statistics import (
    Pentanomial,
    Span,
    elo_from_score,
    interval,
    llr,
    los,
    score_of,
)
from rookery.arena.tally import Failure, Tally
from rookery.core.ids import MICROS_A_SECOND


class SideLine(Struct, frozen=True):
    """How one side did in a match."""

    name: str
    players: tuple[str, ...]  # as they were typed
    points: float  # one for a game, shared in a draw
    score: float  # the share of the points it could have had
    wins: int
    losses: dict[str, int]  # how often by what
    moves: int
    mean_seconds: float  # a move
    longest_seconds: float


class Strength(Struct, frozen=True):
    """How much stronger the first of two sides is, from whole pairs of games."""

    pairs: Pentanomial  # with 0, ½, 1, 1½ and 2 points for it
    score: float
    score_interval: Span
    elo: float | None
    elo_interval: tuple[float | None, float | None]
    los: float


class SprtLine(Struct, frozen=True):
    """How a sequential test stands."""

    elo0: float
    elo1: float
    alpha: float
    beta: float
    llr: float
    bounds: Span
    verdict: str | None


class Summary(Struct, frozen=True):
    """Everything that a match has shown."""

    variant: str
    time: str
    folder: str
    status: str  # played, decided, ended early, stopped
    games: int  # asked for
    played: int
    draws: int
    sides: tuple[SideLine, ...]
    strength: Strength | None  # where there are two sides
    sprt: SprtLine | None
    failures: tuple[Failure, ...]  # lost on time, by an illegal move or a crash


def summary_of(setup: Setup, tally: Tally, names: tuple[str, ...], folder: Path) -> Summary:
    """Summarise the match as it stands."""
    played = len(tally.results)
    return Summary(
        variant=setup.variant,
        time=setup.time,
        folder=str(folder),
        status=_status(setup, tally),
        games=setup.games,
        played=played,
        draws=tally.draws,
        sides=tuple(_side(setup, tally, names, n) for n in range(len(names))),
        strength=strength_of(tally.pairs) if len(names) == 2 else None,
        sprt=_sprt(setup, tally),
        failures=tuple(tally.failures),
    )


def strength_of(pairs: Pentanomial) -> Strength:
    """What these pairs say of the first side's strength."""
    score, (low, high) = score_of(pairs), interval(pairs)
    ends = (finite(elo_from_score(low)), finite(elo_from_score(high)))
    return Strength(pairs, score, (low, high), finite(elo_from_score(score)), ends, los(pairs))


def finite(number: float) -> float | None:
    """The number; None if it is infinite."""
    return number if isfinite(number) else None


def _status(setup: Setup, tally: Tally) -> str:
    if tally.verdict is not None:
        return "decided"
    if not tally.over:
        return "stopped"
    return "played" if len(tally.results) == setup.games else "ended early"


def _side(setup: Setup, tally: Tally, names: tuple[str, ...], n: int) -> SideLine:
    pace, played = tally.paces[n], len(tally.results)
    return SideLine(
        name=names[n],
        players=tuple(dict.fromkeys(setup.teams[n])),
        points=tally.points[n],
        score=tally.points[n] / played if played else 0.5,
        wins=tally.wins[n],
        losses=dict(tally.losses[n].most_common()),
        moves=pace.moves,
        mean_seconds=pace.total / pace.moves / MICROS_A_SECOND if pace.moves else 0.0,
        longest_seconds=pace.longest / MICROS_A_SECOND,
    )


def _sprt(setup: Setup, tally: Tally) -> SprtLine | None:
    test = setup.sprt
    if test is None:
        return None
    ratio = llr(tally.pairs, test.elo0, test.elo1)
    verdict = None if tally.verdict is None else tally.verdict.value
    return SprtLine(test.elo0, test.elo1, test.alpha, test.beta, ratio, test.bounds, verdict)
