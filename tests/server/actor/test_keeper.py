"""The runner: nothing leaves before it is safe, and then everything, in order."""

import asyncio

from rookery.core.events import Out, Played
from rookery.core.ids import MICROS_A_SECOND, TableId
from rookery.core.intents import Enter, History, ListGames, Play, Rename, Resign
from rookery.core.messages import News
from rookery.server.fairtime import BEAT, STALL, ahead
from rookery.store import StoreFailed
from tests.server.desk import NOON, Desk, Ear, Restless, story, turns, until

SECOND = MICROS_A_SECOND
FULL = StoreFailed("The disk is full.")


# -- safe first


def test_nothing_is_told_before_it_is_safe() -> None:
    async def told(desk: Desk) -> None:
        ann = desk.ear()
        desk.store.gate.clear()
        desk.ask(ann, Enter("ann"))
        await until(lambda: len(desk.store.tried) == 1)
        await turns()
        assert (ann.told, ann.answers) == ([], 0)
        desk.store.gate.set()
        await until(lambda: ann.kinds() == ["welcome"])
        assert ann.answers == 1

    story(told)


def test_while_one_batch_is_written_the_next_is_decided_but_not_told() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = desk.ear(), desk.ear()
        desk.store.gate.clear()
        desk.ask(ann, Enter("ann"))
        await until(lambda: len(desk.store.tried) == 1)
        desk.ask(bob, Enter("bob"))
        await until(lambda: desk.drawn == 2)
        await turns()
        assert len(desk.store.tried) == 1
        assert bob.told == []

    story(told)


def test_all_that_queued_behind_a_write_is_written_at_once() -> None:
    async def told(desk: Desk) -> None:
        ears = [desk.ear() for _ in range(20)]
        desk.store.gate.clear()
        for ear in ears:
            desk.ask(ear, Enter("somebody"))
            await turns(3)
        desk.store.gate.set()
        await until(lambda: all(ear.kinds() == ["welcome"] for ear in ears))
        assert [len(records) for records in desk.store.tried] == [1, 19]

    story(told)


def test_a_question_waits_behind_what_is_not_safe() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = desk.ear(), desk.ear()
        desk.store.gate.clear()
        desk.ask(ann, Enter("ann"))
        await until(lambda: len(desk.store.tried) == 1)
        desk.ask(bob, ListGames())
        await turns()
        assert bob.told == []
        desk.store.gate.set()
        await until(lambda: bob.kinds() == ["games"])
        assert ann.kinds() == ["welcome"]

    story(told)


def test_a_question_with_nothing_before_it_needs_no_disk() -> None:
    async def told(desk: Desk) -> None:
        ann = desk.ear()
        desk.store.gate.clear()
        desk.ask(ann, ListGames())
        await until(lambda: ann.kinds() == ["games"])
        assert desk.store.tried == []

    story(told)


def test_everyone_is_told_in_the_order_it_was_decided_a_reply_before_its_news() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "none")
        desk.store.gate.clear()
        desk.ask(ann, Play(table, "4"))
        await until(lambda: desk.store.tried[-1][-1].n == 6)
        desk.ask(bob, Play(table, "0"))
        desk.ask(ann, Resign(table))
        await turns()
        desk.store.gate.set()
        await until(lambda: "ended" in bob.kinds())
        assert ann.kinds()[-6:] == ["done", "played", "played", "done", "out", "ended"]
        assert bob.kinds()[-5:] == ["played", "done", "played", "out", "ended"]

    story(told)


def test_who_has_gone_is_told_nothing_and_what_it_asked_is_still_done() -> None:
    async def told(desk: Desk) -> None:
        ann = await desk.player("ann")
        desk.ask(ann, Rename("anna"))
        desk.runner.hang_up(ann.session, desk.time.now())
        await until(lambda: desk.store.last_seq() == 2)
        await turns()
        assert ann.kinds() == ["welcome"]

    story(told)


# -- a disk that fails


def test_when_the_log_cannot_be_written_everyone_hears_of_it_once_and_nothing_is_done() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = desk.ear(), desk.ear()
        desk.store.failures = [FULL] * 10_000
        desk.ask(ann, Enter("ann"))
        await until(lambda: len(desk.store.tried) > 3)
        assert (ann.kinds(), bob.kinds()) == (["no_disk"], ["no_disk"])
        assert desk.runner.failing
        desk.store.failures = []
        await until(lambda: not desk.runner.failing)

    story(told)


def test_the_same_records_are_tried_again_until_they_are_safe_and_then_all_goes_on() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = desk.ear(), desk.ear()
        desk.store.failures = [FULL, FULL]
        desk.ask(ann, Enter("ann"))
        await until(lambda: ann.answers == 1)
        assert desk.store.tried[0] == desk.store.tried[1] == desk.store.tried[2]
        assert ann.kinds() == ["no_disk", "resumed", "welcome"]
        assert bob.kinds() == ["no_disk", "resumed"]
        assert desk.store.last_seq() == 1

    story(told)


def test_what_is_asked_while_the_log_cannot_be_written_is_decided_when_it_can() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = desk.ear(), desk.ear()
        desk.store.failures = [FULL] * 10_000
        desk.ask(ann, Enter("ann"))
        await until(lambda: desk.runner.failing)
        desk.ask(bob, Enter("bob"), ListGames())
        await turns()
        assert desk.drawn == 1
        desk.store.failures = []
        await until(lambda: bob.answers == 2)
        assert bob.kinds() == ["no_disk", "resumed", "welcome", "games"]

    story(told)


def test_while_the_log_cannot_be_written_a_fallen_flag_keeps_nobody_busy() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        await desk.game(ann, bob, "tictactoe", "10ms")
        desk.store.failures = [FULL] * 100_000
        desk.ask(bob, Rename("bobby"))
        await until(lambda: desk.runner.failing)
        desk.passes(SECOND)
        await asyncio.sleep(0.02)  # the timer has rung
        before = desk.readings
        await turns(1_000)
        assert desk.readings - before < 500  # the loop's own beat reads it, 20 times a second
        desk.store.failures = []
        await until(lambda: not desk.runner.failing)
        assert "ended" not in ann.kinds(), "no time passed for anyone"
        desk.passes(SECOND)
        await until(lambda: "ended" in ann.kinds())

    story(told)


# -- our own mistakes


def test_a_mistake_in_the_store_stops_everything_and_is_told_to_nobody() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = desk.ear(), desk.ear()
        wrong = RuntimeError("our own mistake")
        desk.store.failures = [wrong]
        desk.ask(ann, Enter("ann"))
        await until(lambda: desk.mistakes == [wrong])
        desk.ask(bob, ListGames())
        await turns()
        assert (ann.told, bob.told) == ([], [])

    story(told)


def test_a_mistake_in_the_hall_stops_everything_even_what_is_being_written() -> None:
    async def told(desk: Desk) -> None:
        ann = desk.ear()
        desk.hall.resume_counting(0, 5)  # five tables, to be read from the log
        desk.store.unreadable = RuntimeError("our own mistake")
        desk.store.gate.clear()
        desk.ask(ann, Enter("ann"))
        await until(lambda: len(desk.store.tried) == 1)
        desk.ask(ann, History(TableId(3)))
        await until(lambda: desk.mistakes == [desk.store.unreadable])
        desk.store.gate.set()
        await until(lambda: desk.store.last_seq() == 1)
        await turns()
        assert ann.told == []

    story(told)


# -- time


def test_a_clock_starts_when_the_turn_is_handed_over_not_when_it_is_decided() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "5m")
        desk.store.gate.clear()
        desk.ask(ann, Play(table, "4"))
        await until(lambda: desk.store.tried[-1][-1].n == 6)
        desk.passes(20 * SECOND)  # the disk is slow
        desk.store.gate.set()
        await until(lambda: "played" in bob.kinds())
        desk.passes(3 * SECOND)
        desk.ask(bob, Play(table, "0"))
        await until(lambda: len(plays(bob)) == 2)
        assert plays(bob)[-1].spent == 3 * SECOND

    story(told)


def test_a_stall_is_taken_out_of_the_clocks_and_not_of_the_dates_in_the_log() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "5m")
        desk.monotonic += 60 * SECOND  # the loop does not turn
        desk.ask(ann, Play(table, "4"))
        await until(lambda: bool(plays(ann)))
        assert plays(ann)[-1].spent == BEAT
        assert desk.store.tried[-1][-1].at == NOON + 60 * SECOND

    story(told)


def test_a_log_dated_in_the_future_is_written_on_with_the_time_that_it_is() -> None:
    assert ahead(NOON, NOON) is None
    assert ahead(NOON + SECOND, NOON) is None, "clocks are set right by as much"
    warning = ahead(NOON + 365 * 24 * 3600 * SECOND, NOON)
    assert warning is not None
    assert "dated 2024-11-13 22:13:20 UTC, and it is 2023-11-14 22:13:20 UTC" in warning


def test_a_move_read_before_the_flag_fell_is_in_time_though_decided_after() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "1s")
        desk.passes(SECOND - 1)
        desk.ask(ann, Play(table, "4"))
        desk.passes(STALL)
        await until(lambda: bool(plays(ann)))
        assert plays(ann)[-1].spent == SECOND - 1

    story(told)


def test_a_move_read_after_the_flag_fell_is_late_though_nobody_had_noticed() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "1s")
        desk.passes(SECOND + 1)
        desk.ask(ann, Play(table, "4"))
        await until(lambda: "ended" in bob.kinds())
        assert plays(ann) == []

    story(told)


def test_the_timer_rings_when_a_flag_falls_though_nobody_says_anything() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        await desk.game(ann, bob, "tictactoe", "20ms")
        desk.passes(20_000)
        await until(lambda: "ended" in bob.kinds())
        assert any(isinstance(m, News) and isinstance(m.happened.event, Out) for m in bob.sent)

    story(told)


def test_a_finished_table_leaves_memory_though_nobody_plays_on() -> None:
    async def told(desk: Desk) -> None:
        ann, bob = await desk.player("ann"), await desk.player("bob")
        table = await desk.game(ann, bob, "tictactoe", "none")
        desk.ask(ann, Resign(table))
        await until(lambda: "ended" in ann.kinds())
        desk.passes(61 * SECOND)
        desk.ask(ann, ListGames())
        await until(lambda: "games" in ann.kinds())
        desk.ask(ann, History(table))
        await until(lambda: "past" in ann.kinds())
        assert desk.store.read_back

    story(told)


# -- going


def test_what_was_asked_before_it_closes_is_told_and_what_comes_later_is_not_taken_up() -> None:
    async def told(desk: Desk) -> None:
        ann = desk.ear()
        desk.store.gate.clear()
        desk.ask(ann, Enter("ann"), ListGames())
        closing = asyncio.create_task(desk.runner.close(30))
        await turns()
        desk.ask(ann, ListGames())
        desk.store.gate.set()
        assert await closing
        assert ann.kinds() == ["welcome", "games"]

    story(told)


def test_it_closes_though_somebody_asks_again_whenever_it_is_answered() -> None:
    async def told(desk: Desk) -> None:
        restless = Restless(desk)
        await until(lambda: restless.answers > 10)
        assert await desk.runner.close(30)

    story(told)


def test_it_says_when_it_could_not_write_what_was_asked() -> None:
    async def told(desk: Desk) -> None:
        ann = desk.ear()
        desk.store.failures = [FULL] * 100_000
        desk.ask(ann, Enter("ann"))
        await until(lambda: desk.runner.failing)
        assert not await desk.runner.close(0.01)
        assert ann.kinds() == ["no_disk"]

    story(told)


def plays(ear: Ear) -> list[Played]:
    """The moves it was told of."""
    events = [message.happened.event for message in ear.sent if isinstance(message, News)]
    return [event for event in events if isinstance(event, Played)]
