"""Scores of matches that are simply there, without a tour in which they came out."""

from collections.abc import Iterable

from rookery.core.tour_values import Match
from rookery.hall.scoring.scores import Scores, parse_points


def scored(matches: Iterable[Match], points: str = "1-0.5-0") -> Scores:
    """What these matches add up to, paired and then decided in their order."""
    all_ = tuple(matches)
    scores = Scores(parse_points(points)).paired(match.fixture for match in all_)
    for match in all_:
        if match.result is not None:
            scores = scores.came_out(match.fixture, match.result)
    return scores
