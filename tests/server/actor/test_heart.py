"""A server at which no clock runs beats once a second, and one at which any does twenty times."""

from asyncio.events import _set_running_loop
from collections.abc import Iterator

import pytest

from rookery.core.chance import Chance
from rookery.core.ids import MICROS_A_SECOND, SessionId
from rookery.core.intents import Enter, Gather, Open, Resign
from rookery.core.messages import AnyMessage, Done
from rookery.server.actor.heartbeat import RESTING, Heartbeat
from rookery.server.fairtime import BEAT, FairTime
from rookery_tools.sim.machine.agenda import SECOND, WorldAgenda
from rookery_tools.sim.machine.loop import SimLoop
from tests.server.desk import Desk, Ear, story, until

MINUTE = 60


class Counted(FairTime):
    """Fair time that counts how often the loop says that it is alive."""

    beats = 0

    def beat(self, slower: int = 1) -> None:
        """Count."""
        self.beats += 1
        super().beat(slower)


class Chest:
    """A heart in a loop whose time passes when a test says so. It mutates."""

    def __init__(self) -> None:
        self.agenda = WorldAgenda()
        self.loop = SimLoop(self.agenda, Chance(1))
        _set_running_loop(self.loop)
        self.playing = False
        self.time = Counted(lambda: self.agenda.now // 1_000, lambda: 0)
        self.beat = Heartbeat(self.time, lambda: not self.playing)

    def beats_in(self, seconds: int) -> int:
        """How often it beats in so long."""
        before, until = self.time.beats, self.agenda.now + seconds * SECOND
        while self.loop.wakes_at <= until:
            self.agenda.now = max(self.agenda.now, self.loop.wakes_at)
            self.loop.step()
        self.agenda.now = until
        return self.time.beats - before


@pytest.fixture
def chest() -> Iterator[Chest]:
    made = Chest()
    yield made
    made.beat.stop()
    _set_running_loop(None)
    made.loop.dead = True


def test_it_beats_once_a_second_while_nobody_plays(chest: Chest) -> None:
    assert RESTING * BEAT == MICROS_A_SECOND
    assert chest.beats_in(MINUTE) in (MINUTE - 1, MINUTE)


def test_it_beats_twenty_times_a_second_while_anybody_does(chest: Chest) -> None:
    chest.playing = True
    chest.beat.wake()
    assert chest.beats_in(MINUTE) in range(MINUTE * RESTING - 20, MINUTE * RESTING + 1)


def test_it_beats_at_once_when_it_is_woken_and_no_timer_is_left_behind(chest: Chest) -> None:
    chest.beats_in(1)
    before = chest.time.beats
    chest.playing = True
    for _ in range(100):
        chest.beat.wake()
    assert chest.time.beats == before + 1
    assert chest.beats_in(10) <= 10 * RESTING


def test_it_rests_again_when_all_games_are_over(chest: Chest) -> None:
    chest.playing = True
    chest.beat.wake()
    chest.beats_in(10)
    chest.playing = False
    assert chest.beats_in(MINUTE) <= MINUTE + 1


def test_it_does_not_rest_while_anybody_sleeps_for_a_moment_to_come(chest: Chest) -> None:
    chest.beats_in(10)
    before = chest.time.beats
    assert chest.time.wait(chest.time.now() + 10 * MICROS_A_SECOND) == 10 * MICROS_A_SECOND
    assert chest.time.beats == before + 1, "it is woken at once"
    assert chest.beats_in(9) > 9 * RESTING - 10
    chest.beats_in(2)
    assert chest.beats_in(MINUTE) <= MINUTE + 1, "and rests when that is past"


def test_a_stop_while_somebody_sleeps_for_a_time_out_is_not_charged_to_it(chest: Chest) -> None:
    chest.beats_in(10)
    began = chest.time.now()
    chest.time.wait(began + 10 * MICROS_A_SECOND)
    chest.beats_in(1)
    chest.agenda.now += 2 * SECOND  # the process was stopped
    assert chest.time.now() <= began + MICROS_A_SECOND + BEAT


def test_a_second_without_a_beat_is_no_stall_while_it_rests(chest: Chest) -> None:
    chest.beats_in(MINUTE)
    assert chest.time.now() == MINUTE * MICROS_A_SECOND
    assert chest.time.stalled == 0


def test_a_machine_that_slept_while_nobody_played_has_lost_that_time(chest: Chest) -> None:
    chest.beats_in(MINUTE)
    chest.agenda.now += 3600 * SECOND
    assert chest.time.now() <= (MINUTE + 1) * MICROS_A_SECOND


def passed(desk: Desk, micros: int) -> int:
    """How much of so long a gap counts for clocks."""
    before = desk.time.now()
    desk.monotonic += micros
    return desk.time.now() - before


def test_a_gap_of_the_loop_counts_only_where_no_clock_runs() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        assert passed(desk, MICROS_A_SECOND) == MICROS_A_SECOND
        table = await desk.game(ann, bob, "tictactoe", "60m")
        assert passed(desk, MICROS_A_SECOND) <= BEAT
        desk.ask(ann, Resign(table))
        await until(lambda: "ended" in bob.kinds())

    story(told)


def test_it_is_awake_before_the_first_clock_starts() -> None:
    async def told(desk: Desk) -> None:
        ann = await desk.player("ann")
        desk.ask(ann, Open("tictactoe", time="60m"))
        await until(lambda: "done" in ann.kinds())
        assert passed(desk, MICROS_A_SECOND) <= BEAT

    story(told)


class Stopping(Ear):
    """Stops the server for a second as soon as it is told that it waits. It mutates."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(SessionId(900))
        self._desk = desk
        self.counted: list[int] = []  # how much of each such second counts for clocks
        desk.runner.connect(self.session, "10.0.0.2", self)

    def tell(self, message: AnyMessage) -> None:
        """Stop it."""
        super().tell(message)
        if isinstance(message, Done):
            self.counted.append(passed(self._desk, MICROS_A_SECOND))


def test_a_wait_that_is_in_no_record_wakes_it_before_anybody_hears_of_it() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), Stopping(desk)
        desk.ask(bob, Enter("bob"))
        await until(lambda: "welcome" in bob.kinds())
        wait = 30 * MICROS_A_SECOND
        desk.ask(ann, Gather("fish", 2, 3, wait))  # which is for two, and there is one
        await until(lambda: "done" in ann.kinds())
        assert passed(desk, MICROS_A_SECOND) == MICROS_A_SECOND
        desk.ask(bob, Gather("fish", 2, 3, wait))
        await until(lambda: bool(bob.counted))
        assert max(bob.counted) <= BEAT

    story(told)


def test_it_is_awake_after_a_restart_on_a_game_that_runs() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        await desk.game(ann, bob, "tictactoe", "60m")
        next_one = Desk(store=desk.store)
        first = next_one.hall.restore(desk.store.unfinished(), next_one.time.now())
        next_one.runner.begin(first)
        assert passed(next_one, MICROS_A_SECOND) <= BEAT
        next_one.runner.let_go()

    story(told)
