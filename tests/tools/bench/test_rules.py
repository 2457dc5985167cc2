"""The benchmark of the rules covers every game, and times the same games every time."""

import pytest

from rookery.core.chance import Chance
from rookery.games import GAMES, AnyGame, parse_variant
from rookery_tools.bench.rules import (
    BUDGETS,
    LONGEST,
    SPAN,
    RulesCase,
    best,
    prepare,
    suite,
    time_rules,
)

TICTACTOE = RulesCase("tictactoe", "tictactoe", 2)


def test_every_game_is_measured_with_its_fewest_and_its_most_seats() -> None:
    measured = {(case.game, case.seats) for case in suite()}
    for name, game in GAMES.items():
        assert {(name, game.seat_counts[0]), (name, game.seat_counts[-1])} <= measured


def test_reversi_is_measured_on_both_boards_of_its_old_dialects() -> None:
    assert [case.variant for case in suite() if case.game == "reversi"] == [
        "reversi",
        "reversi size=10",
    ]


def test_every_budget_is_that_of_a_game() -> None:
    assert [name for name in BUDGETS if name not in GAMES] == []


@pytest.mark.parametrize("case", suite(), ids=lambda case: f"{case.variant}-{case.seats}")
def test_a_prepared_game_is_the_same_every_time(case: RulesCase) -> None:
    game: AnyGame = parse_variant(case.variant)
    first = prepare(game, case.seats, Chance(5))
    assert prepare(game, case.seats, Chance(5)) == first
    assert 0 < len(first.moves) <= LONGEST


def test_a_prepared_game_goes_to_its_end() -> None:
    game: AnyGame = parse_variant("tictactoe")
    prepared = prepare(game, 2, Chance(5))
    state = prepared.start
    for seat, text in prepared.moves:
        state = game.play(state, seat, game.parse_move(text)).state
    assert game.outcome(state) is not None


def test_a_timing_says_what_was_timed() -> None:
    timing = time_rules(TICTACTOE, games=2)
    assert (timing.variant, timing.seats, timing.games) == ("tictactoe", 2, 2)
    assert 2 * 5 <= timing.moves <= 2 * 9
    assert timing.micros > 0
    assert timing.bare_micros > 0


@pytest.mark.parametrize("lost", range(60))
def test_a_clock_that_stood_still_for_a_moment_spoils_no_timing(lost: int) -> None:
    now = ran = 0

    def run() -> None:
        nonlocal now, ran
        ran += 1
        now += 0 if ran == lost else 40_000

    assert best(run, SPAN, lambda: now) == pytest.approx(40_000, rel=0.05)


def test_a_long_run_is_not_repeated_more_than_it_must_be() -> None:
    now = ran = 0

    def run() -> None:
        nonlocal now, ran
        ran += 1
        now += SPAN

    assert best(run, SPAN, lambda: now) == SPAN
    assert ran == 1 + 3


def test_without_a_budget_nobody_is_within_one() -> None:
    timing = time_rules(TICTACTOE, games=1)
    assert (timing.budget, timing.within) == (None, None)


def test_a_budget_is_kept_or_not() -> None:
    timing = time_rules(RulesCase("reversi", "reversi size=4", 2), games=1)
    assert timing.budget == BUDGETS["reversi"]
    assert timing.within == (timing.micros <= BUDGETS["reversi"])
