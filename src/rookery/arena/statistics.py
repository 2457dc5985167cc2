"""What results say about strength: scores, Elo, how sure that is, and when to stop.

Pure functions of counts. Games come in pairs with one start, seats exchanged, and the two
games of a pair are not independent, so everything is computed from whole pairs: a
pentanomial, the number of pairs in which the first side got 0, ½, 1, 1½ or 2 points.
docs/statistics.md has the formulas and where they are from.
"""

from enum import StrEnum
from math import erf, inf, log, log10, sqrt
from typing import Final

from msgspec import Struct

from rookery.core.errors import BadOption

Pentanomial = tuple[int, int, int, int, int]
Span = tuple[float, float]

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a pair, as a share of its two points
Z95: Final = 1.959963984540054  # 95 % of a normal variable are within so many deviations
FAR: Final = 0.025  # the probability beyond either end of an interval
# What stands for a count of nothing, so that a pair never seen is unlikely, not impossible.
UNSEEN: Final = 1e-3
_HALVINGS: Final = 60  # the root is then as exact as a float


def elo_from_score(score: float) -> float:
    """The Elo difference at which this score is expected; infinite for 0 and 1."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1)


def score_from_elo(elo: float) -> float:
    """The score expected of a side that is stronger by so much Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def score_of(pairs: Pentanomial) -> float:
    """The mean score over these pairs, ½ without any."""
    n = sum(pairs)
    return sum(map(_times, pairs, SCORES)) / n if n else 0.5


def error_of(pairs: Pentanomial) -> float | None:
    """The standard error of the mean score; None for fewer than two pairs."""
    n, mean = sum(pairs), score_of(pairs)
    if n < 2:
        return None
    squares = sum(count * (score - mean) ** 2 for count, score in zip(pairs, SCORES, strict=True))
    return sqrt(squares / (n - 1) / n)


def interval(pairs: Pentanomial) -> Span:
    """The interval in which the true score is, with 95 % confidence."""
    n, mean, error = sum(pairs), score_of(pairs), error_of(pairs)
    if error:
        return max(0.0, mean - Z95 * error), min(1.0, mean + Z95 * error)
    if not n:
        return 0.0, 1.0
    # All alike: the variance says nothing, but how often another pair may come out otherwise
    # is bounded. A kind of pair seen n times out of n has at least this probability.
    likely = FAR ** (1 / n)
    return likely * mean, 1 - likely * (1 - mean)


def los(pairs: Pentanomial) -> float:
    """The likelihood of superiority: that the first side is the stronger one."""
    n, error, ahead = sum(pairs), error_of(pairs), score_of(pairs) - 0.5
    if error:
        return normal(ahead / error)
    if not ahead:
        return 0.5
    # All alike: n of n pairs were won, and before them every share of pairs was as likely.
    return 1 - 0.5 ** (n + 1) if ahead > 0 else 0.5 ** (n + 1)


def normal(z: float) -> float:
    """The probability that a standard normal variable is below z."""
    return (1 + erf(z / sqrt(2))) / 2


# -- the sequential test


class SequentialVerdict(StrEnum):
    """What a sequential test has found."""

    ACCEPTED = "accepted"  # elo1 is true rather than elo0
    REJECTED = "rejected"  # elo0 is true rather than elo1


class Sprt(Struct, frozen=True):
    """A sequential test whether the first side is elo1 stronger, or only elo0."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often elo1 may be accepted though elo0 is true
    beta: float = 0.05  # how often elo1 may be rejected though it is true

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise BadOption("A test needs elo0 below elo1, both from -1000 to 1000.")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadOption("Alpha and beta are between 0 and 0.5, like 0.05.")

    @property
    def bounds(self) -> Span:
        """The log-likelihood ratios at which the test is rejected (the lower) or accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def verdict(self, pairs: Pentanomial) -> SequentialVerdict | None:
        """What these pairs decide; None while nothing is decided."""
        lower, upper = self.bounds
        ratio = llr(pairs, self.elo0, self.elo1)
        if ratio >= upper:
            return SequentialVerdict.ACCEPTED
        return SequentialVerdict.REJECTED if ratio <= lower else None


def llr(pairs: Pentanomial, elo0: float, elo1: float) -> float:
    """The log of how much likelier these pairs are, at best, under elo1 than under elo0."""
    if not sum(pairs):
        return 0.0
    counts = [count or UNSEEN for count in pairs]
    s0, s1 = score_from_elo(elo0), score_from_elo(elo1)
    x0, x1 = _tilt(counts, s0), _tilt(counts, s1)
    return sum(
        count * log((1 + x0 * (score - s0)) / (1 + x1 * (score - s1)))
        for count, score in zip(counts, SCORES, strict=True)
    )


def _tilt(counts: list[float], mean: float) -> float:
    """The x for which the shares count/(1 + x·(score - mean)) have this mean.

    These shares are the likeliest of all that have it. The sum below falls as x rises, from
    infinity to minus infinity between the two ends, so halving finds its root.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        off = sum(
            count * (score - mean) / (1 + x * (score - mean))
            for count, score in zip(counts, SCORES, strict=True)
        )
        low, high = (x, high) if off > 0 else (low, x)
    return (low + high) / 2


def _times(count: int, score: float) -> float:
    return count * score
