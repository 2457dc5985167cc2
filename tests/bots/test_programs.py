"""Programs as players: what they may answer, and how they lose."""

import asyncio
import sys
from pathlib import Path

import pytest
import uvloop
from msgspec.structs import replace

from rookery.bots.programs import Fault, Program, ProgramFailed, parse_command
from tests.bots.test_programs_told import (
    AWAY,
    PATIENCE,
    PLAY,
    READY,
    THOUGHT,
    WON,
    begin,
    begun,
    bot,
    failure,
    failure_at_start,
    first_move,
    members,
    program,
    run,
)


def test_it_plays_in_the_servers_own_event_loop() -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(first_move(bot())) == "0,1"


def test_an_illegal_move_is_left_to_the_referee() -> None:
    assert run(first_move(bot('say(type="play", move="9,9")'))) == "9,9"


def test_it_may_wait() -> None:
    assert run(first_move(bot('say(type="wait")'))) is None


def test_what_we_do_not_know_is_ignored() -> None:
    assert run(first_move(bot(f'say(type="remark", text="hm"); print(); {PLAY}'))) == "0,1"


async def next_game_after_a_move_nobody_waits_for(turn: str) -> str | None:
    """Cut its first thought short, and play another game."""
    count = "games = globals().get('games', 0) + 1"
    async with begun(bot(turn, begin=f"{count}; {READY}")) as ann:
        thinking = asyncio.ensure_future(ann.move(THOUGHT, None))
        await asyncio.wait({thinking}, timeout=0)
        thinking.cancel()
        await asyncio.wait({thinking})
        await ann.end(WON)
        await begin(ann)
        return await ann.move(THOUGHT, PATIENCE)


def test_the_answer_to_a_thought_cut_short_is_thrown_away() -> None:
    turn = 'say(type="play", move=str(games))'
    assert run(next_game_after_a_move_nobody_waits_for(turn)) == "2"


def test_a_thought_cut_short_needs_no_answer() -> None:
    turn = 'games == 1 or say(type="play", move=str(games))'
    assert run(next_game_after_a_move_nobody_waits_for(turn)) == "2"


def test_a_game_that_was_never_begun_in_time_is_not_mixed_up_with_the_next() -> None:
    async def story() -> str | None:
        ann = program(bot())
        beginning = asyncio.ensure_future(begin(ann))
        while ann.group is None:
            await asyncio.wait({beginning}, timeout=0)
        beginning.cancel()
        await asyncio.wait({beginning})
        await begin(ann)
        try:
            return await ann.move(THOUGHT, PATIENCE)
        finally:
            await ann.close()

    assert run(story()) == "0,1"


def test_a_program_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(ProgramFailed, match=r"^There is no program 'no-such-bot' to run\.$") as no:
        parse_command("no-such-bot --fast")
    assert no.value.fault is Fault.MISSING


def test_a_program_that_went_missing_is_found_out_when_a_game_begins(tmp_path: Path) -> None:
    with pytest.raises(ProgramFailed, match="There is no program"):
        run(begin(Program([str(tmp_path / "bot")], name="ann")))


@pytest.mark.parametrize("text", ["", "  ", "''", "python3 'my bot.py"])
def test_a_command_that_cannot_be_read_is_one_sentence(text: str) -> None:
    with pytest.raises(ProgramFailed, match=r"^(A command|\"python3).*\.$"):
        parse_command(text)


def test_a_command_is_split_as_a_shell_would() -> None:
    assert parse_command(f"{sys.executable} 'my bot.py' -v") == (sys.executable, "my bot.py", "-v")


def test_a_crash_at_the_start_says_its_last_words() -> None:
    failed = failure_at_start("raise SystemExit('no opening book')")
    assert str(failed) == "ann stopped with exit code 1; its last words: no opening book"
    assert failed.fault is Fault.GONE


def test_a_crash_in_mid_game_brings_its_complaints() -> None:
    failed = failure(bot('told["colour"]'))
    assert str(failed) == "ann stopped with exit code 1; its last words: KeyError: 'colour'"
    assert failed.complaints.startswith("Traceback")


def test_a_crash_between_two_turns_is_told_at_the_next() -> None:
    failed = failure(bot(f"{PLAY}; sys.exit(3)"))
    assert str(failed) == "ann stopped with exit code 3."


def test_a_signal_that_ended_it_is_named() -> None:
    assert str(failure(bot("os.kill(os.getpid(), 11)"))) == "ann was ended by SIGSEGV."


def test_closing_its_output_is_leaving() -> None:
    failed = failure(bot("os.close(1); hang()"))
    assert (failed.fault, str(failed)) == (Fault.GONE, "ann closed its output.")


def test_hanging_at_the_start_is_too_late_and_may_be_a_missing_flush() -> None:
    failed = failure_at_start(bot(begin="hang()"), start_seconds=0.5)
    sentence = "ann did not answer within 0.5 s; does it flush what it prints?"
    assert (failed.fault, str(failed)) == (Fault.LATE, sentence)


def test_hanging_in_mid_game_is_too_late() -> None:
    failed = failure(bot("hang()"), seconds=0.1)
    assert (failed.fault, str(failed)) == (Fault.LATE, "ann did not answer within 0.1 s.")


def test_an_answer_that_comes_late_does_not_count() -> None:
    failed = failure(bot(f"select.select([], [], [], 0.4); {PLAY}"), seconds=0.1)
    assert failed.fault is Fault.LATE


def test_whoever_failed_begins_afresh() -> None:
    async def story() -> str | None:
        once = 'hang() if told["seat"] else say(type="play", move="0,1")'
        async with begun(bot(once)) as player:
            with pytest.raises(ProgramFailed):
                await player.move(replace(THOUGHT, seat=AWAY), 0.1)
            assert player.group is None
            await begin(player)
            return await player.move(THOUGHT, PATIENCE)

    assert run(story()) == "0,1"


@pytest.mark.parametrize(
    "rubbish",
    [
        'print("thinking", flush=True)',
        'print(\'{"type":"play"}\', flush=True)',
        'print(\'{"type":"play","move":3}\', flush=True)',
        'print("[1, 2]", flush=True)',
        "os.write(1, bytes([255, 254, 10]))",
    ],
)
def test_rubbish_loses(rubbish: str) -> None:
    failed = failure(bot(rubbish))
    assert failed.fault is Fault.RUBBISH
    assert str(failed).endswith("which is no answer.")


def test_a_long_line_of_rubbish_is_quoted_in_part() -> None:
    failed = failure(bot('print("ha" * 1000, flush=True)'))
    assert str(failed) == f"ann printed {'ha' * 30 + '…'!r}, which is no answer."


def test_answering_twice_loses() -> None:
    failed = failure(bot("""sys.stdout.write('{"type":"wait"}\\n' * 2); sys.stdout.flush()"""))
    assert str(failed) == "ann said wait when nothing was asked."


def test_begin_is_answered_with_ready() -> None:
    failed = failure_at_start(bot(begin='say(type="wait")'))
    assert str(failed) == "ann answered begin with wait and not with ready."


@pytest.mark.parametrize(
    "flood",
    [
        'while True: os.write(1, b"x" * 65536)',
        'while True: os.write(1, b\'{"type":"remark"}\\n\' * 1000)',
        'while True: os.write(2, b"x" * 65536)',
    ],
)
def test_a_flood_loses(flood: str) -> None:
    assert failure(bot(flood)).fault is Fault.FLOODED


def test_too_much_memory_is_not_given() -> None:
    failed = failure(bot('bytearray(300 << 20); say(type="wait")'), memory=256)
    assert str(failed) == "ann stopped with exit code 1; its last words: MemoryError"


def test_as_much_memory_as_allowed_is_given() -> None:
    assert run(first_move(bot(f"bytearray(300 << 20); {PLAY}"))) == "0,1"


def test_the_last_of_its_complaints_is_kept() -> None:
    failed = failure(bot('sys.stderr.write("x" * 9000 + "y" * 4000); sys.exit(1)'))
    assert failed.complaints == "x" * 96 + "y" * 4000


def test_who_complains_within_bounds_plays_on() -> None:
    assert run(first_move(bot(f'sys.stderr.write("x" * (4 << 20)); {PLAY}'))) == "0,1"


def test_closing_twice_is_closing() -> None:
    async def story() -> None:
        async with begun(bot()) as player:
            group = player.group
            assert group is not None
            assert members(group) != []
            await player.close()
            assert members(group) == []

    run(story())
