"""Fair time stands still while the server was not there."""

from collections.abc import Callable

import pytest

from rookery.core.chance import Chance
from rookery.server.fairtime import BEAT, STALL, FairTime

WALL = 1_000_000_000


class Monotonic:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 5_000

    def __call__(self) -> int:
        return self.time


def test_it_begins_at_the_wall_clock_and_goes_on_with_the_monotonic_one() -> None:
    monotonic = Monotonic()
    fair = FairTime(monotonic, lambda: WALL)
    assert fair.now() == WALL
    monotonic.time += BEAT
    assert fair.now() == WALL + BEAT


def test_a_loop_that_turns_loses_no_time() -> None:
    monotonic = Monotonic()
    fair = FairTime(monotonic, lambda: WALL)
    for _ in range(100):
        monotonic.time += BEAT + 1_000
        fair.beat()
    assert fair.now() == WALL + 100 * (BEAT + 1_000)
    assert fair.stalled == 0


def test_a_stall_is_taken_out_whoever_notices_it_first() -> None:
    for notices_by_reading in (True, False):
        monotonic = Monotonic()
        fair = FairTime(monotonic, lambda: WALL)
        monotonic.time += 30_000_000  # the process was stopped for half a minute
        if notices_by_reading:
            assert fair.now() == WALL + BEAT
        fair.beat()
        assert fair.now() == WALL + BEAT
        assert fair.stalled == 30_000_000 - BEAT


def test_jitter_is_no_stall() -> None:
    monotonic = Monotonic()
    fair = FairTime(monotonic, lambda: WALL)
    monotonic.time += STALL
    assert fair.now() == WALL + STALL


def test_time_goes_on_after_a_stall_of_which_a_part_was_told_before() -> None:
    monotonic = Monotonic()
    fair = FairTime(monotonic, lambda: WALL)
    monotonic.time += STALL
    assert fair.now() == WALL + STALL  # no stall yet
    monotonic.time += 10
    told = fair.now()
    assert WALL + STALL <= told <= WALL + STALL + 10
    monotonic.time += 1_000
    assert fair.now() == told + 1_000


class Looks:
    """A loop that waits at its sockets all the time, as far as it knows."""

    def __init__(self, monotonic: Monotonic) -> None:
        self._monotonic = monotonic
        self._began = monotonic.time
        self.turn: Callable[[], object] = lambda: None

    def idle(self) -> int:
        """Since it began."""
        return self._monotonic.time - self._began

    def delayed(self) -> int:
        """Never: who is stopped waits for no processor."""
        return 0

    def soon(self, work: Callable[[], object]) -> None:
        """It is done when the test says that the loop turns."""
        self.turn = work


@pytest.mark.parametrize("stopped", [BEAT // 2, BEAT, 2 * BEAT])
@pytest.mark.parametrize("beats_first", [True, False])
def test_who_moves_while_the_process_is_stopped_is_charged_a_beat_more_at_most(
    stopped: int, *, beats_first: bool
) -> None:
    monotonic = Monotonic()
    looks = Looks(monotonic)
    fair = FairTime(monotonic, lambda: WALL, metrics=looks)
    fair.beat()
    monotonic.time += BEAT - 1_000
    came = fair.now()  # and then the process is stopped
    monotonic.time += stopped
    if beats_first:
        fair.beat()
    assert came - BEAT <= fair.read() <= came + BEAT
    looks.turn()
    fair.beat()
    fair.polled(fair.mark())
    monotonic.time += 2_000
    assert fair.read() == fair.now(), "and afterwards all is as ever"


def test_how_long_a_stall_is_can_be_said() -> None:
    monotonic = Monotonic()
    fair = FairTime(monotonic, lambda: WALL, beat=200_000, stall=1_000_000)
    monotonic.time += 1_000_000
    fair.beat()
    assert fair.now() == WALL + 1_000_000
    monotonic.time += 3600 * 1_000_000
    fair.beat()
    assert fair.now() == WALL + 1_200_000


def test_it_never_goes_back() -> None:
    monotonic = Monotonic()
    fair = FairTime(monotonic, lambda: WALL)
    seen = [fair.now()]
    for gap, beats in ((10, True), (STALL - 1, False), (2, True), (5 * STALL, False), (1, True)):
        monotonic.time += gap
        seen.append(fair.now())
        if beats:
            fair.beat()
        seen.append(fair.now())
    assert seen == sorted(seen)


class Waiting:
    """Looks of a loop that works for so long of every ten milliseconds, and waits else."""

    def __init__(self, clock: Monotonic, worked: int) -> None:
        self.clock, self.worked = clock, worked
        self.todo: list[Callable[[], object]] = []

    def idle(self) -> int:
        return self.clock.time - self.worked * (self.clock.time // 10_000)

    def delayed(self) -> int:
        return 0

    def soon(self, work: Callable[[], object]) -> None:
        self.todo.append(work)


@pytest.mark.parametrize(("worked", "turns"), [(0, 10), (100, 10), (1_000, 14), (5_000, 30)])
def test_a_loop_that_hardly_works_does_not_turn_just_to_have_looked(
    worked: int, turns: int
) -> None:
    clock = Monotonic()
    loop = Waiting(clock, worked)
    fair = FairTime(clock, lambda: 0, metrics=loop)
    turned = 0
    for _ in range(10):
        clock.time += 10_000
        fair.read()
        while loop.todo:
            loop.todo.pop(0)()
            turned += 1
    assert turned == turns


class Plain(FairTime):
    """Fair time that works out anew what is read, each time: the law of `read`."""

    def read(self) -> int:
        assert self._metrics is not None
        if not self._reading:
            self._reading = True
            self._came = self._least(self._metrics)
            self._metrics.soon(self._turned)
        self._settle()
        return self._fair(self._came)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_read_in_one_turn_is_what_it_would_be_if_it_were_read_alone(seed: int) -> None:
    chance, clock = Chance(seed), Monotonic()
    loops = [Waiting(clock, 1_000), Waiting(clock, 1_000)]
    both = [
        kind(clock, lambda: 0, metrics=loop)
        for kind, loop in zip((FairTime, Plain), loops, strict=True)
    ]
    for _ in range(300):
        clock.time += chance.choice([0, 0, 1, 90, 4_000, BEAT, STALL - 1, STALL + 1, 10 * STALL])
        what = chance.below(12)
        for fair, loop in zip(both, loops, strict=True):
            if what == 0:
                fair.stand()
            elif what == 1:
                fair.go_on()
            elif what == 2:
                fair.beat()
            elif what == 3 and loop.todo:
                loop.todo.pop(0)()
        assert both[0].read() == both[1].read()
        if what == 4:
            assert both[0].now() == both[1].now()
