"""A change is called one where it is larger than the runs differ among themselves."""

import msgspec
import pytest

from rookery_tools.bench.figures import Figure, FigureBudget, Sample, gather
from rookery_tools.bench.machine import this_machine
from rookery_tools.bench.picture import picture
from rookery_tools.bench.report import BenchReport
from rookery_tools.bench.server.offered import LoadAnswers
from rookery_tools.bench.verdict import Word, compare, judge

STEADY = (100.0, 101.0, 99.0, 100.5, 99.5)
NOISY = (100.0, 140.0, 80.0, 120.0, 90.0)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (STEADY, (80.0, 81.0, 79.0, 80.5, 79.5), Word.FASTER),
        (STEADY, (120.0, 121.0, 119.0, 120.5, 119.5), Word.SLOWER),
        (STEADY, STEADY, Word.CANNOT_TELL),
        (STEADY, tuple(one * 1.065 for one in STEADY), Word.CANNOT_TELL),  # so it does by itself
        (STEADY, tuple(one * 1.085 for one in STEADY), Word.SLOWER),
        (STEADY, tuple(one * 0.915 for one in STEADY), Word.FASTER),
        (NOISY, tuple(one * 1.1 for one in NOISY), Word.CANNOT_TELL),
        (NOISY, tuple(one * 2.5 for one in NOISY), Word.SLOWER),
        (STEADY, (50.0, 50.0), Word.CANNOT_TELL),  # two runs have no spread
        ((100.0,) * 3, (90.0,) * 3, Word.FASTER),
    ],
)
def test_the_verdict_knows_noise(
    old: tuple[float, ...], new: tuple[float, ...], word: Word
) -> None:
    assert judge(old, new) is word


def test_one_run_that_was_disturbed_changes_no_verdict() -> None:
    disturbed = (*STEADY[:4], 900.0)
    assert judge(disturbed, STEADY) is Word.CANNOT_TELL
    assert judge(disturbed, tuple(one * 0.7 for one in STEADY)) is Word.FASTER


def test_more_of_what_should_be_more_is_faster() -> None:
    assert judge(STEADY, tuple(one * 2 for one in STEADY), more=True) is Word.FASTER


def figure(name: str, values: tuple[float, ...], **more: object) -> Figure:
    return Figure("row", name, "µs", values, **more)  # type: ignore[arg-type]


def test_only_what_is_in_both_is_compared() -> None:
    old, new = [figure("a", STEADY), figure("b", STEADY)], [figure("b", NOISY), figure("c", STEADY)]
    (verdict,) = compare(old, new)
    assert (verdict.name, verdict.old, verdict.new, verdict.ratio) == ("b", 100.0, 100.0, 1.0)


def test_a_verdict_says_what_a_change_must_be_more_than() -> None:
    old = [figure("steady", STEADY), figure("noisy", STEADY)]
    new = [figure("steady", STEADY), figure("noisy", NOISY)]
    steady, noisy = compare(old, new)
    assert steady.spread == pytest.approx(0.07)
    assert 0.2 < noisy.spread < 0.4


@pytest.mark.parametrize(
    ("name", "factor", "costs"),
    [
        ("CPU a move, native", 1.2, True),
        ("  CPU a match", 1.2, True),
        ("CPU a move, native", 1.05, False),
        ("CPU a move, native", 0.8, False),
        ("  answer, p99", 1.2, False),
        ("  CPU while nothing happens", 1.2, False),
    ],
)
def test_what_takes_more_cpu_is_told_from_what_takes_more_time(
    name: str, factor: float, *, costs: bool
) -> None:
    dearer = tuple(one * factor for one in STEADY)
    (verdict,) = compare([figure(name, STEADY)], [figure(name, dearer)])
    assert verdict.costs_more is costs


def test_runs_of_a_row_are_gathered_by_name() -> None:
    budget = FigureBudget(3, 2, bare=True)
    runs = [
        [Sample("move", cost, "µs", bare, budget), Sample("other", 1.0, "s")]
        for cost, bare in ((30.0, 10.0), (50.0, 10.0), (40.0, 20.0))
    ]
    move, other = gather("native", runs)
    assert (move.values, move.bares) == ((30.0, 50.0, 40.0), (10.0, 10.0, 20.0))
    assert (move.value, move.bare, move.times) == (40.0, 10.0, 3.0)
    assert (move.within, other.within) == (True, None)


def test_a_budget_is_kept_from_below_or_from_above() -> None:
    assert figure("less", (3.0,), budget=FigureBudget(2, 1)).within is False
    assert figure("more", (3.0,), budget=FigureBudget(2, 4), more=True).within is True
    assert figure("no bare", (3.0,), budget=FigureBudget(2, 1, bare=True)).within is None


def test_a_report_is_read_as_it_was_written() -> None:
    figures = (figure("a", STEADY, bares=(1.0,) * 5, budget=FigureBudget(3, 2)), figure("b", NOISY))
    report = BenchReport(this_machine(), figures=figures, beside=figures[:1], notes={"idle": "no"})
    assert msgspec.json.decode(msgspec.json.encode(report), type=BenchReport) == report


def test_a_percentile_is_within_the_answers() -> None:
    answers = LoadAnswers(100.0, (0.001, 0.002, 0.003, 0.004))
    assert (answers.millis(50), answers.millis(99)) == (3.0, 4.0)


def test_the_picture_has_a_curve_for_each_percentile_and_server() -> None:
    figures = [
        figure(f"answer at {rate} moves/s, {part}", (rate / 100,), bares=(0.1,))
        for rate in (500, 1000)
        for part in ("p50", "p99")
    ]
    drawn = picture(figures)
    assert drawn.count("<polyline") == 4
    assert "Rookery, p99" in drawn


def test_there_is_no_picture_of_nothing() -> None:
    assert picture([figure("a", STEADY)]) == ""
