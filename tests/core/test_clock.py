"""Clocks, told the time: what a move costs, and when a flag falls."""

import pytest

from rookery.core.clock import UNLIMITED, Budget, Clock, PerMove, parse_time_control
from rookery.core.ids import Seat

SECOND = 1_000_000
BLACK, WHITE = Seat(0), Seat(1)
ALL_CONTROLS = ("none", "60s", "60s+2s", "60s delay 3s", "10s/move", "10s/move first 30s of phase")


def clock(text: str, seats: int = 2) -> Clock:
    return Clock.of(parse_time_control(text), seats)


def test_a_fresh_clock_stands_and_is_full() -> None:
    fresh = clock("60s")
    assert fresh.remaining(BLACK, 99 * SECOND) == 60 * SECOND
    assert fresh.deadline() is None
    assert fresh.fallen(10**15) is None


def test_a_running_clock_loses_what_has_passed() -> None:
    running = clock("60s").run(BLACK, 5 * SECOND, "play")
    assert running.remaining(BLACK, 12 * SECOND) == 53 * SECOND
    assert running.remaining(WHITE, 12 * SECOND) == 60 * SECOND
    assert running.spent(BLACK, 12 * SECOND) == 7 * SECOND


def test_a_charge_takes_what_was_spent_and_stops_the_clock() -> None:
    charged = clock("60s").run(BLACK, 0, "play").charge(BLACK, 7 * SECOND, "play")
    assert charged.remaining(BLACK, 99 * SECOND) == 53 * SECOND
    assert charged.flag(BLACK) is None


# A replay has no times of day, only what was charged: it must come out the same.
@pytest.mark.parametrize("text", ALL_CONTROLS)
def test_a_charge_needs_no_clock_to_have_run(text: str) -> None:
    played = clock(text).run(BLACK, 123, "play").charge(BLACK, SECOND, "play")
    assert clock(text).charge(BLACK, SECOND, "play") == played


def test_an_increment_is_added_after_the_move() -> None:
    running = clock("60s+2s").run(BLACK, 0, "play")
    assert running.flag(BLACK) == 60 * SECOND
    charged = running.charge(BLACK, 5 * SECOND, "play")
    assert charged.remaining(BLACK, 0) == 57 * SECOND


def test_a_delay_makes_the_beginning_of_a_move_free() -> None:
    running = clock("60s delay 3s").run(BLACK, 0, "play")
    assert running.remaining(BLACK, 2 * SECOND) == 60 * SECOND
    assert running.remaining(BLACK, 5 * SECOND) == 58 * SECOND
    assert running.flag(BLACK) == 63 * SECOND
    assert running.charge(BLACK, 2 * SECOND, "play").remaining(BLACK, 0) == 60 * SECOND
    assert running.charge(BLACK, 5 * SECOND, "play").remaining(BLACK, 0) == 58 * SECOND


def test_time_for_each_move_is_given_anew() -> None:
    first = clock("10s/move").run(BLACK, 0, "play").charge(BLACK, 9 * SECOND, "play")
    second = first.run(BLACK, 50 * SECOND, "play")
    assert second.flag(BLACK) == 60 * SECOND


def allowances(text: str, phases: str) -> list[int]:
    """What one seat is given for its moves in these phases, in seconds."""
    one, given = clock(text), []
    for phase in phases.split():
        one = one.run(BLACK, 0, phase)
        flag = one.flag(BLACK)
        assert flag is not None
        given.append(flag // SECOND)
        one = one.charge(BLACK, SECOND, phase)
    return given


def test_the_first_move_of_the_game_may_take_longer() -> None:
    assert allowances("10s/move first 30s", "place place move move") == [30, 10, 10, 10]


def test_the_first_move_of_one_phase_may_take_longer() -> None:
    assert allowances("10s/move first 30s of move", "place place move move") == [10, 10, 30, 10]


def test_the_first_move_of_every_phase_may_take_longer() -> None:
    assert allowances("10s/move first 30s of phase", "place place move move") == [30, 10, 30, 10]


def test_a_phase_that_comes_back_is_not_begun_again() -> None:
    assert allowances("10s/move first 30s of phase", "place move place") == [30, 30, 10]


def test_each_seat_has_a_first_move_of_its_own() -> None:
    moved = clock("10s/move first 30s").run(BLACK, 0, "play").charge(BLACK, SECOND, "play")
    assert moved.run(WHITE, 0, "play").flag(WHITE) == 30 * SECOND


def test_without_a_clock_nothing_ever_falls() -> None:
    running = clock("none").run(BLACK, 0, "play")
    assert running.remaining(BLACK, 10**15) is None
    assert running.flag(BLACK) is None
    assert running.deadline() is None
    assert running.fallen(10**15) is None
    assert running.charge(BLACK, 10**15, "play") == clock("none")


@pytest.mark.parametrize("text", ["60s", "50s delay 10s", "60s/move", "1s/move first 60s"])
def test_a_flag_has_fallen_at_its_very_moment_and_not_before(text: str) -> None:
    running = clock(text).run(BLACK, 0, "play")
    assert running.fallen(60 * SECOND - 1) is None
    assert running.fallen(60 * SECOND) == BLACK
    assert running.remaining(BLACK, 60 * SECOND) == 0


def test_several_seats_run_at_once_and_the_first_flag_is_the_deadline() -> None:
    both = clock("60s", seats=4).run(Seat(2), 5 * SECOND, "play").run(Seat(0), 7 * SECOND, "play")
    assert both.deadline() == 65 * SECOND
    assert both.fallen(65 * SECOND) == Seat(2)
    assert both.fallen(99 * SECOND) == Seat(2)
    assert both.stop(Seat(2)).fallen(99 * SECOND) == Seat(0)


def test_of_two_flags_that_fall_at_once_the_lower_seat_is_named() -> None:
    both = clock("60s").run(WHITE, 0, "play").run(BLACK, 0, "play")
    assert both.fallen(60 * SECOND) == BLACK


def test_a_seat_that_runs_already_goes_on_as_it_was() -> None:
    running = clock("60s").run(BLACK, 5 * SECOND, "play")
    assert running.run(BLACK, 50 * SECOND, "play") == running


def test_a_stopped_clock_is_charged_nothing() -> None:
    assert clock("60s").run(BLACK, 0, "play").stop(BLACK) == clock("60s")


def test_a_charge_beyond_the_flag_leaves_nothing_and_never_less() -> None:
    assert clock("60s").charge(BLACK, 99 * SECOND, "play").remaining(BLACK, 0) == 0
    assert clock("60s+2s").charge(BLACK, 99 * SECOND, "play").remaining(BLACK, 0) == 2 * SECOND


def test_time_that_runs_backwards_costs_nothing() -> None:
    running = clock("60s").run(BLACK, 5 * SECOND, "play")
    assert running.spent(BLACK, 0) == 0
    assert running.remaining(BLACK, 0) == 60 * SECOND


def test_a_clock_knows_its_control() -> None:
    assert Clock.of(UNLIMITED, 2).left == (0, 0)
    assert Clock.of(Budget(5), 2).left == (5, 5)
    assert Clock.of(PerMove(5, 9), 2).left == (5, 5)


@pytest.mark.parametrize(
    "text", [*ALL_CONTROLS, "10s/move first 30s", "10s/move first 30s of move"]
)
def test_when_a_flag_will_fall_is_known_without_running_the_clock(text: str) -> None:
    fresh = clock(text)
    moved = fresh.charge(BLACK, SECOND, "place")
    for one in (fresh, moved, moved.charge(BLACK, SECOND, "move")):
        for phase in ("place", "move"):
            begun = one.run(BLACK, 7 * SECOND, phase)
            assert one.flag_from(7 * SECOND, BLACK, phase) == begun.flag(BLACK)
