"""The statistics of matches, against published numbers and against slower ways to get them."""

from math import exp, inf, log, sqrt

import pytest

from rookery.arena.statistics import (
    SCORES,
    UNSEEN,
    Pentanomial,
    SequentialVerdict,
    Sprt,
    elo_from_score,
    error_of,
    interval,
    llr,
    los,
    normal,
    score_from_elo,
    score_of,
)
from rookery.core.chance import Chance
from rookery.core.errors import BadOption

# -- Elo


@pytest.mark.parametrize(
    ("elo", "score"),
    # The logistic curve at a few points, worked out by hand: 10^(1/4) is 1.77828, so that
    # 100 is 1.77828/2.77828; 10^(1/2) is 3.16228; and 10 to 1 is 400.
    [(0, 0.5), (100, 0.6400650), (200, 0.7597469), (400, 10 / 11), (-400, 1 / 11)],
)
def test_elo_and_score_are_the_logistic_curve(elo: float, score: float) -> None:
    assert score_from_elo(elo) == pytest.approx(score, abs=1e-7)
    assert elo_from_score(score) == pytest.approx(elo, abs=1e-4)


def test_sixty_four_per_cent_are_a_hundred_elo() -> None:
    assert round(elo_from_score(0.64)) == 100


def test_three_to_one_are_191_elo() -> None:
    assert elo_from_score(0.75) == pytest.approx(400 * log(3) / log(10))
    assert round(elo_from_score(0.75)) == 191


def test_who_wins_everything_is_infinitely_stronger() -> None:
    assert elo_from_score(1) == inf
    assert elo_from_score(0) == -inf


# -- scores and their error


def test_the_score_of_pairs_is_the_mean_of_their_points() -> None:
    # 1·0 + 2·½ + 3·1 + 4·1½ + 5·2 = 20 points of 30
    assert score_of((1, 2, 3, 4, 5)) == pytest.approx(20 / 30)


def test_the_error_is_that_of_a_mean_of_pairs() -> None:
    # Pairs of 0, 1 and 1 shares: mean 2/3, squares 4/9 + 1/9 + 1/9 = 6/9, over n-1 = 2 and n = 3.
    assert error_of((1, 0, 0, 0, 2)) == pytest.approx(sqrt(6 / 9 / 2 / 3))


def test_pairs_that_cancel_out_make_the_error_smaller_than_single_games_would() -> None:
    """Unequal starts: whoever moves first wins. A hundred games say that both are alike."""
    same_games_unpaired = sqrt(0.25 / 100)
    error = error_of((1, 0, 48, 0, 1))
    assert error is not None
    assert error < same_games_unpaired / 3


def test_one_pair_has_no_error() -> None:
    assert error_of((0, 0, 0, 0, 1)) is None


def test_the_interval_covers_the_truth_95_times_in_100() -> None:
    """By trial: 2000 matches of 100 pairs, each pair drawn from known odds."""
    odds = (10, 20, 30, 25, 15)  # in a hundred
    truth = sum(share * score for share, score in zip(odds, SCORES, strict=True)) / 100
    chance, inside = Chance(2024), 0
    for _ in range(2000):
        low, high = interval(_drawn(chance, odds, 100))
        inside += low <= truth <= high
    assert 0.935 <= inside / 2000 <= 0.965


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 20), (0, 0, 20, 0, 0), (20, 0, 0, 0, 0)])
def test_pairs_that_are_all_alike_do_not_make_us_certain(pairs: Pentanomial) -> None:
    low, high = interval(pairs)
    # What was seen 20 times of 20 has, with 97.5 %, a probability of at least p: p^20 = 0.025.
    assert high - low == pytest.approx(1 - 0.025 ** (1 / 20))
    assert low <= score_of(pairs) <= high


def test_without_games_nothing_is_known() -> None:
    assert interval((0, 0, 0, 0, 0)) == (0, 1)
    assert los((0, 0, 0, 0, 0)) == 0.5
    assert llr((0, 0, 0, 0, 0), 0, 20) == 0


# -- the likelihood of superiority


@pytest.mark.parametrize(
    ("z", "below"), [(0, 0.5), (1, 0.841345), (1.959964, 0.975), (2, 0.977250), (-3, 0.001350)]
)
def test_the_normal_distribution_is_that_of_the_tables(z: float, below: float) -> None:
    assert normal(z) == pytest.approx(below, abs=1e-6)


def test_superiority_of_pairs_is_the_normal_tail_of_their_score() -> None:
    pairs = (5, 10, 20, 15, 10)
    error = error_of(pairs)
    assert error is not None
    steps, total = 20_000, 0.0
    for n in range(steps):  # the area under the bell from ½ on, by rectangles
        score = 0.5 + (n + 0.5) / steps
        total += exp(-(((score - score_of(pairs)) / error) ** 2) / 2) / steps
    assert los(pairs) == pytest.approx(total / (error * sqrt(2 * 3.141592653589793)), abs=1e-5)


def test_a_few_pairs_that_are_all_won_do_not_make_superiority_certain() -> None:
    assert los((0, 0, 0, 0, 3)) == pytest.approx(15 / 16)
    assert los((3, 0, 0, 0, 0)) == pytest.approx(1 / 16)
    assert los((0, 0, 3, 0, 0)) == 0.5


# -- the sequential test


def test_the_bounds_are_walds() -> None:
    lower, upper = Sprt(0, 5).bounds
    assert upper == pytest.approx(log(0.95 / 0.05))
    assert upper == pytest.approx(2.944439, abs=1e-6)
    assert lower == pytest.approx(-upper)


def test_unequal_errors_make_unequal_bounds() -> None:
    lower, upper = Sprt(0, 5, alpha=0.01, beta=0.1).bounds
    assert lower == pytest.approx(log(0.1 / 0.99))
    assert upper == pytest.approx(log(0.9 / 0.01))


@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1"),
    [((3, 11, 30, 19, 7), 0.0, 20.0), ((1, 2, 3, 4, 5), -50.0, 50.0), ((0, 4, 9, 3, 0), 0.0, 5.0)],
)
def test_the_ratio_is_that_of_the_two_greatest_likelihoods(
    pairs: Pentanomial, elo0: float, elo1: float
) -> None:
    """By climbing: the likeliest shares with a given mean, found without any formula."""
    counts = [float(count or UNSEEN) for count in pairs]
    climbed = _greatest(counts, score_from_elo(elo1)) - _greatest(counts, score_from_elo(elo0))
    assert llr(pairs, elo0, elo1) == pytest.approx(climbed, abs=1e-4)


def test_where_only_whole_wins_and_losses_happen_it_is_walds_own_test() -> None:
    """Pairs of 2 or 0 points are one throw of a coin each, whose ratio is known."""
    s0, s1 = score_from_elo(0), score_from_elo(100)
    coin = 30 * log(s1 / s0) + 20 * log((1 - s1) / (1 - s0))
    assert llr((20, 0, 0, 0, 30), 0, 100) == pytest.approx(coin, abs=0.01)


def test_for_many_pairs_it_is_nearly_the_normal_approximation() -> None:
    """(s1-s0)(2s-s0-s1)/(2·variance of the mean), which small differences come down to."""
    pairs = (400, 1900, 5200, 2050, 450)
    n, s, s0, s1 = sum(pairs), score_of(pairs), score_from_elo(0), score_from_elo(5)
    variance = sum(c * (a - s) ** 2 for c, a in zip(pairs, SCORES, strict=True)) / n
    normally = n * (s1 - s0) * (2 * s - s0 - s1) / (2 * variance)
    assert llr(pairs, 0, 5) == pytest.approx(normally, rel=0.01)


def test_the_mirror_image_has_the_opposite_ratio() -> None:
    assert llr((3, 11, 30, 19, 7), -10, 10) == pytest.approx(-llr((7, 19, 30, 11, 3), -10, 10))


@pytest.mark.parametrize(
    ("truth", "wrong"), [(0.0, SequentialVerdict.ACCEPTED), (100.0, SequentialVerdict.REJECTED)]
)
def test_the_test_errs_about_as_rarely_as_it_promises(
    truth: float, wrong: SequentialVerdict
) -> None:
    """By trial: 200 tests of elo0=0 against elo1=100 where one of them is true."""
    test, chance, errors = Sprt(0, 100), Chance(7), 0
    win = round(score_from_elo(truth) * 10_000)
    for _ in range(200):
        counts, verdict = [0, 0, 0, 0, 0], None
        while verdict is None:
            counts[sum(2 for _ in range(2) if chance.below(10_000) < win)] += 1
            verdict = test.verdict((counts[0], counts[1], counts[2], counts[3], counts[4]))
        errors += verdict is wrong
    assert errors <= 20  # ten are expected


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "beta"),
    [
        (20, 0, 0.05, 0.05),
        (0, 0, 0.05, 0.05),
        (0, 20, 0, 0.05),
        (0, 20, 0.05, 0.7),
        (0, 1e6, 0.1, 0.1),
    ],
)
def test_a_test_that_decides_nothing_is_refused(
    elo0: float, elo1: float, alpha: float, beta: float
) -> None:
    with pytest.raises(BadOption, match=r"\.$"):
        Sprt(elo0, elo1, alpha, beta)


def _drawn(chance: Chance, odds: tuple[int, ...], pairs: int) -> Pentanomial:
    kinds = [kind for kind, share in enumerate(odds) for _ in range(share)]
    counts = [0, 0, 0, 0, 0]
    for _ in range(pairs):
        counts[chance.choice(kinds)] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


# Three ways to move shares about without changing their sum or their mean.
_WAYS = ((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1))


def _greatest(counts: list[float], mean: float) -> float:
    """The greatest log-likelihood of these counts among shares with this mean."""
    # Begin with shares that have it: a mixture of all at the mean's two ends and of equal ones.
    away = 2 * (mean - 0.5)
    shares = [0.2 * (1 - abs(away))] * 5
    shares[4 if away > 0 else 0] += abs(away)
    step, best = 0.05, _likelihood(counts, shares)
    while step > 1e-9:
        better = False
        for way in _WAYS:
            for sign in (step, -step):
                moved = [share + sign * by for share, by in zip(shares, way, strict=True)]
                if min(moved) > 0 and (found := _likelihood(counts, moved)) > best:
                    shares, best, better = moved, found, True
        if not better:
            step /= 2
    return best


def _likelihood(counts: list[float], shares: list[float]) -> float:
    return sum(count * log(share) for count, share in zip(counts, shares, strict=True))


# What other people's programs say of real matches. A single game is a pair that brought all,
# half or nothing.
@pytest.mark.parametrize(
    ("pairs", "elo0", "elo1", "published"),
    [
        # cutechess, issue 543: 880 won, 759 lost, 1863 drawn; its own figure and another script's.
        ((759, 0, 1863, 0, 880), 0, 5, 2.95),
        # fastchess gives these for logistic Elo: two matches by games, two by pairs.
        ((21184, 0, 40708, 0, 21404), 0.5, 2.5, -1.57),
        ((57030, 0, 106593, 0, 57433), 0, 2, -2.59),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_ratio_is_what_other_programs_print(
    pairs: Pentanomial, elo0: float, elo1: float, published: float
) -> None:
    assert round(llr(pairs, elo0, elo1), 2) == published


def test_elo_interval_and_superiority_are_what_cutechess_prints() -> None:
    games = (759, 0, 1863, 0, 880)  # "Elo difference: 12.0 +/- 7.9, LOS: 99.9 %"
    low, high = interval(games)
    assert round(elo_from_score(score_of(games)), 1) == 12.0
    assert round((elo_from_score(high) - elo_from_score(low)) / 2, 1) == 7.9
    assert round(100 * los(games), 1) == 99.9
