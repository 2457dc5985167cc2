"""Who judges what absences cost in tours."""

from rookery.core.events import (
    EntrantPaused,
    EntrantResumed,
    Joined,
    MatchBegun,
    MatchEnded,
    Paired,
    PublicTourEvent,
    Record,
    TourOpened,
    TourStarted,
    tour_stream,
)
from rookery.core.ids import MICROS_A_SECOND, Micros, PlayerId, TableId, TourId
from rookery.core.tour_values import ABSENT, Fixture, Plan, Result
from rookery_tools.sim.observer.absences import ABSENCES, judge_absences

PLAN = Plan("nim", absent=10 * MICROS_A_SECOND)
PAIRS = ((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))


def wrong(*story: tuple[float, PublicTourEvent], plan: Plan = PLAN) -> bool:
    """Whether a round robin of four in which this happens, at these seconds, is called wrong."""
    joined = [(0, Joined(n, f"g{n}", PlayerId(n))) for n in range(1, 5)]
    paired = Paired(tuple(Fixture(1, pair) for pair in PAIRS))
    all_: list[tuple[float, PublicTourEvent]] = [
        (0, TourOpened(plan)),
        *joined,
        (0, TourStarted()),
        (0, paired),
        *story,
    ]
    stream = tour_stream(TourId(1))
    records = [
        Record(n, stream, n, Micros(round(at * MICROS_A_SECOND)), event)
        for n, (at, event) in enumerate(all_, 1)
    ]
    found = list(judge_absences(records))
    assert {one.judgement for one in found} <= {ABSENCES}
    return bool(found)


def falls(match: int, *sides: int) -> MatchEnded:
    return MatchEnded(match, Result((2, 1), ABSENT, "", sides or (0,)))


def won(match: int) -> MatchEnded:
    return MatchEnded(match, Result((1, 2), "last"))


BEGUN = (0, MatchBegun(6, TableId(1)))
GONE = (10, EntrantPaused(1))


def test_one_match_in_each_absence_is_right() -> None:
    assert not wrong(BEGUN, GONE, (10, falls(1)), (20, falls(2)), (30, falls(3)))


def test_two_are_wrong_while_a_match_runs_or_can_be_played() -> None:
    assert wrong(BEGUN, GONE, (10, falls(1)), (11, falls(2)))
    assert wrong(GONE, (10, falls(1)), (11, falls(2)))


def test_the_rest_may_go_when_nothing_else_is_left() -> None:
    played = [(11, won(4)), (11, won(5)), (11, won(6))]
    assert not wrong(GONE, (10, falls(1)), *played, (11, falls(2)), (11, falls(3)))


def test_nobody_is_paused_too_soon_after_coming_back() -> None:
    assert wrong(GONE, (12, EntrantResumed(1)), (21, EntrantPaused(1)))
    assert not wrong(GONE, (12, EntrantResumed(1)), (22, EntrantPaused(1)))
